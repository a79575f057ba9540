/* OpenMP of LLVM, CALL_CLOCK=counting: what threads do together, with planted times. Argument `whole`: no report but that of the end;
 * `twice`: one behind each region; `inside`: one in the second region, too early for its events; `tasks`: no region but one that does tasks
 * in its barriers; `groups`: one that does them where they are waited for. */
#include <call.h>
#include <omp.h>
#include <string.h>

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_block blocks[] = {{NULL, 3, 9}};
static const cll_experiment part = {"part", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&part};
static const cll_unit unit = {.name = "teams", .source = "teams.c", .kind = CLL_OPENMP, .experiment_count = 1, .experiments = experiments, .events = 1};

CLL_REGISTER(unit);

/* A barrier of whatever team calls it; behind it comes nothing, so that call is a jump. */
static __attribute__((noinline)) void meet(void)
{
    cll_clock_advance(3);
#pragma omp barrier
}

static void two(void)
{
#pragma omp parallel num_threads(2)
    {
        cll_clock_advance(omp_get_thread_num() == 1 ? 30 : 10);
        meet();
#pragma omp for schedule(static, 1)
        for (int i = 0; i < 2; i++) {
            cll_clock_advance(5 * ((unsigned long long)i + 1));
        }
    }
}

/* The teams inside are not told apart; a task that is waited for has no time of its own. */
static void three(int reports)
{
#pragma omp parallel num_threads(3)
    {
        int thread = omp_get_thread_num();
        cll_use(&unit, NULL);
        if (thread == 2) {
            cll_begin(&part, NULL);
            cll_clock_advance(40);
            cll_end(&part);
        } else if (thread == 1) {
#pragma omp parallel num_threads(2)
            {
                cll_clock_advance(6);
#pragma omp barrier
            }
        } else {
#pragma omp taskwait
        }
        cll_clock_advance(1);
        if (reports) {
            cll_report(&unit, NULL, NULL);
        }
    }
}

/* Whoever is first does one. */
static void tasks(void)
{
#pragma omp parallel num_threads(2)
    {
#pragma omp single
        for (int i = 0; i < 4; i++) {
#pragma omp task
            cll_clock_advance(10);
        }
#pragma omp master
        for (int i = 0; i < 4; i++) {
#pragma omp task
            cll_clock_advance(10);
        }
    }
}

/* Tasks in a group, which computes itself, and tasks in a wait for tasks, which wait for others. */
static void groups(void)
{
#pragma omp parallel num_threads(2)
#pragma omp single
    {
#pragma omp taskgroup
        {
            cll_clock_advance(20);
            for (int i = 0; i < 4; i++) {
#pragma omp task
                cll_clock_advance(10);
            }
        }
        for (int i = 0; i < 3; i++) {
#pragma omp task
            {
#pragma omp task
                cll_clock_advance(5);
#pragma omp taskwait
                cll_clock_advance(1);
            }
        }
#pragma omp taskwait
    }
}

int main(int argc, char **argv)
{
    const char *reports = argc > 1 ? argv[1] : "whole";
    omp_set_max_active_levels(2);
    cll_clock_advance(100);
    if (strcmp(reports, "tasks") == 0) {
        tasks();
        return 0;
    }
    if (strcmp(reports, "groups") == 0) {
        groups();
        return 0;
    }
    two();
    if (strcmp(reports, "twice") == 0) {
        cll_report(&unit, NULL, NULL);
    }
    cll_clock_advance(7);
#pragma omp parallel if (argc > 9)
    cll_clock_advance(2);
    three(strcmp(reports, "inside") == 0);
    if (strcmp(reports, "twice") == 0) {
        cll_report(&unit, NULL, NULL);
    }
    cll_clock_advance(4);
    return 0;
}
