/* mpi_requests.c: the table of requests. A handle alone does not tell them apart, as libraries give the same one to all sends that are complete
 * at once; where the program keeps it nearly always does. */
#include "mpi_requests.h"

#include <stdio.h>
#include <string.h>

#include "../base/fail.h"
#include "../base/table.h"
#include "event_definitions.h"
#include "mpi_recording.h"

static cll_begun *begun_operations = NULL;
static uint32_t begun_count = 0; /* the entries up to here are or were in use */
static uint32_t begun_capacity = 0;
static uint32_t *free_entries = NULL;
static uint32_t free_entry_count = 0;
static cll_table begun_by_place;
static uint64_t request_numbers = 0;
static uint64_t *noted_handles = NULL;
static int noted_capacity = 0;
static MPI_Status *own_statuses = NULL;
static int own_status_capacity = 0;

static const char purpose_of_requests[] = "the requests of MPI that are recorded";

static uint64_t bits_of_request(const MPI_Request *request)
{
    uint64_t bits = 0;
    memcpy(&bits, request, sizeof *request);
    return bits;
}

/* What has been completed, or was nothing from the start. */
static int is_null_request(uint64_t handle)
{
    MPI_Request none = MPI_REQUEST_NULL;
    return handle == bits_of_request(&none);
}

static uint64_t hash_of_begun(uint64_t handle, const void *address)
{
    return cll_hash_word(cll_hash_address(address), handle);
}

static int is_same_begun(const void *key, uint64_t number)
{
    const cll_begun *wanted = key;
    const cll_begun *its = &begun_operations[number];
    return its->handle == wanted->handle && its->address == wanted->address;
}

static void add_begun(const cll_begun *begun)
{
    if (free_entry_count == 0 && begun_count == begun_capacity) {
        begun_capacity = 2 * begun_capacity + 64;
        begun_operations = cll_reallocate(begun_operations, begun_capacity, sizeof *begun_operations, purpose_of_requests);
        free_entries = cll_reallocate(free_entries, begun_capacity, sizeof *free_entries, purpose_of_requests);
        cll_table_reserve(&begun_by_place, begun_capacity, purpose_of_requests);
    }
    uint32_t entry = free_entry_count > 0 ? free_entries[--free_entry_count] : begun_count++;
    begun_operations[entry] = *begun;
    cll_table_add(&begun_by_place, hash_of_begun(begun->handle, begun->address), entry);
}

static void remove_begun(cll_begun *begun)
{
    uint32_t entry = (uint32_t)(begun - begun_operations);
    cll_table_remove(&begun_by_place, hash_of_begun(begun->handle, begun->address), entry);
    begun->address = NULL;
    begun->kind = CLL_NOTHING_BEGUN;
    begun->handle = 0;
    free_entries[free_entry_count++] = entry;
}

/* The program may have moved the handle since. */
static cll_begun *find_begun(uint64_t handle, const void *address, int is_message)
{
    cll_begun wanted = {.handle = handle, .address = address};
    uint64_t found = cll_table_find(&begun_by_place, hash_of_begun(handle, address), is_same_begun, &wanted);
    if (found != CLL_TABLE_NONE) {
        return &begun_operations[found];
    }
    for (uint32_t at = 0; at < begun_count; at++) {
        cll_begun *its = &begun_operations[at];
        if (its->address != NULL && its->handle == handle && (its->kind == CLL_MESSAGE_MATCHED) == is_message) {
            return its;
        }
    }
    return NULL;
}

static struct {
    const MPI_Request *copies;
    const char *originals;
    int count;
    size_t size_bytes;
} copied_requests = {NULL, NULL, 0, 0};

void cll_event_requests_stand_at(const MPI_Request *copies, const void *originals, int count, size_t size_bytes)
{
    copied_requests.copies = copies;
    copied_requests.originals = originals;
    copied_requests.count = count;
    copied_requests.size_bytes = size_bytes;
}

/* Where the program keeps it. */
static const void *place_of_request(const MPI_Request *request)
{
    if (copied_requests.copies == NULL || request < copied_requests.copies || request >= copied_requests.copies + copied_requests.count) {
        return request;
    }
    return copied_requests.originals + (size_t)(request - copied_requests.copies) * copied_requests.size_bytes;
}

