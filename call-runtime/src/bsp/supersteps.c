/* supersteps.c: accounts of the supersteps that are open, and the records that are made of them. What recording takes, mostly for the
 * walk over the call stack, comes when a superstep is over and is told apart from its times. */
#include "supersteps.h"

#include <stdlib.h>
#include <string.h>

#include "../base/clock.h"
#include "../base/fail.h"
#include "../program/units.h"
#include "call_sites.h"
#include "inside_experiments.h"
#include "superstep_saving.h"

/* How many machines of the same processors there have been; their number is the same on all of them, as they open them in the same
 * order. */
typedef struct {
    cll_processor_range processors;
    int32_t count;
} machine_count;

static int supersteps_are_wanted = 0;
static int profile_is_wanted = 0;
static int most_superstep_processors = 0;
static int is_bsplib = 0;
static uint64_t all_recording_ticks = 0; /* what recording has taken so far */
static machine_count *machine_counts = NULL;
static size_t machine_count_count = 0;
static size_t machine_count_capacity = 0;

int (*cll_superstep_report)(cll_kind kind, void *caller) = NULL;

int cll_supersteps_are_wanted(void)
{
    return supersteps_are_wanted;
}

/* What a variable of the environment says, which is 0, 1 or unset. */
static int asked_by(const char *variable, int otherwise)
{
    const char *text = getenv(variable);
    if (text == NULL || *text == '\0') {
        return otherwise;
    }
    if (strcmp(text, "0") != 0 && strcmp(text, "1") != 0) {
        cll_fail("%s is `%s`: it is 1 to record supersteps or 0 not to, or leave the variable unset", variable, text);
    }
    return *text == '1';
}

/* Room for the next record of any open machine. */
static void make_superstep_room(void)
{
    cll_call_sites_make_room();
    cll_superstep_records_reserve(cll_superstep_record_bytes((size_t)most_superstep_processors / 2 + 1, cll_inside_experiments()));
}

void cll_supersteps_prepare(void)
{
    profile_is_wanted = asked_by("CALL_PROFILE", 0);
    supersteps_are_wanted = asked_by("CALL_SUPERSTEPS", profile_is_wanted || cll_units_want_supersteps());
    if (supersteps_are_wanted) {
        cll_clock_start();
        cll_call_sites_start();
        cll_supersteps_start_saving();
        cll_superstep_own_head.origin_ticks = cll_clock_begin();
#ifdef CLL_SMPI
        if (cll_clock_in_use == CLL_CLOCK_SYSTEM) {
            cll_superstep_own_head.origin_ticks = 0; /* as the simulated time */
        }
#endif
    }
}

void cll_supersteps_start(void)
{
    cll_superstep_own_head.has_common_origin =
        cll_transport_share_clock(supersteps_are_wanted, &cll_superstep_own_head.origin_ticks);
}

void cll_supersteps_end_program(cll_kind kind, void *caller)
{
    if (profile_is_wanted && supersteps_are_wanted && cll_superstep_report != NULL && cll_superstep_report(kind, caller)) {
        /* What is left of the section would stand in the report of the next one. */
        for (cll_machine *machine = cll_machine_innermost(); machine != NULL; machine = machine->parent) {
            cll_superstep_forget(machine);
        }
    }
}

static int32_t count_superstep_machine(cll_processor_range processors)
{
    size_t at = 0;
    while (at < machine_count_count &&
           (machine_counts[at].processors.first != processors.first || machine_counts[at].processors.last != processors.last)) {
        at++;
    }
    if (at == machine_count_capacity) {
        size_t capacity = 2 * machine_count_capacity + 8;
        machine_counts = cll_reallocate(machine_counts, capacity, sizeof *machine_counts, "the numbers of machines");
        machine_count_capacity = capacity;
    }
    if (at == machine_count_count) {
        machine_counts[machine_count_count].processors = processors;
        machine_counts[machine_count_count++].count = 0;
    }
    return machine_counts[at].count++;
}

static cll_processor_range range_of(const cll_machine *machine)
{
    cll_processor_range range = {machine->first_processor, machine->first_processor + machine->processors - 1};
    return range;
}

