/* mpi_messages.c: sends, receives and probes. */
#include "mpi_requests.h"
#include "mpi_wrapper.h"

#define OWN_STATUS     \
    MPI_Status unseen; \
    status = status == MPI_STATUS_IGNORE ? &unseen : status

#define SENDING(name, kind)                                                                                             \
    CLL_RECORDED(name, (const void *bytes, int count, MPI_Datatype type, int to, int tag, MPI_Comm communicator),       \
                 (bytes, count, type, to, tag, communicator),                                                           \
                 cll_event_message(kind, communicator, to, tag, cll_event_bytes(count, type)), CLL_NO_MORE)

SENDING(Send, CLL_EVENT_SEND)
SENDING(Bsend, CLL_EVENT_SEND)
SENDING(Rsend, CLL_EVENT_SEND)
SENDING(Ssend, CLL_EVENT_SYNCHRONOUS_SEND)

#define BEGINNING(name, is_synchronous, is_persistent)                                                                  \
    CLL_RECORDED(name,                                                                                                  \
                 (const void *bytes, int count, MPI_Datatype type, int to, int tag, MPI_Comm communicator, MPI_Request *request), \
                 (bytes, count, type, to, tag, communicator, request),                                                  \
                 cll_begun begun = cll_event_begin_send(communicator, to, tag, cll_event_bytes(count, type), is_synchronous, is_persistent), \
                 cll_event_begun(&begun, request))

BEGINNING(Isend, 0, 0)
BEGINNING(Ibsend, 0, 0)
BEGINNING(Irsend, 0, 0)
BEGINNING(Issend, 1, 0)
BEGINNING(Send_init, 0, 1)
BEGINNING(Ssend_init, 1, 1)
#ifndef CLL_SMPI
BEGINNING(Bsend_init, 0, 1)
BEGINNING(Rsend_init, 0, 1)
#endif

CLL_RECORDED(Recv, (void *bytes, int count, MPI_Datatype type, int from, int tag, MPI_Comm communicator, MPI_Status *status),
             (bytes, count, type, from, tag, communicator, status), OWN_STATUS,
             cll_event_received(CLL_EVENT_RECEIVE, communicator, status))
CLL_RECORDED(Irecv, (void *bytes, int count, MPI_Datatype type, int from, int tag, MPI_Comm communicator, MPI_Request *request),
             (bytes, count, type, from, tag, communicator, request),
             cll_begun begun = cll_event_begin_receive(communicator, from, 0), cll_event_begun(&begun, request))
CLL_RECORDED(Recv_init, (void *bytes, int count, MPI_Datatype type, int from, int tag, MPI_Comm communicator, MPI_Request *request),
             (bytes, count, type, from, tag, communicator, request),
             cll_begun begun = cll_event_begin_receive(communicator, from, 1), cll_event_begun(&begun, request))

CLL_RECORDED(Sendrecv,
             (const void *sent, int send_count, MPI_Datatype send_type, int to, int send_tag, void *received, int count,
              MPI_Datatype type, int from, int tag, MPI_Comm communicator, MPI_Status *status),
             (sent, send_count, send_type, to, send_tag, received, count, type, from, tag, communicator, status),
             OWN_STATUS;
             cll_event_message(CLL_EVENT_SEND, communicator, to, send_tag, cll_event_bytes(send_count, send_type)),
             cll_event_received(CLL_EVENT_RECEIVE, communicator, status))
CLL_RECORDED(Sendrecv_replace,
             (void *bytes, int count, MPI_Datatype type, int to, int send_tag, int from, int tag, MPI_Comm communicator, MPI_Status *status),
             (bytes, count, type, to, send_tag, from, tag, communicator, status),
             OWN_STATUS;
             cll_event_message(CLL_EVENT_SEND, communicator, to, send_tag, cll_event_bytes(count, type)),
             cll_event_received(CLL_EVENT_RECEIVE, communicator, status))

CLL_RECORDED(Probe, (int from, int tag, MPI_Comm communicator, MPI_Status *status), (from, tag, communicator, status), OWN_STATUS,
             cll_event_received(CLL_EVENT_PROBED, communicator, status))
CLL_RECORDED(Iprobe, (int from, int tag, MPI_Comm communicator, int *is_there, MPI_Status *status),
             (from, tag, communicator, is_there, status), OWN_STATUS,
             if (*is_there) cll_event_received(CLL_EVENT_PROBED, communicator, status))
CLL_RECORDED(Mprobe, (int from, int tag, MPI_Comm communicator, MPI_Message *message, MPI_Status *status),
             (from, tag, communicator, message, status), OWN_STATUS,
             cll_event_received(CLL_EVENT_PROBED, communicator, status);
             cll_event_matched(message, communicator))
CLL_RECORDED(Improbe, (int from, int tag, MPI_Comm communicator, int *is_there, MPI_Message *message, MPI_Status *status),
             (from, tag, communicator, is_there, message, status), OWN_STATUS,
             if (*is_there) {
                 cll_event_received(CLL_EVENT_PROBED, communicator, status);
                 cll_event_matched(message, communicator);
             })
CLL_RECORDED(Mrecv, (void *bytes, int count, MPI_Datatype type, MPI_Message *message, MPI_Status *status),
             (bytes, count, type, message, status), OWN_STATUS;
             uint32_t communicator = cll_event_take_matched(message), cll_event_received_matched(communicator, status))
CLL_RECORDED(Imrecv, (void *bytes, int count, MPI_Datatype type, MPI_Message *message, MPI_Request *request),
             (bytes, count, type, message, request),
             cll_begun begun = cll_event_begin_matched(cll_event_take_matched(message)), cll_event_begun(&begun, request))

#undef OWN_STATUS
#undef SENDING
#undef BEGINNING
