/* mpi.c: the transport over MPI. Receives for envelopes are always posted; an envelope is the head of a packet with its payload, and
 * maybe further packets behind, or announces a payload that follows under another tag. SimGrid's SMPI, which simulates the time of MPI
 * programs, charges for polls: there all waiting is for completions. */
#include <mpi.h>

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "../base/clock.h"
#include "../base/fail.h"
#include "arena.h"
#include "arrivals.h"
#include "deadlock.h"
#include "transport.h"

#ifdef CLL_SMPI
const char *const cll_transport_name = "SMPI";
const int cll_transport_works_at_exit = 0;
const int cll_transport_has_one_clock = 1;
const int cll_transport_can_restart = 0;
#else
const char *const cll_transport_name = "MPI";
const int cll_transport_works_at_exit = 1;
const int cll_transport_has_one_clock = 0;
const int cll_transport_can_restart = 1;
#endif
const int cll_transport_can_fork = 0;

/* Libraries tell of builds and of patents behind their name and version. */
#define LIBRARY_BYTES 128

enum { ENVELOPE_TAG = 1, PAYLOAD_TAG = 2, BLOCK_TAG = 3 };

/* Kinds of envelopes between transports. */
#define STOP UINT32_MAX            /* the last one, from a processor to itself */
#define WAVE (UINT32_MAX - 1)      /* to the next processor, after the last one to the first */
#define LAST_WAVE (UINT32_MAX - 2) /* there will be no more */

/* A payload up to this travels with its envelope: a second message costs more than the copy out of the envelope's buffer. */
#define INLINE_BYTES ((size_t)65536)

/* A copy at each end of a smaller one costs less than the hand-shake of a transfer between the users' memories. */
const size_t cll_transport_smallest_block = (size_t)1 << 15;

/* Receives for envelopes that are posted at once, if there are as many other processors: what comes from several comes at the same time.
 * A simulated network moves nothing that nobody receives yet. */
#define MOST_ENVELOPES 32

/* Behind the payload of a packet, so that a token can travel with it. */
#define RIDER_BYTES (2 * sizeof(cll_packet))

/* MPI counts with int. */
#define LARGEST_TRANSFER_BYTES ((size_t)1 << 30)

typedef enum { RECEIVE_ENVELOPE, RECEIVE_PAYLOAD, SEND_ENVELOPE, SEND_PAYLOAD, MOVE_BLOCK, COMPLETED } operation_kind;

typedef struct {
    operation_kind kind;
    cll_packet *packet; /* NULL of envelopes and blocks */
} operation;

typedef union {
    cll_packet packet;
    unsigned char bytes[sizeof(cll_packet) + INLINE_BYTES];
} envelope_buffer;

static MPI_Comm communicator = MPI_COMM_NULL;
static MPI_Comm remaining = MPI_COMM_NULL; /* after the end: those that may start again */
static int own_number = 0;
static int processor_count = 0;
static const char *end_of_library = "";
static int has_initialised = 0;
#ifdef CLL_SMPI
static cll_wait_count *all_waits = NULL;
#else
static int had_last_wave = 0;
#endif

static envelope_buffer *envelopes = NULL;
static int envelope_count = 0;
static int posted[MOST_ENVELOPES]; /* numbers of envelopes, in the order in which their receives were posted and messages match them */
static int posted_count = 0;

static cll_packet **held = NULL; /* for each processor: what waits for the packet that follows */

/* Operations under way; the first ones are the receives for envelopes. */
static MPI_Request *requests = NULL;
static operation *operations = NULL;
static int *completed = NULL;
static MPI_Status *statuses = NULL; /* of no use, but compilers take MPICH's MPI_STATUSES_IGNORE for an array without room */
static int operation_count = 0;
static int operation_capacity = 0;
static int sends_under_way = 0;
static int payloads_under_way = 0; /* pieces of those that travel after their envelopes */
static int blocks_under_way = 0;   /* in both directions */
static uint64_t packets_sent = 0;
static uint64_t packets_received = 0;

static void end_all(void)
{
    communicator = MPI_COMM_NULL; /* at_exit has nothing to add */
    cll_mpi_end_all();
}