/* What is inside experiments from now on is in the superstep. */
static void remember_inside(cll_superstep_account *account)
{
    account->inside_before_count = cll_inside_experiments();
    if (account->inside_before_capacity < account->inside_before_count) {
        account->inside_before_capacity = 2 * account->inside_before_count;
        account->inside_before_ticks = cll_reallocate(account->inside_before_ticks, account->inside_before_capacity, sizeof(uint64_t),
                                                      "the times of experiments in supersteps");
    }
    for (uint32_t number = 0; number < account->inside_before_count; number++) {
        account->inside_before_ticks[number] = cll_inside_ticks(number);
    }
}

static void start_account(cll_superstep_account *account, uint64_t now_ticks)
{
    account->waiting_ticks = 0;
    account->transferring_ticks = 0;
    account->recording_before_ticks = all_recording_ticks;
    account->start_ticks = now_ticks;
}

/* What has been counted is in a record; the time goes on. */
static void clear_account(cll_superstep_account *account, int processors)
{
    memset(&account->out, 0, sizeof account->out);
    memset(&account->in, 0, sizeof account->in);
    if (account->partner_count > 0) {
        memset(account->is_partner, 0, (size_t)processors);
        account->partner_count = 0;
    }
}

cll_superstep_account *cll_superstep_open(const cll_machine *machine)
{
    cll_superstep_account *account = machine->account;
    if (!supersteps_are_wanted) {
        return NULL;
    }
    uint64_t now_ticks = cll_clock_end();
    if (machine->parent == NULL) {
        cll_inside_start(now_ticks);
    }
    cll_inside_pause(now_ticks);
    cll_inside_count(now_ticks);
    if (account == NULL) {
        account = cll_allocate(1, sizeof *account + (size_t)machine->capacity, "the supersteps of a machine");
    }
    size_t kept_bytes = offsetof(cll_superstep_account, start_ticks);
    memset((unsigned char *)account + kept_bytes, 0, sizeof *account + (size_t)machine->capacity - kept_bytes);
    account->machine_number = count_superstep_machine(range_of(machine));
    account->depth = machine->parent == NULL || machine->parent->account == NULL ? 0 : machine->parent->account->depth + 1;
    if (machine->parent == NULL) {
        cll_superstep_own_head.processor = machine->processor;
    }
    most_superstep_processors = machine->processors > most_superstep_processors ? machine->processors : most_superstep_processors;
    make_superstep_room();
    remember_inside(account);
    uint64_t start_ticks = cll_clock_begin();
    all_recording_ticks += start_ticks - now_ticks;
    start_account(account, start_ticks);
    cll_inside_go_on(start_ticks);
    return account;
}

void cll_superstep_forget(cll_machine *machine)
{
    if (machine->account != NULL) {
        free(machine->account->inside_before_ticks);
    }
    free(machine->account);
    machine->account = NULL;
}

void cll_superstep_begin_program(void)
{
    is_bsplib = 1;
    cll_machine *machine = cll_machine_innermost();
    for (cll_machine *around = machine->parent; around != NULL; around = around->parent) {
        cll_superstep_forget(around);
    }
    if (machine->account != NULL) {
        cll_inside_count(cll_clock_end());
        clear_account(machine->account, machine->processors);
        machine->account->depth = 0;
        remember_inside(machine->account);
        start_account(machine->account, cll_clock_begin());
    }
}

cll_traffic *cll_superstep_outgoing(const cll_machine *machine, int to)
{
    return machine->account == NULL || to == machine->processor ? NULL : &machine->account->out;
}

cll_traffic *cll_superstep_incoming(const cll_machine *machine, int from)
{
    cll_superstep_account *account = machine->account;
    if (account == NULL || from == machine->processor) {
        return NULL;
    }
    account->partner_count += !account->is_partner[from];
    account->is_partner[from] = 1;
    return &account->in;
}

/* In a synchronisation, in which time has stopped to count, nothing is to be done. */
uint64_t cll_superstep_wait_begins(const cll_machine *machine)
{
    if (machine->account == NULL) {
        return 0;
    }
    uint64_t now_ticks = cll_clock_begin();
    int is_counting = cll_inside_is_counting();
    cll_inside_pause(now_ticks);
    if (is_counting && cll_inside_has_more()) {
        cll_inside_count(now_ticks);
        uint64_t begin_ticks = cll_clock_begin();
        all_recording_ticks += begin_ticks - now_ticks;
        return begin_ticks;
    }
    return now_ticks;
}

