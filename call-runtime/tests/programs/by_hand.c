/* C11 or C++11, any number of threads: experiments written with the macros of call.h, with none, one and eight variables. */
#include <call.h>

#include <call.h>

CLL_PROGRAM("by_hand", CLL_SEQUENTIAL);
CLL_EXPERIMENT(none, "none[0]");
CLL_EXPERIMENT(one, "one[1]*n + one[0]", "n");
CLL_EXPERIMENT(eight, "eight[0]*a*b*c*d*e*f*g*h", "a", "b", "c", "d", "e", "f", "g", "h");
CLL_EXPERIMENT(unsaid, 0, "n");
CLL_EXPERIMENT(left, "left[0]", "n");

static int leaves(int n)
{
    CLL_END_WHEN_LEFT(cll_experiment_left);
    CLL_BEGIN(left, n);
    if (n > 0) {
        return 0;
    }
    return 1;
}

int main(void)
{
    unsigned long n = 3;
    CLL_SYNC();
    CLL_BEGIN(none);
    if (n > 2)
        CLL_BEGIN(one, n * 2);
    else
        CLL_BEGIN(one, n);
    CLL_END(one);
    CLL_BEGIN(eight, 1, 2u, 3l, 4.5, 5.5f, '\6', n + 4, 8);
    CLL_USE();
    CLL_END(eight);
    CLL_BEGIN(unsaid, -1.5);
    CLL_END(unsaid);
    CLL_END(none);
    int status = leaves(1) + (n > 3);
    CLL_REPORT();
    return status;
}
