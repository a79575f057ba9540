/* exchange.c: packets and tokens. A token also says what its sender is in and what it has done that all must do alike, so that a program
 * whose processors part ways ends with a message instead of waiting for ever. */
#include "exchange.h"

#include <string.h>

#include "../base/fail.h"
#include "supersteps.h"
#include "unexpected.h"
#include "virtual_turns.h"

/* A first packet for small messages stays small; further ones of the superstep double up to the limit. */
#define FIRST_PAYLOAD_BYTES ((size_t)1984)
#define LARGEST_GROWN_PAYLOAD_BYTES ((size_t)1 << 20)

int (*cll_exchange_take_direct_get)(cll_packet *packet) = NULL;

cll_packet *cll_machine_new_packet(const cll_machine *machine, uint32_t kind, uint64_t number, uint32_t round, size_t capacity_bytes)
{
    cll_packet *packet = cll_transport_allocate(capacity_bytes);
    packet->next = NULL;
    packet->machine = machine->key;
    packet->number = number;
    packet->kind = kind;
    packet->round = round;
    packet->source = machine->processor;
    packet->message_count = 0;
    packet->payload_bytes = 0;
    return packet;
}

/* One of this process gets it at once. */
static void send_to_virtual(const cll_machine *machine, int to, cll_packet *packet, cll_following following)
{
    int number = to % machine->virtual_count;
    packet->machine = machine->key - (uint64_t)machine->virtual_number + (uint64_t)number;
    if (to / machine->virtual_count == (machine->first_processor + machine->processor) / machine->virtual_count) {
        cll_unexpected_put(packet);
        cll_turns_give_hope();
    } else {
        cll_transport_send(to / machine->virtual_count, packet, following);
    }
}

void cll_machine_send_packet(const cll_machine *machine, int to, cll_packet *packet, cll_following following)
{
    if (to == machine->processor) {
        cll_unexpected_put(packet);
    } else if (machine->virtual_count == 1) {
        cll_transport_send(machine->first_processor + to, packet, following);
    } else {
        send_to_virtual(machine, machine->first_processor + to, packet, following);
    }
}

void cll_machine_queue_packet(cll_stream *stream, int to, cll_packet *packet)
{
    cll_outgoing *queue = &stream->outgoing[to];
    if (queue->last == NULL) {
        queue->first = packet;
        stream->destinations[stream->destination_count++] = to;
    } else {
        queue->last->next = packet;
    }
    queue->last = packet;
    stream->packet_count++;
}

cll_packet *cll_machine_add_packet(cll_machine *machine, cll_stream *stream, int to, size_t needed_bytes)
{
    cll_outgoing *queue = &stream->outgoing[to];
    size_t capacity_bytes = FIRST_PAYLOAD_BYTES;
    if (queue->last != NULL) {
        capacity_bytes = 2 * (size_t)queue->last->capacity_bytes;
        if (capacity_bytes > LARGEST_GROWN_PAYLOAD_BYTES) {
            capacity_bytes = LARGEST_GROWN_PAYLOAD_BYTES;
        }
    }
    if (capacity_bytes < needed_bytes) {
        capacity_bytes = needed_bytes;
    }
    cll_packet *packet = cll_machine_new_packet(machine, stream->kind, machine->superstep, 0, capacity_bytes);
    cll_machine_queue_packet(stream, to, packet);
    return packet;
}

void cll_machine_send_streams(cll_machine *machine, cll_following following)
{
    for (int number = 0; number < CLL_STREAMS; number++) {
        cll_stream *stream = &machine->streams[number];
        for (int index = 0; index < stream->destination_count; index++) {
            int to = stream->destinations[index];
            cll_packet *packet = stream->outgoing[to].first;
            while (packet != NULL) {
                cll_packet *next = packet->next;
                cll_machine_send_packet(machine, to, packet, following);
                packet = next;
            }
            stream->outgoing[to].first = stream->outgoing[to].last = NULL;
        }
        stream->destination_count = 0;
    }
}

/* `message_count` of a SYNC token is the number of barriers passed, of a BARRIER token the superstep. */
typedef struct {
    char call[16];
    uint64_t order; /* of registrations */
    int32_t tag_bytes;
    uint32_t change_count; /* of registrations */
    int32_t known[];
} token;

static const token *content(const cll_packet *packet)
{
    return (const token *)(const void *)(packet + 1);
}

