/* table.h: a hash table with open addressing. Its values are numbers or addresses by which a user finds entries of its own: the table
 * knows of an entry the hash only, and asks the user whether an entry is the wanted one. Start with a zeroed one. */
#ifndef CLL_TABLE_H
#define CLL_TABLE_H

#include <stddef.h>
#include <stdint.h>

/* No entry has this value. */
#define CLL_TABLE_NONE UINT64_MAX

typedef struct {
    uint64_t hash;
    uint64_t value; /* CLL_TABLE_NONE: the slot is empty */
} cll_table_slot;

typedef struct {
    cll_table_slot *slots;
    size_t slot_count; /* 0 or a power of two; at most half of them are used */
    size_t count;
} cll_table;

/* Room for so many entries in all; no other function allocates. Without memory the run ends with `no memory for PURPOSE`. */
void cll_table_reserve(cll_table *table, size_t count, const char *purpose);

/* There is room, and no entry that is the same. */
void cll_table_add(cll_table *table, uint64_t hash, uint64_t value);

/* Of an entry that is there. */
void cll_table_replace(cll_table *table, uint64_t hash, uint64_t value, uint64_t replacement);
void cll_table_remove(cll_table *table, uint64_t hash, uint64_t value);

/* Keeps the memory. */
void cll_table_clear(cll_table *table);
void cll_table_release(cll_table *table);

/* Is the entry of this value what the key says? */
typedef int cll_table_match(const void *key, uint64_t value);

/* Here, so that the match is inline: the value; CLL_TABLE_NONE if there is none. */
static inline uint64_t cll_table_find(const cll_table *table, uint64_t hash, cll_table_match *is_match, const void *key)
{
    if (table->count == 0) {
        return CLL_TABLE_NONE;
    }
    size_t mask = table->slot_count - 1;
    for (size_t at = (size_t)hash & mask;; at = (at + 1) & mask) {
        const cll_table_slot *slot = &table->slots[at];
        if (slot->value == CLL_TABLE_NONE || (slot->hash == hash && is_match(key, slot->value))) {
            return slot->value;
        }
    }
}

/* A hash continued by one more word, and that of a text; any number starts one. */
static inline uint64_t cll_hash_word(uint64_t hash, uint64_t word)
{
    hash = (hash ^ word) * UINT64_C(0x9e3779b97f4a7c15);
    return hash ^ hash >> 32;
}

static inline uint64_t cll_hash_address(const void *address)
{
    return cll_hash_word(0, (uint64_t)(uintptr_t)address);
}

uint64_t cll_hash_text(const char *text);

#endif
