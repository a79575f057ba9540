/* table.c: linear probing; what is removed leaves no mark, as the entries behind it move up. */
#include "table.h"

#include <stdlib.h>
#include <string.h>

#include "fail.h"

#define FEWEST_SLOTS ((size_t)16)

static void insert(cll_table *table, cll_table_slot added)
{
    size_t mask = table->slot_count - 1;
    size_t at = (size_t)added.hash & mask;
    while (table->slots[at].value != CLL_TABLE_NONE) {
        at = (at + 1) & mask;
    }
    table->slots[at] = added;
}

void cll_table_reserve(cll_table *table, size_t count, const char *purpose)
{
    size_t slot_count = table->slot_count < FEWEST_SLOTS ? FEWEST_SLOTS : table->slot_count;
    while (slot_count / 2 < count) {
        slot_count *= 2;
    }
    if (slot_count == table->slot_count) {
        return;
    }
    cll_table smaller = *table;
    table->slots = cll_allocate(slot_count, sizeof *table->slots, purpose);
    table->slot_count = slot_count;
    memset(table->slots, 0xff, slot_count * sizeof *table->slots);
    for (size_t at = 0; at < smaller.slot_count; at++) {
        if (smaller.slots[at].value != CLL_TABLE_NONE) {
            insert(table, smaller.slots[at]);
        }
    }
    free(smaller.slots);
}

void cll_table_add(cll_table *table, uint64_t hash, uint64_t value)
{
    cll_table_slot added = {hash, value};
    insert(table, added);
    table->count++;
}

static size_t slot_of(const cll_table *table, uint64_t hash, uint64_t value)
{
    size_t mask = table->slot_count - 1;
    size_t at = (size_t)hash & mask;
    while (table->slots[at].value != value) {
        at = (at + 1) & mask;
    }
    return at;
}

void cll_table_replace(cll_table *table, uint64_t hash, uint64_t value, uint64_t replacement)
{
    table->slots[slot_of(table, hash, value)].value = replacement;
}

void cll_table_remove(cll_table *table, uint64_t hash, uint64_t value)
{
    size_t mask = table->slot_count - 1;
    size_t hole = slot_of(table, hash, value);
    for (size_t at = (hole + 1) & mask; table->slots[at].value != CLL_TABLE_NONE; at = (at + 1) & mask) {
        size_t home = (size_t)table->slots[at].hash & mask;
        if (((at - home) & mask) >= ((at - hole) & mask)) {
            table->slots[hole] = table->slots[at];
            hole = at;
        }
    }
    table->slots[hole].value = CLL_TABLE_NONE;
    table->count--;
}

void cll_table_clear(cll_table *table)
{
    if (table->count > 0) {
        memset(table->slots, 0xff, table->slot_count * sizeof *table->slots);
    }
    table->count = 0;
}

void cll_table_release(cll_table *table)
{
    free(table->slots);
    memset(table, 0, sizeof *table);
}

/* FNV-1a. */
uint64_t cll_hash_text(const char *text)
{
    uint64_t hash = UINT64_C(14695981039346656037);
    for (; *text != '\0'; text++) {
        hash = (hash ^ (unsigned char)*text) * UINT64_C(1099511628211);
    }
    return hash;
}
