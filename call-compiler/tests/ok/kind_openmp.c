/* OpenMP: measurements of each thread of a team, of which a region names no variables but those that it says; a branch without braces. */
void work(int n);

int main(void)
{
    int n = 3;
#pragma cll parallel OpenMP procs = 1:4:2
#pragma omp parallel default(none) shared(n)
    {
#pragma cll sync a a[0] + a[1]*n/P
        work(n);
#pragma cll end a
#pragma omp for
        for (int i = 0; i < n; i++)
#pragma cll b b[0]
            work(i);
#pragma cll end b
    }
#pragma cll report all
    return 0;
}
