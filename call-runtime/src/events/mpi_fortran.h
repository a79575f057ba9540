/* mpi_fortran.h: the procedures that Fortran calls, each of which is made once for all modules that have it. Those of Open MPI come by none of C's
 * functions: what `use mpi` and `mpif.h` call, mpi_send_, and what `use mpi_f08` calls, mpi_send_f08_, have the same arguments, but for
 * `error`, which may be absent from the second one. Of MPICH all come by C's functions but those of `use mpi_f08` that have no buffer;
 * one with a buffer, mpi_send_f08ts_, describes it before it calls C's. */
#ifndef CLL_EVENTS_MPI_FORTRAN_H
#define CLL_EVENTS_MPI_FORTRAN_H

#include "mpi_requests.h"
#include "mpi_wrapper.h"

#if (defined(OMPI_MAJOR_VERSION) || defined(MPICH_VERSION)) && !defined(CLL_SMPI) && defined(__GNUC__) && defined(__ELF__)
#define CLL_WITH_FORTRAN 1

/* Where this does not hold nothing of a program in Fortran is recorded, which is said when MPI starts. */
enum { CLL_FORTRAN_HAS_INTEGERS_OF_C = sizeof(MPI_Fint) == sizeof(int) };

/* The statement `call` gives the value of `error`. */
#define CLL_FORTRAN_PROCEDURE(name, second_name, parameters, arguments, call) \
    void second_name parameters __attribute__((weak));                        \
    void name parameters __attribute__((weak));                               \
    void name parameters                                                      \
    {                                                                         \
        MPI_Fint unseen_error;                                                \
        if (!cll_records_events) {                                            \
            second_name arguments;                                            \
            return;                                                           \
        }                                                                     \
        error = error == NULL ? &unseen_error : error;                        \
        call;                                                                 \
    }

/* `procedure` makes one of its name and second name; more arguments are its own. From version 6 on Open MPI describes buffers, and calls none of C's
 * functions with them: of `use mpi_f08` nothing is recorded there. */
#if defined(OMPI_MAJOR_VERSION)
#define CLL_FORTRAN_SECOND_NAME(name) pmpi_##name##_f08_
#define CLL_FORTRAN_OF_MPIF(procedure, name, ...) procedure(mpi_##name##_, pmpi_##name##_, __VA_ARGS__)
#else
#define CLL_FORTRAN_SECOND_NAME(name) pmpir_##name##_f08_
#define CLL_FORTRAN_OF_MPIF(procedure, name, ...)
#endif
#if defined(OMPI_MAJOR_VERSION) && OMPI_MAJOR_VERSION > 5
#define CLL_FORTRAN_OF_F08(procedure, name, ...)
#else
#define CLL_FORTRAN_WITH_F08 1
#define CLL_FORTRAN_OF_F08(procedure, name, ...) procedure(mpi_##name##_f08_, CLL_FORTRAN_SECOND_NAME(name), __VA_ARGS__)
#endif
#define CLL_FORTRAN_OF_BOTH(procedure, name, ...)        \
    CLL_FORTRAN_OF_MPIF(procedure, name, __VA_ARGS__)    \
    CLL_FORTRAN_OF_F08(procedure, name, __VA_ARGS__)

#define CLL_FORTRAN(name, ...) CLL_FORTRAN_OF_BOTH(CLL_FORTRAN_PROCEDURE, name, __VA_ARGS__)
#if defined(OMPI_MAJOR_VERSION)
#define CLL_FORTRAN_WITH_BUFFER CLL_FORTRAN
#else
#define CLL_FORTRAN_WITH_BUFFER(name, ...)
#endif

/* The statement of what gives a request; the call has it as `handle`. What was in `request` is nothing. */
#define CLL_FORTRAN_BEGUN(call)                             \
    *request = PMPI_Request_c2f(MPI_REQUEST_NULL);          \
    MPI_Request *handle = cll_fortran_requests(request, 1); \
    *error = call;                                          \
    cll_fortran_requests_back(request, 1)

/* Of the call that is being executed, which is one of the thread that records. What MPI does not change in a status stays as it is. */
#if defined(OMPI_MAJOR_VERSION)
void *cll_fortran_data(void *bytes);
#endif
MPI_Status cll_fortran_status(const MPI_Fint *status);
void cll_fortran_status_back(const MPI_Status *its, MPI_Fint *status);
MPI_Request *cll_fortran_requests(const MPI_Fint *requests, int count);
void cll_fortran_requests_back(MPI_Fint *requests, int count);
MPI_Status *cll_fortran_statuses(int count);
void cll_fortran_statuses_back(MPI_Fint *statuses, int count);

#endif
#endif
