/* mpi_makers.c: start and end of MPI; what makes and frees communicators and windows. */
#include "mpi_communicators.h"
#include "mpi_requests.h"
#include "mpi_signals.h"
#include "mpi_wrapper.h"

#include "../base/fail.h"

CLL_WRAPPER(Init)
int MPI_Init(int *argument_count, char ***arguments)
{
    int result = PMPI_Init(argument_count, arguments);
    if (result == MPI_SUCCESS) {
        cll_events_start("MPI_Init", CLL_CALLER, MPI_THREAD_SINGLE);
        cll_events_watch_signals(cll_event_describe_awaited);
    }
    return result;
}

CLL_WRAPPER(Init_thread)
int MPI_Init_thread(int *argument_count, char ***arguments, int required, int *provided)
{
    int result = PMPI_Init_thread(argument_count, arguments, required, provided);
    if (result == MPI_SUCCESS) {
        cll_events_start("MPI_Init_thread", CLL_CALLER, *provided);
        cll_events_watch_signals(cll_event_describe_awaited);
    }
    return result;
}

CLL_WRAPPER(Finalize)
int MPI_Finalize(void)
{
    if (cll_records_events) {
        cll_events_finish(CLL_CALLER);
    }
    return PMPI_Finalize();
}

/* All its processors learn the name within the call. */
static void communicator_made(MPI_Comm made)
{
    cll_event_communicator_made(made);
    cll_event_now_ticks = cll_clock_begin();
}

/* MPI may wait for all where a communicator or a window is made, and does where a window is freed. */
#define TOGETHER(communicator) cll_event_together(CLL_OPERATION_MAKE, communicator)

#define MAKING_ALONE(name, parameters, arguments) \
    CLL_RECORDED(name, parameters, arguments, CLL_NO_MORE, communicator_made(*made))
#define MAKING(name, parameters, arguments) \
    CLL_RECORDED(name, parameters, arguments, TOGETHER(cll_event_communicator(of)), communicator_made(*made))

MAKING(Comm_dup, (MPI_Comm of, MPI_Comm *made), (of, made))
MAKING(Comm_dup_with_info, (MPI_Comm of, MPI_Info info, MPI_Comm *made), (of, info, made))
MAKING(Comm_split, (MPI_Comm of, int colour, int key, MPI_Comm *made), (of, colour, key, made))
MAKING(Comm_split_type, (MPI_Comm of, int type, int key, MPI_Info info, MPI_Comm *made), (of, type, key, info, made))
MAKING(Comm_create, (MPI_Comm of, MPI_Group group, MPI_Comm *made), (of, group, made))
MAKING_ALONE(Comm_create_group, (MPI_Comm of, MPI_Group group, int tag, MPI_Comm *made), (of, group, tag, made))
MAKING(Cart_create, (MPI_Comm of, int dimensions, const int sizes[], const int periods[], int reorder, MPI_Comm *made),
       (of, dimensions, sizes, periods, reorder, made))
MAKING(Cart_sub, (MPI_Comm of, const int kept[], MPI_Comm *made), (of, kept, made))
MAKING(Graph_create, (MPI_Comm of, int nodes, const int indices[], const int edges[], int reorder, MPI_Comm *made),
       (of, nodes, indices, edges, reorder, made))
MAKING(Dist_graph_create,
       (MPI_Comm of, int count, const int sources[], const int degrees[], const int targets[], const int weights[], MPI_Info info,
        int reorder, MPI_Comm *made),
       (of, count, sources, degrees, targets, weights, info, reorder, made))
MAKING(Dist_graph_create_adjacent,
       (MPI_Comm of, int sources_count, const int sources[], const int source_weights[], int targets_count, const int targets[],
        const int target_weights[], MPI_Info info, int reorder, MPI_Comm *made),
       (of, sources_count, sources, source_weights, targets_count, targets, target_weights, info, reorder, made))
