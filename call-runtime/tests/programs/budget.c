/* CALL_CLOCK=counting CALL_BUDGET: a reading takes 10 ns, so a pair 20. Argument CASE, and COUNT of what is executed:
 * `points`: most executions take 100 ns, one in 2000, the only one with N 1000, a hundred times as long.
 * `rhythm`: each 16th execution takes 1700 ns, the others 100.
 * `values`: no two executions have the same N.
 * `nested`: an outer around two inner experiments, one of which is taken out by longjmp now and then; recursion; an end with a value.
 * `gate`: guards, in a function that returns early; a look takes 10 ns.
 * `marks`: begins and ends at gates, 100 inside each other, and one that is taken out by longjmp now and then; a look takes 10 ns.
 * `saved`: as `points`, and the program ends without a report. */
#include <call.h>
#include <setjmp.h>
#include <stdlib.h>
#include <string.h>

#include "../../src/base/clock.h"
#include "../../src/measuring/cost.h"

static const cll_variable variables[] = {{"N", CLL_INTEGER}};
static const cll_block blocks[] = {{NULL, 1, 2}};
static const cll_experiment cll_experiment_f = {"f", NULL, 1, variables, 0, 1, blocks};
static const cll_experiment outer = {"outer", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment cll_experiment_left = {"left", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment at_end = {"at_end", NULL, 1, variables, 1, 1, blocks};
static const cll_experiment *const experiments[] = {&cll_experiment_f, &outer, &cll_experiment_left, &at_end};
static const cll_unit unit = {"budget", "budget.c", CLL_SEQUENTIAL, 4, experiments};

CLL_GATED(f)
CLL_GATED(left)
CLL_REGISTER(unit);

static void execute(long N, unsigned long long nanoseconds)
{
    cll_begin(&cll_experiment_f, (const cll_value[]){{.integer = N}});
    cll_clock_advance(nanoseconds);
    cll_end(&cll_experiment_f);
}

static void points(long count)
{
    for (long at = 0; at < count; at++) {
        int is_rare = at % 2000 == 1999;
        execute(is_rare ? 1000 : at % 3, is_rare ? 10000 : 100);
    }
}

static void rhythm(long count)
{
    for (long at = 0; at < count; at++) {
        execute(1, at % 16 == 5 ? 1700 : 100);
    }
}

static void values(long count)
{
    for (long at = 0; at < count; at++) {
        execute(at, 100);
    }
}

static jmp_buf back;

static void leave(long at)
{
    cll_begin(&cll_experiment_left, NULL);
    cll_clock_advance(30);
    if (at % 7 == 0) {
        longjmp(back, 1);
    }
    cll_end(&cll_experiment_left);
}

static void recur(int depth)
{
    cll_begin(&cll_experiment_f, (const cll_value[]){{.integer = depth}});
    cll_clock_advance(50);
    if (depth > 0) {
        recur(depth - 1);
    }
    cll_end(&cll_experiment_f);
}

static void nested(long count)
{
    for (volatile long at = 0; at < count; at++) {
        cll_begin(&outer, NULL);
        if (setjmp(back) == 0) {
            leave(at);
        }
        recur(4);
        cll_begin(&at_end, NULL);
        cll_clock_advance(40);
        cll_end_with(&at_end, (const cll_value[]){{.integer = at % 2}});
        cll_end(&outer);
    }
}

static int guarded(long at)
{
    CLL_GUARDING(f, CLL_OPEN_GUARDED(f, ((const cll_value[]){{.integer = 5}})));
    cll_clock_advance(100);
    if (at % 3 == 0) {
        return 1;
    }
    cll_clock_advance(60);
    CLL_CLOSE_GUARDED(f);
    cll_clock_advance(1);
    return 0;
}

/* By this clock a look costs nothing. */
static void let_looks_cost(void)
{
    cll_begin(&outer, NULL);
    cll_end(&outer);
    cll_costs_known.look = 10;
}

static void gate(long count)
{
    let_looks_cost();
    for (long at = 0; at < count; at++) {
        guarded(at);
    }
}

static void descend(int depth)
{
    CLL_OPEN(f, CLL_VALUES(CLL_INTEGER_VALUE(depth / 20)));
    cll_clock_advance(50);
    if (depth > 0) {
        descend(depth - 1);
    }
    CLL_CLOSE(f);
}

static void leave_at_gate(long at)
{
    CLL_OPEN(left, 0);
    cll_clock_advance(30);
    if (at % 7 == 0) {
        longjmp(back, 1);
    }
    CLL_CLOSE(left);
}

static void marks(long count)
{
    let_looks_cost();
    for (volatile long at = 0; at < count; at++) {
        if (setjmp(back) == 0) {
            leave_at_gate(at);
        }
        descend(99);
    }
}

int main(int argument_count, char **arguments)
{
    static const struct {
        const char *name;
        void (*run)(long count);
    } cases[] = {{"points", points}, {"rhythm", rhythm}, {"values", values}, {"nested", nested}, {"gate", gate}, {"marks", marks}, {"saved", points}};
    cll_clock_set_reading(10);
    for (size_t at = 0; argument_count == 3 && at < sizeof cases / sizeof *cases; at++) {
        if (strcmp(cases[at].name, arguments[1]) == 0) {
            cases[at].run(atol(arguments[2]));
            if (strcmp(arguments[1], "saved") != 0) {
                cll_report(&unit, NULL, NULL);
            }
            return 0;
        }
    }
    return 1;
}