/* Adds an operation; its request is to be filled in. */
static MPI_Request *add_operation(operation_kind kind, cll_packet *packet)
{
    if (operation_count == operation_capacity) {
        size_t capacity = operation_capacity == 0 ? 64 : 2 * (size_t)operation_capacity;
        requests = realloc(requests, capacity * sizeof *requests);
        operations = realloc(operations, capacity * sizeof *operations);
        completed = realloc(completed, capacity * sizeof *completed);
        statuses = realloc(statuses, capacity * sizeof *statuses);
        if (requests == NULL || operations == NULL || completed == NULL || statuses == NULL) {
            cll_fail("no memory for %zu transfers at once", capacity);
        }
        operation_capacity = (int)capacity;
    }
    operations[operation_count].kind = kind;
    operations[operation_count].packet = packet;
    if (packet != NULL) {
        cll_transfer_of(packet)->pending++;
    }
    sends_under_way += kind == SEND_ENVELOPE || kind == SEND_PAYLOAD;
    payloads_under_way += kind == SEND_PAYLOAD;
    blocks_under_way += kind == MOVE_BLOCK;
    return &requests[operation_count++];
}

static void post_envelope_receive(int number)
{
    operations[number].kind = RECEIVE_ENVELOPE;
    posted[posted_count++] = number;
    PMPI_Irecv(envelopes[number].bytes, (int)sizeof envelopes[number].bytes, MPI_BYTE, MPI_ANY_SOURCE, ENVELOPE_TAG, communicator,
              &requests[number]);
}

static void post_envelope_receives(int processors)
{
    envelope_count = processors <= 2 ? 1 : processors > MOST_ENVELOPES ? MOST_ENVELOPES : processors - 1;
    envelopes = cll_allocate((size_t)envelope_count, sizeof *envelopes, "what other processors send");
    for (int number = 0; number < envelope_count; number++) {
        add_operation(RECEIVE_ENVELOPE, NULL);
        post_envelope_receive(number);
    }
}

/* Payload pieces under way, in one direction or the other. */
static void add_pieces(operation_kind kind, cll_packet *packet, int partner)
{
    unsigned char *bytes = cll_packet_payload(packet);
    for (size_t at = 0; at < packet->payload_bytes; at += LARGEST_TRANSFER_BYTES) {
        size_t left = (size_t)packet->payload_bytes - at;
        int count = (int)(left < LARGEST_TRANSFER_BYTES ? left : LARGEST_TRANSFER_BYTES);
        MPI_Request *request = add_operation(kind, packet);
        if (kind == RECEIVE_PAYLOAD) {
            PMPI_Irecv(bytes + at, count, MPI_BYTE, partner, PAYLOAD_TAG, communicator, request);
        } else {
            PMPI_Isend(bytes + at, count, MPI_BYTE, partner, PAYLOAD_TAG, communicator, request);
        }
    }
}

/* Returns how many bytes of the envelope the packet takes. */
static size_t accept_packet(const unsigned char *bytes)
{
    cll_packet head;
    memcpy(&head, bytes, sizeof head);
    size_t payload_bytes = (size_t)head.payload_bytes;
    size_t taken_bytes = sizeof head;
    cll_packet *packet = cll_transport_allocate(payload_bytes);
    *packet = head;
    packet->capacity_bytes = payload_bytes;
    if (payload_bytes <= INLINE_BYTES) {
        memcpy(cll_packet_payload(packet), bytes + sizeof head, payload_bytes);
        taken_bytes += payload_bytes;
    } else {
        add_pieces(RECEIVE_PAYLOAD, packet, head.owner);
    }
    cll_arrivals_add(packet);
    return taken_bytes;
}

static void accept_packets(const envelope_buffer *envelope)
{
    size_t rider_bytes = (size_t)envelope->packet.capacity_bytes;
    size_t at = accept_packet(envelope->bytes);
    size_t end = at + rider_bytes;
    while (at < end) {
        at += accept_packet(envelope->bytes + at);
    }
}

