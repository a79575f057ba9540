/* unexpected.h: packets that have arrived and are not wanted yet: of a later superstep, of another machine, of another round. */
#ifndef CLL_BSP_UNEXPECTED_H
#define CLL_BSP_UNEXPECTED_H

#include "transport.h"

/* Makes room, so that nothing has to be allocated later as a rule. */
void cll_unexpected_start(void);

void cll_unexpected_put(cll_packet *packet);

/* Takes the first packet of that kind, machine, number and round; NULL if there is none. */
cll_packet *cll_unexpected_take(uint32_t kind, uint64_t machine, uint64_t number, uint32_t round);

/* The same without taking it. */
const cll_packet *cll_unexpected_find(uint32_t kind, uint64_t machine, uint64_t number, uint32_t round);

/* Any data packet that is left; NULL if there is none. */
const cll_packet *cll_unexpected_find_data(void);

#endif
