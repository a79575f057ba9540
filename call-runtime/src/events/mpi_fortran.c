/* mpi_fortran.c: Fortran's data, statuses and requests for C; start and end of MPI. */
#include "mpi_fortran.h"

#include <string.h>

#include "../base/fail.h"

#ifdef CLL_WITH_FORTRAN

enum { STATUS_NUMBERS = sizeof(MPI_Status) / sizeof(MPI_Fint) };

/* Memory that stands for something else; a program in C has none of it. */
#if defined(OMPI_MAJOR_VERSION)
extern int mpi_fortran_bottom_ __attribute__((weak));
extern int mpi_fortran_in_place_ __attribute__((weak));
extern int mpi_fortran_status_ignore_ __attribute__((weak));
extern int mpi_fortran_statuses_ignore_ __attribute__((weak));
#define NO_STATUS mpi_fortran_status_ignore_
#define NO_STATUSES mpi_fortran_statuses_ignore_

void *cll_fortran_data(void *bytes)
{
    if (bytes == NULL) {
        return bytes;
    }
    if (bytes == (void *)&mpi_fortran_in_place_) {
        return MPI_IN_PLACE;
    }
    return bytes == (void *)&mpi_fortran_bottom_ ? MPI_BOTTOM : bytes;
}
#else
/* The header of some versions has declared them, with types of its own. */
extern int f08_status_ignore __asm__("MPIR_F08_MPI_STATUS_IGNORE_OBJ") __attribute__((weak));
extern int f08_statuses_ignore __asm__("MPIR_F08_MPI_STATUSES_IGNORE_OBJ") __attribute__((weak));
#define NO_STATUS f08_status_ignore
#define NO_STATUSES f08_statuses_ignore
#endif

static int is_wanted(const MPI_Fint *status)
{
    return (const void *)status != (const void *)&NO_STATUS && (const void *)status != (const void *)&NO_STATUSES;
}

MPI_Status cll_fortran_status(const MPI_Fint *status)
{
    MPI_Status its;
    memset(&its, 0, sizeof its);
    if (is_wanted(status)) {
        memcpy(&its, status, sizeof its);
    }
    return its;
}

void cll_fortran_status_back(const MPI_Status *its, MPI_Fint *status)
{
    if (is_wanted(status)) {
        PMPI_Status_c2f(its, status);
    }
}

static MPI_Request *requests_of_c = NULL;
static MPI_Status *statuses_of_c = NULL;
static int room_of_c = 0;

MPI_Request *cll_fortran_requests(const MPI_Fint *requests, int count)
{
    if (count >= room_of_c) {
        room_of_c = 2 * count + 1; /* none has memory, too */
        requests_of_c = cll_reallocate(requests_of_c, (size_t)room_of_c, sizeof *requests_of_c, "requests of Fortran");
        statuses_of_c = cll_reallocate(statuses_of_c, (size_t)room_of_c, sizeof *statuses_of_c, "requests of Fortran");
    }
    for (int at = 0; at < count; at++) {
        requests_of_c[at] = PMPI_Request_f2c(requests[at]);
    }
    cll_event_requests_stand_at(requests_of_c, requests, count, sizeof *requests);
    return requests_of_c;
}

void cll_fortran_requests_back(MPI_Fint *requests, int count)
{
    for (int at = 0; at < count; at++) {
        requests[at] = PMPI_Request_c2f(requests_of_c[at]);
    }
    cll_event_requests_stand_at(NULL, NULL, 0, 0);
}

MPI_Status *cll_fortran_statuses(int count)
{
    if (count > 0) {
        memset(statuses_of_c, 0, (size_t)count * sizeof *statuses_of_c);
    }
    return statuses_of_c;
}

void cll_fortran_statuses_back(MPI_Fint *statuses, int count)
{
    for (int at = 0; is_wanted(statuses) && at < count; at++) {
        PMPI_Status_c2f(&statuses_of_c[at], statuses + (size_t)at * STATUS_NUMBERS);
    }
}

static void started(const char *call, void *caller, int thread_level, MPI_Fint error)
{
    if (error == MPI_SUCCESS && CLL_FORTRAN_HAS_INTEGERS_OF_C) {
        cll_events_start(call, caller, thread_level);
    } else if (error == MPI_SUCCESS) {
        cll_events_tell_unseen("events: integers of Fortran are not those of C, so no call of MPI is recorded");
    }
}

#define STARTING(name, second_name, call, parameters, arguments, thread_level) \
    void second_name parameters __attribute__((weak));                         \
    void name parameters __attribute__((weak));                                \
    void name parameters                                                       \
    {                                                                          \
        MPI_Fint unseen_error;                                                 \
        error = error == NULL ? &unseen_error : error;                         \
        second_name arguments;                                                 \
        STARTED(call, thread_level);                                           \
    }

#define STARTED(call, thread_level) started(call, CLL_CALLER, thread_level, *error)
CLL_FORTRAN_OF_BOTH(STARTING, init, "MPI_Init", (MPI_Fint *error), (error), MPI_THREAD_SINGLE)
CLL_FORTRAN_OF_BOTH(STARTING, init_thread, "MPI_Init_thread", (MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error),
                    (required, provided, error), (int)*provided)
#undef STARTED

#ifndef CLL_FORTRAN_WITH_F08
#define STARTED(call, thread_level) \
    cll_events_tell_unseen("events: calls of MPI by `use mpi_f08` are not seen, so none is recorded: `use mpi` instead")
STARTING(mpi_init_f08_, pmpi_init_f08_, "MPI_Init", (MPI_Fint *error), (error), 0)
STARTING(mpi_init_thread_f08_, pmpi_init_thread_f08_, "MPI_Init_thread", (MPI_Fint *required, MPI_Fint *provided, MPI_Fint *error),
         (required, provided, error), 0)
#undef STARTED
#endif

CLL_FORTRAN(finalize, (MPI_Fint *error), (error), *error = MPI_Finalize())

#undef NO_STATUS
#undef NO_STATUSES
#undef STARTING
#endif