/* Takes what the buffer holds; whether there is more to come. */
static int accept_envelope(const envelope_buffer *envelope)
{
    uint32_t kind = envelope->packet.kind;
    if (kind == STOP) {
        return 0;
    }
#ifndef CLL_SMPI
    if (kind == WAVE) {
        cll_wave_take(envelope->bytes + sizeof envelope->packet);
    } else if (kind == LAST_WAVE) {
        had_last_wave = 1;
    } else
#endif
    {
        accept_packets(envelope);
    }
    return 1;
}

/* In the order in which they were sent, not in which they are complete. A token of a barrier, which vouches for nothing, comes at once:
 * others may have left its barrier already, and what they send may take long. */
static void accept_envelopes(void)
{
    int are_all_before_complete = 1;
    for (int index = 0; index < posted_count;) {
        int number = posted[index];
        are_all_before_complete &= operations[number].kind == COMPLETED;
        int is_accepted = are_all_before_complete || envelopes[number].packet.kind == CLL_BARRIER_TOKEN;
        if (operations[number].kind != COMPLETED || !is_accepted) {
            index++;
            continue;
        }
        posted_count--;
        memmove(&posted[index], &posted[index + 1], (size_t)(posted_count - index) * sizeof *posted);
        if (accept_envelope(&envelopes[number])) {
            post_envelope_receive(number);
        }
    }
}

static void complete(const operation *its)
{
    if (its->kind == MOVE_BLOCK) {
        blocks_under_way--;
        return;
    }
    cll_transfer *of_packet = cll_transfer_of(its->packet);
    of_packet->pending--;
    if (its->kind == RECEIVE_PAYLOAD) {
        return;
    }
    sends_under_way--;
    payloads_under_way -= its->kind == SEND_PAYLOAD;
    of_packet->is_announced |= its->kind == SEND_ENVELOPE;
    if (of_packet->pending == 0) {
        cll_transport_release(its->packet);
    }
}

static void settle_completed(int count)
{
    for (int index = 0; index < count; index++) {
        int at = completed[index];
        if (at >= envelope_count) {
            complete(&operations[at]);
        }
        operations[at].kind = COMPLETED;
    }
    int kept = envelope_count;
    for (int at = envelope_count; at < operation_count; at++) {
        if (operations[at].kind != COMPLETED) {
            operations[kept] = operations[at];
            requests[kept++] = requests[at];
        }
    }
    operation_count = kept;
    accept_envelopes();
}

/* Waits until an operation is complete. Not with MPI_Waitsome: SMPI polls there every 100 microseconds of simulated time. */
static void progress(void)
{
    PMPI_Waitany(operation_count, requests, completed, MPI_STATUS_IGNORE);
    if (*completed == MPI_UNDEFINED) {
        cll_fail("a wait for packets has no packet to wait for");
    }
    settle_completed(1);
}

/* The same without waiting; whether there was one. */
static int progress_at_once(void)
{
    int count = 0;
    PMPI_Testsome(operation_count, requests, &count, completed, statuses);
    if (count == MPI_UNDEFINED || count == 0) {
        return 0;
    }
    settle_completed(count);
    return 1;
}

static void check_environment(int processors)
{
    const char *wanted = getenv("CALL_PROCESSORS");
    if (processors == 1 && wanted != NULL && atol(wanted) > 1) {
        cll_fail("CALL_PROCESSORS is %s, but this program was linked for MPI: start it with `mpirun -n %s`", wanted, wanted);
    }
}

/* mpirun takes an end without MPI_Finalize for a failure. */
static void finalise(void)
{
    int is_finalised = 0;
    PMPI_Finalized(&is_finalised);
    if (has_initialised && !is_finalised) {
        PMPI_Finalize();
    }
}

#if !defined(CLL_SMPI) && defined(__GLIBC__)
/* A program may only have asked for the number of processors. Where one fails the others may wait for it: that ends the run. */
static void finalise_at_exit(int status, void *nothing)
{
    (void)nothing;
    if (status == 0 && communicator == MPI_COMM_NULL && !cll_has_failed()) {
        finalise();
    }
}
#endif

