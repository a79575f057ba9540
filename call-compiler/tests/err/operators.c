int main(void)
{
    int N = 3, M = 4;
#pragma cll a a[0]*N at end at end(N)
#pragma cll end a
#pragma cll b b[0]*N & M
#pragma cll end b
#pragma cll c c[0]*N > M
#pragma cll end c
#pragma cll d d[0]*~N
#pragma cll end d
#pragma cll reports
#pragma cll report all
    return N + M;
}