uint64_t cll_event_bytes(MPI_Count count, MPI_Datatype type)
{
    int size = 0;
    if (count > 0) {
        PMPI_Type_size(type, &size);
    }
    return count > 0 && size > 0 ? (uint64_t)count * (uint64_t)size : 0;
}

static uint64_t received_bytes(const MPI_Status *status)
{
    int count = 0;
    MPI_Count long_count = 0;
    PMPI_Get_count((MPI_Status *)(uintptr_t)status, MPI_BYTE, &count);
    if (count != MPI_UNDEFINED) {
        return (uint64_t)count;
    }
    PMPI_Get_elements_x((MPI_Status *)(uintptr_t)status, MPI_BYTE, &long_count);
    return long_count > 0 ? (uint64_t)long_count : 0;
}

/* A tag may be negative only where something is wrong. */
static unsigned char *add_message(unsigned char *at, uint32_t communicator, int partner, int tag, uint64_t bytes)
{
    at = cll_event_natural(at, (uint64_t)partner);
    at = cll_event_natural(at, communicator);
    at = cll_event_natural(at, (uint64_t)(uint32_t)tag);
    return cll_event_natural(at, bytes);
}

static void record_message(cll_event_kind kind, uint32_t communicator, int rank, int tag, uint64_t bytes)
{
    int partner = communicator == CLL_NO_COMMUNICATOR ? -1 : cll_event_communicator_processor(communicator, rank);
    if (partner >= 0) {
        cll_event_finish(add_message(cll_event_start(kind, cll_event_now_ticks), communicator, partner, tag, bytes));
    }
}

void cll_event_message(cll_event_kind kind, MPI_Comm communicator, int partner, int tag, uint64_t bytes)
{
    record_message(kind, cll_event_communicator(communicator), partner, tag, bytes);
}

void cll_event_received(cll_event_kind kind, MPI_Comm communicator, const MPI_Status *status)
{
    record_message(kind, cll_event_communicator(communicator), status->MPI_SOURCE, status->MPI_TAG, received_bytes(status));
}

/* -1: any, or not known. */
static int processor_of(uint32_t communicator, int rank)
{
    return communicator == CLL_NO_COMMUNICATOR ? -1 : cll_event_communicator_processor(communicator, rank);
}

static void record_number(cll_event_kind kind, uint64_t number)
{
    cll_event_finish(cll_event_natural(cll_event_start(kind, cll_event_now_ticks), number));
}

/* The events of a request that becomes active. */
static void record_begin(cll_begun *begun)
{
    begun->number = request_numbers++;
    begun->is_active = 1;
    if (begun->kind == CLL_SEND_BEGUN) {
        cll_event_kind kind = begun->is_synchronous ? CLL_EVENT_SYNCHRONOUS_SEND_REQUEST : CLL_EVENT_SEND_REQUEST;
        unsigned char *at = cll_event_start(kind, cll_event_now_ticks);
        at = add_message(at, begun->communicator, begun->partner, begun->tag, begun->bytes);
        cll_event_finish(cll_event_natural(at, begun->number));
    } else if (begun->kind == CLL_RECEIVE_BEGUN) {
        cll_event_finish(cll_event_natural(cll_event_start(CLL_EVENT_RECEIVE_REQUEST, cll_event_now_ticks), begun->number));
    } else if (begun->kind == CLL_COLLECTIVE_BEGUN) {
        unsigned char *at = cll_event_start_collective(CLL_EVENT_COLLECTIVE_REQUEST, &begun->collective);
        cll_event_finish(cll_event_natural(at, begun->number));
    }
}

cll_begun cll_event_begin_send(MPI_Comm communicator, int to, int tag, uint64_t bytes, int is_synchronous, int is_persistent)
{
    cll_begun begun = {.kind = CLL_SEND_BEGUN, .tag = tag, .bytes = bytes, .is_synchronous = is_synchronous, .is_persistent = is_persistent};
    begun.communicator = cll_event_communicator(communicator);
    begun.partner = begun.communicator == CLL_NO_COMMUNICATOR ? -1 : cll_event_communicator_processor(begun.communicator, to);
    if (begun.partner < 0) {
        begun.kind = CLL_NOTHING_BEGUN;
    }
    if (!is_persistent) {
        record_begin(&begun);
    }
    return begun;
}

