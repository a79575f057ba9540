/* mpi_communicators.c: tables of handles; the names of communicators, which all their processors learn from the first of them. */
#include "mpi_communicators.h"

#include <stdlib.h>
#include <string.h>

#include "../base/fail.h"
#include "../recording/recorder.h"
#include "event_definitions.h"

/* Handles are addresses or numbers. */
typedef struct {
    uint64_t handle;
    uint32_t communicator;
    uint32_t number; /* of a window among those of the communicator */
} known_handle;

typedef struct {
    known_handle *entries;
    size_t count;
    size_t capacity;
    size_t last; /* found; most calls use the same one as the call before */
} handle_table;

static handle_table known_communicators;
static handle_table known_windows;
static uint32_t *windows_made = NULL; /* of each communicator */
static uint32_t windows_made_capacity = 0;
static int communicators_made_here = 0; /* named by this processor */
static uint32_t event_world = 0;

uint32_t cll_event_world(void)
{
    return event_world;
}

static uint64_t bits_of_communicator(MPI_Comm communicator)
{
    uint64_t bits = 0;
    memcpy(&bits, &communicator, sizeof communicator);
    return bits;
}

static uint64_t bits_of_window(MPI_Win window)
{
    uint64_t bits = 0;
    memcpy(&bits, &window, sizeof window);
    return bits;
}

static uint32_t find_handle(handle_table *table, uint64_t handle)
{
    if (table->last < table->count && table->entries[table->last].handle == handle) {
        return table->entries[table->last].communicator;
    }
    for (size_t at = table->count; at > 0; at--) {
        if (table->entries[at - 1].handle == handle) {
            table->last = at - 1;
            return table->entries[at - 1].communicator;
        }
    }
    return CLL_NO_COMMUNICATOR;
}

static void add_handle(handle_table *table, uint64_t handle, uint32_t communicator, uint32_t number)
{
    if (table->count == table->capacity) {
        table->capacity = 2 * table->capacity + 8;
        table->entries = cll_reallocate(table->entries, table->capacity, sizeof *table->entries, "the communicators of events");
    }
    table->entries[table->count].handle = handle;
    table->entries[table->count].number = number;
    table->entries[table->count++].communicator = communicator;
}

static void remove_handle(handle_table *table, uint64_t handle)
{
    if (find_handle(table, handle) != CLL_NO_COMMUNICATOR) {
        table->entries[table->last] = table->entries[--table->count];
    }
}

int *cll_event_processors_of(MPI_Group group, int *count)
{
    MPI_Group all;
    PMPI_Group_size(group, count);
    /* An empty group has memory, too. */
    int *ranks = cll_allocate((size_t)*count + 1, sizeof *ranks, "the processors of events");
    int *processors = cll_allocate((size_t)*count + 1, sizeof *processors, "the processors of events");
    for (int rank = 0; rank < *count; rank++) {
        ranks[rank] = rank;
    }
    PMPI_Comm_group(MPI_COMM_WORLD, &all);
    PMPI_Group_translate_ranks(group, *count, ranks, all, processors);
    PMPI_Group_free(&all);
    free(ranks);
    return processors;
}

/* Why messages of a communicator are not recorded, with a place for whether that was told; NULL: they can be. All its processors find the same. */
static const char *why_unrecorded(MPI_Comm communicator, int **is_told)
{
    static int between_is_told = 0;
    static int others_are_told = 0;
    int is_between = 0;
    int count = 0;
    int is_of_others = 0;
    MPI_Group group;
    *is_told = &between_is_told;
    PMPI_Comm_test_inter(communicator, &is_between);
    if (is_between) {
        return "what goes through an intercommunicator is not recorded";
    }
    PMPI_Comm_group(communicator, &group);
    int *processors = cll_event_processors_of(group, &count);
    PMPI_Group_free(&group);
    for (int at = 0; at < count; at++) {
        is_of_others = is_of_others || processors[at] < 0;
    }
    free(processors);
    *is_told = &others_are_told;
    return is_of_others ? "what goes through a communicator with processes of another MPI_COMM_WORLD is not recorded" : NULL;
}

static void tell_once(const char *why, int *is_told)
{
    if (!*is_told && cll_run_processor == 0) {
        cll_tell("events: %s", why);
    }
    *is_told = 1;
}

