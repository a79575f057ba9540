/* mpi_completions.c: what is done with requests. */
#include "mpi_requests.h"
#include "mpi_wrapper.h"

#define OWN_STATUS                                                       \
    MPI_Status unseen;                                                   \
    status = status == MPI_STATUS_IGNORE ? &unseen : status

CLL_RECORDED(Start, (MPI_Request *request), (request), cll_event_start_again(request), CLL_NO_MORE)
CLL_RECORDED(Startall, (int count, MPI_Request requests[]), (count, requests),
             for (int index = 0; index < count; index++) cll_event_start_again(&requests[index]), CLL_NO_MORE)
CLL_RECORDED(Request_free, (MPI_Request *request), (request), cll_event_freed(request), CLL_NO_MORE)
CLL_RECORDED(Cancel, (MPI_Request *request), (request), cll_event_cancel(request), CLL_NO_MORE)

CLL_RECORDED(Wait, (MPI_Request *request, MPI_Status *status), (request, status),
             OWN_STATUS;
             cll_event_note_handles(1, request), cll_event_completed(0, request, status))
CLL_RECORDED(Test, (MPI_Request *request, int *is_complete, MPI_Status *status), (request, is_complete, status),
             OWN_STATUS;
             cll_event_note_handles(1, request),
             if (*is_complete) cll_event_completed(0, request, status))
CLL_RECORDED(Waitany, (int count, MPI_Request requests[], int *index, MPI_Status *status), (count, requests, index, status),
             OWN_STATUS;
             cll_event_note_handles(count, requests),
             if (*index != MPI_UNDEFINED) cll_event_completed(*index, &requests[*index], status))
CLL_RECORDED(Testany, (int count, MPI_Request requests[], int *index, int *is_complete, MPI_Status *status),
             (count, requests, index, is_complete, status),
             OWN_STATUS;
             cll_event_note_handles(count, requests),
             if (*is_complete && *index != MPI_UNDEFINED) cll_event_completed(*index, &requests[*index], status))

static void complete_all(int count, const MPI_Request *requests, const MPI_Status *statuses)
{
    for (int index = 0; index < count; index++) {
        cll_event_completed(index, &requests[index], &statuses[index]);
    }
}

static void complete_some(int count, const int *indices, const MPI_Request *requests, const MPI_Status *statuses)
{
    for (int at = 0; count != MPI_UNDEFINED && at < count; at++) {
        cll_event_completed(indices[at], &requests[indices[at]], &statuses[at]);
    }
}

CLL_RECORDED(Waitall, (int count, MPI_Request requests[], MPI_Status statuses[]), (count, requests, statuses),
             statuses = cll_event_statuses(count, statuses);
             cll_event_note_handles(count, requests), complete_all(count, requests, statuses))
CLL_RECORDED(Testall, (int count, MPI_Request requests[], int *are_complete, MPI_Status statuses[]),
             (count, requests, are_complete, statuses),
             statuses = cll_event_statuses(count, statuses);
             cll_event_note_handles(count, requests),
             if (*are_complete) complete_all(count, requests, statuses))
CLL_RECORDED(Waitsome, (int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]),
             (count, requests, done, indices, statuses),
             statuses = cll_event_statuses(count, statuses);
             cll_event_note_handles(count, requests), complete_some(*done, indices, requests, statuses))
CLL_RECORDED(Testsome, (int count, MPI_Request requests[], int *done, int indices[], MPI_Status statuses[]),
             (count, requests, done, indices, statuses),
             statuses = cll_event_statuses(count, statuses);
             cll_event_note_handles(count, requests), complete_some(*done, indices, requests, statuses))

#undef OWN_STATUS
