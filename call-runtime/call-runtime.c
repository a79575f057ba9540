/* call-runtime.c: the whole runtime in one file, for sequential and OpenMP programs, and for BSP programs on one computer.
 *
 *     cc -I<dir>/include prog.call.c <dir>/call-runtime.c -lm -pthread -o prog
 *     cc -fopenmp -I<dir>/include prog.call.c <dir>/call-runtime.c -lm -pthread -o prog
 */
#ifndef _GNU_SOURCE
#define _GNU_SOURCE 1
#endif
#define CLL_RUNTIME 1 /* the headers leave out what is for programs only */
#undef CLL_DISABLE /* a disabled program still links with the runtime */

#include "src/base/fail.c"
#include "src/base/file.c"
#include "src/base/host.c"
#include "src/base/table.c"
#include "src/base/waiting.c"
#include "src/base/clock.c"
#include "src/base/clock_tsc.c"
#include "src/program/units.c"
#include "src/program/backend.c"
#include "src/counters/counters_perf.c"
#include "src/counters/counters_papi.c"
#include "src/counters/counters_usage.c"
#include "src/counters/counters.c"
#include "src/recording/recorder.c"
#include "src/saving/writer.c"
#include "src/saving/layout.c"
#include "src/saving/own_p.c"
#include "src/saving/block.c"
#include "src/saving/trace.c"
#include "src/saving/summaries.c"
#include "src/saving/spill_file.c"
#include "src/saving/saving.c"
#include "src/measuring/forks.c"
#include "src/measuring/room.c"
#include "src/measuring/measurement.c"

#include "src/bsp/loaded_objects.c"
#include "src/bsp/symbols.c"
#include "src/bsp/line_tables.c"
#include "src/bsp/line_names.c"
#include "src/bsp/source_lines.c"
#include "src/bsp/known_stacks.c"
#include "src/bsp/call_sites.c"
#include "src/bsp/inside_experiments.c"
#include "src/bsp/superstep_records.c"
#include "src/bsp/superstep_saving.c"
#include "src/bsp/inbox.c"
#include "src/bsp/registrations.c"
#include "src/bsp/machine_stack.c"
#include "src/bsp/virtual_turns.c"
#include "src/bsp/supersteps.c"
#include "src/bsp/unexpected.c"
#include "src/bsp/exchange.c"
#include "src/bsp/memory.c"
#include "src/bsp/machine.c"
#include "src/bsp/arena.c"
#include "src/bsp/deadlock.c"
#include "src/bsp/supervisor.c"
#include "src/bsp/embedded.c"

#include "src/events/event_blocks.c"
#include "src/events/event_definitions.c"
#include "src/events/event_saving.c"

#include "src/reporting/collection.c"
#include "src/reporting/row_source.c"
#include "src/reporting/gather.c"
#include "src/reporting/report.c"

#include "src/pub/pub.c"
#include "src/pub/pub_collectives.c"
#include "src/pub/pub_subsets.c"
#include "src/pub/pub_virtual.c"
#include "src/kinds/bsp_backend.c"
#include "src/kinds/profile.c"
#include "src/pub/pub_end.h"
#include "src/bsplib/bsplib.c"
#include "src/bsplib/bsplib_memory.c"
#include "src/bsplib/bsplib_messages.c"
#include "src/bsplib/bsplib_level1.c"
#include "src/bsplib/bsplib_dialect.c"
#include "src/bsplib/bsplib_end.h"
#define CLL_BSP_MODERN 1
#include "src/bsplib/bsplib_dialect.c"

#include "src/kinds/openmp_backend.c"
#include "src/kinds/kinds.c"
