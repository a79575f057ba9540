/* embedded.c: the transport between forked processes on one computer. A packet is built by its sender in the sender's part of a shared
 * mapping, handed over by a push on the receiver's mailbox, read there without a copy, and handed back when it has been read. */
#include <errno.h>
#include <limits.h>
#include <sched.h>
#include <semaphore.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "../base/fail.h"
#include "../measuring/forks.h"
#include "arena.h"
#include "deadlock.h"
#include "read_positions.h"
#include "supervisor.h"
#include "transport.h"

const char *const cll_transport_name = "embedded";
const int cll_transport_works_at_exit = 1;
const int cll_transport_can_restart = 1;
#ifdef __linux__
const int cll_transport_can_fork = 1;
#else
const int cll_transport_can_fork = 0;
#endif

int cll_transport_share_clock(int is_recording, uint64_t *origin_ticks)
{
    (void)is_recording;
    (void)origin_ticks;
    return 1;
}

const char *cll_transport_library(void)
{
    return "";
}

/* Waiting goes through three stages: a look now and then for about a microsecond, which is what a hand-over between two running
 * processors takes; then the core is offered to others, since the one that is waited for may only need it; at last sleep, which
 * costs a wake-up by the system. The first two alternate; without a core for each processor the first is left out. */
#define SPINS 50
#define ROUNDS 50
#define ROUNDS_WITHOUT_SPINS 16

#define CACHE_LINE_BYTES ((size_t)128)

/* What the others see of a processor. */
typedef struct {
    cll_packet *mailbox;  /* newest first */
    cll_packet *returned; /* own packets that have been read */
    int is_waiting;
    int has_finished;
    int has_left; /* it is not counted as awake */
    sem_t wake;
    cll_wait reason;
} seat_state;

typedef union {
    seat_state state;
    unsigned char room[(sizeof(seat_state) + CACHE_LINE_BYTES - 1) / CACHE_LINE_BYTES * CACHE_LINE_BYTES];
} seat;

typedef struct {
    union {
        struct {
            int awake; /* processors that can still send something */
            int speaker; /* who tells why the run ends, by its number + 1; 0: nobody yet */
            int others; /* than processor 0, whose end has not been seen yet */
            sem_t end;  /* posted each time that it has */
        } of;
        unsigned char room[CACHE_LINE_BYTES];
    } all;
    seat seats[];
} shared_state;

static shared_state *shared = NULL;
static unsigned char *arenas = NULL;
static size_t arena_bytes = 0;
static int own_number = 0;
static int processor_count = 0;
static int seat_count = 0; /* for as many processors as there may be */
static int spins = 0;
static cll_packet *arrived = NULL; /* oldest first */

static seat_state *seat_of(int processor)
{
    return &shared->seats[processor].state;
}

static int may_speak(void)
{
    int nobody = 0;
    return __atomic_compare_exchange_n(&shared->all.of.speaker, &nobody, own_number + 1, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE);
}

static int speaker(void)
{
    return __atomic_load_n(&shared->all.of.speaker, __ATOMIC_ACQUIRE) - 1;
}

/* Returns whether others wait, and nobody is left who could wake them: also to the supervisor, about one that found it and ended. */
static int leave(int processor)
{
    seat_state *its = seat_of(processor);
    int waiting = 0;
    memset(&its->reason, 0, sizeof its->reason);
    its->reason.call = "exit";
    if (!__atomic_exchange_n(&its->has_left, 1, __ATOMIC_SEQ_CST)) {
        __atomic_sub_fetch(&shared->all.of.awake, 1, __ATOMIC_SEQ_CST);
    }
    if (__atomic_load_n(&shared->all.of.awake, __ATOMIC_SEQ_CST) > 0) {
        return 0;
    }
    for (int other = 0; other < seat_count; other++) {
        waiting += __atomic_load_n(&seat_of(other)->is_waiting, __ATOMIC_SEQ_CST);
    }
    return waiting > 0;
}

/* Asked once a processor has ended: one that others have come to need has not finished. From now on another one may have its seat. */
static int has_finished(int processor)
{
    int is_finished = __atomic_load_n(&seat_of(processor)->has_finished, __ATOMIC_ACQUIRE) && !leave(processor);
    if (processor > 0) {
        __atomic_sub_fetch(&shared->all.of.others, 1, __ATOMIC_SEQ_CST);
        sem_post(&shared->all.of.end);
    }
    return is_finished;
}

static int wanted_processors(void)
{
    const char *text = getenv("CALL_PROCESSORS");
    char *end;
    if (text == NULL) {
        return 1;
    }
    errno = 0;
    long wanted = strtol(text, &end, 10);
    if (end == text || *end != '\0' || errno != 0 || wanted < 1 || wanted > INT_MAX) {
        cll_fail("CALL_PROCESSORS is `%s`: it must be a positive integer", text);
    }
    return (int)wanted;
}