#ifndef CLL_SMPI
MAKING_ALONE(Intercomm_merge, (MPI_Comm of, int is_high, MPI_Comm *made), (of, is_high, made))
MAKING_ALONE(Intercomm_create, (MPI_Comm of, int leader, MPI_Comm between, int other, int tag, MPI_Comm *made), (of, leader, between, other, tag, made))
MAKING_ALONE(Comm_spawn,
       (const char *program, char *arguments[], int processes, MPI_Info info, int root, MPI_Comm of, MPI_Comm *made, int errors[]),
       (program, arguments, processes, info, root, of, made, errors))
MAKING_ALONE(Comm_spawn_multiple,
       (int count, char *programs[], char **arguments[], const int processes[], const MPI_Info infos[], int root, MPI_Comm of,
        MPI_Comm *made, int errors[]),
       (count, programs, arguments, processes, infos, root, of, made, errors))
MAKING_ALONE(Comm_accept, (const char *port, MPI_Info info, int root, MPI_Comm of, MPI_Comm *made), (port, info, root, of, made))
MAKING_ALONE(Comm_connect, (const char *port, MPI_Info info, int root, MPI_Comm of, MPI_Comm *made), (port, info, root, of, made))
MAKING_ALONE(Comm_join, (int socket, MPI_Comm *made), (socket, made))
#endif

#define FREEING(name) \
    CLL_RECORDED(name, (MPI_Comm *communicator), (communicator), cll_event_communicator_freed(*communicator), CLL_NO_MORE)
FREEING(Comm_free)
FREEING(Comm_disconnect)

#define OPENING(name, parameters, arguments) \
    CLL_RECORDED(name, parameters, arguments, TOGETHER(cll_event_communicator(communicator)), cll_event_window_made(*window, communicator))
#define OPENINGS(create, allocate, allocate_shared, unit_type)                                                              \
    OPENING(create, (void *base, MPI_Aint size, unit_type unit, MPI_Info info, MPI_Comm communicator, MPI_Win *window),     \
            (base, size, unit, info, communicator, window))                                                                 \
    OPENING(allocate, (MPI_Aint size, unit_type unit, MPI_Info info, MPI_Comm communicator, void *base, MPI_Win *window),   \
            (size, unit, info, communicator, base, window))                                                                 \
    OPENING(allocate_shared, (MPI_Aint size, unit_type unit, MPI_Info info, MPI_Comm communicator, void *base, MPI_Win *window), \
            (size, unit, info, communicator, base, window))

OPENINGS(Win_create, Win_allocate, Win_allocate_shared, int)
#if MPI_VERSION >= 4
OPENINGS(Win_create_c, Win_allocate_c, Win_allocate_shared_c, MPI_Aint)
#endif
OPENING(Win_create_dynamic, (MPI_Info info, MPI_Comm communicator, MPI_Win *window), (info, communicator, window))

CLL_RECORDED(Win_free, (MPI_Win *window), (window), TOGETHER(cll_event_window(*window)); cll_event_window_freed(*window), CLL_NO_MORE)

static cll_begun begin_making(MPI_Comm of, const MPI_Comm *made)
{
    cll_event_collective its = {.operation = CLL_OPERATION_MAKE, .communicator = cll_event_communicator(of), .root = -1};
    cll_begun begun = cll_event_begin_collective(&its, 0);
    begun.naming = its.communicator == CLL_NO_COMMUNICATOR ? NULL : cll_event_communicator_begin(of, made);
    return begun;
}

#define BEGINNING(name, parameters, arguments) \
    CLL_RECORDED(name, parameters, arguments, cll_begun begun = begin_making(of, made), cll_event_begun(&begun, request))
BEGINNING(Comm_idup, (MPI_Comm of, MPI_Comm *made, MPI_Request *request), (of, made, request))
#if MPI_VERSION >= 4
BEGINNING(Comm_idup_with_info, (MPI_Comm of, MPI_Info info, MPI_Comm *made, MPI_Request *request), (of, info, made, request))
#endif
#undef TOGETHER
#undef MAKING
#undef MAKING_ALONE
#undef BEGINNING
#undef FREEING
#undef OPENING
#undef OPENINGS