/* Where the program stands, in its own words: the report of what was measured is made at its end, too. */
static const char *call_for_people(const char *call)
{
    return strcmp(call, "report") == 0 ? "the report (at the end, or `#pragma cll report`)" : call;
}

CLL_NEVER_RETURNS static void fail_apart(const cll_machine *machine, const cll_packet *packet, const char *call)
{
    cll_fail("%s: processor %d is in %s in superstep %llu, and processor %d is in %s: each waits for the other for ever", call,
             machine->processor, call_for_people(call), (unsigned long long)machine->superstep, packet->source,
             call_for_people(content(packet)->call));
}

/* At the same place of the program, and in another call. */
static void check_token(const cll_machine *machine, const cll_packet *packet, const char *call)
{
    int is_barrier = packet->kind == CLL_BARRIER_TOKEN;
    uint64_t superstep = is_barrier ? packet->message_count : packet->number;
    uint64_t barriers = is_barrier ? packet->number : packet->message_count;
    if (machine->waits_for == CLL_DATA || superstep != machine->superstep || barriers != machine->barriers) {
        return;
    }
    if (machine->waits_for != packet->kind || strncmp(content(packet)->call, call, sizeof content(packet)->call - 1) != 0) {
        fail_apart(machine, packet, call);
    }
}

/* A packet of a superstep that this processor has left will never be asked for. */
void cll_machine_admit(cll_packet *packet, const char *call)
{
    cll_machine *machine = cll_machine_innermost();
    while (machine != NULL && machine->key != packet->machine) {
        machine = machine->parent;
    }
    if (machine != NULL && packet->number < machine->superstep) {
        if (packet->kind == CLL_DATA) {
            cll_fail("%s: processor %d received a message from processor %d for superstep %llu, which it has left already (it is in "
                     "superstep %llu): a bsp_oblsync was told too small a number of messages",
                     call, machine->processor, packet->source, (unsigned long long)packet->number,
                     (unsigned long long)machine->superstep);
        }
        if (packet->kind == CLL_SYNC_TOKEN) {
            cll_fail("%s: processor %d waits in bsp_sync for the end of superstep %llu, which processor %d has ended with bsp_oblsync",
                     call, packet->source, (unsigned long long)packet->number, machine->processor);
        }
    }
    if (machine != NULL && (packet->kind == CLL_SYNC_TOKEN || packet->kind == CLL_BARRIER_TOKEN)) {
        check_token(machine, packet, call);
    }
    if (packet->kind != CLL_DIRECT_GET || !cll_exchange_take_direct_get(packet)) {
        cll_unexpected_put(packet);
    }
}

void cll_machine_progress(const cll_machine *machine, const cll_wait *reason)
{
    if (machine->virtual_count > 1 && cll_turns_pass()) {
        return;
    }
    uint64_t begin_ticks = cll_superstep_wait_begins(machine);
    cll_packet *packet = cll_transport_receive(reason);
    cll_superstep_wait_ends(machine, begin_ticks);
    cll_machine_admit(packet, reason->call);
    cll_turns_give_hope();
}

cll_packet *cll_machine_await(const cll_machine *machine, uint32_t kind, uint64_t number, uint32_t round, const char *call)
{
    cll_wait reason = {call, machine->superstep, 0, 0};
    cll_packet *packet;
    while ((packet = cll_unexpected_take(kind, machine->key, number, round)) == NULL) {
        cll_machine_progress(machine, &reason);
    }
    return packet;
}

static uint64_t token_number(const cll_machine *machine, uint32_t kind)
{
    return kind == CLL_SYNC_TOKEN ? machine->superstep : machine->barriers;
}

static void send_token(const cll_machine *machine, int to, uint32_t kind, uint32_t round, const char *call)
{
    size_t change_count = kind == CLL_SYNC_TOKEN ? machine->registrations.change_count : 0;
    size_t count = sizeof(token) + change_count * sizeof(int32_t);
    cll_packet *packet = cll_machine_new_packet(machine, kind, token_number(machine, kind), round, count);
    token *its = (token *)(void *)cll_packet_payload(packet);
    packet->message_count = kind == CLL_SYNC_TOKEN ? machine->barriers : machine->superstep;
    packet->payload_bytes = count;
    size_t length = strlen(call);
    memset(its->call, 0, sizeof its->call);
    memcpy(its->call, call, length < sizeof its->call ? length : sizeof its->call - 1);
    its->order = machine->registrations.order;
    its->tag_bytes = machine->tag_bytes;
    its->change_count = (uint32_t)change_count;
    if (change_count > 0) {
        memcpy(its->known, machine->registrations.known, change_count * sizeof(int32_t));
    }
    cll_machine_send_packet(machine, to, packet, CLL_NOTHING_MORE);
}

