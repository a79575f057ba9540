/* mpi_fortran_completions.c: what Fortran does with requests. */
#include "mpi_fortran.h"

#ifdef CLL_WITH_FORTRAN
#define F MPI_Fint

#define OF_REQUESTS(number, call)                                  \
    MPI_Request *handles = cll_fortran_requests(requests, number); \
    *error = call;                                                 \
    cll_fortran_requests_back(requests, number)
#define WITH_STATUS MPI_Status own = cll_fortran_status(status)
#define STATUS_BACK cll_fortran_status_back(&own, status)
#define FOUND_BACK *index = found == MPI_UNDEFINED ? found : found + first_index()

#if defined(OMPI_MAJOR_VERSION)
static int first_index(void)
{
    return 1;
}
#else
void pmpir_waitany_f08_(F *count, F *requests, F *index, F *status, F *error) __attribute__((weak));

/* Fortran counts from 1, but `use mpi_f08` of MPICH 4.0 from 0: as the library does it, with a request that is complete. */
static int first_index(void)
{
    static F first = -1;
    if (first < 0) {
        MPI_Request request;
        F count = 1;
        F error;
        F status[sizeof(MPI_Status) / sizeof(F)];
        PMPI_Isend(&count, 0, MPI_BYTE, MPI_PROC_NULL, 0, MPI_COMM_SELF, &request);
        F request_of_fortran = PMPI_Request_c2f(request);
        pmpir_waitany_f08_(&count, &request_of_fortran, &first, status, &error);
    }
    return first;
}
#endif

#define OF_ONE(name, c_name) \
    CLL_FORTRAN(name, (F *requests, F *error), (requests, error), OF_REQUESTS(1, MPI_##c_name(handles)))

OF_ONE(start, Start)
OF_ONE(request_free, Request_free)
OF_ONE(cancel, Cancel)
CLL_FORTRAN(startall, (F *count, F *requests, F *error), (count, requests, error), OF_REQUESTS(*count, MPI_Startall(*count, handles)))

CLL_FORTRAN(wait, (F *requests, F *status, F *error), (requests, status, error), WITH_STATUS;
            OF_REQUESTS(1, MPI_Wait(handles, &own));
            STATUS_BACK)
CLL_FORTRAN(test, (F *requests, F *is_complete, F *status, F *error), (requests, is_complete, status, error), WITH_STATUS;
            int done = 0;
            OF_REQUESTS(1, MPI_Test(handles, &done, &own));
            *is_complete = done;
            if (done) STATUS_BACK)
CLL_FORTRAN(waitany, (F *count, F *requests, F *index, F *status, F *error), (count, requests, index, status, error), WITH_STATUS;
            int found = MPI_UNDEFINED;
            OF_REQUESTS(*count, MPI_Waitany(*count, handles, &found, &own));
            FOUND_BACK;
            STATUS_BACK)
CLL_FORTRAN(testany, (F *count, F *requests, F *index, F *is_complete, F *status, F *error),
            (count, requests, index, is_complete, status, error), WITH_STATUS;
            int done = 0;
            int found = MPI_UNDEFINED;
            OF_REQUESTS(*count, MPI_Testany(*count, handles, &found, &done, &own));
            *is_complete = done;
            FOUND_BACK;
            if (done) STATUS_BACK)

CLL_FORTRAN(waitall, (F *count, F *requests, F *statuses, F *error), (count, requests, statuses, error),
            OF_REQUESTS(*count, MPI_Waitall(*count, handles, cll_fortran_statuses(*count)));
            cll_fortran_statuses_back(statuses, *count))
CLL_FORTRAN(testall, (F *count, F *requests, F *are_complete, F *statuses, F *error), (count, requests, are_complete, statuses, error),
            int done = 0;
            OF_REQUESTS(*count, MPI_Testall(*count, handles, &done, cll_fortran_statuses(*count)));
            *are_complete = done;
            if (done) cll_fortran_statuses_back(statuses, *count))

#define SOME(name, c_name)                                                                                            \
    CLL_FORTRAN(name, (F *count, F *requests, F *done, F *indices, F *statuses, F *error),                            \
                (count, requests, done, indices, statuses, error),                                                    \
                OF_REQUESTS(*count, MPI_##c_name(*count, handles, done, indices, cll_fortran_statuses(*count)));      \
                int some = *done == MPI_UNDEFINED ? 0 : *done;                                                        \
                for (int at = 0; at < some; at++) { indices[at] += first_index(); }                                                  \
                cll_fortran_statuses_back(statuses, some))

SOME(waitsome, Waitsome)
SOME(testsome, Testsome)

#undef F
#undef OF_REQUESTS
#undef WITH_STATUS
#undef STATUS_BACK
#undef FOUND_BACK
#undef OF_ONE
#undef SOME
#endif
