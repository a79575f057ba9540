#include "mpi_operations.h"

#include <mpi.h>

#include <stdlib.h>
#include <string.h>

#include "../base/fail.h"
#include "../base/thread.h"
#include "arena.h"
#include "arrivals.h"
#include "deadlock.h"
#include "mpi_library.h"

enum { BLOCK_TAG = 1, ENVELOPE_TAG = 2, PAYLOAD_TAG = 4 };

/* In rounds a token is accepted behind all that it may vouch for. So that it does not wait for what comes from the next superstep
 * already, odd and even supersteps have envelopes and payloads with tags of their own: no processor is two supersteps ahead of a barrier. */
enum { LANES = 2 };

/* A copy at each end of a smaller one costs less than the hand-shake of a transfer between the users' memories. */
const size_t cll_transport_smallest_block = (size_t)1 << 15;

/* Receives for envelopes that are posted at once, if there are as many other processors: what comes from several comes at the same time.
 * A simulated network moves nothing that nobody receives yet. */
#define MOST_ENVELOPES 32

/* MPI counts with int. */
#define LARGEST_TRANSFER_BYTES ((size_t)1 << 30)

typedef enum { RECEIVE_ENVELOPE, RECEIVE_PAYLOAD, SEND_ENVELOPE, SEND_PAYLOAD, MOVE_BLOCK, COMPLETED } operation_kind;

typedef struct {
    operation_kind kind;
    cll_packet *packet; /* NULL of envelopes and blocks */
} operation;

typedef union {
    cll_packet packet;
    unsigned char bytes[sizeof(cll_packet) + CLL_INLINE_BYTES];
} envelope_buffer;

static int owner = 0; /* this processor */

static envelope_buffer *envelopes = NULL;
static int lane_count = 1;
static int envelopes_of_lane = 0;
static int envelope_count = 0;

/* Numbers of envelopes, in the order in which their receives were posted and messages match them. */
typedef struct {
    int numbers[MOST_ENVELOPES];
    int count;
} posted_envelopes;
static posted_envelopes posted[LANES];

/* The first ones are the receives for envelopes. */
static MPI_Request *requests = NULL;
static operation *operations = NULL;
static int *completed = NULL;
static MPI_Status *statuses = NULL; /* of no use, but compilers take MPICH's MPI_STATUSES_IGNORE for an array without room */
static int operation_count = 0;
static int operation_capacity = 0;
static cll_operations_under_way under_way;
#ifndef CLL_SMPI
static int had_last_wave = 0;
#endif

const cll_operations_under_way *cll_mpi_under_way(void)
{
    return &under_way;
}

#ifndef CLL_SMPI
int cll_mpi_had_last_wave(void)
{
    return had_last_wave;
}
#endif

cll_packet *cll_transport_allocate(size_t capacity_bytes)
{
    cll_transfer *made = cll_arena_take(sizeof *made + sizeof(cll_packet) + capacity_bytes + CLL_RIDER_BYTES);
    if (made == NULL) {
        cll_fail("processor %d has no memory for messages of %zu bytes more", owner, capacity_bytes);
    }
    memset(made, 0, sizeof *made);
    cll_packet *packet = (cll_packet *)(void *)(made + 1);
    packet->owner = owner;
    packet->capacity_bytes = capacity_bytes;
    return packet;
}

void cll_transport_release(cll_packet *packet)
{
    cll_arena_give(cll_transfer_of(packet));
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
    under_way.sends += kind == SEND_ENVELOPE || kind == SEND_PAYLOAD;
    under_way.payloads += kind == SEND_PAYLOAD;
    under_way.blocks += kind == MOVE_BLOCK;
    under_way.others += kind != RECEIVE_ENVELOPE;
    return &requests[operation_count++];
}

static int lane_of(const cll_packet *packet)
{
    return (int)(packet->number % (uint64_t)lane_count);
}

static void post_envelope_receive(int number)
{
    int lane = number / envelopes_of_lane;
    operations[number].kind = RECEIVE_ENVELOPE;
    posted[lane].numbers[posted[lane].count++] = number;
    under_way.envelopes++;
    PMPI_Irecv(envelopes[number].bytes, (int)sizeof envelopes[number].bytes, MPI_BYTE, MPI_ANY_SOURCE, ENVELOPE_TAG + lane,
              cll_mpi_communicator, &requests[number]);
}

void cll_mpi_operations_start(int own_number, int processors)
{
    owner = own_number;
#ifndef CLL_SMPI
    had_last_wave = 0;
#endif
    operation_count = 0;
    lane_count = processors > CLL_EXCHANGING_PROCESSORS ? LANES : 1;
    envelopes_of_lane = processors <= 2 ? 1 : processors > MOST_ENVELOPES ? MOST_ENVELOPES : processors - 1;
    envelope_count = lane_count * envelopes_of_lane;
    envelopes = cll_allocate((size_t)envelope_count, sizeof *envelopes, "what other processors send");
    for (int number = 0; number < envelope_count; number++) {
        add_operation(RECEIVE_ENVELOPE, NULL);
        post_envelope_receive(number);
    }
}

void cll_mpi_operations_end(void)
{
    free(envelopes);
}

