/* CALL_CLOCK=counting, arguments HOW the child ends: `report`, or `exit` without one, and COUNT. Three measurements, one that is open at
 * the fork, COUNT or 2 of the child, and one more of the parent. */
#include <call.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/wait.h>
#include <unistd.h>

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_variable variables[] = {{"k", CLL_INTEGER}};
static const cll_block blocks[] = {{NULL, 3, 9}};
static const cll_experiment step = {"step", NULL, 1, variables, 0, 1, blocks};
static const cll_experiment around = {"around", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&step, &around};
static const cll_unit unit = {"forks", "forks.c", CLL_SEQUENTIAL, 2, experiments};

CLL_REGISTER(unit);

static void measure(long first, long count)
{
    for (long k = first; k < first + count; k++) {
        cll_begin(&step, (const cll_value[]){{.integer = k}});
        cll_clock_advance((unsigned long long)k);
        cll_end(&step);
    }
}

int main(int argc, char **argv)
{
    measure(1, 3);
    cll_begin(&around, NULL);
    pid_t child = fork();
    if (child < 0) {
        perror("fork");
        return 1;
    }
    if (child == 0) {
        measure(11, argc > 2 ? atol(argv[2]) : 2);
        if (argc > 1 && strcmp(argv[1], "report") == 0) {
            cll_report(&unit, NULL, NULL);
        }
        exit(0);
    }
    int how;
    if (waitpid(child, &how, 0) != child || how != 0) {
        return 1;
    }
    measure(21, 1);
    cll_end(&around);
    cll_report(&unit, NULL, NULL);
    return 0;
}
