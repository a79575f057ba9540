/* clock.c: the choice of the clock and what is known of it. */
#include "clock.h"

#include <stdlib.h>
#include <string.h>

#include "fail.h"

int cll_clock_counts = 0;
CLL_PER_THREAD uint64_t cll_clock_count_ns = 0;

void cll_clock_start(void)
{
    const char *choice = getenv("CALL_CLOCK");
    if (choice == NULL || *choice == '\0') {
        return;
    }
    if (strcmp(choice, "counting") != 0) {
        cll_fail("CALL_CLOCK: there is no clock `%s`: leave the variable unset", choice);
    }
    cll_clock_counts = 1;
}

const char *cll_clock_name(void)
{
    if (cll_clock_counts) {
        return "counting";
    }
#ifdef CLL_SMPI
    return "MPI_Wtime";
#else
    return "CLOCK_MONOTONIC";
#endif
}

uint64_t cll_clock_resolution_ns(void)
{
    if (cll_clock_counts) {
        return 1;
    }
#ifdef CLL_SMPI
    /* MPI_Wtick states 10 microseconds there, but the steps are smaller. */
    uint64_t smallest_ns = (uint64_t)(MPI_Wtick() * CLL_NANOSECONDS_PER_SECOND + 0.5);
    uint64_t before_ns = cll_clock_now_ns();
    for (int reading = 0; reading < 1000; reading++) {
        uint64_t now_ns = cll_clock_now_ns();
        if (now_ns > before_ns && now_ns - before_ns < smallest_ns) {
            smallest_ns = now_ns - before_ns;
        }
        before_ns = now_ns;
    }
    return smallest_ns < 1 ? 1 : smallest_ns;
#else
    struct timespec step;
    if (clock_getres(CLOCK_MONOTONIC, &step) != 0) {
        return 1;
    }
    return (uint64_t)step.tv_sec * CLL_NANOSECONDS_PER_SECOND + (uint64_t)step.tv_nsec;
#endif
}

void cll_clock_advance(unsigned long long nanoseconds)
{
    cll_clock_count_ns += nanoseconds;
}
