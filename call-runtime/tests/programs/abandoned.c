/* CALL_CLOCK=counting: three inner measurements are left by return and longjmp; they get no row and the header says 3. A fourth
 * is open during the first report and has its row in the second one. */
#include <call.h>
#include <setjmp.h>
#include <stddef.h>

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_block blocks[] = {{NULL, 3, 9}};
static const cll_experiment outer = {"outer", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment inner = {"inner", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&outer, &inner};
static const cll_unit unit = {"abandoned", "abandoned.c", CLL_SEQUENTIAL, 2, experiments};

static jmp_buf before;

static void leave(int how)
{
    cll_begin(&inner, NULL);
    cll_clock_advance(1);
    if (how == 0) {
        return;
    }
    cll_begin(&inner, NULL);
    longjmp(before, 1);
}

int main(void)
{
    cll_begin(&outer, NULL);
    cll_clock_advance(10);
    leave(0);
    cll_clock_advance(10);
    cll_end(&outer);

    cll_begin(&outer, NULL);
    if (setjmp(before) == 0) {
        leave(1);
    }
    cll_clock_advance(100);
    cll_end(&outer);

    cll_begin(&inner, NULL);
    cll_report(&unit, NULL, NULL);
    cll_clock_advance(1000);
    cll_end(&inner);
    cll_report(&unit, NULL, NULL);
    return 0;
}
