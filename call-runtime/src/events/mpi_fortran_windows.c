/* mpi_fortran_windows.c: Fortran's windows, what goes through them, and what synchronises that. */
#include "mpi_fortran.h"

#ifdef CLL_WITH_FORTRAN
#define F MPI_Fint
#define PLAIN(...) __VA_ARGS__
#define IN PMPI_Comm_f2c(*in)
#define OF PMPI_Win_f2c(*window)
#define INFO PMPI_Info_f2c(*info)

#define OPENED(call)             \
    MPI_Win its = MPI_WIN_NULL;  \
    *error = call;               \
    *window = PMPI_Win_c2f(its)

CLL_FORTRAN_WITH_BUFFER(win_create, (void *bytes, MPI_Aint *size, F *unit, F *info, F *in, F *window, F *error),
                        (bytes, size, unit, info, in, window, error),
                        OPENED(MPI_Win_create(cll_fortran_data(bytes), *size, *unit, INFO, IN, &its)))
CLL_FORTRAN(win_create_dynamic, (F *info, F *in, F *window, F *error), (info, in, window, error),
            OPENED(MPI_Win_create_dynamic(INFO, IN, &its)))

/* The address is given to an integer or to a type(c_ptr). */
#define ALLOCATING(name, c_name)                                                              \
    CLL_FORTRAN(name, (MPI_Aint *size, F *unit, F *info, F *in, void *base, F *window, F *error), \
                (size, unit, info, in, base, window, error), OPENED(MPI_##c_name(*size, *unit, INFO, IN, base, &its)))
ALLOCATING(win_allocate, Win_allocate)
ALLOCATING(win_allocate_shared, Win_allocate_shared)
#if defined(OMPI_MAJOR_VERSION)
ALLOCATING(win_allocate_cptr, Win_allocate)
ALLOCATING(win_allocate_shared_cptr, Win_allocate_shared)
#endif
CLL_FORTRAN(win_free, (F *window, F *error), (window, error), MPI_Win its = OF; *error = MPI_Win_free(&its); *window = PMPI_Win_c2f(its))

#define ITS_DATA cll_fortran_data(bytes), *count, PMPI_Type_f2c(*type)
#define ITS_PLACE *rank, *place, *its_count, PMPI_Type_f2c(*its_type)

/* Each with its form that gives a request. */
#define ACCESS(name, c_name, parameters, arguments, c_arguments)                                                       \
    CLL_FORTRAN_WITH_BUFFER(name, (PLAIN parameters, F *window, F *error), (PLAIN arguments, window, error),           \
                            *error = MPI_##c_name(PLAIN c_arguments, OF))                                              \
    CLL_FORTRAN_WITH_BUFFER(r##name, (PLAIN parameters, F *window, F *request, F *error), (PLAIN arguments, window, request, error), \
                            CLL_FORTRAN_BEGUN(MPI_R##name(PLAIN c_arguments, OF, handle)))

ACCESS(put, Put, (void *bytes, F *count, F *type, F *rank, MPI_Aint *place, F *its_count, F *its_type),
       (bytes, count, type, rank, place, its_count, its_type), (ITS_DATA, ITS_PLACE))
ACCESS(get, Get, (void *bytes, F *count, F *type, F *rank, MPI_Aint *place, F *its_count, F *its_type),
       (bytes, count, type, rank, place, its_count, its_type), (ITS_DATA, ITS_PLACE))
ACCESS(accumulate, Accumulate, (void *bytes, F *count, F *type, F *rank, MPI_Aint *place, F *its_count, F *its_type, F *combine),
       (bytes, count, type, rank, place, its_count, its_type, combine), (ITS_DATA, ITS_PLACE, PMPI_Op_f2c(*combine)))
ACCESS(get_accumulate, Get_accumulate,
       (void *bytes, F *count, F *type, void *fetched, F *fetched_count, F *fetched_type, F *rank, MPI_Aint *place, F *its_count, F *its_type,
        F *combine),
       (bytes, count, type, fetched, fetched_count, fetched_type, rank, place, its_count, its_type, combine),
       (ITS_DATA, cll_fortran_data(fetched), *fetched_count, PMPI_Type_f2c(*fetched_type), ITS_PLACE, PMPI_Op_f2c(*combine)))
CLL_FORTRAN_WITH_BUFFER(fetch_and_op, (void *bytes, void *fetched, F *type, F *rank, MPI_Aint *place, F *combine, F *window, F *error),
                        (bytes, fetched, type, rank, place, combine, window, error),
                        *error = MPI_Fetch_and_op(cll_fortran_data(bytes), cll_fortran_data(fetched), PMPI_Type_f2c(*type), *rank, *place,
                                                  PMPI_Op_f2c(*combine), OF))
CLL_FORTRAN_WITH_BUFFER(compare_and_swap,
                        (void *bytes, void *compared, void *fetched, F *type, F *rank, MPI_Aint *place, F *window, F *error),
                        (bytes, compared, fetched, type, rank, place, window, error),
                        *error = MPI_Compare_and_swap(cll_fortran_data(bytes), cll_fortran_data(compared), cll_fortran_data(fetched),
                                                      PMPI_Type_f2c(*type), *rank, *place, OF))

#define ON_WINDOW(name, c_name) CLL_FORTRAN(name, (F *window, F *error), (window, error), *error = MPI_##c_name(OF))
#define ON_WINDOW_WITH(name, c_name) \
    CLL_FORTRAN(name, (F *number, F *window, F *error), (number, window, error), *error = MPI_##c_name(*number, OF))
#define ON_WINDOW_FOR(name, c_name)                                                                             \
    CLL_FORTRAN(name, (F *group, F *assert, F *window, F *error), (group, assert, window, error),               \
                *error = MPI_##c_name(PMPI_Group_f2c(*group), *assert, OF))

ON_WINDOW_WITH(win_fence, Win_fence)
ON_WINDOW_FOR(win_post, Win_post)
ON_WINDOW_FOR(win_start, Win_start)
ON_WINDOW(win_complete, Win_complete)
ON_WINDOW(win_wait, Win_wait)
CLL_FORTRAN(win_test, (F *window, F *is_complete, F *error), (window, is_complete, error), int done = 0;
            *error = MPI_Win_test(OF, &done); *is_complete = done)
CLL_FORTRAN(win_lock, (F *type, F *rank, F *assert, F *window, F *error), (type, rank, assert, window, error),
            *error = MPI_Win_lock(*type, *rank, *assert, OF))
ON_WINDOW_WITH(win_unlock, Win_unlock)
ON_WINDOW_WITH(win_lock_all, Win_lock_all)
ON_WINDOW(win_unlock_all, Win_unlock_all)
ON_WINDOW_WITH(win_flush, Win_flush)
ON_WINDOW(win_flush_all, Win_flush_all)
ON_WINDOW_WITH(win_flush_local, Win_flush_local)
ON_WINDOW(win_flush_local_all, Win_flush_local_all)

#undef F
#undef PLAIN
#undef IN
#undef OF
#undef INFO
#undef OPENED
#undef ALLOCATING
#undef ITS_DATA
#undef ITS_PLACE
#undef ACCESS
#undef ON_WINDOW
#undef ON_WINDOW_WITH
#undef ON_WINDOW_FOR
#endif
