#include <stdio.h>
#include <stdlib.h>
#pragma cll parallel OpenMP
static void orphan(double *a, int n)
{
#pragma cll o o[0]+o[1]*n/P
    for (int i = 0; i < n; i++) a[i] += 1;
#pragma cll end o
}
int main(void)
{
    int n = 100000, t = 3;
    double *a = calloc(n, sizeof *a);
#pragma cll f f[0]+f[1]*n/P
#pragma omp parallel for
    for (int i = 0; i < n; i++) a[i] += 1;
#pragma cll end f
#pragma cll g g[0]+g[1]*n/P
    {
#pragma omp parallel num_threads(t - 1) if(parallel: n > 10)
        {
#pragma omp for
            for (int i = 0; i < n; i++) a[i] += 1;
#pragma cll h h[0]+h[1]*n/P
            if (n) a[0] = 1;
#pragma cll end h
        }
    }
#pragma cll end g
    orphan(a, n);
#pragma cll report all
    return 0;
}
