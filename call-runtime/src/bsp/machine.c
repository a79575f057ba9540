/* machine.c: the stack of open machines, supersteps and barriers, on top of any transport. */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

#include "../fail.h"
#include "../record.h"
#include "inbox.h"
#include "stash.h"
#include "transport.h"

/* A first packet for small messages stays small; further ones of the superstep double up to the limit. */
#define FIRST_PAYLOAD_BYTES ((size_t)1984)
#define LARGEST_GROWN_PAYLOAD_BYTES ((size_t)1 << 20)

typedef struct {
    cll_packet *first;
    cll_packet *last;
} outgoing;

struct cll_machine {
    cll_machine *parent;
    uint64_t key;
    int first_processor; /* number of its processor 0 in the run */
    int processors;
    int processor;
    int capacity;           /* processors that the arrays have room for */
    uint64_t superstep;     /* counted from 1 */
    uint64_t barriers;
    uint64_t partitions;
    outgoing *outgoing;     /* for each destination */
    int *destinations;      /* those that have outgoing packets */
    int destination_count;
    cll_inbox inbox;
};

static cll_machine *innermost_machine = NULL;
static cll_machine *closed = NULL; /* to be used again, so that a partition allocates nothing as a rule */
static int has_started = 0;

/* Bijective mixing of 64 bits; constants of David Stafford's "Mix13". */
static uint64_t mix(uint64_t value)
{
    value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 31;
}

static void fail_without_memory(const char *call)
{
    cll_fail("%s: no memory", call);
}

/* A closed machine that is large enough, or a new one. */
static cll_machine *new_machine(int processors, const char *call)
{
    cll_machine **link = &closed;
    while (*link != NULL && (*link)->capacity < processors) {
        link = &(*link)->parent;
    }
    cll_machine *machine = *link;
    if (machine != NULL) {
        *link = machine->parent;
        return machine;
    }
    machine = calloc(1, sizeof *machine);
    if (machine != NULL) {
        machine->outgoing = calloc((size_t)processors, sizeof *machine->outgoing);
        machine->destinations = calloc((size_t)processors, sizeof *machine->destinations);
        machine->capacity = processors;
    }
    if (machine == NULL || machine->outgoing == NULL || machine->destinations == NULL) {
        fail_without_memory(call);
    }
    return machine;
}

static cll_machine *open_machine(cll_machine *parent, uint64_t key, int first_processor, int processors, int processor,
                                 const char *call)
{
    cll_machine *machine = new_machine(processors, call);
    machine->parent = parent;
    machine->key = key;
    machine->first_processor = first_processor;
    machine->processors = processors;
    machine->processor = processor;
    machine->superstep = 1;
    machine->barriers = 0;
    machine->partitions = 0;
    innermost_machine = machine;
    cll_record_set_processors(processors);
    return machine;
}

cll_machine *cll_machine_start(const char *call)
{
    int processor;
    int processors;
    if (has_started) {
        cll_fail("%s: a program can start its processors only once", call);
    }
    has_started = 1;
    cll_transport_start(&processor, &processors);
    return open_machine(NULL, mix(1), 0, processors, processor, call);
}

cll_machine *cll_machine_check(const void *machine, const char *call)
{
    cll_machine *open = innermost_machine;
    if (innermost_machine == NULL) {
        cll_fail("%s: no BSP machine is in use: the call must stand between the start and the end of the BSP library", call);
    }
    while (machine != NULL && open != NULL && open != machine) {
        open = open->parent;
    }
    if (open == NULL) {
        cll_fail("%s: the BSP machine that was given is not open: it was closed, or never made by a start or a partition", call);
    }
    return open;
}

int cll_machine_processors(const cll_machine *machine)
{
    return machine->processors;
}

int cll_machine_processor(const cll_machine *machine)
{
    return machine->processor;
}

static void check_innermost(const cll_machine *machine, const char *call)
{
    if (machine != innermost_machine) {
        cll_fail("%s: a part of this machine is still open: close it with bsp_done first", call);
    }
}