/* Payload pieces under way, in one direction or the other. */
static void add_pieces(operation_kind kind, cll_packet *packet, int partner)
{
    unsigned char *bytes = cll_packet_payload(packet);
    int tag = PAYLOAD_TAG + lane_of(packet);
    for (size_t at = 0; at < packet->payload_bytes; at += LARGEST_TRANSFER_BYTES) {
        size_t left = (size_t)packet->payload_bytes - at;
        int count = (int)(left < LARGEST_TRANSFER_BYTES ? left : LARGEST_TRANSFER_BYTES);
        MPI_Request *request = add_operation(kind, packet);
        if (kind == RECEIVE_PAYLOAD) {
            PMPI_Irecv(bytes + at, count, MPI_BYTE, partner, tag, cll_mpi_communicator, request);
        } else {
            PMPI_Isend(bytes + at, count, MPI_BYTE, partner, tag, cll_mpi_communicator, request);
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
    if (payload_bytes <= CLL_INLINE_BYTES) {
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
    if (kind == CLL_STOP) {
        return 0;
    }
#ifndef CLL_SMPI
    if (kind == CLL_WAVE) {
        cll_wave_take(envelope->bytes + sizeof envelope->packet);
    } else if (kind == CLL_LAST_WAVE) {
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
static void accept_envelopes(posted_envelopes *its)
{
    int are_all_before_complete = 1;
    for (int index = 0; index < its->count;) {
        int number = its->numbers[index];
        are_all_before_complete &= operations[number].kind == COMPLETED;
        int is_accepted = are_all_before_complete || envelopes[number].packet.kind == CLL_BARRIER_TOKEN;
        if (operations[number].kind != COMPLETED || !is_accepted) {
            index++;
            continue;
        }
        under_way.envelopes--;
        its->count--;
        memmove(&its->numbers[index], &its->numbers[index + 1], (size_t)(its->count - index) * sizeof *its->numbers);
        if (accept_envelope(&envelopes[number])) {
            post_envelope_receive(number);
        }
    }
}

static void complete(const operation *its)
{
    if (its->kind == MOVE_BLOCK) {
        under_way.blocks--;
        return;
    }
    cll_transfer *of_packet = cll_transfer_of(its->packet);
    of_packet->pending--;
    if (its->kind == RECEIVE_PAYLOAD) {
        return;
    }
    under_way.sends--;
    under_way.payloads -= its->kind == SEND_PAYLOAD;
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
    under_way.others = kept - envelope_count;
    for (int lane = 0; lane < lane_count; lane++) {
        accept_envelopes(&posted[lane]);
    }
}

/* Not with MPI_Waitsome: SMPI polls there every 100 microseconds of simulated time. */
void cll_mpi_progress(void)
{
    PMPI_Waitany(operation_count, requests, completed, MPI_STATUS_IGNORE);
    if (*completed == MPI_UNDEFINED) {
        cll_fail("a wait for packets has no packet to wait for");
    }
    settle_completed(1);
}

int cll_mpi_progress_at_once(void)
{
    int count = 0;
    PMPI_Testsome(operation_count, requests, &count, completed, statuses);
    if (count == MPI_UNDEFINED || count == 0) {
        return 0;
    }
    settle_completed(count);
    return 1;
}

void cll_mpi_send_envelope(int processor, cll_packet *packet, int will_flush)
{
    int is_inline = packet->payload_bytes <= CLL_INLINE_BYTES;
    size_t rider_bytes = (size_t)cll_transfer_of(packet)->rider_bytes;
    size_t count = sizeof *packet + (is_inline ? (size_t)packet->payload_bytes : 0) + rider_bytes;
    packet->next = NULL;
    packet->capacity_bytes = rider_bytes; /* for the receiver */
    int tag = ENVELOPE_TAG + lane_of(packet);
    MPI_Request *request = add_operation(SEND_ENVELOPE, packet);
    /* A synchronous send is complete when the receiver has it. */
    if (will_flush || !is_inline) {
        PMPI_Issend(packet, (int)count, MPI_BYTE, processor, tag, cll_mpi_communicator, request);
    } else {
        PMPI_Isend(packet, (int)count, MPI_BYTE, processor, tag, cll_mpi_communicator, request);
    }
    if (!is_inline) {
        add_pieces(SEND_PAYLOAD, packet, processor);
    }
}

static void send_special(int processor, uint32_t kind, int lane, const void *bytes, size_t count)
{
    cll_packet *packet = cll_transport_allocate(count);
    memset(packet, 0, sizeof *packet);
    packet->kind = kind;
    packet->number = (uint64_t)lane;
    packet->payload_bytes = count;
    if (count > 0) {
        memcpy(cll_packet_payload(packet), bytes, count);
    }
    cll_mpi_send_envelope(processor, packet, 0);
}

void cll_mpi_send_special(int processor, uint32_t kind, const void *bytes, size_t count)
{
    send_special(processor, kind, 0, bytes, count);
}

void cll_mpi_send_stops(void)
{
    for (int lane = 0; lane < lane_count; lane++) {
        for (int left = posted[lane].count; left > 0; left--) {
            send_special(owner, CLL_STOP, lane, NULL, 0);
        }
    }
}

void cll_transport_send_block(int processor, const void *bytes, size_t count)
{
    PMPI_Isend(bytes, (int)count, MPI_BYTE, processor, BLOCK_TAG, cll_mpi_communicator, add_operation(MOVE_BLOCK, NULL));
}

void cll_transport_receive_block(int processor, void *bytes, size_t count)
{
    PMPI_Irecv(bytes, (int)count, MPI_BYTE, processor, BLOCK_TAG, cll_mpi_communicator, add_operation(MOVE_BLOCK, NULL));
}

int cll_mpi_sends_expected_payload(void)
{
    for (int at = envelope_count; at < operation_count; at++) {
        if (operations[at].kind == SEND_PAYLOAD && cll_transfer_of(operations[at].packet)->is_announced) {
            return 1;
        }
    }
    return 0;
}
