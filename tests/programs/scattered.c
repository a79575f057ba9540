/*
 * Times of runs that scatter, as planted: `scattered SHARE RISE`. Each run, and each of its measurements, is off by up to SHARE; f[1] is multiplied
 * by RISE. The number of the run is counted in the file `runs`.
 */
#include <stdio.h>
#include <stdlib.h>

void cll_clock_advance(unsigned long long nanoseconds);

#pragma cll parallel sequential

static unsigned long long state;

/* Between -1 and 1. */
static double noise(void)
{
    state = state * 6364136223846793005ULL + 1442695040888963407ULL;
    return (double)(state >> 33) / 1073741824.0 - 1.0;
}

static unsigned number_of_this_run(void)
{
    unsigned number = 0;
    FILE *runs = fopen("runs", "r");
    if (runs != NULL) {
        if (fscanf(runs, "%u", &number) != 1) {
            number = 0;
        }
        fclose(runs);
    }
    runs = fopen("runs", "w");
    if (runs == NULL || fprintf(runs, "%u\n", number + 1) < 0 || fclose(runs) != 0) {
        exit(2);
    }
    return number;
}

int main(int argc, char **argv)
{
    double share = argc > 1 ? atof(argv[1]) : 0.01;
    double rise = argc > 2 ? atof(argv[2]) : 1.0;
    state = 77777ULL * number_of_this_run() + 5;
    for (int i = 0; i < 9; i++) {
        noise();
    }
    double run = 1.0 + share * noise();
    int n = 0;
    for (int repetition = 0; repetition < 3; repetition++) {
        for (n = 1000; n <= 64000; n *= 2) {
#pragma cll f f[0] + f[1]*n
            cll_clock_advance((unsigned long long)((1e5 + 10.0 * rise * n) * run * (1.0 + share * noise())));
#pragma cll end f
        }
    }
#pragma cll report all
    return 0;
}
