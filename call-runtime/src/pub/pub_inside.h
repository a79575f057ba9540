/* pub_inside.h: what the files of the PUB library share. */
#ifndef CLL_PUB_INSIDE_H
#define CLL_PUB_INSIDE_H

#include "../../include/pub.h"
#include "../bsp/machine.h"

/* The machine behind an object; fails if it is not open. */
cll_machine *cll_pub_machine_of(const t_bsp *bsp, const char *call);

#endif