void cll_superstep_wait_ends(const cll_machine *machine, uint64_t begin_ticks)
{
    if (machine->account != NULL) {
        uint64_t now_ticks = cll_clock_end();
        machine->account->waiting_ticks += now_ticks - begin_ticks;
        cll_inside_go_on(now_ticks);
    }
}

/* From the end of the transfer its begin is taken, and the waits of its end from those of its begin. */
void cll_superstep_transfer_begins(const cll_machine *machine)
{
    uint64_t begin_ticks = cll_superstep_wait_begins(machine);
    if (machine->account != NULL) {
        machine->account->transferring_ticks += machine->account->waiting_ticks - begin_ticks;
    }
}

void cll_superstep_transfer_ends(const cll_machine *machine)
{
    if (machine->account != NULL) {
        uint64_t now_ticks = cll_clock_end();
        machine->account->transferring_ticks += now_ticks - machine->account->waiting_ticks;
        cll_inside_go_on(now_ticks);
    }
}

void cll_superstep_wait_as_planted(const cll_machine *machine)
{
    uint64_t waiting_ns = cll_clock_take_waiting();
    if (waiting_ns > 0) {
        uint64_t begin_ticks = cll_superstep_wait_begins(machine);
        cll_clock_advance(waiting_ns);
        cll_superstep_wait_ends(machine, begin_ticks);
    }
}

static void count_messages(cll_packet *packet, cll_traffic *traffic)
{
    unsigned char *at = cll_packet_payload(packet);
    const unsigned char *end = at + packet->payload_bytes;
    while (at < end) {
        const cll_message *message = (const cll_message *)(const void *)at;
        traffic->bytes += message->size_bytes + (uint64_t)message->tag_bytes;
        traffic->messages++;
        at += cll_message_span_bytes(message);
    }
}

static void count_stream(const cll_machine *machine, int number, void (*count)(cll_packet *packet, cll_traffic *traffic))
{
    const cll_stream *stream = &machine->streams[number];
    for (int index = 0; index < stream->destination_count; index++) {
        int to = stream->destinations[index];
        cll_traffic *traffic = cll_superstep_outgoing(machine, to);
        for (cll_packet *packet = stream->outgoing[to].first; traffic != NULL && packet != NULL; packet = packet->next) {
            count(packet, traffic);
        }
    }
}

static void stop_computing(cll_superstep_account *account, uint64_t now_ticks)
{
    uint64_t passed_ticks = now_ticks - account->start_ticks;
    account->inner_waiting_ticks = account->waiting_ticks;
    account->inner_recording_ticks = all_recording_ticks - account->recording_before_ticks;
    uint64_t other_ticks = account->waiting_ticks + account->transferring_ticks + account->inner_recording_ticks;
    account->computing_ticks = passed_ticks < other_ticks ? 0 : passed_ticks - other_ticks;
}

void cll_superstep_enter(cll_machine *machine, void (*count_puts)(cll_packet *packet, cll_traffic *traffic))
{
    uint64_t now_ticks = cll_clock_end();
    cll_inside_pause(now_ticks);
    stop_computing(machine->account, now_ticks);
    count_stream(machine, CLL_MESSAGE_STREAM, count_messages);
    count_stream(machine, CLL_PUT_STREAM, count_puts);
}

void cll_superstep_count_inbox(cll_machine *machine)
{
    for (cll_packet *packet = machine->inbox.first; packet != NULL; packet = packet->next) {
        cll_traffic *traffic = cll_superstep_incoming(machine, packet->source);
        if (traffic != NULL) {
            count_messages(packet, traffic);
        }
    }
}

static uint32_t list_partners(const cll_machine *machine, cll_processor_range *ranges)
{
    const cll_superstep_account *account = machine->account;
    uint32_t count = 0;
    for (int at = 0; account->partner_count > 0 && at < machine->processors; at++) {
        if (account->is_partner[at]) {
            int processor = machine->first_processor + at;
            if (at == 0 || !account->is_partner[at - 1]) {
                ranges[count++].first = processor;
            }
            ranges[count - 1].last = processor;
        }
    }
    return count;
}

