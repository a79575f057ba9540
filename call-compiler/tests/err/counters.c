void work(int n);
int main(void)
{
    int n = 4, cycles = 1;
#pragma cll a a[0] counters page-faults, cpu-clock page-faults
    work(n);
#pragma cll end a
#pragma cll b PAPI_TOT_CYC = b[0] counters PAPI_TOT_CYC
    work(n);
#pragma cll end b
#pragma cll c c[0] counters CLOCK
    work(n);
#pragma cll end c
#pragma cll d d[0] counters page-faults, 5 cycles
    work(n);
#pragma cll end d
#pragma cll e e[0] counters page-, instructions
    work(n);
#pragma cll end e
#pragma cll f f[0] counters page-faults,
    work(n);
#pragma cll end f
#pragma cll g g[0]*cycles counters time_s
    work(n);
#pragma cll end g
#pragma cll h h[0] counters cycles
    work(n);
#pragma cll end h
#pragma cll h counters instructions
    work(n);
#pragma cll end h
#pragma cll report all
    return 0;
}
