/* memory.c: puts travel with their data, gets as requests; both are checked against the area by its owner. */
#include "memory.h"

#include <stdlib.h>
#include <string.h>

#include "../base/fail.h"
#include "exchange.h"
#include "supersteps.h"
#include "unexpected.h"

/* Longer ones travel in pieces. */
#define LARGEST_PIECE_BYTES ((size_t)1 << 30)

#define LARGEST_AREA ((UINT32_C(1) << 30) - 1)

/* Data follows at once, then padding to 8; of a block nothing follows. */
typedef struct {
    uint64_t offset;
    uint32_t count;
    uint32_t area : 30;
    uint32_t is_unbuffered : 1;
    uint32_t is_block : 1;
} put_entry;

typedef struct {
    uint64_t destination; /* address on the processor that gets */
    uint64_t offset;
    uint32_t count;
    uint32_t area : 30;
    uint32_t is_unbuffered : 1;
} get_entry;

/* Data follows at once, then padding to 8. */
typedef struct {
    uint64_t destination;
    uint64_t count;
} answer_entry;

static size_t padded(size_t count)
{
    return (count + 7) & ~(size_t)7;
}

static const char *get_call(const cll_packet *packet, const get_entry *entry)
{
    return packet->kind == CLL_DIRECT_GET ? "bsp_direct_get" : entry->is_unbuffered ? "bsp_hpget" : "bsp_get";
}

void cll_machine_register(cll_machine *machine, void *address, size_t size_bytes, const char *call)
{
    cll_machine_check_innermost(machine, call);
    cll_registrations_add(&machine->registrations, address, size_bytes, call);
}

void cll_machine_unregister(cll_machine *machine, const void *address, const char *call)
{
    cll_machine_check_innermost(machine, call);
    cll_registrations_remove(&machine->registrations, address, machine->processor, call);
}

CLL_NEVER_RETURNS static void fail_unregistered(const cll_machine *machine, const void *address, const char *call)
{
    if (cll_registrations_will_have(&machine->registrations, address)) {
        cll_fail("%s: the address %p was registered in this superstep, and can be used after the next bsp_sync", call, address);
    }
    cll_fail("%s: the address %p is not registered on processor %d: register it with bsp_push_reg, in the superstep before", call,
             address, machine->processor);
}

static uint32_t checked_area(cll_machine *machine, int processor, const void *local, const void *registered, const char *call)
{
    cll_machine_check_processor(machine, processor, call);
    int32_t number = cll_registrations_find(&machine->registrations, registered);
    if (number < 0) {
        fail_unregistered(machine, registered, call);
    }
    if (local == NULL) {
        cll_fail("%s: the address of the data on processor %d is NULL", call, machine->processor);
    }
    return (uint32_t)number;
}

static void put_block(cll_machine *machine, int to, const void *bytes, size_t count, const char *call)
{
    if (machine->block_count == machine->block_capacity) {
        size_t capacity = machine->block_capacity == 0 ? 16 : 2 * machine->block_capacity;
        cll_block_put *larger = realloc(machine->blocks, capacity * sizeof *larger);
        if (larger == NULL) {
            cll_fail("%s: no memory for %zu puts in a superstep", call, capacity);
        }
        machine->blocks = larger;
        machine->block_capacity = capacity;
    }
    machine->blocks[machine->block_count].bytes = bytes;
    machine->blocks[machine->block_count].count = count;
    machine->blocks[machine->block_count++].to = to;
}

static void copy_entry_padded(void *to, const void *from, size_t count)
{
    if (count == 8) {
        memcpy(to, from, 8); /* the usual size without a call */
    } else {
        memcpy(to, from, count);
        memset((unsigned char *)to + count, 0, padded(count) - count);
    }
}

static void copy_entry(void *to, const void *from, size_t count)
{
    if (count == 8) {
        memcpy(to, from, 8);
    } else {
        memcpy(to, from, count);
    }
}

void cll_machine_put(cll_machine *machine, int to, const void *source, const void *destination, size_t offset, size_t count,
                     int is_unbuffered, const char *call)
{
    if (count == 0) {
        return;
    }
    uint32_t area = checked_area(machine, to, source, destination, call);
    const unsigned char *from = source;
    while (count > 0) {
        size_t piece = count < LARGEST_PIECE_BYTES ? count : LARGEST_PIECE_BYTES;
        int is_block = is_unbuffered && piece >= cll_transport_smallest_block && to != machine->processor && machine->virtual_count == 1;
        put_entry *entry = cll_machine_room(machine, CLL_PUT_STREAM, to, sizeof *entry + (is_block ? 0 : padded(piece)));
        entry->offset = offset;
        entry->count = (uint32_t)piece;
        entry->area = area & LARGEST_AREA;
        entry->is_unbuffered = is_unbuffered != 0;
        entry->is_block = is_block != 0;
        if (is_block) {
            put_block(machine, to, from, piece, call);
        } else {
            copy_entry_padded(entry + 1, from, piece);
        }
        from += piece;
        offset += piece;
        count -= piece;
    }
}