static uint32_t add_communicator_named(MPI_Comm communicator, int maker, int number)
{
    int count = 0;
    MPI_Group group;
    PMPI_Comm_group(communicator, &group);
    int *processors = cll_event_processors_of(group, &count);
    PMPI_Group_free(&group);
    uint32_t made = cll_event_communicator_add(maker, number, processors, count);
    add_handle(&known_communicators, bits_of_communicator(communicator), made, 0);
    return made;
}

void cll_event_communicators_start(void)
{
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    event_world = add_communicator_named(MPI_COMM_WORLD, 0, 0);
    add_communicator_named(MPI_COMM_SELF, rank, 1);
    communicators_made_here = 2;
}

/* What the first processor calls the communicator that it makes. */
static void name_next(MPI_Comm of, int name[2])
{
    int rank = 0;
    PMPI_Comm_rank(of, &rank);
    name[0] = cll_run_processor;
    name[1] = communicators_made_here;
    communicators_made_here += rank == 0;
}

struct cll_communicator_naming {
    const MPI_Comm *made;
    MPI_Request request; /* for the name */
    int name[2];
};

cll_communicator_naming *cll_event_communicator_begin(MPI_Comm of, const MPI_Comm *made)
{
    cll_communicator_naming *naming = cll_allocate(1, sizeof *naming, "a communicator of events");
    naming->made = made;
    name_next(of, naming->name);
    PMPI_Ibcast(naming->name, 2, MPI_INT, 0, of, &naming->request);
    return naming;
}

/* Whoever has the communicator knows that its first processor has begun, and so has told the name. */
void cll_event_communicator_end(cll_communicator_naming *naming)
{
    PMPI_Wait(&naming->request, MPI_STATUS_IGNORE);
    add_communicator_named(*naming->made, naming->name[0], naming->name[1]);
    free(naming);
}

void cll_event_communicator_made(MPI_Comm communicator)
{
    int *is_told;
    int name[2];
    if (communicator == MPI_COMM_NULL) {
        return;
    }
    const char *why = why_unrecorded(communicator, &is_told);
    if (why != NULL) {
        tell_once(why, is_told);
        return;
    }
    name_next(communicator, name);
    PMPI_Bcast(name, 2, MPI_INT, 0, communicator);
    add_communicator_named(communicator, name[0], name[1]);
}

void cll_event_communicator_freed(MPI_Comm communicator)
{
    remove_handle(&known_communicators, bits_of_communicator(communicator));
}

uint32_t cll_event_communicator(MPI_Comm communicator)
{
    static int unknown_is_told = 0;
    static uint64_t told_last = 0;
    uint64_t handle = bits_of_communicator(communicator);
    uint32_t found = find_handle(&known_communicators, handle);
    if (found == CLL_NO_COMMUNICATOR && communicator != MPI_COMM_NULL && handle != told_last) {
        int *is_told;
        const char *why = why_unrecorded(communicator, &is_told);
        told_last = handle;
        if (why != NULL) {
            tell_once(why, is_told);
        } else {
            tell_once("a communicator was made by a call that is not recorded: neither is what goes through it", &unknown_is_told);
        }
    }
    return found;
}

/* All processors of a communicator make its windows in the same order. */
static uint32_t next_window_of(uint32_t communicator)
{
    if (communicator >= windows_made_capacity) {
        uint32_t capacity = 2 * communicator + 8;
        windows_made = cll_reallocate(windows_made, capacity, sizeof *windows_made, "the windows of events");
        memset(windows_made + windows_made_capacity, 0, (capacity - windows_made_capacity) * sizeof *windows_made);
        windows_made_capacity = capacity;
    }
    return windows_made[communicator]++;
}

void cll_event_window_made(MPI_Win window, MPI_Comm communicator)
{
    uint32_t found = cll_event_communicator(communicator);
    if (found != CLL_NO_COMMUNICATOR) {
        add_handle(&known_windows, bits_of_window(window), found, next_window_of(found));
    }
}

void cll_event_window_freed(MPI_Win window)
{
    remove_handle(&known_windows, bits_of_window(window));
}

uint32_t cll_event_window(MPI_Win window)
{
    return find_handle(&known_windows, bits_of_window(window));
}

uint32_t cll_event_window_number(MPI_Win window, uint32_t *number)
{
    uint32_t found = cll_event_window(window);
    *number = found == CLL_NO_COMMUNICATOR ? 0 : known_windows.entries[known_windows.last].number;
    return found;
}