cll_begun cll_event_begin_receive(MPI_Comm communicator, int from, int is_persistent)
{
    cll_begun begun = {.kind = CLL_RECEIVE_BEGUN, .is_persistent = is_persistent};
    begun.communicator = cll_event_communicator(communicator);
    begun.partner = processor_of(begun.communicator, from);
    if (begun.communicator == CLL_NO_COMMUNICATOR || from == MPI_PROC_NULL) {
        begun.kind = CLL_NOTHING_BEGUN;
    }
    if (!is_persistent) {
        record_begin(&begun);
    }
    return begun;
}

cll_begun cll_event_begin_matched(uint32_t communicator)
{
    cll_begun begun = {.kind = communicator == CLL_NO_COMMUNICATOR ? CLL_NOTHING_BEGUN : CLL_RECEIVE_BEGUN, .communicator = communicator};
    record_begin(&begun);
    return begun;
}

cll_begun cll_event_begin_collective(const cll_event_collective *its, int is_persistent)
{
    int is_recorded = its->communicator != CLL_NO_COMMUNICATOR;
    cll_begun begun = {.kind = is_recorded ? CLL_COLLECTIVE_BEGUN : CLL_NOTHING_BEGUN, .collective = *its, .is_persistent = is_persistent};
    if (!is_persistent) {
        record_begin(&begun);
    }
    return begun;
}

void cll_event_begun(const cll_begun *begun, const MPI_Request *request)
{
    cll_begun added = *begun;
    added.handle = bits_of_request(request);
    added.address = place_of_request(request);
    if (!is_null_request(added.handle)) {
        add_begun(&added);
    } else if (added.naming != NULL) {
        record_number(CLL_EVENT_COLLECTIVE_COMPLETE, added.number);
        cll_event_communicator_end(added.naming);
    }
}

void cll_event_begun_untold(const MPI_Request *request)
{
    cll_begun untold = {.kind = CLL_NOTHING_BEGUN};
    cll_event_begun(&untold, request);
}

void cll_event_start_again(const MPI_Request *request)
{
    cll_begun *begun = find_begun(bits_of_request(request), place_of_request(request), 0);
    if (begun != NULL) {
        record_begin(begun);
    }
}

void cll_event_note_handles(int count, const MPI_Request *requests)
{
    if (count > noted_capacity) {
        noted_capacity = 2 * count;
        noted_handles = cll_reallocate(noted_handles, (size_t)noted_capacity, sizeof *noted_handles, purpose_of_requests);
    }
    for (int index = 0; index < count; index++) {
        noted_handles[index] = bits_of_request(&requests[index]);
    }
    cll_event_awaited.kind = CLL_AWAITS_REQUESTS;
    cll_event_awaited.requests = count;
}

void cll_event_awaits(cll_event_awaited_kind kind, MPI_Comm communicator, int partner)
{
    cll_event_awaited.kind = kind;
    cll_event_awaited.communicator = cll_event_communicator(communicator);
    cll_event_awaited.partner = partner;
}

/* A line, if it fits. */
static size_t describe_partner(char *text, size_t capacity, int is_message, int processor)
{
    char line[64];
    int length = snprintf(line, sizeof line, processor < 0 ? "# awaits %s any\n" : "# awaits %s %d\n", is_message ? "message" : "receiver",
                          processor);
    if ((size_t)length > capacity) {
        return 0;
    }
    memcpy(text, line, (size_t)length);
    return (size_t)length;
}

/* Which of the requests are complete only MPI knows, which must not be asked now. */
static size_t describe_requests(char *text, size_t capacity)
{
    size_t used = 0;
    for (int index = 0; index < cll_event_awaited.requests; index++) {
        for (uint32_t at = 0; at < begun_count; at++) {
            const cll_begun *its = &begun_operations[at];
            int is_message = its->kind == CLL_RECEIVE_BEGUN;
            if (its->is_active && its->handle == noted_handles[index] && (is_message || its->kind == CLL_SEND_BEGUN)) {
                used += describe_partner(text + used, capacity - used, is_message, its->partner);
            }
        }
    }
    return used;
}

