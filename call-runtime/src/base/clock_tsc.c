/* clock_tsc.c: whether the time stamp counter is to be trusted, and how long its ticks are. */
#include "clock_tsc.h"

#ifdef CLL_WITH_TSC

#include <cpuid.h>
#include <stdio.h>
#include <string.h>
#include <time.h>

/* The clocks that the kernel trusts, in one line. A counter that it found to be unstable, also one that differs between the cores
 * or sockets, is not among them. */
#ifndef CLL_CLOCKSOURCES
#define CLL_CLOCKSOURCES "/sys/devices/system/clocksource/clocksource0/available_clocksource"
#endif

/* Relative; reached after some 50 ms. */
#define WANTED_UNCERTAINTY 1e-6
#define LONGEST_WAIT_NS 100000000u

/* Beyond what two readings of clocks can differ. */
#define SHORTEST_SUSPENSION_NS 10000000

/* The counter and CLOCK_MONOTONIC_RAW at the same time. */
typedef struct {
    uint64_t ticks;
    uint64_t width_ticks; /* the clock was read within half of it on both sides; 0: never */
    uint64_t raw_ns;
    int64_t suspended_ns; /* time that the computer has slept */
} sighting;

/* Nanoseconds a tick are ratio / 2^RATIO_BITS: 8 bits before the point, so from 4 MHz on. */
#define RATIO_BITS 56

__extension__ typedef unsigned __int128 wide;

static sighting first_sighting;
static uint64_t ratio; /* read by threads that have measured, while another one calibrates: only as a whole */
static double frequency_hz;
static double frequency_uncertainty_hz;

static int is_invariant(void)
{
    unsigned a, b, c, d;
    const unsigned rdtscp_bit = 1u << 27;
    const unsigned invariant_bit = 1u << 8;
    return __get_cpuid(0x80000001, &a, &b, &c, &d) && (d & rdtscp_bit) != 0 && __get_cpuid(0x80000007, &a, &b, &c, &d) &&
           (d & invariant_bit) != 0;
}

static int is_trusted_by_kernel(void)
{
    char line[256];
    int found = 0;
    FILE *file = fopen(CLL_CLOCKSOURCES, "r");
    if (file == NULL) {
        return 0;
    }
    if (fgets(line, sizeof line, file) != NULL) {
        static const char blanks[] = " \t\n";
        for (const char *at = line + strspn(line, blanks); *at != '\0' && !found; at += strspn(at, blanks)) {
            size_t length = strcspn(at, blanks);
            found = length == 3 && strncmp(at, "tsc", length) == 0;
            at += length;
        }
    }
    fclose(file);
    return found;
}

const char *cll_tsc_refusal(void)
{
    if (!is_invariant()) {
        return "the time stamp counter of this processor is not invariant";
    }
    if (!is_trusted_by_kernel()) {
        return "it is not among the clocks that the kernel trusts (" CLL_CLOCKSOURCES ")";
    }
    return NULL;
}

static uint64_t read_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return (uint64_t)now.tv_sec * CLL_NANOSECONDS_PER_SECOND + (uint64_t)now.tv_nsec;
}

/* The narrowest of several, since an interrupt may come between the readings. */
static sighting look(void)
{
    sighting best = {0, 0, 0, INT64_MAX};
    for (int attempt = 0; attempt < 16; attempt++) {
        uint64_t before_ticks = cll_tsc_begin();
        uint64_t raw_ns = read_ns(CLOCK_MONOTONIC_RAW);
        uint64_t width_ticks = cll_tsc_begin() - before_ticks; /* rdtscp need not exist yet */
        if (best.width_ticks == 0 || width_ticks < best.width_ticks) {
            best.ticks = before_ticks + width_ticks / 2;
            best.width_ticks = width_ticks == 0 ? 1 : width_ticks;
            best.raw_ns = raw_ns;
        }
    }
    for (int attempt = 0; attempt < 4; attempt++) {
        int64_t awake_ns = (int64_t)read_ns(CLOCK_MONOTONIC);
        int64_t suspended_ns = (int64_t)read_ns(CLOCK_BOOTTIME) - awake_ns;
        best.suspended_ns = suspended_ns < best.suspended_ns ? suspended_ns : best.suspended_ns;
    }
    return best;
}

