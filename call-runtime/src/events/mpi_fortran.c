/* mpi_fortran.c: what Fortran's `use mpi` and `mpif.h` call. The functions of Open MPI do not come by those for C, so each is one here, which does
 * what theirs do: it makes handles of C of those of Fortran. Nothing is theirs to do here but while calls are recorded. Those of MPICH
 * call the functions for C. */
#include "mpi_requests.h"
#include "mpi_wrapper.h"

#if defined(OMPI_MAJOR_VERSION) && !defined(CLL_SMPI) && defined(__GNUC__) && defined(__ELF__)
#include "../base/fail.h"

typedef MPI_Fint F;

enum { STATUS_NUMBERS = sizeof(MPI_Status) / sizeof(F) };

/* Blocks of memory that stand for something else; a program in C has none of them. */
extern int mpi_fortran_bottom_ __attribute__((weak));
extern int mpi_fortran_in_place_ __attribute__((weak));
extern int mpi_fortran_status_ignore_ __attribute__((weak));
extern int mpi_fortran_statuses_ignore_ __attribute__((weak));

static void *data_at(void *bytes)
{
    if (bytes == NULL) {
        return bytes;
    }
    if (bytes == (void *)&mpi_fortran_in_place_) {
        return MPI_IN_PLACE;
    }
    return bytes == (void *)&mpi_fortran_bottom_ ? MPI_BOTTOM : bytes;
}

static int is_wanted(const F *status)
{
    return (const void *)status != (const void *)&mpi_fortran_status_ignore_ &&
           (const void *)status != (const void *)&mpi_fortran_statuses_ignore_;
}

/* Of the call that is being executed; only the thread that records comes here. */
static MPI_Request *requests_of_c = NULL;
static MPI_Status *statuses_of_c = NULL;
static int room_of_c = 0;

static MPI_Request *requests_from(const F *requests, int count)
{
    if (count > room_of_c) {
        room_of_c = 2 * count;
        requests_of_c = cll_reallocate(requests_of_c, (size_t)room_of_c, sizeof *requests_of_c, "requests of Fortran");
        statuses_of_c = cll_reallocate(statuses_of_c, (size_t)room_of_c, sizeof *statuses_of_c, "requests of Fortran");
    }
    for (int at = 0; at < count; at++) {
        requests_of_c[at] = PMPI_Request_f2c(requests[at]);
    }
    cll_event_requests_stand_at(requests_of_c, requests, count, sizeof *requests);
    return requests_of_c;
}

static void requests_to(F *requests, int count)
{
    for (int at = 0; at < count; at++) {
        requests[at] = PMPI_Request_c2f(requests_of_c[at]);
    }
    cll_event_requests_stand_at(NULL, NULL, 0, 0);
}

static void statuses_to(F *statuses, int count)
{
    for (int at = 0; is_wanted(statuses) && at < count; at++) {
        PMPI_Status_c2f(&statuses_of_c[at], statuses + (size_t)at * STATUS_NUMBERS);
    }
}

#define PLAIN(...) __VA_ARGS__

/* `call` gives the value of `error`. */
#define FORTRAN(name, parameters, arguments, call)                          \
    void pmpi_##name##_ parameters __attribute__((weak));                   \
    void mpi_##name##_ parameters __attribute__((weak));                    \
    void mpi_##name##_ parameters                                           \
    {                                                                       \
        if (!cll_records_events || sizeof(F) != sizeof(int)) {              \
            pmpi_##name##_ arguments;                                       \
            return;                                                         \
        }                                                                   \
        call;                                                               \
    }

void pmpi_init_(F *error) __attribute__((weak));
void mpi_init_(F *error) __attribute__((weak));
void mpi_init_(F *error)
{
    pmpi_init_(error);
    if (*error == MPI_SUCCESS) {
        cll_events_start("MPI_Init", CLL_CALLER, MPI_THREAD_SINGLE);
    }
}

void pmpi_init_thread_(F *required, F *provided, F *error) __attribute__((weak));
void mpi_init_thread_(F *required, F *provided, F *error) __attribute__((weak));
void mpi_init_thread_(F *required, F *provided, F *error)
{
    pmpi_init_thread_(required, provided, error);
    if (*error == MPI_SUCCESS) {
        cll_events_start("MPI_Init_thread", CLL_CALLER, *provided);
    }
}

FORTRAN(finalize, (F *error), (error), *error = MPI_Finalize())

#define DATA data_at(bytes), *count, PMPI_Type_f2c(*type)
#define IN PMPI_Comm_f2c(*in)