size_t cll_event_describe_awaited(char *text, size_t capacity)
{
    const cll_event_awaited_thing *its = &cll_event_awaited;
    switch (its->kind) {
    case CLL_AWAITS_MESSAGE:
    case CLL_AWAITS_RECEIVER:
        if (its->communicator == CLL_NO_COMMUNICATOR || its->partner == MPI_PROC_NULL) {
            return 0;
        }
        return describe_partner(text, capacity, its->kind == CLL_AWAITS_MESSAGE, processor_of(its->communicator, its->partner));
    case CLL_AWAITS_REQUESTS:
        return describe_requests(text, capacity);
    case CLL_AWAITS_UNKNOWN:
        break;
    }
    return 0;
}

static void record_completion(const cll_begun *begun, const MPI_Status *status)
{
    int is_cancelled = 0;
    if (begun->may_be_cancelled) {
        PMPI_Test_cancelled((MPI_Status *)(uintptr_t)status, &is_cancelled);
    }
    if (is_cancelled) {
        record_number(CLL_EVENT_CANCELLED, begun->number);
    } else if (begun->kind == CLL_SEND_BEGUN) {
        record_number(CLL_EVENT_SEND_COMPLETE, begun->number);
    } else if (begun->kind == CLL_COLLECTIVE_BEGUN) {
        record_number(CLL_EVENT_COLLECTIVE_COMPLETE, begun->number);
    } else {
        int partner = cll_event_communicator_processor(begun->communicator, status->MPI_SOURCE);
        if (partner >= 0) {
            unsigned char *at = cll_event_start(CLL_EVENT_RECEIVE_COMPLETE, cll_event_now_ticks);
            at = add_message(at, begun->communicator, partner, status->MPI_TAG, received_bytes(status));
            cll_event_finish(cll_event_natural(at, begun->number));
        }
    }
}

void cll_event_completed(int index, const MPI_Request *request, const MPI_Status *status)
{
    cll_begun *begun = is_null_request(noted_handles[index]) ? NULL : find_begun(noted_handles[index], place_of_request(request), 0);
    if (begun == NULL || (begun->is_persistent && !begun->is_active)) {
        return;
    }
    if (begun->kind != CLL_NOTHING_BEGUN) {
        record_completion(begun, status);
    }
    if (begun->naming != NULL) {
        cll_event_communicator_end(begun->naming);
    }
    begun->is_active = 0;
    begun->may_be_cancelled = 0;
    if (!begun->is_persistent) {
        remove_begun(begun);
    }
}

void cll_event_cancel(const MPI_Request *request)
{
    cll_begun *begun = find_begun(bits_of_request(request), place_of_request(request), 0);
    if (begun != NULL) {
        begun->may_be_cancelled = 1;
    }
}

void cll_event_freed(const MPI_Request *request)
{
    cll_begun *begun = find_begun(bits_of_request(request), place_of_request(request), 0);
    if (begun != NULL) {
        if (begun->is_active && begun->kind != CLL_NOTHING_BEGUN) {
            record_number(CLL_EVENT_CANCELLED, begun->number);
        }
        remove_begun(begun);
    }
}

static uint64_t bits_of_message(const MPI_Message *message)
{
    uint64_t bits = 0;
    memcpy(&bits, message, sizeof *message);
    return bits;
}

void cll_event_matched(const MPI_Message *message, MPI_Comm communicator)
{
    cll_begun matched = {.kind = CLL_MESSAGE_MATCHED, .handle = bits_of_message(message), .address = message};
    matched.communicator = cll_event_communicator(communicator);
    add_begun(&matched);
}

uint32_t cll_event_take_matched(const MPI_Message *message)
{
    cll_begun *matched = find_begun(bits_of_message(message), message, 1);
    uint32_t communicator = CLL_NO_COMMUNICATOR;
    if (matched != NULL) {
        communicator = matched->communicator;
        remove_begun(matched);
    }
    return communicator;
}

void cll_event_received_matched(uint32_t communicator, const MPI_Status *status)
{
    record_message(CLL_EVENT_RECEIVE, communicator, status->MPI_SOURCE, status->MPI_TAG, received_bytes(status));
}

MPI_Status *cll_event_statuses(int count, MPI_Status *statuses)
{
    if (statuses != MPI_STATUSES_IGNORE) {
        return statuses;
    }
    if (count > own_status_capacity) {
        own_status_capacity = 2 * count;
        own_statuses = cll_reallocate(own_statuses, (size_t)own_status_capacity, sizeof *own_statuses, purpose_of_requests);
    }
    return own_statuses;
}
