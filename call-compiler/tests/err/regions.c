/* Warnings only. */
#pragma cll parallel sequential
int main(void)
{
    int N = 3, k;
#pragma cll f f[0]*N/P
#pragma omp parallel for
    for (k = 0; k < N; k++) {
    }
#pragma cll end f
#pragma cll report all
    return N;
}
