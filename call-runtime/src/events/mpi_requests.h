/* mpi_requests.h: messages, and the operations that have been begun and not completed. */
#ifndef CLL_EVENTS_MPI_REQUESTS_H
#define CLL_EVENTS_MPI_REQUESTS_H

#include <mpi.h>

#include "event_blocks.h"
#include "mpi_collective_events.h"
#include "mpi_communicators.h"
#include "mpi_recording.h"

/* Of the partner's rank in the communicator. Nothing happens where there is no such processor (MPI_PROC_NULL), or where the communicator is
 * not recorded. */
void cll_event_message(cll_event_kind kind, MPI_Comm communicator, int partner, int tag, uint64_t bytes);
void cll_event_received(cll_event_kind kind, MPI_Comm communicator, const MPI_Status *status);
uint64_t cll_event_bytes(MPI_Count count, MPI_Datatype type);

typedef enum { CLL_NOTHING_BEGUN, CLL_SEND_BEGUN, CLL_RECEIVE_BEGUN, CLL_COLLECTIVE_BEGUN, CLL_MESSAGE_MATCHED } cll_begun_kind;

/* What will be completed. */
typedef struct {
    uint64_t handle;
    const void *address; /* where the program keeps the handle */
    uint64_t number;
    cll_begun_kind kind;
    uint32_t communicator;
    int partner;
    int tag;
    uint64_t bytes;
    cll_event_collective collective;
    cll_communicator_naming *naming; /* of the communicator that it makes; NULL: it makes none */
    int is_synchronous;
    int is_persistent;
    int is_active;
    int may_be_cancelled;
} cll_begun;

/* Of a persistent one no event is recorded. */
cll_begun cll_event_begin_send(MPI_Comm communicator, int to, int tag, uint64_t bytes, int is_synchronous, int is_persistent);
cll_begun cll_event_begin_receive(MPI_Comm communicator, int from, int is_persistent);

/* The call that is being recorded waits for a message, or for its receiver. */
void cll_event_awaits(cll_event_awaited_kind kind, MPI_Comm communicator, int partner);

/* What the call waits for as lines of a trace, as many as fit; returns their length. */
size_t cll_event_describe_awaited(char *text, size_t capacity);
cll_begun cll_event_begin_collective(const cll_event_collective *its, int is_persistent);
/* Once the call has been made. What has no request is complete. */
void cll_event_begun(const cll_begun *begun, const MPI_Request *request);
/* An operation of which no event tells; its request must not be taken for another one. */
void cll_event_begun_untold(const MPI_Request *request);
void cll_event_start_again(const MPI_Request *request);

/* Of a program in Fortran the requests of a call are copies of what stands elsewhere, each with so many bytes; NULL: they are not. */
void cll_event_requests_stand_at(const MPI_Request *copies, const void *originals, int count, size_t size_bytes);

/* The handles before a call that completes some of them, then which it has completed. */
void cll_event_note_handles(int count, const MPI_Request *requests);
void cll_event_completed(int index, const MPI_Request *request, const MPI_Status *status);

void cll_event_cancel(const MPI_Request *request);
void cll_event_freed(const MPI_Request *request);

/* MPI_Mprobe has matched a message of this communicator; its receive takes it. */
void cll_event_matched(const MPI_Message *message, MPI_Comm communicator);
uint32_t cll_event_take_matched(const MPI_Message *message);
cll_begun cll_event_begin_matched(uint32_t communicator);
void cll_event_received_matched(uint32_t communicator, const MPI_Status *status);

/* Statuses of its own where the program wants none. */
MPI_Status *cll_event_statuses(int count, MPI_Status *statuses);

#endif
