/* machine.c: start and end of the processors, messages, supersteps and barriers, on top of any transport. */
#include "machine.h"

#include <stdlib.h>
#include <string.h>

#include "../base/fail.h"
#include "../recording/recorder.h"
#include "exchange.h"
#include "program_position.h"
#include "superstep_saving.h"
#include "supersteps.h"
#include "unexpected.h"

static uint64_t start_count = 0;
static const char *end_of_all = "";

/* Bijective mixing of 64 bits; constants of David Stafford's "Mix13". */
static uint64_t mix(uint64_t value)
{
    value = (value ^ value >> 30) * UINT64_C(0xbf58476d1ce4e5b9);
    value = (value ^ value >> 27) * UINT64_C(0x94d049bb133111eb);
    return value ^ value >> 31;
}

static cll_machine *open_machine(uint64_t key, int first_processor, int processors, int processor, const char *call)
{
    cll_machine *machine = cll_machine_push(key, first_processor, processors, processor, call);
    cll_record_set_processors(processors);
    if (machine->virtual_count == 1) {
        machine->account = cll_superstep_open(machine);
    } else {
        cll_superstep_forget(machine);
    }
    return machine;
}

static int start_transport(int is_alone, int *processors, const char *call, const char *end_call)
{
    int processor;
    if (start_count > 0) {
        cll_fail("%s: a program can start its processors only once", call);
    }
    start_count = 1;
    cll_failing_position = cll_program_position;
    cll_unexpected_start();
    cll_exchange_take_direct_get = cll_machine_takes_direct_get;
    end_of_all = end_call;
    cll_supersteps_prepare();
    cll_transport_start(is_alone, &processor, processors, call, end_call);
    cll_record_set_run_processor(processor, *processors);
    cll_supersteps_start();
    return processor;
}

cll_machine *cll_machine_start(const char *call, const char *end_call)
{
    int processors;
    int processor = start_transport(0, &processors, call, end_call);
    return open_machine(mix(start_count), 0, processors, processor, call);
}

int cll_machine_can_fork(void)
{
    return cll_transport_can_fork;
}

void cll_machine_start_alone(const char *call, const char *end_call)
{
    int processors;
    start_transport(1, &processors, call, end_call);
}

cll_machine *cll_machine_fork(ptrdiff_t most_processors, const char *call)
{
    int available = cll_transport_available();
    int processors = most_processors < available ? (int)most_processors : available;
    int processor = cll_transport_fork(processors, call);
    if (processor > 0) {
        cll_supersteps_forked();
    }
    cll_record_set_run_processor(processor, processors);
    return open_machine(mix(++start_count), 0, processors, processor, call);
}

int cll_machine_restarts(void)
{
    return cll_transport_can_restart;
}

cll_machine *cll_machine_restart(int processor, int processors, const char *call)
{
    cll_transport_restart(processors, call);
    return open_machine(mix(++start_count), 0, processors, processor, call);
}

cll_machine *cll_machine_partition(cll_machine *machine, int parts, const int *ends, const char *call)
{
    cll_machine_check_innermost(machine, call);
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
    uint64_t key = mix(mix(machine->key - (uint64_t)machine->virtual_number + machine->partitions++) + (uint64_t)part);
    return open_machine(key, machine->first_processor + start, ends[part] - start, machine->processor - start, call);
}

cll_machine *cll_machine_open_virtual(cll_machine *around, int count, int number, const char *call)
{
    uint64_t key = mix(mix(around->key + around->partitions));
    int processors = around->processors * count;
    cll_machine *machine = cll_machine_push(key, 0, processors, around->processor * count + number, call);
    machine->first_processor = around->first_processor * count;
    machine->virtual_count = count;
    machine->virtual_number = number;
    machine->key = key + (uint64_t)number;
    cll_record_set_processors(processors);
    cll_superstep_forget(machine);
    return machine;
}

static void check_all_sent(const cll_machine *machine, const char *call)
{
    static const char *const names[CLL_STREAMS] = {"messages to", "puts to", "gets from"};
    for (int number = 0; number < CLL_STREAMS; number++) {
        const cll_stream *stream = &machine->streams[number];
        if (stream->destination_count > 0) {
            cll_fail("%s: processor %d has %s processor %d in superstep %llu, which has not been ended with a bsp_sync", call,
                     machine->processor, names[number], stream->destinations[0], (unsigned long long)machine->superstep);
        }
    }
}