static void start_mpi(void)
{
    int is_initialised = 0;
    PMPI_Initialized(&is_initialised);
    if (!is_initialised) {
        PMPI_Init(NULL, NULL);
        has_initialised = 1;
#if !defined(CLL_SMPI) && defined(__GLIBC__)
        on_exit(finalise_at_exit, NULL);
#endif
    }
}

/* A line's beginning: blanks and whatever does not print become one blank. */
static void copy_line(char *line, size_t capacity, const char *text)
{
    size_t used = 0;
    for (; *text != '\0' && *text != '\n' && used + 1 < capacity; text++) {
        if (*text > ' ' && *text <= '~') {
            line[used++] = *text;
        } else if (used > 0 && line[used - 1] != ' ') {
            line[used++] = ' ';
        }
    }
    line[used > 0 && line[used - 1] == ' ' ? used - 1 : used] = '\0';
}

/* MPI answers this before its start, after its end, and in every thread. */
const char *cll_transport_library(void)
{
    static char library[LIBRARY_BYTES];
#if MPI_VERSION >= 3
    char text[MPI_MAX_LIBRARY_VERSION_STRING];
    int length = 0;
    if (library[0] == '\0' && MPI_Get_library_version(text, &length) == MPI_SUCCESS) {
        copy_line(library, sizeof library, text);
    }
#endif
    return library;
}

/* After the end it is still known. */
int cll_transport_available(void)
{
    if (processor_count == 0) {
        start_mpi();
        PMPI_Comm_size(MPI_COMM_WORLD, &processor_count);
    }
    return processor_count;
}

#ifndef CLL_SMPI
/* Others may wait for this processor; mpirun takes an end without MPI_Finalize for a failure, but tells it in its own words. */
static void at_exit(void)
{
    if (communicator != MPI_COMM_NULL) {
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
    operation_count = 0;
    post_envelope_receives(processors);
}

void cll_transport_start(int is_alone, int *processor, int *processors, const char *start_call, const char *end_call)
{
    (void)is_alone;
    start_mpi();
    PMPI_Comm_dup(MPI_COMM_WORLD, &communicator);
    PMPI_Comm_rank(communicator, &own_number);
    PMPI_Comm_size(communicator, processors);
    processor_count = *processors;
    check_environment(*processors);
    end_of_library = end_call;
#ifdef CLL_SMPI
    if (own_number == 0) {
        all_waits = cll_wait_count_make(*processors);
    }
    PMPI_Bcast(&all_waits, sizeof all_waits, MPI_BYTE, 0, communicator);
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
    communicator = remaining;
    remaining = MPI_COMM_NULL;
    processor_count = processors;
    had_last_wave = 0;
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
        finalise();
    }
}
#endif

cll_packet *cll_transport_allocate(size_t capacity_bytes)
{
    cll_transfer *made = cll_arena_take(sizeof *made + sizeof(cll_packet) + capacity_bytes + RIDER_BYTES);
    if (made == NULL) {
        cll_fail("processor %d has no memory for messages of %zu bytes more", own_number, capacity_bytes);
    }
    memset(made, 0, sizeof *made);
    cll_packet *packet = (cll_packet *)(void *)(made + 1);
    packet->owner = own_number;
    packet->capacity_bytes = capacity_bytes;
    return packet;
}

void cll_transport_release(cll_packet *packet)
{
    cll_arena_give(cll_transfer_of(packet));
}

static void send_envelope(int processor, cll_packet *packet, int will_flush)
{
    int is_inline = packet->payload_bytes <= INLINE_BYTES;
    size_t rider_bytes = (size_t)cll_transfer_of(packet)->rider_bytes;
    size_t count = sizeof *packet + (is_inline ? (size_t)packet->payload_bytes : 0) + rider_bytes;
    packet->next = NULL;
    packet->capacity_bytes = rider_bytes; /* for the receiver */
    MPI_Request *request = add_operation(SEND_ENVELOPE, packet);
    /* A synchronous send is complete when the receiver has it. */
    if (will_flush || !is_inline) {
        PMPI_Issend(packet, (int)count, MPI_BYTE, processor, ENVELOPE_TAG, communicator, request);
    } else {
        PMPI_Isend(packet, (int)count, MPI_BYTE, processor, ENVELOPE_TAG, communicator, request);
    }
    if (!is_inline) {
        add_pieces(SEND_PAYLOAD, packet, processor);
    }
}

