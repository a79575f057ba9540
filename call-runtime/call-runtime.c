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

#include "src/fail.c"
#include "src/clock.c"
#include "src/clock_tsc.c"
#include "src/counters_perf.c"
#include "src/counters_papi.c"
#include "src/counters_usage.c"
#include "src/counters.c"
#include "src/recorder.c"
#include "src/record.c"
#include "src/by_hand.c"
#include "src/collection.c"
#include "src/host.c"
#include "src/file.c"
#include "src/writer.c"
#include "src/layout.c"
#include "src/block.c"
#include "src/trace.c"
#include "src/summaries.c"
#include "src/kept.c"
#include "src/saving.c"
#include "src/units.c"
#include "src/backend.c"
#include "src/sequential.c"
#include "src/openmp_backend.c"
#include "src/holding.c"
#include "src/gather.c"
#include "src/report.c"

#include "src/bsp/stash.c"
#include "src/bsp/inbox.c"
#include "src/bsp/areas.c"
#include "src/symbols.c"
#include "src/bsp/places.c"
#include "src/bsp/supersteps.c"
#include "src/bsp/superstep_lines.c"
#include "src/bsp/packets.c"
#include "src/bsp/tokens.c"
#include "src/bsp/memory.c"
#include "src/bsp/machine.c"
#include "src/bsp/arena.c"
#include "src/bsp/supervisor.c"
#include "src/bsp/embedded.c"
#include "src/pub.c"
#include "src/pub_memory.c"
#include "src/pub_collectives.c"
#include "src/pub_backend.c"
#include "src/pub_end.h"
#include "src/bsplib.c"
#include "src/bsplib_messages.c"
#include "src/bsplib_memory.c"
#include "src/bsplib_backend.c"
#include "src/bsplib_end.h"
#include "src/bsplib_modern.c"
