void work(int n);
int main(void)
{
    int N = 4;
#pragma ll f f[0]
    work(N);
#pragma cll ends f
#pragma cll paralel PUB
#pragma cll parallel OpenMPI
#pragma cll g g[0]*lgo(N)
    work(N);
#pragma call end g
#pragma cll reprot all
#pragma cll
#pragma cll 3 + N
#pragma cll end
    return 0;
}
