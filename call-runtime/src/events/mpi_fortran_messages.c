/* mpi_fortran_messages.c: Fortran's sends, receives and probes. */
#include "mpi_fortran.h"

#ifdef CLL_WITH_FORTRAN
#define F MPI_Fint

#define DATA cll_fortran_data(bytes), *count, PMPI_Type_f2c(*type)
#define IN PMPI_Comm_f2c(*in)

#define SENDING(name, c_name)                                                                          \
    CLL_FORTRAN_WITH_BUFFER(name, (void *bytes, F *count, F *type, F *to, F *tag, F *in, F *error),    \
                            (bytes, count, type, to, tag, in, error), *error = MPI_##c_name(DATA, *to, *tag, IN))

#define BEGINNING(name, c_name)                                                                                      \
    CLL_FORTRAN_WITH_BUFFER(name, (void *bytes, F *count, F *type, F *partner, F *tag, F *in, F *request, F *error), \
                            (bytes, count, type, partner, tag, in, request, error),                                  \
                            CLL_FORTRAN_BEGUN(MPI_##c_name(DATA, *partner, *tag, IN, handle)))

SENDING(send, Send)
SENDING(bsend, Bsend)
SENDING(rsend, Rsend)
SENDING(ssend, Ssend)
BEGINNING(isend, Isend)
BEGINNING(ibsend, Ibsend)
BEGINNING(irsend, Irsend)
BEGINNING(issend, Issend)
BEGINNING(irecv, Irecv)
BEGINNING(send_init, Send_init)
BEGINNING(ssend_init, Ssend_init)
BEGINNING(bsend_init, Bsend_init)
BEGINNING(rsend_init, Rsend_init)
BEGINNING(recv_init, Recv_init)

#define WITH_STATUS(statement)                   \
    MPI_Status own = cll_fortran_status(status); \
    statement;                                   \
    cll_fortran_status_back(&own, status)

/* Of a status that is there only if something was found. */
#define WITH_STATUS_IF(is_found, statement)      \
    MPI_Status own = cll_fortran_status(status); \
    int found = 0;                               \
    statement;                                   \
    *is_found = found;                           \
    if (found) cll_fortran_status_back(&own, status)

CLL_FORTRAN_WITH_BUFFER(recv, (void *bytes, F *count, F *type, F *from, F *tag, F *in, F *status, F *error),
                        (bytes, count, type, from, tag, in, status, error), WITH_STATUS(*error = MPI_Recv(DATA, *from, *tag, IN, &own)))
CLL_FORTRAN_WITH_BUFFER(sendrecv,
                        (void *sent, F *send_count, F *send_type, F *to, F *send_tag, void *bytes, F *count, F *type, F *from, F *tag,
                         F *in, F *status, F *error),
                        (sent, send_count, send_type, to, send_tag, bytes, count, type, from, tag, in, status, error),
                        WITH_STATUS(*error = MPI_Sendrecv(cll_fortran_data(sent), *send_count, PMPI_Type_f2c(*send_type), *to, *send_tag, DATA, *from,
                                                 *tag, IN, &own)))
CLL_FORTRAN_WITH_BUFFER(sendrecv_replace,
                        (void *bytes, F *count, F *type, F *to, F *send_tag, F *from, F *tag, F *in, F *status, F *error),
                        (bytes, count, type, to, send_tag, from, tag, in, status, error),
                        WITH_STATUS(*error = MPI_Sendrecv_replace(DATA, *to, *send_tag, *from, *tag, IN, &own)))
CLL_FORTRAN(probe, (F *from, F *tag, F *in, F *status, F *error), (from, tag, in, status, error),
            WITH_STATUS(*error = MPI_Probe(*from, *tag, IN, &own)))
CLL_FORTRAN(iprobe, (F *from, F *tag, F *in, F *is_there, F *status, F *error), (from, tag, in, is_there, status, error),
            WITH_STATUS_IF(is_there, *error = MPI_Iprobe(*from, *tag, IN, &found, &own)))

CLL_FORTRAN(mprobe, (F *from, F *tag, F *in, F *message, F *status, F *error), (from, tag, in, message, status, error),
            MPI_Message its = MPI_MESSAGE_NULL;
            WITH_STATUS(*error = MPI_Mprobe(*from, *tag, IN, &its, &own));
            *message = PMPI_Message_c2f(its))
CLL_FORTRAN(improbe, (F *from, F *tag, F *in, F *is_there, F *message, F *status, F *error),
            (from, tag, in, is_there, message, status, error), MPI_Message its = MPI_MESSAGE_NULL;
            WITH_STATUS_IF(is_there, *error = MPI_Improbe(*from, *tag, IN, &found, &its, &own));
            if (found) *message = PMPI_Message_c2f(its))
CLL_FORTRAN_WITH_BUFFER(mrecv, (void *bytes, F *count, F *type, F *message, F *status, F *error),
                        (bytes, count, type, message, status, error), MPI_Message its = PMPI_Message_f2c(*message);
                        WITH_STATUS(*error = MPI_Mrecv(DATA, &its, &own));
                        *message = PMPI_Message_c2f(its))
CLL_FORTRAN_WITH_BUFFER(imrecv, (void *bytes, F *count, F *type, F *message, F *request, F *error),
                        (bytes, count, type, message, request, error), MPI_Message its = PMPI_Message_f2c(*message);
                        CLL_FORTRAN_BEGUN(MPI_Imrecv(DATA, &its, handle));
                        *message = PMPI_Message_c2f(its))

#undef F
#undef DATA
#undef IN
#undef SENDING
#undef BEGINNING
#undef WITH_STATUS
#undef WITH_STATUS_IF
#endif