void cll_machine_get(cll_machine *machine, int from, const void *source, size_t offset, void *destination, size_t count,
                     int is_unbuffered, const char *call)
{
    if (count == 0) {
        return;
    }
    uint32_t area = checked_area(machine, from, destination, source, call);
    unsigned char *to = destination;
    while (count > 0) {
        size_t piece = count < LARGEST_PIECE_BYTES ? count : LARGEST_PIECE_BYTES;
        get_entry *entry = cll_machine_room(machine, CLL_GET_STREAM, from, sizeof *entry);
        entry->destination = (uint64_t)(uintptr_t)to;
        entry->offset = offset;
        entry->count = (uint32_t)piece;
        entry->area = area & LARGEST_AREA;
        entry->is_unbuffered = is_unbuffered != 0;
        to += piece;
        offset += piece;
        count -= piece;
    }
}

/* Start of the bytes in this processor's area, which must lie within. */
static unsigned char *bytes_of_area(const cll_machine *machine, uint32_t number, uint64_t offset, uint64_t count, int source,
                                    const char *does, const char *call)
{
    const cll_registered_area *area = &machine->registrations.areas[number];
    if (offset <= area->size_bytes && count <= area->size_bytes - offset) {
        return area->address + offset;
    }
    if (area->address == NULL) {
        cll_fail("%s: processor %d %s an area that processor %d has registered as NULL", call, source, does, machine->processor);
    }
    cll_fail("%s: processor %d %s past the end of a registered area of %zu bytes: %llu bytes at offset %llu, on processor %d", call,
             source, does, area->size_bytes, (unsigned long long)count, (unsigned long long)offset, machine->processor);
}

void cll_machine_count_puts(cll_packet *packet, cll_traffic *traffic)
{
    const unsigned char *at = cll_packet_payload(packet);
    const unsigned char *end = at + packet->payload_bytes;
    for (; at < end; traffic->messages++) {
        const put_entry *entry = (const put_entry *)(const void *)at;
        traffic->bytes += entry->count;
        at += sizeof *entry + (entry->is_block ? 0 : padded(entry->count));
    }
}

static void count_answers(cll_packet *packet, cll_traffic *traffic)
{
    const unsigned char *at = cll_packet_payload(packet);
    const unsigned char *end = at + packet->payload_bytes;
    for (; at < end; traffic->messages++) {
        const answer_entry *entry = (const answer_entry *)(const void *)at;
        traffic->bytes += entry->count;
        at += sizeof *entry + padded((size_t)entry->count);
    }
}

static void write_puts(const cll_machine *machine, cll_packet *packet)
{
    cll_traffic *traffic = cll_superstep_incoming(machine, packet->source);
    if (traffic != NULL) {
        cll_machine_count_puts(packet, traffic);
    }
    const unsigned char *at = cll_packet_payload(packet);
    const unsigned char *end = at + packet->payload_bytes;
    while (at < end) {
        const put_entry *entry = (const put_entry *)(const void *)at;
        unsigned char *to = bytes_of_area(machine, entry->area, entry->offset, entry->count, packet->source, "writes",
                                          entry->is_unbuffered ? "bsp_hpput" : "bsp_put");
        at += sizeof *entry;
        if (entry->is_block) {
            cll_transport_receive_block(machine->first_processor + packet->source, to, entry->count);
        } else {
            copy_entry(to, entry + 1, entry->count);
            at += padded(entry->count);
        }
    }
}

/* One packet of answers for one of requests. */
static void answer(const cll_machine *machine, cll_packet *requests, uint32_t kind)
{
    const get_entry *first = (const get_entry *)(const void *)cll_packet_payload(requests);
    const get_entry *end = first + requests->payload_bytes / sizeof *first;
    size_t total = 0;
    for (const get_entry *entry = first; entry < end; entry++) {
        total += sizeof(answer_entry) + padded(entry->count);
    }
    cll_packet *packet = cll_machine_new_packet(machine, kind, machine->superstep, 0, total);
    unsigned char *at = cll_packet_payload(packet);
    for (const get_entry *entry = first; entry < end; entry++) {
        const unsigned char *from = bytes_of_area(machine, entry->area, entry->offset, entry->count, requests->source, "reads",
                                                  get_call(requests, entry));
        answer_entry *made = (answer_entry *)(void *)at;
        made->destination = entry->destination;
        made->count = entry->count;
        copy_entry_padded(made + 1, from, entry->count);
        at += sizeof *made + padded(entry->count);
    }
    packet->payload_bytes = total;
    cll_traffic *traffic = cll_superstep_outgoing(machine, requests->source);
    if (traffic != NULL) {
        count_answers(packet, traffic);
    }
    cll_machine_send_packet(machine, requests->source, packet, CLL_NOTHING_MORE);
    cll_transport_release(requests);
}