static void compare(cll_machine *machine, const cll_packet *packet, const char *call)
{
    const token *its = content(packet);
    if (its->order != machine->registrations.order || its->change_count != machine->registrations.change_count ||
        !cll_registrations_agree(&machine->registrations, its->known)) {
        cll_fail("%s: processors %d and %d have not called bsp_push_reg and bsp_pop_reg alike, in the same order, in superstep %llu",
                 call, machine->processor, packet->source, (unsigned long long)machine->superstep);
    }
    if (its->tag_bytes != machine->tag_bytes) {
        if (its->tag_bytes < 0 || machine->tag_bytes < 0) {
            cll_fail("bsp_set_tagsize: processor %d called it in superstep %llu, and processor %d did not",
                     its->tag_bytes < 0 ? machine->processor : packet->source, (unsigned long long)machine->superstep,
                     its->tag_bytes < 0 ? packet->source : machine->processor);
        }
        cll_fail("bsp_set_tagsize: processor %d set %d bytes in superstep %llu, and processor %d set %d", machine->processor,
                 machine->tag_bytes, (unsigned long long)machine->superstep, packet->source, its->tag_bytes);
    }
}

static void take_token(cll_machine *machine, uint32_t kind, uint32_t round, const char *call)
{
    cll_packet *packet = cll_machine_await(machine, kind, token_number(machine, kind), round, call);
    if (kind == CLL_SYNC_TOKEN) {
        compare(machine, packet, call);
    }
    cll_transport_release(packet);
}

/* A round of an exchange is the number of the sender. */
uint32_t cll_machine_rounds(const cll_machine *machine)
{
    uint32_t count = 0;
    if (machine->processors <= CLL_EXCHANGING_PROCESSORS) {
        return (uint32_t)machine->processors;
    }
    for (int64_t distance = 1; distance < machine->processors; distance *= 2) {
        count++;
    }
    return count;
}

/* Whether somebody waits in another kind of barrier already. */
static void check_unexpected(const cll_machine *machine, uint32_t kind, const char *call)
{
    uint32_t other = kind == CLL_SYNC_TOKEN ? CLL_BARRIER_TOKEN : CLL_SYNC_TOKEN;
    for (uint32_t round = 0; round < cll_machine_rounds(machine); round++) {
        const cll_packet *packet = cll_unexpected_find(other, machine->key, token_number(machine, other), round);
        if (packet != NULL) {
            check_token(machine, packet, call);
        }
    }
}

/* Dissemination: in round k each processor hears from the one 2^k below; ceil(log2 processors) rounds. */
static void pass_in_rounds(cll_machine *machine, uint32_t kind, const char *call)
{
    uint32_t round = 0;
    for (int64_t distance = 1; distance < machine->processors; distance *= 2, round++) {
        send_token(machine, (int)((machine->processor + distance) % machine->processors), kind, round, call);
        take_token(machine, kind, round, call);
    }
}

static void exchange(cll_machine *machine, uint32_t kind, const char *call)
{
    for (int step = 1; step < machine->processors; step++) {
        send_token(machine, (machine->processor + step) % machine->processors, kind, (uint32_t)machine->processor, call);
    }
    for (int step = 1; step < machine->processors; step++) {
        int from = (machine->processor + machine->processors - step) % machine->processors;
        take_token(machine, kind, (uint32_t)from, call);
    }
}

void cll_machine_pass_tokens(cll_machine *machine, uint32_t kind, const char *call)
{
    cll_superstep_wait_as_planted(machine);
    if (machine->processors > 1) {
        machine->waits_for = kind;
        check_unexpected(machine, kind, call);
        if (machine->processors <= CLL_EXCHANGING_PROCESSORS) {
            exchange(machine, kind, call);
        } else {
            pass_in_rounds(machine, kind, call);
        }
        machine->waits_for = CLL_DATA;
    }
    machine->barriers += kind == CLL_BARRIER_TOKEN;
}
