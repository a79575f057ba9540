/* deadlock.c: the one message about all processors that wait in vain, and how transports over MPI find out. The one between forked
 * processes counts who is awake. */
#include "deadlock.h"

#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static void remove_wait(cll_deadlock *deadlock, int64_t at)
{
    deadlock->count--;
    deadlock->left_out++;
    memmove(&deadlock->blocked[at], &deadlock->blocked[at + 1], (size_t)(deadlock->count - at) * sizeof *deadlock->blocked);
}

/* Whether there is room for one more that waits for so many messages. */
static int make_room(cll_deadlock *deadlock, uint64_t want)
{
    if (deadlock->count < CLL_TOLD_BLOCKED) {
        return 1;
    }
    for (int64_t at = deadlock->count; want > 0 && at-- > 0;) {
        if (deadlock->blocked[at].want == 0) {
            remove_wait(deadlock, at);
            return 1;
        }
    }
    return 0;
}

void cll_deadlock_add(cll_deadlock *deadlock, int processor, const cll_wait *wait)
{
    if (!make_room(deadlock, wait->want)) {
        deadlock->left_out++;
        return;
    }
    cll_blocked_processor *told = &deadlock->blocked[deadlock->count++];
    memset(told, 0, sizeof *told);
    strncpy(told->call, wait->call, sizeof told->call - 1);
    told->superstep = wait->superstep;
    told->have = wait->have;
    told->want = wait->want;
    told->processor = processor;
}

static int describe(char *text, size_t capacity, const cll_blocked_processor *told)
{
    int length = snprintf(text, capacity, "; processor %d in %s, superstep %llu", (int)told->processor, told->call,
                          (unsigned long long)told->superstep);
    if (told->want > 0) {
        length += snprintf(text + length, capacity - (size_t)length, ", with %llu of %llu messages", (unsigned long long)told->have,
                           (unsigned long long)told->want);
    }
    return length;
}

void cll_deadlock_fail(const cll_deadlock *deadlock)
{
    enum { LONGEST = 192 };
    char text[(CLL_TOLD_BLOCKED + 1) * LONGEST];
    int length = 0;
    text[0] = '\0';
    for (int64_t at = 0; at < deadlock->count; at++) {
        length += describe(text + length, LONGEST, &deadlock->blocked[at]);
    }
    if (deadlock->left_out > 0) {
        snprintf(text + length, LONGEST, "; and %lld others", (long long)deadlock->left_out);
    }
    cll_fail("all processors wait and no message is on its way%s", text);
}

#if defined(CLL_SMPI)

typedef struct {
    int64_t surplus; /* packets sent, less those received */
    cll_wait reason;
} last_wait;

/* SimGrid may let several processors run at once. */
struct cll_wait_count {
    int processors;
    int users;
    int awake;
    int64_t under_way; /* packets, as far as they were sent and received before the last waits */
    last_wait last[];
};

cll_wait_count *cll_wait_count_make(int processors)
{
    cll_wait_count *waits = cll_allocate(1, sizeof *waits + (size_t)processors * sizeof *waits->last, "all processors");
    waits->processors = processors;
    waits->users = processors;
    waits->awake = processors;
    return waits;
}

void cll_wait_count_leave(cll_wait_count *waits)
{
    if (__atomic_sub_fetch(&waits->users, 1, __ATOMIC_SEQ_CST) == 0) {
        free(waits);
    }
}

CLL_NEVER_RETURNS static void fail_all(const cll_wait_count *waits)
{
    cll_deadlock all;
    memset(&all, 0, sizeof all);
    for (int processor = 0; processor < waits->processors; processor++) {
        cll_deadlock_add(&all, processor, &waits->last[processor].reason);
    }
    cll_deadlock_fail(&all);
}

void cll_wait_count_begin(cll_wait_count *waits, int processor, uint64_t sent, uint64_t received, const cll_wait *reason)
{
    last_wait *last = &waits->last[processor];
    int64_t surplus = (int64_t)(sent - received);
    __atomic_add_fetch(&waits->under_way, surplus - last->surplus, __ATOMIC_SEQ_CST);
    last->surplus = surplus;
    last->reason = *reason;
    if (__atomic_sub_fetch(&waits->awake, 1, __ATOMIC_SEQ_CST) == 0 && __atomic_load_n(&waits->under_way, __ATOMIC_SEQ_CST) == 0) {
        fail_all(waits);
    }
}

void cll_wait_count_end(cll_wait_count *waits)
{
    __atomic_add_fetch(&waits->awake, 1, __ATOMIC_SEQ_CST);
}

#elif defined(CLL_TRANSPORT_MPI)

/* The clock is looked at now and then until the wait is a long one. The first looks take longer than a hand-over between running cores.
 * Later the core is offered to the one that is waited for, where processors share cores: not every MPI does that (MPICH 4). */
#define LOOKS_BEFORE_TIME 64u
#define LOOKS_BETWEEN_TIMES 4u
#define LONG_WAIT_NS UINT64_C(1000000000)
#define PAUSE_NS 200000
#define BETWEEN_WAVES_NS UINT64_C(100000000)

static cll_wave current; /* as it came, or went on */
static int is_here = 0;

/* On processor 0. */
static int is_away = 0;
static unsigned starts = 0; /* 2: two or more, so that the wave that is here has one before it */
static uint64_t next_start_ns = 0;
static uint64_t received_before = 0;

void cll_wave_take(const void *bytes)
{
    memcpy(&current, bytes, sizeof current);
    is_here = 1;
    is_away = 0;
}

void cll_wave_restart(void)
{
    is_here = 0;
    is_away = 0;
    starts = 0;
}

static const cll_wave *let_go_on(const cll_waiting *waiting)
{
    is_here = 0;
    current.sent += waiting->sent;
    current.received += waiting->received;
    cll_deadlock_add(&current.deadlock, waiting->processor, waiting->reason);
    return &current;
}

static const cll_wave *start(const cll_waiting *waiting)
{
    if (starts > 1 && current.sent == received_before) {
        cll_deadlock_fail(&current.deadlock);
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
    if (++waiting->looks < LOOKS_BEFORE_TIME) {
        return NULL;
    }
    uint64_t now_ns = time_ns();
    if (waiting->since_ns == 0) {
        waiting->since_ns = now_ns;
    }
    if (now_ns - waiting->since_ns < LONG_WAIT_NS) {
        waiting->looks -= LOOKS_BETWEEN_TIMES;
        sched_yield();
        return NULL;
    }
    if (waiting->processor == 0 && !is_away && now_ns >= next_start_ns) {
        next_start_ns = now_ns + BETWEEN_WAVES_NS;
        return start(waiting);
    }
    nanosleep(&short_pause, NULL);
    return NULL;
}

#endif
