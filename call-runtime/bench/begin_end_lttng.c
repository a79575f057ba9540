/* begin_end_lttng.c: the contestant of LTTng-UST: a tracepoint with two doubles for the begin and one for the end. Its session daemon must
 * record the events call_bench:* (scripts/bench.sh sees to it). */
#define LTTNG_UST_TRACEPOINT_CREATE_PROBES
#define LTTNG_UST_TRACEPOINT_DEFINE
#include "begin_end_lttng.h"
#include "contestant.h"

int lttng_is_recording(void)
{
    return lttng_ust_tracepoint_enabled(call_bench, begin) && lttng_ust_tracepoint_enabled(call_bench, end);
}

static void pairs_with_two(int pairs, clock_kind clock)
{
    (void)clock;
    for (int pair = 0; pair < pairs; pair++) {
        lttng_ust_tracepoint(call_bench, begin, (double)pair, 0.5 * pair);
        lttng_ust_tracepoint(call_bench, end, 0);
    }
}

const contestant lttng_contestants[] = {
    {"LTTng-UST, 2 doubles", pairs_with_two, 1},
    {NULL, NULL, 0},
};