static void close_innermost(const char *call)
{
    cll_machine *machine = cll_machine_innermost();
    check_all_sent(machine, call);
    if (machine->account != NULL) {
        cll_superstep_close(machine, call);
    }
    cll_inbox_clear(&machine->inbox);
    cll_registrations_clear(&machine->registrations);
    cll_machine_pop();
    cll_record_set_processors(cll_machine_innermost() == NULL ? 1 : cll_machine_innermost()->processors);
}

void cll_machine_close(cll_machine *machine, const char *call)
{
    cll_machine_check_innermost(machine, call);
    if (machine->parent == NULL) {
        cll_fail("%s: the machine of all processors is closed by %s, not by bsp_done", call, end_of_all);
    }
    close_innermost(call);
}

void cll_machine_send(cll_machine *machine, int to, const void *tag, int32_t tag_bytes, const void *data, size_t size_bytes,
                      const char *call)
{
    cll_machine_check_processor(machine, to, call);
    if (data == NULL && size_bytes > 0) {
        cll_fail("%s: the data of a message of %zu bytes is NULL", call, size_bytes);
    }
    if (size_bytes > SIZE_MAX / 4) {
        cll_fail("%s: a message of %zu bytes cannot be sent", call, size_bytes);
    }
    size_t tag_offset = cll_message_tag_offset(size_bytes, tag_bytes);
    size_t padded_bytes = (tag_offset + (size_t)tag_bytes + CLL_PACKET_ALIGNMENT - 1) & ~((size_t)CLL_PACKET_ALIGNMENT - 1);
    cll_message *message = cll_machine_room(machine, CLL_MESSAGE_STREAM, to, sizeof *message + padded_bytes);
    unsigned char *bytes = (unsigned char *)(message + 1);
    message->size_bytes = size_bytes;
    message->source = machine->processor;
    message->tag_bytes = tag_bytes;
    if (padded_bytes == 16) {
        memset(bytes, 0, 16); /* without a call, like the copies of 8 */
    } else {
        memset(bytes + size_bytes, 0, padded_bytes - size_bytes);
    }
    if (size_bytes == 8) {
        memcpy(bytes, data, 8);
    } else if (size_bytes > 0) {
        memcpy(bytes, data, size_bytes);
    }
    if (tag_bytes > 0) {
        memcpy(bytes + tag_offset, tag, (size_t)tag_bytes);
    }
}

/* Packets of messages that have been made and not been sent. */
static cll_packet *unsent = NULL;

/* The link to the packet of a new message; NULL if the message is none. */
static cll_packet **find_unsent(const cll_message *message)
{
    for (cll_packet **link = &unsent; *link != NULL; link = &(*link)->next) {
        if ((const void *)(*link + 1) == (const void *)message) {
            return link;
        }
    }
    return NULL;
}

int cll_machine_has_message(const cll_message *message)
{
    for (const cll_machine *machine = cll_machine_innermost(); machine != NULL; machine = machine->parent) {
        if (cll_inbox_has(&machine->inbox, message)) {
            return 1;
        }
    }
    return find_unsent(message) != NULL;
}

/* Alone in its packet, as nobody knows yet where it goes. */
cll_message *cll_machine_new_message(const cll_machine *machine, size_t size_bytes)
{
    size_t padded_bytes = (size_bytes + CLL_PACKET_ALIGNMENT - 1) & ~((size_t)CLL_PACKET_ALIGNMENT - 1);
    size_t needed_bytes = sizeof(cll_message) + padded_bytes;
    cll_packet *packet = cll_machine_new_packet(machine, CLL_DATA, machine->superstep, 0, needed_bytes);
    cll_message *message = (cll_message *)(void *)cll_packet_payload(packet);
    packet->message_count = 1;
    packet->payload_bytes = needed_bytes;
    message->size_bytes = size_bytes;
    message->source = -1;
    message->tag_bytes = 0;
    memset(message + 1, 0, padded_bytes);
    packet->next = unsent;
    unsent = packet;
    return message;
}

