/* packets.c: packets of a machine on their way out and in. */
#include <string.h>

#include "../base/fail.h"
#include "inside.h"
#include "stash.h"

/* A first packet for small messages stays small; further ones of the superstep double up to the limit. */
#define FIRST_PAYLOAD_BYTES ((size_t)1984)
#define LARGEST_GROWN_PAYLOAD_BYTES ((size_t)1 << 20)

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

void cll_machine_send_packet(const cll_machine *machine, int to, cll_packet *packet, cll_following following)
{
    if (to == machine->processor) {
        cll_stash_put(packet);
    } else {
        cll_transport_send(machine->first_processor + to, packet, following);
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
        cll_machine_check_token(machine, packet, call);
    }
    if (packet->kind != CLL_DIRECT_GET || !cll_machine_takes_direct_get(packet)) {
        cll_stash_put(packet);
    }
}

cll_packet *cll_machine_receive(const cll_machine *machine, const cll_wait *reason)
{
    uint64_t begin_ticks = cll_superstep_wait_begins(machine);
    cll_packet *packet = cll_transport_receive(reason);
    cll_superstep_wait_ends(machine, begin_ticks);
    return packet;
}

cll_packet *cll_machine_await(const cll_machine *machine, uint32_t kind, uint64_t number, uint32_t round, const char *call)
{
    cll_wait reason = {call, machine->superstep, 0, 0};
    cll_packet *packet;
    while ((packet = cll_stash_take(kind, machine->key, number, round)) == NULL) {
        cll_machine_admit(cll_machine_receive(machine, &reason), call);
    }
    return packet;
}
