/* pub_inside.h: what the files of the PUB library share. */
#ifndef CLL_PUB_INSIDE_H
#define CLL_PUB_INSIDE_H

#include "../../include/pub.h"
#include "../bsp/machine.h"

/* The machine behind an object; fails if it is not open. */
cll_machine *cll_pub_machine_of(const t_bsp *bsp, const char *call);

/* The collectives of subsets that were started in this superstep of the machine; their check is for its end. */
void cll_pub_finish_subsets(const cll_machine *machine);
void cll_pub_check_subsets(const cll_machine *machine, const char *call);

#endif
