/* kinds.h: the back ends of programs that are not sequential. */
#ifndef CLL_KINDS_H
#define CLL_KINDS_H

#include "../../include/call.h"
#include "../base/thread.h"
#include "../program/backend.h"

/* Where this thread has called for use, sync or report; file NULL: the source of the unit; line 0: not known. */
typedef struct {
    const char *call;
    const cll_unit *unit;
    const char *file;
    int line;
} cll_call_place;

extern CLL_PER_THREAD cll_call_place cll_called_at;

extern const cll_backend cll_pub_backend;
extern const cll_backend cll_bsplib_backend;
extern const cll_backend cll_openmp_backend;

/* Tells, once each, where P of blocks around parallel regions is not plainly their team. */
void cll_openmp_tell_teams(void);
#ifdef CLL_TRANSPORT_MPI
extern const cll_backend cll_mpi_backend;

/* Tells, once, that MPI runs several processes though no file of the program says `parallel MPI`. */
void cll_mpi_tell_unsaid(void);
#endif

#endif
