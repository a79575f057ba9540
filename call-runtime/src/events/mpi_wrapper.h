/* mpi_wrapper.h: what a function of MPI becomes. MPI has each under a second name, PMPI_..., which the runtime uses for itself. */
#ifndef CLL_EVENTS_MPI_WRAPPER_H
#define CLL_EVENTS_MPI_WRAPPER_H

#include <mpi.h>

#include "../base/clock.h"
#include "../bsp/call_sites.h"
#include "event_closing.h"
#include "mpi_recording.h"

/* A tool that is linked as well may have its own. SMPI opens programs as shared objects behind its own library: there calls find the wrapper
 * only if it is hidden. */
#if defined(CLL_SMPI)
#define CLL_WRAPPER(name) __asm__(".hidden MPI_" #name);
#elif defined(__GNUC__) && defined(__ELF__)
#define CLL_WRAPPER(name) __attribute__((weak))
#else
#define CLL_WRAPPER(name)
#endif

/* `before` and `after` are statements; the first may declare variables. */
#define CLL_RECORDED(name, parameters, arguments, before, after) \
    CLL_WRAPPER(name)                                            \
    int MPI_##name parameters                                    \
    {                                                            \
        if (!cll_records_events) {                               \
            return PMPI_##name arguments;                        \
        }                                                        \
        cll_event_enter("MPI_" #name, CLL_CALLER);               \
        before;                                                  \
        cll_event_end_change();                                  \
        int result = PMPI_##name arguments;                      \
        cll_event_now_ticks = cll_clock_begin();                 \
        cll_event_begin_change();                                \
        if (result == MPI_SUCCESS) {                             \
            after;                                               \
        }                                                        \
        cll_event_leave();                                       \
        return result;                                           \
    }

/* Of which no more is told than when it began and ended. */
#define CLL_CALLED(name, parameters, arguments) CLL_RECORDED(name, parameters, arguments, CLL_NO_MORE, CLL_NO_MORE)

#define CLL_UNRECORDED(name, parameters, arguments)         \
    CLL_WRAPPER(name)                                       \
    int MPI_##name parameters                               \
    {                                                       \
        static int is_told = 0;                             \
        if (cll_records_events) {                           \
            cll_event_tell_unrecorded("MPI_" #name, &is_told); \
        }                                                   \
        return PMPI_##name arguments;                       \
    }

#define CLL_NO_MORE (void)0

#define CLL_TELLS_UNRECORDED(name) \
    static int is_told = 0;        \
    cll_event_tell_unrecorded("MPI_" #name, &is_told)

/* Functions with counts: those of mpi_counts.h. */
#define CLL_COUNT int
#define CLL_PLACE int
#define CLL_SUFFIX
#define CLL_COUNTED(name, ...) CLL_RECORDED_AS(CLL_WITH_SUFFIX(name, CLL_SUFFIX), __VA_ARGS__)
#define CLL_RECORDED_AS(...) CLL_RECORDED(__VA_ARGS__)
#define CLL_WITH_SUFFIX(name, suffix) CLL_JOINED(name, suffix)
#define CLL_JOINED(name, suffix) name##suffix

/* What reads and writes files, by the ends of its names: where the file stands, and at a place in it. */
#define CLL_FILE_ACCESSES(on_file, at_place) \
    on_file() on_file(_all) on_file(_shared) on_file(_ordered) at_place() at_place(_all)

#endif