static void check_processor(const cll_machine *machine, int processor, const char *call)
{
    if (processor < 0 || processor >= machine->processors) {
        cll_fail("%s: processor %d does not exist in a machine of %d processors", call, processor, machine->processors);
    }
}

cll_machine *cll_machine_partition(cll_machine *machine, int parts, const int *ends, const char *call)
{
    check_innermost(machine, call);
    if (parts < 1) {
        cll_fail("%s: a machine cannot be divided into %d parts", call, parts);
    }
    int part = 0;
    for (int index = 0; index < parts; index++) {
        int start = index == 0 ? 0 : ends[index - 1];
        if (ends[index] <= start) {
            cll_fail("%s: part %d would start at processor %d and end before processor %d: the ends must increase", call, index,
                     start, ends[index]);
        }
        if (start <= machine->processor && machine->processor < ends[index]) {
            part = index;
        }
    }
    if (ends[parts - 1] != machine->processors) {
        cll_fail("%s: the last part ends before processor %d, but the machine has %d processors", call, ends[parts - 1],
                 machine->processors);
    }
    int start = part == 0 ? 0 : ends[part - 1];
    uint64_t key = mix(mix(machine->key + machine->partitions++) + (uint64_t)part);
    return open_machine(machine, key, machine->first_processor + start, ends[part] - start, machine->processor - start, call);
}

static void check_all_sent(const cll_machine *machine, const char *call)
{
    if (machine->destination_count > 0) {
        cll_fail("%s: processor %d has messages to processor %d in superstep %llu, which has not been ended with a bsp_sync",
                 call, machine->processor, machine->destinations[0], (unsigned long long)machine->superstep);
    }
}

static void close_innermost(const char *call)
{
    cll_machine *machine = innermost_machine;
    check_all_sent(machine, call);
    cll_inbox_clear(&machine->inbox);
    innermost_machine = machine->parent;
    machine->parent = closed;
    closed = machine;
    cll_record_set_processors(innermost_machine == NULL ? 1 : innermost_machine->processors);
}

void cll_machine_close(cll_machine *machine, const char *call)
{
    check_innermost(machine, call);
    if (machine->parent == NULL) {
        cll_fail("%s: the machine of all processors is closed by bsplib_done, not by bsp_done", call);
    }
    close_innermost(call);
}

static cll_packet *new_packet(const cll_machine *machine, uint32_t kind, uint64_t number, uint32_t round, size_t capacity_bytes)
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

static void send_packet(const cll_machine *machine, int to, cll_packet *packet, int will_flush)
{
    if (to == machine->processor) {
        cll_stash_put(packet);
    } else {
        cll_transport_send(machine->first_processor + to, packet, will_flush);
    }
}

static cll_packet *packet_with_room(cll_machine *machine, int to, size_t needed_bytes)
{
    outgoing *queue = &machine->outgoing[to];
    cll_packet *last = queue->last;
    if (last != NULL && last->capacity_bytes - last->payload_bytes >= needed_bytes) {
        return last;
    }
    size_t capacity_bytes = FIRST_PAYLOAD_BYTES;
    if (last != NULL) {
        capacity_bytes = 2 * last->capacity_bytes;
        if (capacity_bytes > LARGEST_GROWN_PAYLOAD_BYTES) {
            capacity_bytes = LARGEST_GROWN_PAYLOAD_BYTES;
        }
    }
    if (capacity_bytes < needed_bytes) {
        capacity_bytes = needed_bytes;
    }
    cll_packet *packet = new_packet(machine, CLL_DATA, machine->superstep, 0, capacity_bytes);
    if (last == NULL) {
        queue->first = packet;
        machine->destinations[machine->destination_count++] = to;
    } else {
        last->next = packet;
    }
    queue->last = packet;
    return packet;
}

