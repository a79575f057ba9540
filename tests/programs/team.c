/* Each thread of a team of two measures its own part; the trace says which processor it was. */
#include <omp.h>

void cll_clock_advance(unsigned long long nanoseconds);

int main(void)
{
    int n = 3;
#pragma cll parallel OpenMP procs = 1:2:2
    omp_set_dynamic(0);
#pragma omp parallel num_threads(2)
    {
        int part = n + omp_get_thread_num();
#pragma cll sync f f[0]*part/P
        cll_clock_advance(1000ull * (unsigned)part);
#pragma cll end f
    }
#pragma cll alone alone[0]*P
    cll_clock_advance(5000);
#pragma cll end alone
#pragma cll report all
    return 0;
}