void cll_machine_send_message(cll_machine *machine, int to, cll_message *message, const char *call)
{
    cll_packet **link = find_unsent(message);
    cll_machine_check_processor(machine, to, call);
    if (link == NULL) {
        cll_fail("%s: the message was sent before, or has arrived: each is made by bsp_createmsg and sent once", call);
    }
    cll_packet *packet = *link;
    if (packet->machine != machine->key) {
        cll_fail("%s: the message was made for another machine", call);
    }
    *link = packet->next;
    packet->next = NULL;
    packet->number = machine->superstep;
    message->source = machine->processor;
    cll_machine_queue_packet(&machine->streams[CLL_MESSAGE_STREAM], to, packet);
}

static void collect_messages(cll_machine *machine)
{
    cll_packet *packet;
    while ((packet = cll_unexpected_take(CLL_DATA, machine->key, machine->superstep, 0)) != NULL) {
        cll_inbox_add(&machine->inbox, packet);
    }
}

static void start_superstep(cll_machine *machine)
{
    machine->superstep++;
    machine->tag_bytes = -1;
    for (int number = 0; number < CLL_STREAMS; number++) {
        machine->streams[number].packet_count = 0;
    }
}

/* Packets of one processor arrive in order, so where each sends a token to each other one, the token comes last. */
void cll_machine_sync(cll_machine *machine, const char *call)
{
    cll_machine_check_innermost(machine, call);
    int is_recorded = machine->account != NULL;
    if (is_recorded) {
        cll_superstep_enter(machine, cll_machine_count_puts);
    }
    cll_inbox_clear(&machine->inbox);
    int is_in_rounds = machine->processors > CLL_EXCHANGING_PROCESSORS;
    cll_machine_send_streams(machine, is_in_rounds ? CLL_FLUSH_FOLLOWS : CLL_PACKET_FOLLOWS);
    if (is_in_rounds) {
        cll_transport_flush();
    }
    cll_machine_pass_tokens(machine, CLL_SYNC_TOKEN, call);
    collect_messages(machine);
    cll_inbox_sort(&machine->inbox, call);
    if (is_recorded) {
        cll_superstep_count_inbox(machine);
    }
    cll_machine_access_memory(machine, call);
    int names_nothing = 0;
    if (!cll_registrations_apply(&machine->registrations, &names_nothing)) {
        if (names_nothing) {
            cll_fail("bsp_pop_reg: all processors take back NULL in superstep %llu, but have not registered NULL together, or have taken "
                     "back each time that they did",
                     (unsigned long long)machine->superstep);
        }
        cll_fail("%s: processor %d has not called bsp_pop_reg in the same order as the others in superstep %llu", call,
                 machine->processor, (unsigned long long)machine->superstep);
    }
    if (is_recorded) {
        cll_superstep_end(machine);
    }
    start_superstep(machine);
    cll_machine_answer_direct_gets(machine);
    cll_transport_drain();
    if (is_recorded) {
        cll_superstep_leave(machine, call);
    }
}

/* A processor that waits in bsp_sync for the end of this superstep waits for ever if this one ends it otherwise. */
static void check_nobody_waits_in_sync(const cll_machine *machine, const char *call)
{
    for (uint32_t round = 0; round < cll_machine_rounds(machine); round++) {
        const cll_packet *token = cll_unexpected_find(CLL_SYNC_TOKEN, machine->key, machine->superstep, round);
        if (token != NULL) {
            cll_fail("%s: processor %d ends superstep %llu with bsp_oblsync, but processor %d ends it with bsp_sync", call,
                     machine->processor, (unsigned long long)machine->superstep, token->source);
        }
    }
}

/* Only messages are counted. */
static void check_no_memory(const cll_machine *machine, const char *call)
{
    if (machine->streams[CLL_PUT_STREAM].packet_count + machine->streams[CLL_GET_STREAM].packet_count +
            machine->registrations.change_count > 0) {
        cll_fail("%s: processor %d has puts, gets or registrations in superstep %llu: end it with bsp_sync", call, machine->processor,
                 (unsigned long long)machine->superstep);
    }
}