/* As early as can be, so that the comparison covers the whole run, and processors that are forked inherit it. */
__attribute__((constructor)) static void see_start(void)
{
    first_sighting = look();
}

/* While the computer sleeps the counter may go on or start anew, but the clock stands still. */
static int is_comparable(const sighting *earlier, const sighting *later)
{
    int64_t slept_ns = later->suspended_ns - earlier->suspended_ns;
    return earlier->width_ticks > 0 && earlier->ticks < later->ticks && earlier->raw_ns < later->raw_ns &&
           slept_ns < SHORTEST_SUSPENSION_NS && slept_ns > -SHORTEST_SUSPENSION_NS;
}

/* In ticks: half a width on each side, and what the clock leaves out below a nanosecond. */
static double uncertainty_ticks(const sighting *earlier, const sighting *later)
{
    double ticks_a_ns = (double)(later->ticks - earlier->ticks) / (double)(later->raw_ns - earlier->raw_ns);
    return 0.5 * (double)(earlier->width_ticks + later->width_ticks) + 2 * ticks_a_ns;
}

static void wait_ns(uint64_t duration_ns)
{
    struct timespec duration = {0, (long)duration_ns};
    nanosleep(&duration, NULL);
}

void cll_tsc_calibrate(int may_wait)
{
    const uint64_t nap_ns = 5000000;
    sighting now = look();
    while (!is_comparable(&first_sighting, &now)) {
        first_sighting = now;
        wait_ns(nap_ns);
        now = look();
    }
    while (may_wait && now.raw_ns - first_sighting.raw_ns < LONGEST_WAIT_NS &&
           uncertainty_ticks(&first_sighting, &now) > WANTED_UNCERTAINTY * (double)(now.ticks - first_sighting.ticks)) {
        wait_ns(nap_ns);
        now = look();
    }
    uint64_t ticks = now.ticks - first_sighting.ticks;
    uint64_t raw_ns = now.raw_ns - first_sighting.raw_ns;
    __atomic_store_n(&ratio, (uint64_t)((((wide)raw_ns << RATIO_BITS) + ticks / 2) / ticks), __ATOMIC_RELAXED);
    frequency_hz = (double)ticks / (double)raw_ns * CLL_NANOSECONDS_PER_SECOND;
    frequency_uncertainty_hz = frequency_hz * uncertainty_ticks(&first_sighting, &now) / (double)ticks;
}

uint64_t cll_tsc_nanoseconds(uint64_t ticks)
{
    return (uint64_t)(((wide)ticks * __atomic_load_n(&ratio, __ATOMIC_RELAXED) + ((wide)1 << (RATIO_BITS - 1))) >> RATIO_BITS);
}

/* To look takes half a microsecond: anew when twice the time has passed. */
uint64_t cll_tsc_ticks(uint64_t nanoseconds)
{
    static double ticks_a_ns = 1;
    static uint64_t known_until_ticks = 0;
    double known;
    if (cll_tsc_begin() >= __atomic_load_n(&known_until_ticks, __ATOMIC_RELAXED)) {
        sighting now = look();
        if (is_comparable(&first_sighting, &now)) {
            known = (double)(now.ticks - first_sighting.ticks) / (double)(now.raw_ns - first_sighting.raw_ns);
            __atomic_store(&ticks_a_ns, &known, __ATOMIC_RELAXED);
            __atomic_store_n(&known_until_ticks, now.ticks + (now.ticks - first_sighting.ticks), __ATOMIC_RELAXED);
        }
    }
    __atomic_load(&ticks_a_ns, &known, __ATOMIC_RELAXED);
    return (uint64_t)(known * (double)nanoseconds);
}

double cll_tsc_frequency(void)
{
    return frequency_hz;
}

double cll_tsc_frequency_uncertainty(void)
{
    return frequency_uncertainty_hz;
}

uint64_t cll_tsc_step_ticks(void)
{
    /* The greatest common divisor of what lies between readings. */
    uint64_t step_ticks = 0;
    uint64_t before = cll_tsc_begin();
    for (int reading = 0; reading < 1000; reading++) {
        uint64_t now = cll_tsc_end();
        uint64_t rest = now - before;
        before = now;
        while (rest != 0) {
            uint64_t divisor = rest;
            rest = step_ticks % divisor;
            step_ticks = divisor;
        }
    }
    return step_ticks == 0 ? 1 : step_ticks;
}

#endif
