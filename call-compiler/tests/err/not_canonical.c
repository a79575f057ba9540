void work(int n);
int main(void)
{
    int N = 4, M = 2;
#pragma cll a N + a[0]*a[1] + \
        M/a[2] + log(a[3]*N) + \
        M*(a[4] + N) + a[5] + a[5]*N
    work(N);
#pragma cll end a
#pragma cll b b[0]*N^2
    work(M);
#pragma cll end b
#pragma cll c c[0]*(N + (M - 1)
    work(M);
#pragma cll end c
#pragma cll d d[0]*N %
    work(M);
#pragma cll end d
#pragma cll report all
    return 0;
}
