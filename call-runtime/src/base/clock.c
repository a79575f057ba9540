/* clock.c: the choice of the clock and what is known of it. */
#include "clock.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "fail.h"
#include "waiting.h"

cll_clock_source cll_clock_in_use = CLL_CLOCK_SYSTEM;
int cll_clock_empty_pair_is_subtracted = 0;
static uint64_t empty_pair_ticks = 0; /* measured by one thread, used by others */
uint64_t cll_clock_reading_ns = 0;
CLL_PER_THREAD uint64_t cll_clock_count_ns = 0;
static CLL_PER_THREAD uint64_t planted_waiting_ns = 0;

static const char *refusal_of_tsc(void)
{
#if defined(CLL_WITH_TSC)
    return cll_tsc_refusal();
#elif defined(CLL_SMPI)
    return "only MPI_Wtime knows the simulated time";
#else
    return "this runtime was compiled without it";
#endif
}

static const char *refusal_of_monotonic(void)
{
#ifdef CLL_SMPI
    return "only MPI_Wtime knows the simulated time";
#else
    return NULL;
#endif
}

static const struct {
    const char *name;
    cll_clock_source source;
    const char *(*refusal)(void);
} clock_choices[] = {{"tsc", CLL_CLOCK_TSC, refusal_of_tsc},
               {"monotonic", CLL_CLOCK_SYSTEM, refusal_of_monotonic},
               {"counting", CLL_CLOCK_COUNTING, NULL}};

static cll_clock_source clock_named(const char *name)
{
    size_t choice = 0;
    while (choice < sizeof clock_choices / sizeof *clock_choices && strcmp(clock_choices[choice].name, name) != 0) {
        choice++;
    }
    if (choice == sizeof clock_choices / sizeof *clock_choices) {
        cll_fail("CALL_CLOCK: there is no clock `%s`: it is `tsc`, `monotonic` or `counting`, or leave the variable unset", name);
    }
    const char *refusal = clock_choices[choice].refusal == NULL ? NULL : clock_choices[choice].refusal();
    if (refusal != NULL) {
        cll_fail("CALL_CLOCK: `%s` cannot be used: %s: leave the variable unset", name, refusal);
    }
    return clock_choices[choice].source;
}

static void choose_subtraction(void)
{
    const char *name = getenv("CALL_SUBTRACT");
    cll_clock_empty_pair_is_subtracted = name != NULL && strcmp(name, "empty_pair") == 0;
    if (name != NULL && *name != '\0' && !cll_clock_empty_pair_is_subtracted) {
        cll_fail("CALL_SUBTRACT: `%s` cannot be subtracted: it is `empty_pair`, or leave the variable unset", name);
    }
}

static void choose(void)
{
    const char *name = getenv("CALL_CLOCK");
    if (name != NULL && *name != '\0') {
        cll_clock_in_use = clock_named(name);
    } else {
        cll_clock_in_use = refusal_of_tsc() == NULL ? CLL_CLOCK_TSC : CLL_CLOCK_SYSTEM;
    }
    choose_subtraction();
    cll_stolen_start();
}

void cll_clock_start(void)
{
    static pthread_once_t is_chosen = PTHREAD_ONCE_INIT;
    pthread_once(&is_chosen, choose);
}

const char *cll_clock_name(void)
{
    switch (cll_clock_in_use) {
    case CLL_CLOCK_TSC:
        return "TSC";
    case CLL_CLOCK_COUNTING:
        return "counting";
    case CLL_CLOCK_SYSTEM:
        break;
    }
#ifdef CLL_SMPI
    return "MPI_Wtime";
#else
    return "CLOCK_MONOTONIC";
#endif
}

int cll_clock_is_real(void)
{
#ifdef CLL_SMPI
    return 0;
#else
    return cll_clock_in_use != CLL_CLOCK_COUNTING;
#endif
}

