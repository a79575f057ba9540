/* OMP_NUM_THREADS, CALL_CLOCK=counting, argument CASE. `rows`: each thread of the team measures on its own, P is the size of the
 * team; traces are written outside of a parallel region and, by all of the team, inside. `nested`: teams inside a
 * team measure; `inner-report`: they report, status 2. */
#include <call.h>
#include <omp.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define COUNT 1000

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_variable variables[] = {{"k", CLL_INTEGER}};
static const cll_block blocks[] = {{NULL, 3, 9}};
static const cll_experiment alone = {"alone", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment team = {"team", NULL, 1, variables, 0, 1, blocks};
static const cll_experiment part = {"part", NULL, 1, variables, 1, 1, blocks};
static const cll_experiment *const experiments[] = {&alone, &team, &part};
static const cll_unit unit = {"openmp", "openmp.c", CLL_OPENMP, 3, experiments};

CLL_REGISTER(unit);

static void measure_alone(void)
{
    cll_use(&unit, NULL);
    cll_begin(&alone, NULL);
    cll_end(&alone);
}

/* An orphan: the team is that of the caller. */
static void measure_in_team(long k)
{
    cll_use(&unit, NULL);
    cll_begin(&team, (const cll_value[]){{.integer = k}});
    cll_clock_advance((unsigned long long)(1000 * k + omp_get_thread_num()));
    cll_end(&team);
}

static int before = 0;
static int is_wrong = 0;

static void measure_rows(void)
{
    measure_alone();
#pragma omp parallel
    {
        for (long k = 0; k < COUNT; k++) {
            measure_in_team(k);
        }
    }
    measure_alone();
    cll_report(&unit, NULL, "team alone");
#pragma omp parallel num_threads(2)
    {
#pragma omp atomic
        before++;
        cll_sync(&unit, NULL);
        int seen;
#pragma omp atomic read
        seen = before;
        if (seen != omp_get_num_threads()) {
#pragma omp atomic write
            is_wrong = 1;
        }
        cll_begin(&part, NULL);
        cll_end_with(&part, (const cll_value[]){{.integer = 7}});
        cll_report(&unit, NULL, "part");
        for (long k = 0; k < 10; k++) {
            measure_in_team(k);
            cll_report(&unit, NULL, NULL);
        }
    }
    measure_alone();
    cll_report(&unit, NULL, NULL);
    if (is_wrong) {
        fprintf(stderr, "openmp: a thread was let through the barrier too soon\n");
        exit(1);
    }
}

static void measure_nested(int with_report)
{
    omp_set_max_active_levels(2);
#pragma omp parallel num_threads(2)
    {
        measure_in_team(2);
#pragma omp parallel num_threads(3)
        {
            measure_in_team(3);
            if (with_report) {
                cll_report(&unit, NULL, NULL);
            }
        }
        measure_in_team(4);
    }
    cll_report(&unit, NULL, NULL);
}

int main(int argc, char **argv)
{
    if (argc > 1 && strcmp(argv[1], "rows") != 0) {
        measure_nested(strcmp(argv[1], "inner-report") == 0);
    } else {
        measure_rows();
    }
    return 0;
}
