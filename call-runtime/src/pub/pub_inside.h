/* pub_inside.h: what the files of the PUB library share. */
#ifndef CLL_PUB_INSIDE_H
#define CLL_PUB_INSIDE_H

#include "../../include/pub.h"
#include "../bsp/machine.h"

/* The machine behind an object; fails if it is not open. */
cll_machine *cll_pub_machine_of(const t_bsp *bsp, const char *call);

/* What a collective moves to or from another processor of the machine, a message in the superstep that the machine is in; that
 * many bytes have come. `superstep` as for cll_machine_give_for; 0: of no certain one. */
void cll_pub_give(cll_machine *machine, uint64_t superstep, int to, const void *bytes, size_t count);
size_t cll_pub_take(cll_machine *machine, uint64_t superstep, int from, void *bytes, size_t capacity, const char *call);

/* The collectives of subsets that were started in this superstep of the machine; their check is for its end. */
void cll_pub_finish_subsets(const cll_machine *machine);
void cll_pub_check_subsets(const cll_machine *machine, const char *call);

#endif
