/* simulated_waits.h: whether all processors wait for packets and none is on its way, under SMPI, where all processors are in one
 * process. SimGrid sees that nothing can happen any more, too, but then the run ends with status 0. */
#ifndef CLL_BSP_SIMULATED_WAITS_H
#define CLL_BSP_SIMULATED_WAITS_H

#include <stdint.h>

#include "transport.h"

typedef struct cll_simulated_waits cll_simulated_waits;

/* For all processors; one makes it, all leave it. */
cll_simulated_waits *cll_simulated_waits_make(int processors);
void cll_simulated_waits_leave(cll_simulated_waits *waits);

/* A processor that has sent and received so many packets waits. Fails if now all wait in vain. */
void cll_simulated_waits_begin(cll_simulated_waits *waits, int processor, uint64_t sent, uint64_t received, const cll_wait *reason);
void cll_simulated_waits_end(cll_simulated_waits *waits);

#endif
