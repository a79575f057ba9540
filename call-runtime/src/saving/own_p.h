/* own_p.h: rows of a trace in which a variable P of the program is not the number of processors. */
#ifndef CLL_OWN_P_H
#define CLL_OWN_P_H

#include "layout.h"
#include "writer.h"

/* Of one experiment. */
typedef struct {
    uint64_t place; /* in the file, where it is to be said; 0: nowhere */
    uint64_t rows;
    double value; /* of the first such row */
    int32_t processors; /* likewise */
} cll_own_p;

/* Leaves room for it in the header of an experiment that has such a variable. */
void cll_own_p_announce(cll_own_p *own, cll_writer *writer);

void cll_own_p_look(cll_own_p *own, const cll_layout_experiment *experiment, const cll_row *row);

/* Says it on stderr and in the room of the header, when all has been written. */
void cll_own_p_tell(const cll_own_p *own, const char *experiment, cll_writer *writer);

#endif
