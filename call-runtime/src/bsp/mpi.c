/* mpi.c: the transport over MPI. SimGrid's SMPI, which simulates the time of MPI programs, charges for polls: there all waiting is for
 * completions. */
#include <mpi.h>

#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../base/clock.h"
#include "../base/fail.h"
#include "arena.h"
#include "arrivals.h"
#include "deadlock.h"
#include "mpi_clock_origin.h"
#include "mpi_library.h"
#include "mpi_operations.h"
#include "transport.h"

#ifdef CLL_SMPI
const char *const cll_transport_name = "SMPI";
const int cll_transport_works_at_exit = 0;
const int cll_transport_can_restart = 0;
#else
const char *const cll_transport_name = "MPI";
const int cll_transport_works_at_exit = 1;
const int cll_transport_can_restart = 1;
#endif
const int cll_transport_can_fork = 0;

static MPI_Comm remaining = MPI_COMM_NULL; /* after the end: those that may start again */
static int own_number = 0;
static int processor_count = 0;
static const char *end_of_library = "";
#ifdef CLL_SMPI
static cll_wait_count *all_waits = NULL;
#endif
static cll_packet **held = NULL; /* for each processor: what waits for the packet that follows */
static uint64_t packets_sent = 0;
static uint64_t packets_received = 0;

static void end_all(void)
{
    cll_mpi_communicator = MPI_COMM_NULL; /* at_exit has nothing to add */
    cll_mpi_end_all();
}

static void check_environment(int processors)
{
    const char *wanted = getenv("CALL_PROCESSORS");
    if (processors == 1 && wanted != NULL && atol(wanted) > 1) {
        cll_fail("CALL_PROCESSORS is %s, but this program was linked for MPI: start it with `mpirun -n %s` (an MPI compiler built it, which "
                 "`call run` takes where a file uses mpi.h or MPI_ functions; with CC=cc its processors are processes of this computer)",
                 wanted, wanted);
    }
}

/* After the end it is still known. */
int cll_transport_available(void)
{
    if (processor_count == 0) {
        cll_mpi_library_start();
        PMPI_Comm_size(MPI_COMM_WORLD, &processor_count);
    }
    return processor_count;
}

#ifndef CLL_SMPI
/* Others may wait for this processor; mpirun takes an end without MPI_Finalize for a failure, but tells it in its own words. */
static void at_exit(void)
{
    if (cll_mpi_communicator != MPI_COMM_NULL) {
        cll_fail("processor %d ended before %s", own_number, end_of_library);
    }
}
#endif

/* Processes of MPI cannot be copied. */
int cll_transport_fork(int processors, const char *call)
{
    (void)processors;
    cll_fail("%s: over %s no processors can be forked", call, cll_transport_name);
}

static void prepare_for(int processors)
{
    held = cll_allocate((size_t)processors, sizeof *held, "what waits for the packet that follows");
    cll_mpi_operations_start(own_number, processors);
}

void cll_transport_start(int is_alone, int *processor, int *processors, const char *start_call, const char *end_call)
{
    (void)is_alone;
    cll_mpi_library_start();
    PMPI_Comm_dup(MPI_COMM_WORLD, &cll_mpi_communicator);
    PMPI_Comm_rank(cll_mpi_communicator, &own_number);
    PMPI_Comm_size(cll_mpi_communicator, processors);
    processor_count = *processors;
    check_environment(*processors);
    end_of_library = end_call;
#ifdef CLL_SMPI
    if (own_number == 0) {
        all_waits = cll_wait_count_make(*processors);
    }
    PMPI_Bcast(&all_waits, sizeof all_waits, MPI_BYTE, 0, cll_mpi_communicator);
#else
    if (*processors > 1) { /* one that is alone is watched by its library */
        atexit(at_exit);
    }
#endif
    cll_end_run = end_all;
    size_t size_bytes = cll_arena_wanted_bytes();
    unsigned char *memory = cll_arena_map(MAP_PRIVATE, 1, &size_bytes, start_call);
    cll_arena_warm(memory, size_bytes, *processors, 1);
    cll_arena_start(memory, size_bytes);
    prepare_for(*processors);
    *processor = own_number;
}

#ifdef CLL_SMPI
int cll_transport_share_clock(int is_recording, uint64_t *origin_ticks)
{
    (void)is_recording;
    (void)origin_ticks;
    return 1;
}
#else
/* On several computers, or where others do not record, each has a moment of its own. */
int cll_transport_share_clock(int is_recording, uint64_t *origin_ticks)
{
    int own = is_recording && cll_clock_in_use != CLL_CLOCK_COUNTING;
    int do_all = 0;
    int near = 0;
    PMPI_Allreduce(&own, &do_all, 1, MPI_INT, MPI_MIN, cll_mpi_communicator);
    if (do_all) {
        MPI_Comm neighbours = cll_mpi_clock_origin(cll_mpi_communicator, origin_ticks);
        PMPI_Comm_size(neighbours, &near);
        PMPI_Comm_free(&neighbours);
    } else if (is_recording) {
        *origin_ticks = cll_clock_begin();
    }
    return near == processor_count;
}
#endif

#ifdef CLL_SMPI
void cll_transport_restart(int processors, const char *call)
{
    (void)processors;
    (void)call;
}

void cll_transport_leave(const char *call)
{
    (void)call;
}
#else
/* Each processor starts again or ends; those that do not do the same would wait for each other. */
static int all_do_the_same(int starts_again)
{
    int own[2] = {starts_again, -starts_again};
    int least[2] = {0, 0};
    PMPI_Allreduce(own, least, 2, MPI_INT, MPI_MIN, remaining);
    return least[0] == -least[1];
}

