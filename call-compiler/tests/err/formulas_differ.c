void work(int n);
int main(void)
{
    int N = 4;
#pragma cll f f[0] + f[1]*N
    work(N);
#pragma cll end f
#pragma cll f f[0]+f[1] * N
    work(N);
#pragma cll end f
#pragma cll f f[0] + f[1]*N*N
    work(N);
#pragma cll end f
#pragma cll f f[0]
#pragma cll f
    work(N);
#pragma cll end f
#pragma cll end f
#pragma cll for f[0]
#pragma cll sync(N f f[0]
#pragma cll report all, f
    return 0;
}