#define SENDING(name, c_name)                                                                                      \
    FORTRAN(name, (void *bytes, F *count, F *type, F *to, F *tag, F *in, F *error), (bytes, count, type, to, tag, in, error), \
            *error = MPI_##c_name(DATA, *to, *tag, IN))

/* A request comes from nowhere. */
#define BEGINNING(name, c_name)                                                                                             \
    FORTRAN(name, (void *bytes, F *count, F *type, F *partner, F *tag, F *in, F *request, F *error),                        \
            (bytes, count, type, partner, tag, in, request, error), F none = PMPI_Request_c2f(MPI_REQUEST_NULL);            \
            *request = none; *error = MPI_##c_name(DATA, *partner, *tag, IN, requests_from(request, 1)); requests_to(request, 1))

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

#define WITH_STATUS(call)                 \
    MPI_Status own;                       \
    *error = call;                        \
    if (is_wanted(status)) {              \
        PMPI_Status_c2f(&own, status);    \
    }

FORTRAN(recv, (void *bytes, F *count, F *type, F *from, F *tag, F *in, F *status, F *error),
        (bytes, count, type, from, tag, in, status, error), WITH_STATUS(MPI_Recv(DATA, *from, *tag, IN, &own)))
FORTRAN(sendrecv,
        (void *sent, F *send_count, F *send_type, F *to, F *send_tag, void *bytes, F *count, F *type, F *from, F *tag, F *in, F *status,
         F *error),
        (sent, send_count, send_type, to, send_tag, bytes, count, type, from, tag, in, status, error),
        WITH_STATUS(MPI_Sendrecv(data_at(sent), *send_count, PMPI_Type_f2c(*send_type), *to, *send_tag, DATA, *from, *tag, IN, &own)))
FORTRAN(sendrecv_replace,
        (void *bytes, F *count, F *type, F *to, F *send_tag, F *from, F *tag, F *in, F *status, F *error),
        (bytes, count, type, to, send_tag, from, tag, in, status, error),
        WITH_STATUS(MPI_Sendrecv_replace(DATA, *to, *send_tag, *from, *tag, IN, &own)))
FORTRAN(probe, (F *from, F *tag, F *in, F *status, F *error), (from, tag, in, status, error),
        WITH_STATUS(MPI_Probe(*from, *tag, IN, &own)))
FORTRAN(iprobe, (F *from, F *tag, F *in, F *is_there, F *status, F *error), (from, tag, in, is_there, status, error),
        int found = 0;
        MPI_Status own; *error = MPI_Iprobe(*from, *tag, IN, &found, &own); *is_there = found;
        if (found && is_wanted(status)) { PMPI_Status_c2f(&own, status); })

FORTRAN(start, (F *request, F *error), (request, error), *error = MPI_Start(requests_from(request, 1)); requests_to(request, 1))
FORTRAN(startall, (F *count, F *requests, F *error), (count, requests, error),
        *error = MPI_Startall(*count, requests_from(requests, *count)); requests_to(requests, *count))
FORTRAN(request_free, (F *request, F *error), (request, error),
        *error = MPI_Request_free(requests_from(request, 1)); requests_to(request, 1))
FORTRAN(cancel, (F *request, F *error), (request, error), *error = MPI_Cancel(requests_from(request, 1)); requests_to(request, 1))
FORTRAN(wait, (F *request, F *status, F *error), (request, status, error), requests_from(request, 1);
        *error = MPI_Wait(requests_of_c, statuses_of_c); requests_to(request, 1); statuses_to(status, 1))
FORTRAN(test, (F *request, F *is_complete, F *status, F *error), (request, is_complete, status, error), requests_from(request, 1);
        int done = 0; *error = MPI_Test(requests_of_c, &done, statuses_of_c); *is_complete = done; requests_to(request, 1);
        if (done) statuses_to(status, 1))
FORTRAN(waitall, (F *count, F *requests, F *statuses, F *error), (count, requests, statuses, error), requests_from(requests, *count);
        *error = MPI_Waitall(*count, requests_of_c, statuses_of_c); requests_to(requests, *count); statuses_to(statuses, *count))
FORTRAN(testall, (F *count, F *requests, F *are_complete, F *statuses, F *error), (count, requests, are_complete, statuses, error),
        requests_from(requests, *count);
        int done = 0; *error = MPI_Testall(*count, requests_of_c, &done, statuses_of_c); *are_complete = done;
        requests_to(requests, *count); if (done) statuses_to(statuses, *count))
/* Fortran counts from 1. */
FORTRAN(waitany, (F *count, F *requests, F *index, F *status, F *error), (count, requests, index, status, error),
        requests_from(requests, *count);
        int found = MPI_UNDEFINED; MPI_Status own; *error = MPI_Waitany(*count, requests_of_c, &found, &own);
        requests_to(requests, *count); *index = found == MPI_UNDEFINED ? found : found + 1;
        if (is_wanted(status)) { PMPI_Status_c2f(&own, status); })
FORTRAN(testany, (F *count, F *requests, F *index, F *is_complete, F *status, F *error), (count, requests, index, is_complete, status, error),
        requests_from(requests, *count);
        int done = 0; int found = MPI_UNDEFINED; MPI_Status own; *error = MPI_Testany(*count, requests_of_c, &found, &done, &own);
        requests_to(requests, *count); *is_complete = done; *index = found == MPI_UNDEFINED ? found : found + 1;
        if (done && is_wanted(status)) { PMPI_Status_c2f(&own, status); })
#define SOME(name, c_name)                                                                                                           \
    FORTRAN(name, (F *count, F *requests, F *done, F *indices, F *statuses, F *error), (count, requests, done, indices, statuses, error), \
            requests_from(requests, *count);                                                                                         \
            *error = MPI_##c_name(*count, requests_of_c, done, indices, statuses_of_c); requests_to(requests, *count);               \
            for (int at = 0; *done != MPI_UNDEFINED && at < *done; at++) { indices[at]++; }                                          \
            statuses_to(statuses, *done == MPI_UNDEFINED ? 0 : *done))
SOME(waitsome, Waitsome)
SOME(testsome, Testsome)

/* Each with its form that does not wait. */
#define COLLECTIVE(name, c_name, parameters, arguments, c_arguments)                                                     \
    FORTRAN(name, (PLAIN parameters, F *in, F *error), (PLAIN arguments, in, error), *error = MPI_##c_name(PLAIN c_arguments, IN)) \
    FORTRAN(i##name, (PLAIN parameters, F *in, F *request, F *error), (PLAIN arguments, in, request, error),             \
            *request = PMPI_Request_c2f(MPI_REQUEST_NULL);                                                               \
            *error = MPI_I##name(PLAIN c_arguments, IN, requests_from(request, 1)); requests_to(request, 1))

#define SENT data_at(sent), *send_count, PMPI_Type_f2c(*send_type)
#define COMBINED data_at(sent), data_at(bytes), *count, PMPI_Type_f2c(*type), PMPI_Op_f2c(*combine)

FORTRAN(barrier, (F *in, F *error), (in, error), *error = MPI_Barrier(IN))
FORTRAN(ibarrier, (F *in, F *request, F *error), (in, request, error), *request = PMPI_Request_c2f(MPI_REQUEST_NULL);
        *error = MPI_Ibarrier(IN, requests_from(request, 1)); requests_to(request, 1))
COLLECTIVE(bcast, Bcast, (void *bytes, F *count, F *type, F *root), (bytes, count, type, root), (DATA, *root))
COLLECTIVE(scatter, Scatter, (void *sent, F *send_count, F *send_type, void *bytes, F *count, F *type, F *root),
           (sent, send_count, send_type, bytes, count, type, root), (SENT, DATA, *root))
COLLECTIVE(gather, Gather, (void *sent, F *send_count, F *send_type, void *bytes, F *count, F *type, F *root),
           (sent, send_count, send_type, bytes, count, type, root), (SENT, DATA, *root))
COLLECTIVE(allgather, Allgather, (void *sent, F *send_count, F *send_type, void *bytes, F *count, F *type),
           (sent, send_count, send_type, bytes, count, type), (SENT, DATA))
COLLECTIVE(alltoall, Alltoall, (void *sent, F *send_count, F *send_type, void *bytes, F *count, F *type),
           (sent, send_count, send_type, bytes, count, type), (SENT, DATA))
COLLECTIVE(reduce, Reduce, (void *sent, void *bytes, F *count, F *type, F *combine, F *root), (sent, bytes, count, type, combine, root),
           (COMBINED, *root))
COLLECTIVE(allreduce, Allreduce, (void *sent, void *bytes, F *count, F *type, F *combine), (sent, bytes, count, type, combine), (COMBINED))
COLLECTIVE(scan, Scan, (void *sent, void *bytes, F *count, F *type, F *combine), (sent, bytes, count, type, combine), (COMBINED))
COLLECTIVE(exscan, Exscan, (void *sent, void *bytes, F *count, F *type, F *combine), (sent, bytes, count, type, combine), (COMBINED))
COLLECTIVE(scatterv, Scatterv, (void *sent, F *counts, F *places, F *send_type, void *bytes, F *count, F *type, F *root),
           (sent, counts, places, send_type, bytes, count, type, root),
           (data_at(sent), counts, places, PMPI_Type_f2c(*send_type), DATA, *root))
COLLECTIVE(gatherv, Gatherv, (void *sent, F *send_count, F *send_type, void *bytes, F *counts, F *places, F *type, F *root),
           (sent, send_count, send_type, bytes, counts, places, type, root),
           (SENT, data_at(bytes), counts, places, PMPI_Type_f2c(*type), *root))
COLLECTIVE(allgatherv, Allgatherv, (void *sent, F *send_count, F *send_type, void *bytes, F *counts, F *places, F *type),
           (sent, send_count, send_type, bytes, counts, places, type), (SENT, data_at(bytes), counts, places, PMPI_Type_f2c(*type)))
COLLECTIVE(alltoallv, Alltoallv,
           (void *sent, F *send_counts, F *send_places, F *send_type, void *bytes, F *counts, F *places, F *type),
           (sent, send_counts, send_places, send_type, bytes, counts, places, type),
           (data_at(sent), send_counts, send_places, PMPI_Type_f2c(*send_type), data_at(bytes), counts, places, PMPI_Type_f2c(*type)))
COLLECTIVE(reduce_scatter, Reduce_scatter, (void *sent, void *bytes, F *counts, F *type, F *combine),
           (sent, bytes, counts, type, combine), (data_at(sent), data_at(bytes), counts, PMPI_Type_f2c(*type), PMPI_Op_f2c(*combine)))

#define MAKING(name, parameters, arguments, call)                                                       \
    FORTRAN(name, (PLAIN parameters, F *made, F *error), (PLAIN arguments, made, error), MPI_Comm its = MPI_COMM_NULL; \
            *error = call; *made = PMPI_Comm_c2f(its))

MAKING(comm_dup, (F *in), (in), MPI_Comm_dup(IN, &its))
MAKING(comm_split, (F *in, F *colour, F *key), (in, colour, key), MPI_Comm_split(IN, *colour, *key, &its))
MAKING(comm_split_type, (F *in, F *type, F *key, F *info), (in, type, key, info),
       MPI_Comm_split_type(IN, *type, *key, PMPI_Info_f2c(*info), &its))
MAKING(comm_create, (F *in, F *group), (in, group), MPI_Comm_create(IN, PMPI_Group_f2c(*group), &its))
MAKING(cart_create, (F *in, F *dimensions, F *sizes, F *periods, F *reorder), (in, dimensions, sizes, periods, reorder),
       MPI_Cart_create(IN, *dimensions, sizes, periods, *reorder, &its))
MAKING(cart_sub, (F *in, F *kept), (in, kept), MPI_Cart_sub(IN, kept, &its))
FORTRAN(comm_free, (F *in, F *error), (in, error), MPI_Comm its = IN; *error = MPI_Comm_free(&its); *in = PMPI_Comm_c2f(its))

#undef PLAIN
#undef FORTRAN
#undef DATA
#undef IN
#undef SENDING
#undef BEGINNING
#undef WITH_STATUS
#undef SOME
#undef COLLECTIVE
#undef SENT
#undef COMBINED
#undef MAKING
#endif

/* Those of `use mpi_f08` come neither by these nor by those for C, whatever MPI it is; that nothing is recorded must not go unsaid. */
#if (defined(OMPI_MAJOR_VERSION) || defined(MPICH_VERSION)) && !defined(CLL_SMPI) && defined(__GNUC__) && defined(__ELF__)
#if defined(OMPI_MAJOR_VERSION)
#define SECOND_NAME(name) pmpi_##name##_f08_
#else
#define SECOND_NAME(name) pmpir_##name##_f08_
#endif

void SECOND_NAME(init)(MPI_Fint *error) __attribute__((weak));
void mpi_init_f08_(MPI_Fint *error) __attribute__((weak));
void mpi_init_f08_(MPI_Fint *error)
{
    SECOND_NAME(init)(error);
    cll_events_tell_unseen("use mpi_f08");
}

void SECOND_NAME(init_thread)(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error) __attribute__((weak));
void mpi_init_thread_f08_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error) __attribute__((weak));
void mpi_init_thread_f08_(MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error)
{
    SECOND_NAME(init_thread)(required, provided, error);
    cll_events_tell_unseen("use mpi_f08");
}
#undef SECOND_NAME
#endif