void cll_transport_restart(int processors, const char *call)
{
    cll_end_run = end_all;
    if (!all_do_the_same(1)) {
        cll_fail("%s: processor %d begins once more, and another one ends the program", call, own_number);
    }
    cll_mpi_communicator = remaining;
    remaining = MPI_COMM_NULL;
    processor_count = processors;
    packets_sent = 0;
    packets_received = 0;
    cll_wave_restart();
    prepare_for(processors);
}

void cll_transport_leave(const char *call)
{
    (void)call;
    if (remaining != MPI_COMM_NULL) {
        all_do_the_same(0);
        PMPI_Comm_free(&remaining);
        cll_mpi_library_end();
    }
}
#endif

/* Copies a packet into the room behind another one, if there is enough. */
static int join(cll_packet *packet, const cll_packet *rider)
{
    cll_transfer *its = cll_transfer_of(packet);
    size_t taken_bytes = (size_t)packet->payload_bytes + (size_t)its->rider_bytes;
    size_t count = sizeof *rider + (size_t)rider->payload_bytes;
    if (taken_bytes + count > packet->capacity_bytes + CLL_RIDER_BYTES || taken_bytes + count > CLL_INLINE_BYTES) {
        return 0;
    }
    memcpy(cll_packet_payload(packet) + taken_bytes, rider, count);
    its->rider_bytes += (int)count;
    return 1;
}

/* A second envelope costs half as much as an empty synchronisation. */
void cll_transport_send(int processor, cll_packet *packet, cll_following following)
{
    cll_packet *first = held[processor];
    held[processor] = NULL;
    packets_sent++;
    if (first != NULL && join(first, packet)) {
        cll_transport_release(packet);
        packet = first;
    } else if (first != NULL) {
        cll_mpi_send_envelope(processor, first, 0);
    }
    if (following == CLL_PACKET_FOLLOWS) {
        held[processor] = packet;
    } else {
        cll_mpi_send_envelope(processor, packet, following == CLL_FLUSH_FOLLOWS);
    }
}

static cll_packet *take_arrived(void)
{
    cll_packet *packet = cll_arrivals_take();
    packets_received += packet != NULL;
    return packet;
}

cll_packet *cll_transport_poll(void)
{
    cll_packet *packet;
    while ((packet = take_arrived()) == NULL) {
        if (cll_arrivals_are_there()) {
            cll_mpi_progress(); /* its payload is on its way */
        } else if (!cll_mpi_progress_at_once()) {
            break;
        }
    }
    return packet;
}

#ifdef CLL_SMPI
cll_packet *cll_transport_receive(const cll_wait *reason)
{
    cll_packet *packet;
    while ((packet = take_arrived()) == NULL) {
        cll_wait_count_begin(all_waits, own_number, packets_sent, packets_received, reason);
        cll_mpi_progress();
        cll_wait_count_end(all_waits);
    }
    return packet;
}
#else
static int next_processor(void)
{
    return (own_number + 1) % processor_count;
}

/* Where something else than the posted receives is under way, this processor has to be quick. */
cll_packet *cll_transport_receive(const cll_wait *reason)
{
    cll_packet *packet;
    cll_waiting waiting = {own_number, packets_sent, packets_received, reason, 0, 0};
    while ((packet = take_arrived()) == NULL) {
        if (!cll_mpi_progress_at_once() && cll_mpi_under_way()->others == 0) {
            const cll_wave *wave = cll_wave_wait(&waiting);
            if (wave != NULL) {
                cll_mpi_send_special(next_processor(), CLL_WAVE, wave, sizeof *wave);
            }
        }
    }
    return packet;
}
#endif

void cll_transport_flush(void)
{
    while (cll_mpi_under_way()->sends > 0) {
        cll_mpi_progress();
    }
}

/* SMPI moves payloads without this processor. */
void cll_transport_drain(void)
{
#ifndef CLL_SMPI
    while (cll_mpi_under_way()->payloads > 0) {
        cll_mpi_progress();
    }
#endif
    while (cll_mpi_under_way()->blocks > 0) {
        cll_mpi_progress();
    }
}

/* MPI may move a large payload only while both sides are inside MPI; the receiver is, or will be, when it has the envelope. SMPI
 * moves it anyway. */
void cll_transport_settle(void)
{
#ifndef CLL_SMPI
    if (cll_mpi_under_way()->sends > 0) {
        cll_mpi_progress_at_once();
    }
    while (cll_mpi_sends_expected_payload()) {
        cll_mpi_progress();
    }
#endif
}

void cll_transport_finish(cll_after_finish after)
{
#ifdef CLL_SMPI
    (void)after; /* there is one section */
#else
    cll_mpi_send_special(next_processor(), CLL_LAST_WAVE, NULL, 0); /* after all waves of this processor */
    while (!cll_mpi_had_last_wave()) {
        cll_mpi_progress();
    }
#endif
    cll_mpi_send_stops();
    while (cll_mpi_under_way()->envelopes > 0 || cll_mpi_under_way()->sends > 0) {
        cll_mpi_progress();
    }
#ifdef CLL_SMPI
    cll_wait_count_leave(all_waits);
#endif
    free(held);
    cll_mpi_operations_end();
    cll_end_run = NULL;
#ifndef CLL_SMPI
    PMPI_Comm_split(cll_mpi_communicator, after == CLL_LEAVES ? MPI_UNDEFINED : 0, own_number, &remaining);
#endif
    PMPI_Comm_free(&cll_mpi_communicator);
    if (remaining == MPI_COMM_NULL) {
        cll_mpi_library_end();
    }
}
