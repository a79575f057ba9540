/* Counters: names of PAPI and of the kernel, beside the other clauses, of experiments with several blocks. */
void work(int n);

int main(void)
{
    int n = 4, counters = 2, steps = 0;
#pragma cll parallel sequential
#pragma cll uses PAPI
#pragma cll f f[0] + f[1]*steps counters PAPI_TOT_CYC, page-faults at end(steps) counters \
        perf::PERF_COUNT_SW_PAGE_FAULTS perf::L1-DCACHE-LOADS:u=1 DTLB_MISSES:4K
    for (steps = 0; steps < n; steps++)
        work(n);
#pragma cll end f
#pragma cll bare counters context-switches /* no formula */
    work(n);
#pragma cll end bare
#pragma cll f
    work(n);
#pragma cll end f
#pragma cll g PAPI_L1_DCM=g[0]*counters counters PAPI_L2_DCM let counters = n
    work(n);
#pragma cll end g
#pragma cll clock CLOCK = clock[0]*counters counters task-clock
    work(n);
#pragma cll end clock
#pragma cll report all
    return counters;
}
