/* by_hand.c: measurements that the macros of call.h begin, whose values are all real numbers. */
#include "../../include/call.h"

void cll_begin_reals(const cll_experiment *experiment, const double *values)
{
    cll_value its[CLL_MOST_BY_HAND];
    for (int variable = 0; variable < experiment->variable_count && variable < CLL_MOST_BY_HAND; variable++) {
        its[variable].real = values[variable];
    }
    cll_begin(experiment, its);
}