void cll_machine_send(cll_machine *machine, int to, const void *data, int size_bytes, const char *call)
{
    check_processor(machine, to, call);
    if (size_bytes < 0) {
        cll_fail("%s: a message of %d bytes cannot be sent", call, size_bytes);
    }
    if (data == NULL && size_bytes > 0) {
        cll_fail("%s: the data of a message of %d bytes is NULL", call, size_bytes);
    }
    size_t count = (size_t)size_bytes;
    size_t padded_bytes = (count + CLL_PACKET_ALIGNMENT - 1) / CLL_PACKET_ALIGNMENT * CLL_PACKET_ALIGNMENT;
    cll_packet *packet = packet_with_room(machine, to, sizeof(cll_message) + padded_bytes);
    cll_message *message = (cll_message *)(void *)(cll_packet_payload(packet) + packet->payload_bytes);
    message->size_bytes = size_bytes;
    message->source = machine->processor;
    message->unused[0] = message->unused[1] = 0;
    if (count > 0) {
        memcpy(message + 1, data, count);
        memset((unsigned char *)(message + 1) + count, 0, padded_bytes - count);
    }
    packet->payload_bytes += sizeof(cll_message) + padded_bytes;
    packet->message_count++;
}

static void send_all(cll_machine *machine, int will_flush)
{
    for (int index = 0; index < machine->destination_count; index++) {
        int to = machine->destinations[index];
        cll_packet *packet = machine->outgoing[to].first;
        while (packet != NULL) {
            cll_packet *next = packet->next;
            send_packet(machine, to, packet, will_flush);
            packet = next;
        }
        machine->outgoing[to].first = machine->outgoing[to].last = NULL;
    }
    machine->destination_count = 0;
}

/* A packet of a superstep that this processor has left will never be asked for. */
static void admit(cll_packet *packet, const char *call)
{
    const cll_machine *machine = innermost_machine;
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
    cll_stash_put(packet);
}

static cll_packet *await_packet(const cll_machine *machine, uint32_t kind, uint64_t number, uint32_t round, const char *call)
{
    cll_wait reason = {call, machine->superstep, 0, 0};
    cll_packet *packet;
    while ((packet = cll_stash_take(kind, machine->key, number, round)) == NULL) {
        admit(cll_transport_receive(&reason), call);
    }
    return packet;
}

/* Dissemination barrier: in round k each processor hears from the one 2^k below; ceil(log2 processors) rounds. */
static void pass_tokens(const cll_machine *machine, uint32_t kind, uint64_t number, const char *call)
{
    uint32_t round = 0;
    for (int64_t distance = 1; distance < machine->processors; distance *= 2, round++) {
        int to = (int)((machine->processor + distance) % machine->processors);
        send_packet(machine, to, new_packet(machine, kind, number, round, 0), 0);
        cll_transport_release(await_packet(machine, kind, number, round, call));
    }
}

void cll_machine_sync(cll_machine *machine, const char *call)
{
    cll_packet *packet;
    check_innermost(machine, call);
    cll_inbox_clear(&machine->inbox);
    send_all(machine, 1);
    if (machine->processors > 1) {
        cll_transport_flush();
        pass_tokens(machine, CLL_SYNC_TOKEN, machine->superstep, call);
    }
    while ((packet = cll_stash_take(CLL_DATA, machine->key, machine->superstep, 0)) != NULL) {
        cll_inbox_add(&machine->inbox, packet);
    }
    cll_inbox_sort(&machine->inbox, call);
    machine->superstep++;
}

/* A processor that waits in bsp_sync for the end of this superstep waits for ever if this one ends it otherwise. */
static void check_nobody_waits_in_sync(const cll_machine *machine, const char *call)
{
    uint32_t round = 0;
    for (int64_t distance = 1; distance < machine->processors; distance *= 2, round++) {
        const cll_packet *token = cll_stash_take(CLL_SYNC_TOKEN, machine->key, machine->superstep, round);
        if (token != NULL) {
            cll_fail("%s: processor %d ends superstep %llu with bsp_oblsync, but processor %d ends it with bsp_sync", call,
                     machine->processor, (unsigned long long)machine->superstep, token->source);
        }
    }
}

