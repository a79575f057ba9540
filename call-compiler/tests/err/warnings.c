#include "warnings.h"
#define MEASURE _Pragma("cll m m[0]")
void work(int n);
int main(void)
{
    int N = 4;
#pragma cll uses PAPI, LIKWID
#pragma cll script pbs
    MEASURE
#if 0
#pragma cll nonsense [[[
#endif
#pragma cll f f[0]*M
    work(N);
#pragma cll end f
#pragma cll on(N) g g[0]*N
    work(N);
#pragma cll end g
    return 0;
}
