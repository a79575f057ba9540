/* report.h: writes the measurements of all processors into a new trace file, on processor 0. */
#ifndef CLL_REPORT_H
#define CLL_REPORT_H

#include "../../include/call.h"
#include "../program/backend.h"

/* See cll_report; `caller`: where that returns to. */
void cll_write_report(const cll_backend *backend, const cll_unit *unit, const void *machine, const char *names, void *caller);

#endif