static void add_superstep(const cll_machine *machine)
{
    cll_superstep_account *account = machine->account;
    cll_superstep_record *record = cll_superstep_record_start();
    record->start_ticks = account->start_ticks;
    record->computing_ticks = account->computing_ticks;
    record->waiting_ticks = account->waiting_ticks;
    record->inner_waiting_ticks = account->inner_waiting_ticks;
    record->inner_communicating_ticks = account->transferring_ticks;
    record->inner_recording_ticks = account->inner_recording_ticks;
    record->superstep = machine->superstep;
    record->out = account->out;
    record->in = account->in;
    record->machine = range_of(machine);
    record->machine_number = account->machine_number;
    record->depth = account->depth;
    record->partner_count = list_partners(machine, record->partners);
    record->experiment_count = 0;
    cll_superstep_record_grow(cll_superstep_record_bytes(record->partner_count, 0));
    account->record = record;
}

/* To the record that was made last, whose superstep computes no more. */
static void add_experiments(cll_superstep_account *account, uint64_t now_ticks)
{
    cll_inside_count(now_ticks);
    account->record = cll_superstep_record_reserve_behind(account->record, cll_inside_experiments() * sizeof(cll_experiment_time));
    cll_superstep_record *record = account->record;
    cll_experiment_time *added = cll_superstep_experiments(record);
    for (uint32_t number = 0; number < cll_inside_experiments(); number++) {
        uint64_t before_ticks = number < account->inside_before_count ? account->inside_before_ticks[number] : 0;
        if (cll_inside_ticks(number) > before_ticks) {
            added->ticks = cll_inside_ticks(number) - before_ticks;
            added->experiment = number;
            added++;
            record->experiment_count++;
            cll_superstep_record_grow(sizeof *added);
        }
    }
}

void cll_superstep_end(cll_machine *machine)
{
    add_superstep(machine);
    clear_account(machine->account, machine->processors);
}

void cll_superstep_leave(cll_machine *machine, const char *call)
{
    cll_superstep_account *account = machine->account;
    cll_superstep_record *record = account->record;
    record->end_ticks = cll_clock_end();
    record->call_site = cll_call_site_here(call);
    add_experiments(account, record->end_ticks);
    record = account->record;
    make_superstep_room();
    remember_inside(account);
    record->recorded_ticks = cll_clock_begin();
    if (cll_supersteps_save(record->recorded_ticks, is_bsplib)) {
        record->recorded_ticks = cll_clock_begin();
    }
    all_recording_ticks += record->recorded_ticks - record->end_ticks;
    start_account(account, record->recorded_ticks);
    cll_inside_go_on(record->recorded_ticks);
}

static void record_so_far(cll_machine *machine, const char *call, uint64_t now_ticks)
{
    stop_computing(machine->account, now_ticks);
    cll_superstep_end(machine);
    cll_superstep_record *record = machine->account->record;
    record->end_ticks = now_ticks;
    record->recorded_ticks = now_ticks;
    record->call_site = cll_call_site_here(call);
    add_experiments(machine->account, now_ticks);
    make_superstep_room();
}

void cll_superstep_close(cll_machine *machine, const char *call)
{
    uint64_t now_ticks = cll_clock_end();
    cll_inside_pause(now_ticks);
    record_so_far(machine, call, now_ticks);
    uint64_t recorded_ticks = cll_clock_begin();
    all_recording_ticks += recorded_ticks - now_ticks;
    cll_inside_go_on(recorded_ticks);
}

void cll_supersteps_enter_report(void *caller)
{
    if (!supersteps_are_wanted) {
        return;
    }
    uint64_t now_ticks = cll_clock_end();
    cll_inside_pause(now_ticks);
    for (cll_machine *machine = cll_machine_innermost(); machine != NULL; machine = machine->parent) {
        if (machine->account != NULL) {
            cll_call_site_caller = caller;
            record_so_far(machine, "report", now_ticks);
        }
    }
}

void cll_supersteps_leave_report(void)
{
    if (!supersteps_are_wanted) {
        return;
    }
    uint64_t now_ticks = cll_clock_begin();
    for (cll_machine *machine = cll_machine_innermost(); machine != NULL; machine = machine->parent) {
        if (machine->account != NULL) {
            remember_inside(machine->account);
            start_account(machine->account, now_ticks);
        }
    }
    cll_inside_after_report(now_ticks);
}