static double system_resolution_ns(void)
{
#ifdef CLL_SMPI
    /* MPI_Wtick states 10 microseconds there, but the steps are smaller. */
    uint64_t smallest_ns = (uint64_t)(MPI_Wtick() * CLL_NANOSECONDS_PER_SECOND + 0.5);
    uint64_t before_ns = cll_clock_read_others();
    for (int reading = 0; reading < 1000; reading++) {
        uint64_t now_ns = cll_clock_read_others();
        if (now_ns > before_ns && now_ns - before_ns < smallest_ns) {
            smallest_ns = now_ns - before_ns;
        }
        before_ns = now_ns;
    }
    return smallest_ns < 1 ? 1 : (double)smallest_ns;
#else
    struct timespec step;
    if (clock_getres(CLOCK_MONOTONIC, &step) != 0) {
        return 1;
    }
    return (double)step.tv_sec * CLL_NANOSECONDS_PER_SECOND + (double)step.tv_nsec;
#endif
}

double cll_clock_resolution_ns(void)
{
#ifdef CLL_WITH_TSC
    if (cll_clock_in_use == CLL_CLOCK_TSC) {
        return (double)cll_tsc_step_ticks() / cll_tsc_frequency() * CLL_NANOSECONDS_PER_SECOND;
    }
#endif
    return cll_clock_in_use == CLL_CLOCK_COUNTING ? 1 : system_resolution_ns();
}

double cll_clock_frequency(void)
{
#ifdef CLL_WITH_TSC
    if (cll_clock_in_use == CLL_CLOCK_TSC) {
        return cll_tsc_frequency();
    }
#endif
    return 0;
}

double cll_clock_frequency_uncertainty(void)
{
#ifdef CLL_WITH_TSC
    if (cll_clock_in_use == CLL_CLOCK_TSC) {
        return cll_tsc_frequency_uncertainty();
    }
#endif
    return 0;
}

void cll_clock_calibrate(int may_wait)
{
    cll_clock_start(); /* nothing may have been measured */
#ifdef CLL_WITH_TSC
    if (cll_clock_in_use == CLL_CLOCK_TSC) {
        cll_tsc_calibrate(may_wait);
    }
#else
    (void)may_wait;
#endif
}

uint64_t cll_clock_nanoseconds(uint64_t ticks)
{
#ifdef CLL_WITH_TSC
    if (cll_clock_in_use == CLL_CLOCK_TSC) {
        return cll_tsc_nanoseconds(ticks);
    }
#endif
    return ticks;
}

double cll_clock_nanoseconds_per_tick(void)
{
    return cll_clock_frequency() > 0 ? CLL_NANOSECONDS_PER_SECOND / cll_clock_frequency() : 1;
}

uint64_t cll_clock_ticks(uint64_t nanoseconds)
{
#ifdef CLL_WITH_TSC
    if (cll_clock_in_use == CLL_CLOCK_TSC) {
        return cll_tsc_ticks(nanoseconds);
    }
#endif
    return nanoseconds;
}

void cll_clock_set_empty_pair(uint64_t ticks)
{
    __atomic_store_n(&empty_pair_ticks, ticks, __ATOMIC_RELAXED);
}

uint64_t cll_clock_empty_pair_ns(void)
{
    return cll_clock_nanoseconds(__atomic_load_n(&empty_pair_ticks, __ATOMIC_RELAXED));
}

uint64_t cll_clock_subtracted_ticks(void)
{
    return cll_clock_empty_pair_is_subtracted ? __atomic_load_n(&empty_pair_ticks, __ATOMIC_RELAXED) : 0;
}

uint64_t cll_clock_subtracted_ns(void)
{
    return cll_clock_nanoseconds(cll_clock_subtracted_ticks());
}

void cll_clock_advance(unsigned long long nanoseconds)
{
    cll_clock_count_ns += nanoseconds;
}

void cll_clock_set_reading(unsigned long long nanoseconds)
{
    cll_clock_reading_ns = nanoseconds;
}

void cll_clock_set_waiting(unsigned long long nanoseconds)
{
    planted_waiting_ns = cll_clock_in_use == CLL_CLOCK_COUNTING ? nanoseconds : 0;
}

uint64_t cll_clock_take_waiting(void)
{
    uint64_t waiting_ns = planted_waiting_ns;
    planted_waiting_ns = 0;
    return waiting_ns;
}