/* Copies a packet into the room behind another one, if there is enough. */
static int join(cll_packet *packet, const cll_packet *rider)
{
    cll_transfer *its = cll_transfer_of(packet);
    size_t taken_bytes = (size_t)packet->payload_bytes + (size_t)its->rider_bytes;
    size_t count = sizeof *rider + (size_t)rider->payload_bytes;
    if (taken_bytes + count > packet->capacity_bytes + RIDER_BYTES || taken_bytes + count > INLINE_BYTES) {
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
        send_envelope(processor, first, 0);
    }
    if (following == CLL_PACKET_FOLLOWS) {
        held[processor] = packet;
    } else {
        send_envelope(processor, packet, following == CLL_FLUSH_FOLLOWS);
    }
}

static void send_special(int processor, uint32_t kind, const void *bytes, size_t count)
{
    cll_packet *packet = cll_transport_allocate(count);
    memset(packet, 0, sizeof *packet);
    packet->kind = kind;
    packet->payload_bytes = count;
    if (count > 0) {
        memcpy(cll_packet_payload(packet), bytes, count);
    }
    send_envelope(processor, packet, 0);
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
            progress(); /* its payload is on its way */
        } else if (!progress_at_once()) {
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
        progress();
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
        if (!progress_at_once() && operation_count == envelope_count) {
            const cll_wave *wave = cll_wave_wait(&waiting);
            if (wave != NULL) {
                send_special(next_processor(), WAVE, wave, sizeof *wave);
            }
        }
    }
    return packet;
}
#endif

void cll_transport_flush(void)
{
    while (sends_under_way > 0) {
        progress();
    }
}

void cll_transport_send_block(int processor, const void *bytes, size_t count)
{
    PMPI_Isend(bytes, (int)count, MPI_BYTE, processor, BLOCK_TAG, communicator, add_operation(MOVE_BLOCK, NULL));
}

void cll_transport_receive_block(int processor, void *bytes, size_t count)
{
    PMPI_Irecv(bytes, (int)count, MPI_BYTE, processor, BLOCK_TAG, communicator, add_operation(MOVE_BLOCK, NULL));
}

/* SMPI moves payloads without this processor. */
void cll_transport_drain(void)
{
#ifndef CLL_SMPI
    while (payloads_under_way > 0) {
        progress();
    }
#endif
    while (blocks_under_way > 0) {
        progress();
    }
}

#ifndef CLL_SMPI
static int sends_expected_payload(void)
{
    for (int at = envelope_count; at < operation_count; at++) {
        if (operations[at].kind == SEND_PAYLOAD && cll_transfer_of(operations[at].packet)->is_announced) {
            return 1;
        }
    }
    return 0;
}
#endif

/* MPI may move a large payload only while both sides are inside MPI; the receiver is, or will be, when it has the envelope. SMPI
 * moves it anyway. */
void cll_transport_settle(void)
{
#ifndef CLL_SMPI
    if (sends_under_way > 0) {
        progress_at_once();
    }
    while (sends_expected_payload()) {
        progress();
    }
#endif
}

void cll_transport_finish(cll_after_finish after)
{
#ifdef CLL_SMPI
    (void)after; /* there is one section */
#else
    send_special(next_processor(), LAST_WAVE, NULL, 0); /* after all waves of this processor */
    while (!had_last_wave) {
        progress();
    }
#endif
    for (int number = 0; number < envelope_count; number++) {
        send_special(own_number, STOP, NULL, 0);
    }
    while (posted_count > 0 || sends_under_way > 0) {
        progress();
    }
#ifdef CLL_SMPI
    cll_wait_count_leave(all_waits);
#endif
    free(held);
    free(envelopes);
    cll_end_run = NULL;
#ifndef CLL_SMPI
    PMPI_Comm_split(communicator, after == CLL_LEAVES ? MPI_UNDEFINED : 0, own_number, &remaining);
#endif
    PMPI_Comm_free(&communicator);
    if (remaining == MPI_COMM_NULL) {
        finalise();
    }
}
