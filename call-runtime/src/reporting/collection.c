/* collection.c: finds the records of a report and puts them in order. */
#include "collection.h"

#include <stdlib.h>
#include <string.h>

#include "../base/fail.h"
#include "../recording/recorder.h"

static cll_record **allocate_records(cll_record **before, size_t capacity)
{
    cll_record **records = capacity > SIZE_MAX / sizeof *records ? NULL : realloc(before, capacity * sizeof *records);
    if (records == NULL) {
        cll_fail("no memory to report %zu measurements: report more often", capacity);
    }
    return records;
}

static void add_record(cll_collection *collection, cll_record *record)
{
    if (collection->count == collection->capacity) {
        collection->capacity = collection->capacity == 0 ? 1024 : 2 * collection->capacity;
        collection->records = allocate_records(collection->records, collection->capacity);
    }
    collection->records[collection->count++] = record;
}

static int is_before(const cll_record *left, const cll_record *right, int by_thread)
{
    if (by_thread && left->thread != right->thread) {
        return left->thread < right->thread;
    }
    return left->start_ticks < right->start_ticks;
}

static int is_sorted(const cll_collection *collection, int by_thread)
{
    for (size_t at = 1; at < collection->count; at++) {
        if (is_before(collection->records[at], collection->records[at - 1], by_thread)) {
            return 0;
        }
    }
    return 1;
}

static void merge_records(cll_record **to, cll_record *const *left, size_t left_count, cll_record *const *right, size_t right_count,
                          int by_thread)
{
    while (left_count > 0 || right_count > 0) {
        if (left_count == 0 || (right_count > 0 && is_before(*right, *left, by_thread))) {
            *to++ = *right++;
            right_count--;
        } else {
            *to++ = *left++;
            left_count--;
        }
    }
}

/* Stable, as qsort need not be: the records of a thread may have begun at the same time by the clock. */
static void sort_records(cll_collection *collection, int by_thread)
{
    size_t count = collection->count;
    cll_record **from = collection->records;
    cll_record **to = allocate_records(NULL, collection->capacity);
    for (size_t width = 1; width < count; width *= 2) {
        for (size_t at = 0; at < count; at += 2 * width) {
            size_t left_count = count - at < width ? count - at : width;
            size_t rest = count - at - left_count;
            merge_records(to + at, from + at, left_count, from + at + left_count, rest < width ? rest : width, by_thread);
        }
        cll_record **swapped = from;
        from = to;
        to = swapped;
    }
    collection->records = from;
    free(to);
}

void cll_collection_take(cll_collection *collection, int (*is_wanted)(void *context, const cll_record *record), void *context,
                         int by_thread)
{
    memset(collection, 0, sizeof *collection);
    collection->late_chunks = cll_recorder_late_chunks();
    for (const cll_recorder *recorder = cll_recorders_first(); recorder != NULL; recorder = recorder->next) {
        cll_record_walk walk = {0};
        cll_record *record;
        while ((record = cll_record_next(recorder, &walk)) != NULL) {
            unsigned state = cll_record_state(record);
            if ((state == CLL_MEASURED || state == CLL_ABANDONED) && is_wanted(context, record)) {
                add_record(collection, record);
                cll_record_become(record, state == CLL_MEASURED ? CLL_MEASURED_TAKEN : CLL_ABANDONED_TAKEN);
            }
        }
    }
    if (!is_sorted(collection, by_thread)) {
        sort_records(collection, by_thread);
    }
}

void cll_collection_forget(const cll_collection *collection)
{
    for (size_t at = 0; at < collection->count; at++) {
        cll_record_become(collection->records[at], CLL_FORGOTTEN);
    }
    cll_recorder_tell_late_chunks(collection->late_chunks);
    cll_recorders_sweep();
}

void cll_collection_give_back(const cll_collection *collection)
{
    for (size_t at = 0; at < collection->count; at++) {
        cll_record *record = collection->records[at];
        cll_record_become(record, cll_record_state(record) == CLL_MEASURED_TAKEN ? CLL_MEASURED : CLL_ABANDONED);
    }
}

void cll_collection_release(cll_collection *collection)
{
    free(collection->records);
}
