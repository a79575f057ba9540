/* pub_transfers.c: what collectives of pub.h move, in the books of the superstep. */
#include "../bsp/supersteps.h"
#include "pub_inside.h"

static void count_transfer(cll_traffic *traffic, size_t count)
{
    if (traffic != NULL) {
        traffic->bytes += count;
        traffic->messages++;
    }
}

void cll_pub_give(cll_machine *machine, uint64_t superstep, int to, const void *bytes, size_t count)
{
    cll_superstep_transfer_begins(machine);
    cll_machine_give_for(machine, superstep, to, bytes, count);
    count_transfer(cll_superstep_outgoing(machine, to), count);
    cll_superstep_transfer_ends(machine);
}

size_t cll_pub_take(cll_machine *machine, uint64_t superstep, int from, void *bytes, size_t capacity, const char *call)
{
    cll_superstep_transfer_begins(machine);
    size_t count = cll_machine_take_for(machine, superstep, from, bytes, capacity, call);
    count_transfer(cll_superstep_incoming(machine, from), count);
    cll_superstep_transfer_ends(machine);
    return count;
}
