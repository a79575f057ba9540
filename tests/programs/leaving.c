/* CALL_CLOCK=counting: every measurement lasts as many microseconds as its variable `us` says, however its block is left. */
#include <setjmp.h>
#include <stdio.h>
#include <stdlib.h>

void cll_clock_advance(unsigned long long nanoseconds);

#define FAIL_IF(condition) do { if (condition) return -1; } while (0)

static jmp_buf before;

static int spend(int us)
{
    cll_clock_advance(1000ull * (unsigned)us);
    return us;
}

static int by_return(int us, int how)
{
#pragma cll returned returned[0]*us
    if (how == 0)
        return spend(us);
    for (;;) {
        spend(us);
        if (how == 1) return 0;
        else break;
    }
    if (how == 2)
        goto out;
#pragma cll end returned
    return 1;
out:
    spend(1000);
    return 2;
}

static int by_macro(int us, int how)
{
#pragma cll hidden hidden[0]*us
    spend(us);
    FAIL_IF(how == 0);
    if (how == 1)
        return 1;
#pragma cll end hidden
    spend(1000);
    return 2;
}

static int nested(int us, int how)
{
    int round;
    for (round = 0; round < 3; round++) {
#pragma cll outer outer[0]*us
        spend(us);
        {
#pragma cll inner inner[0]*us
            if (how == 0) continue;
            if (how == 1) break;
            if (how == 2) longjmp(before, 1);
            if (how == 3) return round;
#pragma cll end inner
        }
#pragma cll end outer
        spend(1000);
    }
    return -1;
}

static int at_end(int us)
{
    int spent = 0;
#pragma cll counted counted[0]*spent at end
    while (us-- > 0) {
        spent += spend(1);
        if (spent == 5)
            return spent;
    }
#pragma cll end counted
    return spent;
}

int main(void)
{
    int how;
#pragma cll whole whole[0]
    for (how = 0; how < 4; how++) {
        by_return(7 + how, how);
        by_macro(17 + how, how);
        if (setjmp(before) == 0)
            nested(27 + how, how);
        at_end(3 + how);
    }
#pragma cll end whole
#pragma cll report all
    return 0;
}
