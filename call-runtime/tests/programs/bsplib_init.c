/* BSPlib with bsp_init: main prints and reads before, between and behind two sections, whose first one is not reported by itself. */
#include <bsp.h>
#include <call.h>
#include <stdio.h>

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_experiment before = {"before", 0, 0, 0, 0, 0, 0};
static const cll_experiment inside = {"inside", 0, 0, 0, 0, 0, 0};
static const cll_experiment *const experiments[] = {&before, &inside};
static const cll_unit unit = {"bsplib_init", "bsplib_init.c", CLL_BSPLIB, 2, experiments};

CLL_REGISTER(unit);

static int section = 0;

static int next_line(void)
{
    int number = 0;
    return scanf("%d", &number) == 1 ? number : -1;
}

static void spmd(void)
{
    bsp_begin(bsp_nprocs());
    cll_begin(&inside, 0);
    cll_clock_advance(100 * (unsigned long long)section + (unsigned long long)bsp_pid());
    cll_end(&inside);
    if (bsp_pid() == 0) {
        printf(" inside %d", next_line());
    }
    if (section == 2) {
        cll_report(&unit, 0, 0);
    }
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    printf("before %d", next_line());
    cll_begin(&before, 0);
    cll_clock_advance(5);
    cll_end(&before);
    for (section = 1; section <= 2; section++) {
        spmd();
    }
    long sum = 0;
    for (int number; (number = next_line()) >= 0;) {
        sum += number;
    }
    printf(" behind %ld\n", sum);
    return 0;
}
