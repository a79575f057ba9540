/* wave.c: starts waves, lets them go on, and judges what they bring back. */
#include "wave.h"

#include <string.h>
#include <time.h>

/* The clock is looked at now and then until the wait is a long one. */
#define LOOKS_PER_TIME 64u
#define LONG_WAIT_NS UINT64_C(1000000000)
#define PAUSE_NS 200000
#define BETWEEN_WAVES_NS UINT64_C(100000000)

static cll_wave current; /* as it came, or went on */
static int is_here = 0;

/* On processor 0. */
static int is_away = 0;
static unsigned starts = 0;
static uint64_t next_start_ns = 0;
static uint64_t received_before = 0;

void cll_wave_take(const void *bytes)
{
    memcpy(&current, bytes, sizeof current);
    is_here = 1;
    is_away = 0;
}

static const cll_wave *let_go_on(const cll_waiting *waiting)
{
    is_here = 0;
    current.sent += waiting->sent;
    current.received += waiting->received;
    cll_waits_add(&current.waits, waiting->processor, waiting->reason);
    return &current;
}

static const cll_wave *start(const cll_waiting *waiting)
{
    if (starts > 1 && current.sent == received_before) {
        cll_waits_fail(&current.waits);
    }
    received_before = current.received;
    starts += starts < 2;
    is_away = 1;
    memset(&current, 0, sizeof current);
    return let_go_on(waiting);
}

static uint64_t time_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

const cll_wave *cll_wave_wait(cll_waiting *waiting)
{
    static const struct timespec short_pause = {0, PAUSE_NS};
    if (is_here && waiting->processor != 0) {
        return let_go_on(waiting);
    }
    if (++waiting->looks < LOOKS_PER_TIME) {
        return NULL;
    }
    uint64_t now_ns = time_ns();
    if (waiting->since_ns == 0) {
        waiting->since_ns = now_ns;
    }
    if (now_ns - waiting->since_ns < LONG_WAIT_NS) {
        waiting->looks = 0;
        return NULL;
    }
    if (waiting->processor == 0 && !is_away && now_ns >= next_start_ns) {
        next_start_ns = now_ns + BETWEEN_WAVES_NS;
        return start(waiting);
    }
    nanosleep(&short_pause, NULL);
    return NULL;
}
