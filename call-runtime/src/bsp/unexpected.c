/* unexpected.c: a table of queues, so that a processor far behind the others finds its packets at once. A queue is a ring, of which the
 * table has the last packet. */
#include "unexpected.h"

#include "../base/table.h"

static cll_table last_packets;

static const char purpose_of_queues[] = "packets that are not wanted yet";

typedef struct {
    uint64_t machine;
    uint64_t number;
    uint32_t kind;
    uint32_t round;
    uint64_t hash;
} packet_key;

static packet_key key_of(uint32_t kind, uint64_t machine, uint64_t number, uint32_t round)
{
    packet_key key = {machine, number, kind, round, cll_hash_word(machine + 16 * number + kind, round)};
    return key;
}

static cll_packet *packet_at(uint64_t value)
{
    return (cll_packet *)(uintptr_t)value;
}

static uint64_t value_of(const cll_packet *packet)
{
    return (uint64_t)(uintptr_t)packet;
}

static int is_of_key(const void *key, uint64_t value)
{
    const packet_key *its = key;
    const cll_packet *packet = packet_at(value);
    return packet->machine == its->machine && packet->number == its->number && packet->kind == its->kind && packet->round == its->round;
}

static cll_packet *last_of(const packet_key *key)
{
    uint64_t found = cll_table_find(&last_packets, key->hash, is_of_key, key);
    return found == CLL_TABLE_NONE ? NULL : packet_at(found);
}

void cll_unexpected_start(void)
{
    cll_table_reserve(&last_packets, 128, purpose_of_queues);
}

void cll_unexpected_put(cll_packet *packet)
{
    packet_key key = key_of(packet->kind, packet->machine, packet->number, packet->round);
    cll_packet *last = last_of(&key);
    if (last == NULL) {
        packet->next = packet;
        cll_table_reserve(&last_packets, last_packets.count + 1, purpose_of_queues);
        cll_table_add(&last_packets, key.hash, value_of(packet));
    } else {
        packet->next = last->next;
        last->next = packet;
        cll_table_replace(&last_packets, key.hash, value_of(last), value_of(packet));
    }
}

cll_packet *cll_unexpected_take(uint32_t kind, uint64_t machine, uint64_t number, uint32_t round)
{
    packet_key key = key_of(kind, machine, number, round);
    cll_packet *last = last_of(&key);
    if (last == NULL) {
        return NULL;
    }
    cll_packet *first = last->next;
    if (first == last) {
        cll_table_remove(&last_packets, key.hash, value_of(last));
    }
    last->next = first->next;
    first->next = NULL;
    return first;
}

const cll_packet *cll_unexpected_find(uint32_t kind, uint64_t machine, uint64_t number, uint32_t round)
{
    packet_key key = key_of(kind, machine, number, round);
    const cll_packet *last = last_of(&key);
    return last == NULL ? NULL : last->next;
}

const cll_packet *cll_unexpected_find_data(void)
{
    for (size_t at = 0; at < last_packets.slot_count; at++) {
        uint64_t value = last_packets.slots[at].value;
        if (value != CLL_TABLE_NONE && packet_at(value)->kind == CLL_DATA) {
            return packet_at(value)->next;
        }
    }
    return NULL;
}
