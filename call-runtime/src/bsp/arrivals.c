/* arrivals.c: which of the packets that have come may be taken. A packet without its payload holds back the later ones. */
#include "arrivals.h"

#include <stddef.h>

static cll_packet *arrived_first = NULL;
static cll_packet *arrived_last = NULL;

void cll_arrivals_add(cll_packet *packet)
{
    packet->next = NULL;
    if (arrived_first == NULL) {
        arrived_first = packet;
    } else {
        arrived_last->next = packet;
    }
    arrived_last = packet;
}

int cll_arrivals_are_there(void)
{
    return arrived_first != NULL;
}

/* What belongs to a superstep need not wait for what belongs to later ones, as of those who have left its barrier already, and a token of
 * a barrier between supersteps for nothing that belongs to any, as it vouches for no message. What belongs to the superstep of its own
 * comes first, from whomever it is: beyond CLL_EXCHANGING_PROCESSORS a token also vouches for processors that have not sent one to this
 * processor. */
static int may_overtake(const cll_packet *packet, const cll_packet *earlier)
{
    int is_of_superstep = earlier->kind != CLL_BARRIER_TOKEN && earlier->kind != CLL_GATHER;
    if (!is_of_superstep) {
        return 0;
    }
    if (packet->kind == CLL_BARRIER_TOKEN) {
        return earlier->owner != packet->owner;
    }
    return packet->kind != CLL_GATHER && earlier->machine == packet->machine && earlier->number > packet->number;
}

static int is_held_back(const cll_packet *packet)
{
    for (cll_packet *earlier = arrived_first; earlier != packet; earlier = earlier->next) {
        if (!may_overtake(packet, earlier)) {
            return 1;
        }
    }
    return 0;
}

cll_packet *cll_arrivals_take(void)
{
    cll_packet *before = NULL;
    for (cll_packet *packet = arrived_first; packet != NULL; before = packet, packet = packet->next) {
        if (cll_transfer_of(packet)->pending > 0 || is_held_back(packet)) {
            continue;
        }
        if (before == NULL) {
            arrived_first = packet->next;
        } else {
            before->next = packet->next;
        }
        if (arrived_last == packet) {
            arrived_last = before;
        }
        packet->next = NULL;
        return packet;
    }
    return NULL;
}