void cll_machine_oblivious_sync(cll_machine *machine, int messages, const char *call)
{
    cll_machine_check_innermost(machine, call);
    if (messages < 0) {
        cll_fail("%s: %d messages cannot be waited for", call, messages);
    }
    cll_inbox *inbox = &machine->inbox;
    cll_wait reason = {call, machine->superstep, 0, (uint64_t)messages};
    check_no_memory(machine, call);
    if (machine->account != NULL) {
        cll_superstep_enter(machine, cll_machine_count_puts);
    }
    cll_inbox_clear(inbox);
    cll_machine_send_streams(machine, CLL_NOTHING_MORE);
    for (;;) {
        collect_messages(machine);
        reason.have = inbox->message_count;
        if (reason.have >= reason.want) {
            break;
        }
        if (machine->processors == 1) {
            cll_fail("%s: superstep %llu of a machine of one processor has %llu messages, and %d are waited for", call,
                     (unsigned long long)machine->superstep, (unsigned long long)reason.have, messages);
        }
        check_nobody_waits_in_sync(machine, call);
        cll_machine_progress(machine, &reason);
    }
    if (reason.have > reason.want) {
        cll_fail("%s: processor %d has %llu messages in superstep %llu, but was told to wait for %d", call, machine->processor,
                 (unsigned long long)reason.have, (unsigned long long)machine->superstep, messages);
    }
    cll_transport_settle();
    cll_inbox_sort(inbox, call);
    if (machine->account != NULL) {
        cll_superstep_count_inbox(machine);
        cll_superstep_end(machine);
        start_superstep(machine);
        cll_superstep_leave(machine, call);
    } else {
        start_superstep(machine);
    }
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

void cll_machine_set_tag(cll_machine *machine, int32_t tag_bytes)
{
    machine->tag_bytes = tag_bytes;
}

void cll_machine_barrier(cll_machine *machine, const char *call)
{
    cll_machine_pass_tokens(machine, CLL_BARRIER_TOKEN, call);
}

void cll_machine_give_for(cll_machine *machine, uint64_t superstep, int to, const void *bytes, size_t count)
{
    cll_packet *packet = cll_machine_new_packet(machine, CLL_GATHER, superstep, (uint32_t)machine->processor, count);
    if (count > 0) {
        memcpy(cll_packet_payload(packet), bytes, count);
    }
    packet->payload_bytes = count;
    cll_machine_send_packet(machine, to, packet, CLL_NOTHING_MORE);
}

size_t cll_machine_take_for(cll_machine *machine, uint64_t superstep, int from, void *bytes, size_t capacity, const char *call)
{
    cll_packet *packet = cll_machine_await(machine, CLL_GATHER, superstep, (uint32_t)from, call);
    size_t count = (size_t)packet->payload_bytes;
    if (count > capacity) {
        cll_fail("%s: processor %d sent %zu bytes where %zu were expected: not all processors are in the same call", call, from, count,
                 capacity);
    }
    if (count > 0) {
        memcpy(bytes, cll_packet_payload(packet), count);
    }
    cll_transport_release(packet);
    return count;
}

void cll_machine_give(cll_machine *machine, int to, const void *bytes, size_t count)
{
    cll_machine_give_for(machine, 0, to, bytes, count);
}

size_t cll_machine_take(cll_machine *machine, int from, void *bytes, size_t capacity, const char *call)
{
    return cll_machine_take_for(machine, 0, from, bytes, capacity, call);
}

void cll_machine_finish(const char *call, cll_after_finish after)
{
    cll_machine *machine = cll_machine_check(NULL, call);
    if (machine->parent != NULL) {
        cll_machine_check_innermost(machine->parent, call);
    }
    check_all_sent(machine, call);
    cll_transport_flush();
    cll_machine_barrier(machine, call);
    cll_packet *packet;
    while ((packet = cll_transport_poll()) != NULL) {
        cll_machine_admit(packet, call);
    }
    int is_last = after == CLL_LEAVES || after == CLL_IS_LEFT; /* else others may have started again */
    const cll_packet *left = is_last ? cll_unexpected_find_data() : NULL;
    if (left != NULL) {
        cll_fail("%s: a message of superstep %llu of a machine that has been closed was never received: a bsp_oblsync was told too "
                 "small a number of messages",
                 call, (unsigned long long)left->number);
    }
    close_innermost(call);
    cll_transport_finish(after);
}
