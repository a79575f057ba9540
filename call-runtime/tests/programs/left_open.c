/* CALL_CLOCK=counting, an OpenMP program by hand. Without an argument: in each thread a third of the measurements of b is left by return.
 * With one: two of b cross one of a. */
#include <call.h>

void cll_clock_advance(unsigned long long nanoseconds);

CLL_PROGRAM("left_open", CLL_OPENMP);
CLL_EXPERIMENT(a, "a[0]*n", "n");
CLL_EXPERIMENT(b, "b[0]*n", "n");

static int leaves(int n)
{
    CLL_BEGIN(b, n);
    cll_clock_advance(1);
    if (n == 2) {
        return 1;
    }
    CLL_END(b);
    return 0;
}

static void cross(void)
{
    CLL_BEGIN(a, 7);
    CLL_BEGIN(b, 8);
    cll_clock_advance(10);
    CLL_END(a);
    cll_clock_advance(30);
    CLL_END(b);
}

int main(int argc, char **argv)
{
    (void)argv;
    if (argc > 1) {
        cross();
        cross();
    } else {
#pragma omp parallel num_threads(3)
        for (int n = 1; n < 4; n++) {
            leaves(n);
        }
    }
    CLL_REPORT();
    CLL_REPORT();
    return 0;
}