static int usable_cores(void)
{
#ifdef __linux__
    cpu_set_t set;
    if (sched_getaffinity(0, sizeof set, &set) == 0) {
        return CPU_COUNT(&set);
    }
#endif
    return (int)sysconf(_SC_NPROCESSORS_ONLN);
}

static void map_memory(const char *call)
{
    size_t shared_bytes = sizeof *shared + (size_t)seat_count * sizeof *shared->seats;
    void *mapped = mmap(NULL, shared_bytes, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (mapped == MAP_FAILED) {
        cll_fail("%s: no shared memory for %d processors: %s", call, seat_count, strerror(errno));
    }
    shared = mapped;
    arena_bytes = cll_arena_wanted_bytes();
    arenas = cll_arena_map(MAP_SHARED, seat_count, &arena_bytes, call);
    int is_made = sem_init(&shared->all.of.end, 1, 0) == 0;
    for (int processor = 0; is_made && processor < seat_count; processor++) {
        is_made = sem_init(&seat_of(processor)->wake, 1, 0) == 0;
    }
    if (!is_made) {
        cll_fail("%s: no semaphores for %d processors: %s", call, seat_count, strerror(errno));
    }
}

int cll_transport_available(void)
{
    return seat_count > 0 ? seat_count : wanted_processors();
}

static void warm_arenas(void)
{
    for (int step = 0; step < processor_count; step++) {
        int arena = (own_number + step) % processor_count;
        cll_arena_warm(arenas + (size_t)arena * arena_bytes, arena_bytes, processor_count, arena == own_number);
    }
}

static void start_arena(void)
{
    cll_arena_start(arenas + (size_t)own_number * arena_bytes, arena_bytes);
}

void cll_transport_start(int is_alone, int *processor, int *processors, const char *start_call, const char *end_call)
{
    seat_count = wanted_processors();
    processor_count = is_alone ? 1 : seat_count;
    spins = seat_count <= usable_cores() ? SPINS : 0;
    map_memory(start_call);
    shared->all.of.awake = processor_count;
    shared->all.of.others = processor_count - 1;
    seat_of(0)->has_finished = is_alone;
    cll_may_speak = may_speak;
    if (seat_count > 1) {
        cll_expect_processors_to_fork(1);
        const cll_supervised supervised = {has_finished, may_speak, speaker};
        own_number = cll_supervisor_fork(processor_count, seat_count, &supervised, start_call, end_call);
        cll_record_forked(own_number == 0);
    }
    if (own_number > 0) {
        cll_own_read_positions();
    }
    warm_arenas();
    start_arena();
    *processor = own_number;
    *processors = processor_count;
}

/* Those of the section before have left, and may not have ended. */
static void wait_for_ends(const char *call)
{
    while (__atomic_load_n(&shared->all.of.others, __ATOMIC_SEQ_CST) > 0) {
        if (sem_wait(&shared->all.of.end) != 0 && errno != EINTR) {
            cll_fail("%s: cannot wait: %s", call, strerror(errno));
        }
    }
}

/* Of a processor that was there before; its semaphore has been waited for as often as it was posted. */
static void clear_seat(seat_state *its)
{
    its->mailbox = NULL;
    its->returned = NULL;
    its->is_waiting = 0;
    its->has_finished = 0;
    its->has_left = 0;
    memset(&its->reason, 0, sizeof its->reason);
}

int cll_transport_fork(int processors, const char *call)
{
    wait_for_ends(call);
    for (int processor = 1; processor < processors; processor++) {
        clear_seat(seat_of(processor));
    }
    processor_count = processors;
    shared->all.of.awake = processors;
    shared->all.of.others = processors - 1;
    seat_of(0)->has_finished = 0;
    if (processors == 1) {
        return 0;
    }
    cll_expect_processors_to_fork(1);
    own_number = cll_supervisor_fork_others(processors, call);
    if (own_number > 0) {
        cll_record_forked(0);
        cll_own_read_positions();
        start_arena();
    } else {
        cll_expect_processors_to_fork(0);
    }
    warm_arenas();
    return own_number;
}

static void push(cll_packet **stack, cll_packet *packet)
{
    packet->next = __atomic_load_n(stack, __ATOMIC_RELAXED);
    while (!__atomic_compare_exchange_n(stack, &packet->next, packet, 1, __ATOMIC_SEQ_CST, __ATOMIC_RELAXED)) {
    }
}

static cll_packet *take_all(cll_packet **stack)
{
    if (__atomic_load_n(stack, __ATOMIC_RELAXED) == NULL) {
        return NULL;
    }
    return __atomic_exchange_n(stack, NULL, __ATOMIC_ACQUIRE);
}

cll_packet *cll_transport_allocate(size_t capacity_bytes)
{
    cll_packet *returned = take_all(&seat_of(own_number)->returned);
    while (returned != NULL) {
        cll_packet *next = returned->next;
        cll_arena_give(returned);
        returned = next;
    }
    cll_packet *packet = cll_arena_take(sizeof *packet + capacity_bytes);
    if (packet == NULL) {
        cll_fail("processor %d has no room for messages of %zu bytes more: the shared memory of a processor is %zu bytes, and the "
                 "messages in it have not been received yet",
                 own_number, capacity_bytes, arena_bytes);
    }
    packet->owner = own_number;
    packet->capacity_bytes = capacity_bytes;
    return packet;
}

void cll_transport_release(cll_packet *packet)
{
    if (packet->owner == own_number) {
        cll_arena_give(packet);
    } else {
        push(&seat_of(packet->owner)->returned, packet);
    }
}

void cll_transport_send(int processor, cll_packet *packet, cll_following following)
{
    (void)following;
    seat_state *receiver = seat_of(processor);
    push(&receiver->mailbox, packet);
    if (__atomic_load_n(&receiver->is_waiting, __ATOMIC_SEQ_CST) &&
        __atomic_exchange_n(&receiver->is_waiting, 0, __ATOMIC_SEQ_CST)) {
        __atomic_add_fetch(&shared->all.of.awake, 1, __ATOMIC_SEQ_CST);
        sem_post(&receiver->wake);
    }
}

static void relax(void)
{
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    __asm__ __volatile__("yield");
#endif
}

/* Only a processor that is awake can wake another, so with none awake they would wait for ever. */
CLL_NEVER_RETURNS static void fail_all_wait(void)
{
    cll_deadlock deadlock;
    memset(&deadlock, 0, sizeof deadlock);
    for (int processor = 0; processor < processor_count; processor++) {
        cll_deadlock_add(&deadlock, processor, &seat_of(processor)->reason);
    }
    cll_deadlock_fail(&deadlock);
}

void cll_transport_finish(cll_after_finish after)
{
    __atomic_store_n(&seat_of(own_number)->has_finished, after != CLL_IS_WAITED_FOR, __ATOMIC_RELEASE);
    if (after == CLL_LEAVES && leave(own_number)) {
        fail_all_wait();
    }
}

void cll_transport_restart(int processors, const char *call)
{
    (void)call;
    processor_count = processors;
    __atomic_store_n(&seat_of(own_number)->has_finished, 0, __ATOMIC_RELEASE);
}

void cll_transport_leave(const char *call)
{
    (void)call;
    if (leave(own_number)) {
        fail_all_wait();
    }
}

static void sleep_until_mail(const cll_wait *reason)
{
    seat_state *own = seat_of(own_number);
    own->reason = *reason;
    __atomic_store_n(&own->is_waiting, 1, __ATOMIC_SEQ_CST);
    if (__atomic_load_n(&own->mailbox, __ATOMIC_SEQ_CST) != NULL && __atomic_exchange_n(&own->is_waiting, 0, __ATOMIC_SEQ_CST)) {
        return;
    }
    /* A sender that has seen is_waiting has counted this processor as awake once more and posts. */
    if (__atomic_sub_fetch(&shared->all.of.awake, 1, __ATOMIC_SEQ_CST) == 0) {
        fail_all_wait();
    }
    while (sem_wait(&own->wake) != 0) {
        if (errno != EINTR) {
            cll_fail("%s: cannot wait: %s", reason->call, strerror(errno));
        }
    }
}

static void wait_for_mail(const cll_wait *reason)
{
    cll_packet **mailbox = &seat_of(own_number)->mailbox;
    int rounds = spins > 0 ? ROUNDS : ROUNDS_WITHOUT_SPINS;
    for (int round = 0; round < rounds; round++) {
        for (int spin = 0; spin < spins; spin++) {
            if (__atomic_load_n(mailbox, __ATOMIC_RELAXED) != NULL) {
                return;
            }
            relax();
        }
        sched_yield();
        if (__atomic_load_n(mailbox, __ATOMIC_RELAXED) != NULL) {
            return;
        }
    }
    sleep_until_mail(reason);
}

cll_packet *cll_transport_poll(void)
{
    if (arrived == NULL) {
        cll_packet *newest = take_all(&seat_of(own_number)->mailbox);
        while (newest != NULL) {
            cll_packet *older = newest->next;
            newest->next = arrived;
            arrived = newest;
            newest = older;
        }
    }
    cll_packet *packet = arrived;
    if (packet != NULL) {
        arrived = packet->next;
        packet->next = NULL;
    }
    return packet;
}

cll_packet *cll_transport_receive(const cll_wait *reason)
{
    cll_packet *packet;
    while ((packet = cll_transport_poll()) == NULL) {
        wait_for_mail(reason);
    }
    return packet;
}

/* What was pushed is in the mailbox. */
void cll_transport_flush(void)
{
}

/* No processor can reach the memory of another one. */
const size_t cll_transport_smallest_block = SIZE_MAX;

void cll_transport_send_block(int processor, const void *bytes, size_t count)
{
    (void)processor;
    (void)bytes;
    (void)count;
}

void cll_transport_receive_block(int processor, void *bytes, size_t count)
{
    (void)processor;
    (void)bytes;
    (void)count;
}

void cll_transport_drain(void)
{
}

void cll_transport_settle(void)
{
}
