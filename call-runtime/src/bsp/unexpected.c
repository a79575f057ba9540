/* stash.c: a hash table of queues, so that a processor far behind the others finds its packets at once. */
#include "unexpected.h"

#define BUCKETS 256u

static struct {
    cll_packet *first;
    cll_packet *last;
} buckets[BUCKETS];

static unsigned bucket_of(uint32_t kind, uint64_t machine, uint64_t number, uint32_t round)
{
    uint64_t mixed = machine + number * 16 + kind + (uint64_t)round * 1024;
    return (unsigned)(mixed ^ mixed >> 32) % BUCKETS;
}

void cll_unexpected_put(cll_packet *packet)
{
    unsigned at = bucket_of(packet->kind, packet->machine, packet->number, packet->round);
    packet->next = NULL;
    if (buckets[at].first == NULL) {
        buckets[at].first = packet;
    } else {
        buckets[at].last->next = packet;
    }
    buckets[at].last = packet;
}

static int is_wanted(const cll_packet *packet, uint32_t kind, uint64_t machine, uint64_t number, uint32_t round)
{
    return packet->machine == machine && packet->number == number && packet->kind == kind && packet->round == round;
}

cll_packet *cll_unexpected_take(uint32_t kind, uint64_t machine, uint64_t number, uint32_t round)
{
    unsigned at = bucket_of(kind, machine, number, round);
    cll_packet *before = NULL;
    for (cll_packet *packet = buckets[at].first; packet != NULL; before = packet, packet = packet->next) {
        if (!is_wanted(packet, kind, machine, number, round)) {
            continue;
        }
        if (before == NULL) {
            buckets[at].first = packet->next;
        } else {
            before->next = packet->next;
        }
        if (buckets[at].last == packet) {
            buckets[at].last = before;
        }
        packet->next = NULL;
        return packet;
    }
    return NULL;
}

const cll_packet *cll_unexpected_find(uint32_t kind, uint64_t machine, uint64_t number, uint32_t round)
{
    const cll_packet *packet = buckets[bucket_of(kind, machine, number, round)].first;
    while (packet != NULL && !is_wanted(packet, kind, machine, number, round)) {
        packet = packet->next;
    }
    return packet;
}

const cll_packet *cll_unexpected_find_data(void)
{
    for (unsigned at = 0; at < BUCKETS; at++) {
        for (const cll_packet *packet = buckets[at].first; packet != NULL; packet = packet->next) {
            if (packet->kind == CLL_DATA) {
                return packet;
            }
        }
    }
    return NULL;
}
