/* begin_end_lttng.h: the tracepoints of begin_end_lttng.c, in the form that LTTng-UST wants: it includes this file several times. */
#undef LTTNG_UST_TRACEPOINT_PROVIDER
#define LTTNG_UST_TRACEPOINT_PROVIDER call_bench

#undef LTTNG_UST_TRACEPOINT_INCLUDE
#define LTTNG_UST_TRACEPOINT_INCLUDE "./begin_end_lttng.h"

#if !defined(BEGIN_END_LTTNG_H) || defined(LTTNG_UST_TRACEPOINT_HEADER_MULTI_READ)
#define BEGIN_END_LTTNG_H

#include <lttng/tracepoint.h>

LTTNG_UST_TRACEPOINT_EVENT(call_bench, begin, LTTNG_UST_TP_ARGS(double, n, double, x),
                           LTTNG_UST_TP_FIELDS(lttng_ust_field_float(double, n, n) lttng_ust_field_float(double, x, x)))

LTTNG_UST_TRACEPOINT_EVENT(call_bench, end, LTTNG_UST_TP_ARGS(int, unused), LTTNG_UST_TP_FIELDS(lttng_ust_field_integer(int, unused, unused)))

#endif

#include <lttng/tracepoint-event.h>
