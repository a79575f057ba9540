/* mpi_window_epochs.c: who lets whom access its memory, and is told that the access is complete (MPI_Win_post, start, complete, wait), and who locks
 * whose memory. When a lock is got no process learns: MPI may wait for it in any call until MPI_Win_unlock. */
#include <stdlib.h>

#include "../base/fail.h"
#include "event_definitions.h"
#include "mpi_communicators.h"
#include "mpi_wrapper.h"

/* The other processors, by their numbers in the run. */
typedef struct {
    MPI_Win window;
    int is_of_access; /* else others access the memory of this one */
    int count;
    int *partners;
} window_epoch;

static window_epoch *open_epochs = NULL;
static size_t epoch_count = 0;
static size_t epoch_capacity = 0;

static void record_partner(cll_event_kind kind, int partner, uint32_t communicator, uint32_t number)
{
    if (partner >= 0) {
        unsigned char *event = cll_event_start(kind, cll_event_now_ticks);
        event = cll_event_natural(event, (uint64_t)partner);
        event = cll_event_natural(event, communicator);
        cll_event_finish(cll_event_natural(event, number));
    }
}

static void record_step(cll_event_kind kind, const window_epoch *epoch)
{
    uint32_t number = 0;
    uint32_t communicator = cll_event_window_number(epoch->window, &number);
    for (int at = 0; at < epoch->count && communicator != CLL_NO_COMMUNICATOR; at++) {
        record_partner(kind, epoch->partners[at], communicator, number);
    }
}

static void record_lock(cll_event_kind kind, MPI_Win window, int rank)
{
    uint32_t number = 0;
    uint32_t communicator = cll_event_window_number(window, &number);
    if (communicator != CLL_NO_COMMUNICATOR && rank != MPI_PROC_NULL) {
        record_partner(kind, cll_event_communicator_processor(communicator, rank), communicator, number);
    }
}

static void open_epoch(cll_event_kind kind, MPI_Win window, MPI_Group group, int is_of_access)
{
    static const char purpose[] = "the windows of events";
    if (epoch_count == epoch_capacity) {
        epoch_capacity = 2 * epoch_capacity + 4;
        open_epochs = cll_reallocate(open_epochs, epoch_capacity, sizeof *open_epochs, purpose);
    }
    window_epoch *made = &open_epochs[epoch_count++];
    made->window = window;
    made->is_of_access = is_of_access;
    made->partners = cll_event_processors_of(group, &made->count);
    record_step(kind, made);
}

static void close_epoch(cll_event_kind kind, MPI_Win window, int is_of_access)
{
    for (size_t at = 0; at < epoch_count; at++) {
        window_epoch *epoch = &open_epochs[at];
        if (epoch->window == window && epoch->is_of_access == is_of_access) {
            record_step(kind, epoch);
            free(epoch->partners);
            *epoch = open_epochs[--epoch_count];
            return;
        }
    }
}

/* What lets others go on is there when its call begins, as a send is; what was waited for when it ends. */
CLL_RECORDED(Win_post, (MPI_Group group, int assert, MPI_Win window), (group, assert, window),
             open_epoch(CLL_EVENT_WINDOW_POST, window, group, 0), CLL_NO_MORE)
CLL_RECORDED(Win_start, (MPI_Group group, int assert, MPI_Win window), (group, assert, window),
             open_epoch(CLL_EVENT_WINDOW_START, window, group, 1), CLL_NO_MORE)
CLL_RECORDED(Win_complete, (MPI_Win window), (window), close_epoch(CLL_EVENT_WINDOW_COMPLETE, window, 1), CLL_NO_MORE)
CLL_RECORDED(Win_wait, (MPI_Win window), (window), CLL_NO_MORE, close_epoch(CLL_EVENT_WINDOW_WAIT, window, 0))
CLL_RECORDED(Win_test, (MPI_Win window, int *is_complete), (window, is_complete), CLL_NO_MORE,
             if (*is_complete) close_epoch(CLL_EVENT_WINDOW_WAIT, window, 0))

CLL_RECORDED(Win_lock, (int type, int rank, int assert, MPI_Win window), (type, rank, assert, window),
             record_lock(type == MPI_LOCK_SHARED ? CLL_EVENT_WINDOW_LOCK_SHARED : CLL_EVENT_WINDOW_LOCK_EXCLUSIVE, window, rank), CLL_NO_MORE)
CLL_RECORDED(Win_unlock, (int rank, MPI_Win window), (rank, window), record_lock(CLL_EVENT_WINDOW_UNLOCK, window, rank), CLL_NO_MORE)
/* Of all: shared by all, which keeps only those waiting who want one alone. */
CLL_CALLED(Win_lock_all, (int assert, MPI_Win window), (assert, window))
CLL_CALLED(Win_unlock_all, (MPI_Win window), (window))
CLL_CALLED(Win_flush, (int rank, MPI_Win window), (rank, window))
CLL_CALLED(Win_flush_all, (MPI_Win window), (window))
CLL_CALLED(Win_flush_local, (int rank, MPI_Win window), (rank, window))
CLL_CALLED(Win_flush_local_all, (MPI_Win window), (window))
