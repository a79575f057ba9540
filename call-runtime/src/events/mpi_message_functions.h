/* mpi_message_functions.h: sends and receives, with counts of one kind; see mpi_counts.h. */
#define SENDING(name, kind)                                                                                             \
    CLL_COUNTED(name, (const void *bytes, CLL_COUNT count, MPI_Datatype type, int to, int tag, MPI_Comm communicator),       \
                 (bytes, count, type, to, tag, communicator),                                                           \
                 cll_event_message(kind, communicator, to, tag, cll_event_bytes(count, type));                          \
                 cll_event_awaits(CLL_AWAITS_RECEIVER, communicator, to), CLL_NO_MORE)

SENDING(Send, CLL_EVENT_SEND)
SENDING(Bsend, CLL_EVENT_SEND)
SENDING(Rsend, CLL_EVENT_SEND)
SENDING(Ssend, CLL_EVENT_SYNCHRONOUS_SEND)

#define BEGINNING(name, is_synchronous, is_persistent)                                                                  \
    CLL_COUNTED(name,                                                                                                  \
                 (const void *bytes, CLL_COUNT count, MPI_Datatype type, int to, int tag, MPI_Comm communicator, MPI_Request *request), \
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

CLL_COUNTED(Recv, (void *bytes, CLL_COUNT count, MPI_Datatype type, int from, int tag, MPI_Comm communicator, MPI_Status *status),
             (bytes, count, type, from, tag, communicator, status), OWN_STATUS;
             cll_event_awaits(CLL_AWAITS_MESSAGE, communicator, from),
             cll_event_received(CLL_EVENT_RECEIVE, communicator, status))
CLL_COUNTED(Irecv, (void *bytes, CLL_COUNT count, MPI_Datatype type, int from, int tag, MPI_Comm communicator, MPI_Request *request),
             (bytes, count, type, from, tag, communicator, request),
             cll_begun begun = cll_event_begin_receive(communicator, from, 0), cll_event_begun(&begun, request))
CLL_COUNTED(Recv_init, (void *bytes, CLL_COUNT count, MPI_Datatype type, int from, int tag, MPI_Comm communicator, MPI_Request *request),
             (bytes, count, type, from, tag, communicator, request),
             cll_begun begun = cll_event_begin_receive(communicator, from, 1), cll_event_begun(&begun, request))

CLL_COUNTED(Sendrecv,
             (const void *sent, CLL_COUNT send_count, MPI_Datatype send_type, int to, int send_tag, void *received, CLL_COUNT count,
              MPI_Datatype type, int from, int tag, MPI_Comm communicator, MPI_Status *status),
             (sent, send_count, send_type, to, send_tag, received, count, type, from, tag, communicator, status),
             OWN_STATUS;
             cll_event_awaits(CLL_AWAITS_MESSAGE, communicator, from);
             cll_event_message(CLL_EVENT_SEND, communicator, to, send_tag, cll_event_bytes(send_count, send_type)),
             cll_event_received(CLL_EVENT_RECEIVE, communicator, status))
CLL_COUNTED(Sendrecv_replace,
             (void *bytes, CLL_COUNT count, MPI_Datatype type, int to, int send_tag, int from, int tag, MPI_Comm communicator, MPI_Status *status),
             (bytes, count, type, to, send_tag, from, tag, communicator, status),
             OWN_STATUS;
             cll_event_awaits(CLL_AWAITS_MESSAGE, communicator, from);
             cll_event_message(CLL_EVENT_SEND, communicator, to, send_tag, cll_event_bytes(count, type)),
             cll_event_received(CLL_EVENT_RECEIVE, communicator, status))

CLL_COUNTED(Mrecv, (void *bytes, CLL_COUNT count, MPI_Datatype type, MPI_Message *message, MPI_Status *status),
             (bytes, count, type, message, status), OWN_STATUS;
             uint32_t communicator = cll_event_take_matched(message), cll_event_received_matched(communicator, status))
CLL_COUNTED(Imrecv, (void *bytes, CLL_COUNT count, MPI_Datatype type, MPI_Message *message, MPI_Request *request),
             (bytes, count, type, message, request),
             cll_begun begun = cll_event_begin_matched(cll_event_take_matched(message)), cll_event_begun(&begun, request))

#if MPI_VERSION >= 4
/* The status of such a request is not that of what was received (MPICH 4.0), so who has sent it is not known. */
CLL_COUNTED(Isendrecv,
            (const void *sent, CLL_COUNT send_count, MPI_Datatype send_type, int to, int send_tag, void *received, CLL_COUNT count,
             MPI_Datatype type, int from, int tag, MPI_Comm communicator, MPI_Request *request),
            (sent, send_count, send_type, to, send_tag, received, count, type, from, tag, communicator, request),
            CLL_TELLS_UNRECORDED(Isendrecv), cll_event_begun_untold(request))
CLL_COUNTED(Isendrecv_replace,
            (void *bytes, CLL_COUNT count, MPI_Datatype type, int to, int send_tag, int from, int tag, MPI_Comm communicator,
             MPI_Request *request),
            (bytes, count, type, to, send_tag, from, tag, communicator, request),
            CLL_TELLS_UNRECORDED(Isendrecv_replace), cll_event_begun_untold(request))
#endif

#undef SENDING
#undef BEGINNING
