#include <omp.h>
#include <stdlib.h>
#pragma cll parallel OpenMP
enum { N = 64 };
static double a[N];
static int asked(int threads) { return threads; }
static void orphan(int threads)
{
#pragma omp parallel for num_threads(threads)
    for (int i = 0; i < N; i++)
        a[i] += i;
}
int main(void)
{
    int n = N, k = 1;
    omp_set_dynamic(0);
    omp_set_max_active_levels(2);
#pragma cll later later[0]*n/P
    k = 3;
#pragma omp parallel num_threads(k)
    a[0] += omp_get_thread_num() == 0;
#pragma cll end later
#pragma cll called called[0]*n/P
#pragma omp parallel num_threads(asked(2))
    a[0] += omp_get_thread_num() == 0;
#pragma cll end called
#pragma cll orphaned orphaned[0]*n/P
    orphan(3);
#pragma cll end orphaned
#pragma cll loops loops[0]*n/P
#pragma omp parallel for schedule(static) num_threads(asked(3))
    for (int i = 0; i < n; i++) a[i] += 1;
#pragma omp parallel for schedule(dynamic) num_threads(asked(3))
    for (int i = 0; i < n; i++) a[i] += 1;
#pragma omp parallel for schedule(monotonic: dynamic, 2) num_threads(asked(3))
    for (int i = 0; i < n; i++) a[i] += 1;
#pragma omp parallel for schedule(guided) num_threads(asked(3))
    for (int i = 0; i < n; i++) a[i] += 1;
#pragma omp parallel for schedule(monotonic: guided) num_threads(asked(3))
    for (int i = 0; i < n; i++) a[i] += 1;
#pragma omp parallel for schedule(runtime) num_threads(asked(3))
    for (int i = 0; i < n; i++) a[i] += 1;
#pragma omp parallel for schedule(monotonic: runtime) num_threads(asked(3))
    for (int i = 0; i < n; i++) a[i] += 1;
#pragma omp parallel for schedule(nonmonotonic: runtime) num_threads(asked(3))
    for (int i = 0; i < n; i++) a[i] += 1;
#pragma omp parallel for simd num_threads(asked(3))
    for (int i = 0; i < n; i++) a[i] += 1;
#pragma cll end loops
#pragma cll sections sections[0]*n/P
#pragma omp parallel sections num_threads(asked(2))
    {
#pragma omp section
        a[0] += 1;
#pragma omp section
        a[1] += 1;
    }
#pragma cll end sections
#pragma cll tasks tasks[0]*n/P
    {
        double sum = 0;
#pragma omp parallel num_threads(asked(4)) reduction(task, +: sum)
#pragma omp single
        for (int i = 0; i < n; i++)
#pragma omp task in_reduction(+: sum)
            sum += i;
        if (sum != N*(N - 1)/2)
            abort();
    }
#pragma cll end tasks
#pragma cll nested nested[0]*n/P
#pragma omp parallel num_threads(asked(2))
    {
        int part = n;
#pragma cll own own[0]*part/P
        a[omp_get_thread_num()] += 1;
#pragma cll end own
#pragma cll calls calls[0]*part/P
        orphan(3);
#pragma cll end calls
#pragma cll around around[0]*part/P
#pragma omp parallel num_threads(asked(4))
        {
            if (omp_get_thread_num() == 0)
                a[omp_get_ancestor_thread_num(1)] += 1;
#pragma cll inmost inmost[0]*part/P
            if (omp_get_thread_num() == 0)
                a[omp_get_ancestor_thread_num(1)] += 1;
#pragma cll end inmost
        }
#pragma cll end around
    }
#pragma cll end nested
#pragma cll none none[0]*n/P
    if (n < 0)
#pragma omp parallel
        a[0] += omp_get_thread_num() == 0;
#pragma cll end none
#pragma cll serial serial[0]*n/P
#pragma omp parallel if(n < 0)
    a[0] += omp_get_thread_num() == 0;
#pragma cll end serial
#pragma cll outer outer[0]*n/P
#pragma cll inner inner[0]*n/P
    orphan(2);
#pragma cll end inner
    orphan(4);
#pragma cll end outer
#pragma cll plain plain[0]*n/P
#pragma omp parallel
    a[0] += omp_get_thread_num() == 0;
#pragma cll end plain
#pragma cll report all
    return 0;
}
