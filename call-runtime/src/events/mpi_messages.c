/* mpi_messages.c: sends, receives and probes. */
#include "mpi_requests.h"
#include "mpi_wrapper.h"

#define OWN_STATUS     \
    MPI_Status unseen; \
    status = status == MPI_STATUS_IGNORE ? &unseen : status

#define CLL_FUNCTIONS "mpi_message_functions.h"
#include "mpi_counts.h"
#undef CLL_FUNCTIONS

CLL_RECORDED(Probe, (int from, int tag, MPI_Comm communicator, MPI_Status *status), (from, tag, communicator, status), OWN_STATUS;
             cll_event_awaits(CLL_AWAITS_MESSAGE, communicator, from),
             cll_event_received(CLL_EVENT_PROBED, communicator, status))
CLL_RECORDED(Iprobe, (int from, int tag, MPI_Comm communicator, int *is_there, MPI_Status *status),
             (from, tag, communicator, is_there, status), OWN_STATUS,
             if (*is_there) cll_event_received(CLL_EVENT_PROBED, communicator, status))
CLL_RECORDED(Mprobe, (int from, int tag, MPI_Comm communicator, MPI_Message *message, MPI_Status *status),
             (from, tag, communicator, message, status), OWN_STATUS;
             cll_event_awaits(CLL_AWAITS_MESSAGE, communicator, from),
             cll_event_received(CLL_EVENT_PROBED, communicator, status);
             cll_event_matched(message, communicator))
CLL_RECORDED(Improbe, (int from, int tag, MPI_Comm communicator, int *is_there, MPI_Message *message, MPI_Status *status),
             (from, tag, communicator, is_there, message, status), OWN_STATUS,
             if (*is_there) {
                 cll_event_received(CLL_EVENT_PROBED, communicator, status);
                 cll_event_matched(message, communicator);
             })
#if MPI_VERSION >= 4
/* Messages in parts: who waits for which part is not told. */
#define IN_PARTS(name, address)                                                                                                              \
    CLL_RECORDED(name,                                                                                                              \
                 (address bytes, int parts, MPI_Count count, MPI_Datatype type, int partner, int tag, MPI_Comm communicator, MPI_Info info, \
                  MPI_Request *request),                                                                                            \
                 (bytes, parts, count, type, partner, tag, communicator, info, request),                                            \
                 CLL_TELLS_UNRECORDED(name), cll_event_begun_untold(request))
IN_PARTS(Psend_init, const void *)
IN_PARTS(Precv_init, void *)
#undef IN_PARTS
#endif

#undef OWN_STATUS