static void write_answers(const cll_machine *machine, cll_packet *packet)
{
    cll_traffic *traffic = cll_superstep_incoming(machine, packet->source);
    if (traffic != NULL) {
        count_answers(packet, traffic);
    }
    const unsigned char *at = cll_packet_payload(packet);
    const unsigned char *end = at + packet->payload_bytes;
    while (at < end) {
        const answer_entry *entry = (const answer_entry *)(const void *)at;
        copy_entry((void *)(uintptr_t)entry->destination, entry + 1, (size_t)entry->count);
        at += sizeof *entry + padded((size_t)entry->count);
    }
    cll_transport_release(packet);
}

static cll_packet *next_packet(const cll_machine *machine, uint32_t kind)
{
    return cll_unexpected_take(kind, machine->key, machine->superstep, 0);
}

/* By source, then as they were sent: where what is written overlaps, runs do not differ. */
static void add_in_order(cll_packet **first, cll_packet *packet)
{
    while (*first != NULL && (*first)->source <= packet->source) {
        first = &(*first)->next;
    }
    packet->next = *first;
    *first = packet;
}

static cll_packet *take_next(cll_packet **first)
{
    cll_packet *packet = *first;
    if (packet != NULL) {
        *first = packet->next;
        packet->next = NULL;
    }
    return packet;
}

/* Nothing is written before all that others get has been read, and before all answers are here: what is got into an area may be
 * overwritten by a put, and what a put brings must not be got. */
void cll_machine_access_memory(cll_machine *machine, const char *call)
{
    cll_packet *packet;
    while ((packet = next_packet(machine, CLL_GETS)) != NULL) {
        answer(machine, packet, CLL_ANSWERS);
    }
    cll_packet *came = NULL;
    for (uint64_t wanted = machine->streams[CLL_GET_STREAM].packet_count; wanted > 0; wanted--) {
        add_in_order(&came, cll_machine_await(machine, CLL_ANSWERS, machine->superstep, 0, call));
    }
    while ((packet = take_next(&came)) != NULL) {
        write_answers(machine, packet);
    }
    while ((packet = next_packet(machine, CLL_PUTS)) != NULL) {
        add_in_order(&came, packet);
    }
    while ((packet = take_next(&came)) != NULL) {
        write_puts(machine, packet);
        cll_transport_release(packet);
    }
    /* Now that what comes has its place: a transfer that waits for its receiver takes longer. */
    for (size_t index = 0; index < machine->block_count; index++) {
        const cll_block_put *block = &machine->blocks[index];
        cll_transport_send_block(machine->first_processor + block->to, block->bytes, block->count);
    }
    machine->block_count = 0;
}

/* A request is of this superstep if its sender has left the last synchronisation; this processor may still be in it. */
int cll_machine_takes_direct_get(cll_packet *packet)
{
    cll_machine *machine = cll_machine_innermost();
    if (machine == NULL || packet->machine != machine->key || packet->number != machine->superstep) {
        return 0;
    }
    answer(machine, packet, CLL_DIRECT_ANSWER);
    return 1;
}

void cll_machine_answer_direct_gets(cll_machine *machine)
{
    cll_packet *packet;
    while ((packet = next_packet(machine, CLL_DIRECT_GET)) != NULL) {
        answer(machine, packet, CLL_DIRECT_ANSWER);
    }
}

void cll_machine_direct_get(cll_machine *machine, int from, const void *source, size_t offset, void *destination, size_t count,
                            const char *call)
{
    cll_machine_check_innermost(machine, call);
    unsigned char *to = destination;
    while (count > 0) {
        uint32_t area = checked_area(machine, from, destination, source, call);
        size_t piece = count < LARGEST_PIECE_BYTES ? count : LARGEST_PIECE_BYTES;
        cll_packet *request = cll_machine_new_packet(machine, CLL_DIRECT_GET, machine->superstep, 0, sizeof(get_entry));
        get_entry *entry = (get_entry *)(void *)cll_packet_payload(request);
        entry->destination = (uint64_t)(uintptr_t)to;
        entry->offset = offset;
        entry->count = (uint32_t)piece;
        entry->area = area & LARGEST_AREA;
        entry->is_unbuffered = 1;
        request->payload_bytes = sizeof *entry;
        if (from == machine->processor) {
            answer(machine, request, CLL_DIRECT_ANSWER);
        } else {
            cll_machine_send_packet(machine, from, request, CLL_NOTHING_MORE);
        }
        write_answers(machine, cll_machine_await(machine, CLL_DIRECT_ANSWER, machine->superstep, 0, call));
        to += piece;
        offset += piece;
        count -= piece;
    }
}