void cll_machine_oblivious_sync(cll_machine *machine, int messages, const char *call)
{
    check_innermost(machine, call);
    if (messages < 0) {
        cll_fail("%s: %d messages cannot be waited for", call, messages);
    }
    cll_inbox *inbox = &machine->inbox;
    cll_wait reason = {call, machine->superstep, 0, (uint64_t)messages};
    cll_inbox_clear(inbox);
    send_all(machine, 0);
    for (;;) {
        cll_packet *packet;
        while ((packet = cll_stash_take(CLL_DATA, machine->key, machine->superstep, 0)) != NULL) {
            cll_inbox_add(inbox, packet);
        }
        reason.have = inbox->message_count;
        if (reason.have >= reason.want) {
            break;
        }
        if (machine->processors == 1) {
            cll_fail("%s: superstep %llu of a machine of one processor has %llu messages, and %d are waited for", call,
                     (unsigned long long)machine->superstep, (unsigned long long)reason.have, messages);
        }
        check_nobody_waits_in_sync(machine, call);
        admit(cll_transport_receive(&reason), call);
    }
    if (reason.have > reason.want) {
        cll_fail("%s: processor %d has %llu messages in superstep %llu, but was told to wait for %d", call, machine->processor,
                 (unsigned long long)reason.have, (unsigned long long)machine->superstep, messages);
    }
    cll_transport_settle();
    cll_inbox_sort(inbox, call);
    machine->superstep++;
}

size_t cll_machine_message_count(const cll_machine *machine)
{
    return machine->inbox.message_count;
}

cll_message *cll_machine_message(const cll_machine *machine, size_t index)
{
    return machine->inbox.messages[index];
}

cll_message *cll_machine_message_from(const cll_machine *machine, int source, size_t index)
{
    return cll_inbox_find(&machine->inbox, source, index);
}

void cll_machine_barrier(cll_machine *machine, const char *call)
{
    pass_tokens(machine, CLL_BARRIER_TOKEN, machine->barriers++, call);
}

void cll_machine_give(cll_machine *machine, int to, const void *bytes, size_t count)
{
    cll_packet *packet = new_packet(machine, CLL_GATHER, 0, (uint32_t)machine->processor, count);
    if (count > 0) {
        memcpy(cll_packet_payload(packet), bytes, count);
    }
    packet->payload_bytes = count;
    send_packet(machine, to, packet, 0);
}

size_t cll_machine_take(cll_machine *machine, int from, void *bytes, size_t capacity)
{
    static const char call[] = "report";
    cll_packet *packet = await_packet(machine, CLL_GATHER, 0, (uint32_t)from, call);
    size_t count = (size_t)packet->payload_bytes;
    if (count > capacity) {
        cll_fail("%s: processor %d sent %zu bytes where %zu were expected: not all processors are in the same report", call, from,
                 count, capacity);
    }
    if (count > 0) {
        memcpy(bytes, cll_packet_payload(packet), count);
    }
    cll_transport_release(packet);
    return count;
}

void cll_machine_finish(const char *call)
{
    cll_machine *machine = cll_machine_check(NULL, call);
    if (machine->parent != NULL) {
        check_innermost(machine->parent, call);
    }
    check_all_sent(machine, call);
    cll_transport_flush();
    pass_tokens(machine, CLL_BARRIER_TOKEN, machine->barriers++, call);
    cll_packet *packet;
    while ((packet = cll_transport_poll()) != NULL) {
        admit(packet, call);
    }
    const cll_packet *left = cll_stash_find_data();
    if (left != NULL) {
        cll_fail("%s: a message of superstep %llu of a machine that has been closed was never received: a bsp_oblsync was told too "
                 "small a number of messages",
                 call, (unsigned long long)left->number);
    }
    close_innermost(call);
    cll_transport_finish();
}
