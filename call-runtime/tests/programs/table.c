/* Argument MASK: the bits in which hashes differ; the others are 1, so that entries begin in the last slots. The hash table of the
 * runtime does what a plain list does, whatever the hashes are: adding, finding, replacing and removing in a random order. Says `table ok`. */
#include <stdio.h>
#include <stdlib.h>

#include "../../src/base/table.h"

enum { KEYS = 300, STEPS = 20000 };

/* The value of each key; 0: it is not there. The table has the number of the value in `entries`. */
static unsigned expected[KEYS];

typedef struct {
    unsigned key;
    unsigned value;
} entry;

static entry entries[STEPS];

static int is_key(const void *key, uint64_t number)
{
    return entries[number].key == *(const unsigned *)key;
}

static uint64_t mask;

static uint64_t hash_of(unsigned key)
{
    return cll_hash_word(0, key) | ~mask;
}

static unsigned state = 1;

static unsigned draw(unsigned below)
{
    state = state * 1664525u + 1013904223u;
    return (state >> 8) % below;
}

static void check(const cll_table *table)
{
    size_t count = 0;
    for (unsigned key = 0; key < KEYS; key++) {
        uint64_t found = cll_table_find(table, hash_of(key), is_key, &key);
        unsigned value = found == CLL_TABLE_NONE ? 0 : entries[found].value;
        count += expected[key] != 0;
        if (value != expected[key]) {
            printf("key %u: %u, not %u\n", key, value, expected[key]);
            exit(1);
        }
    }
    if (table->count != count || (table->slot_count != 0 && 2 * table->count > table->slot_count)) {
        printf("%lu of %lu slots, not %lu\n", (unsigned long)table->count, (unsigned long)table->slot_count, (unsigned long)count);
        exit(1);
    }
}

static void step(cll_table *table, unsigned number)
{
    unsigned key = draw(KEYS);
    uint64_t hash = hash_of(key);
    uint64_t found = cll_table_find(table, hash, is_key, &key);
    entries[number].key = key;
    entries[number].value = number + 1;
    if (found == CLL_TABLE_NONE) {
        cll_table_reserve(table, table->count + 1, "a test");
        cll_table_add(table, hash, number);
        expected[key] = number + 1;
    } else if (draw(3) == 0) {
        cll_table_replace(table, hash, found, number);
        expected[key] = number + 1;
    } else {
        cll_table_remove(table, hash, found);
        expected[key] = 0;
    }
}

int main(int argc, char **argv)
{
    cll_table table = {NULL, 0, 0};
    mask = argc > 1 ? strtoull(argv[1], NULL, 0) : UINT64_MAX;
    check(&table);
    for (unsigned number = 0; number < STEPS; number++) {
        step(&table, number);
        if (number % 50 == 0) {
            check(&table);
        }
    }
    check(&table);
    cll_table_clear(&table);
    for (unsigned key = 0; key < KEYS; key++) {
        expected[key] = 0;
    }
    check(&table);
    cll_table_release(&table);
    puts("table ok");
    return 0;
}
