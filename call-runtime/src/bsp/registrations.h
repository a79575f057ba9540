/* areas.h: the memory that processors have registered for puts and gets of others. An area has a number, the same on all
 * processors, since all register and remove in the same order. Changes are collected and take effect at the synchronisation. */
#ifndef CLL_BSP_AREAS_H
#define CLL_BSP_AREAS_H

#include <stddef.h>
#include <stdint.h>

typedef struct {
    unsigned char *address; /* NULL: this processor takes no part */
    size_t size_bytes;
    uint64_t age;  /* the larger, the newer */
    int32_t older; /* in its bucket; -1: none */
    int32_t is_being_removed;
} cll_registered_area;

typedef struct {
    int32_t number;
    int32_t is_removal;
} cll_registration_change;

typedef struct {
    cll_registered_area *areas; /* by number */
    int32_t *free_numbers;
    int32_t *buckets; /* newest area of each; -1: none */
    cll_registration_change *changes; /* in the order of the calls */
    int32_t *removals;        /* numbers; -1 - number where the address is NULL, and others know better */
    size_t count;
    size_t capacity;
    size_t free_count;
    size_t bucket_count; /* 0 or a power of two */
    size_t open_count;
    size_t change_count;
    size_t change_capacity;
    size_t removal_count;
    size_t removal_capacity;
    uint64_t age;
    uint64_t order; /* fingerprint of the changes, which all processors must have alike */
    const void *last_address; /* found by the search before */
    int32_t last_number;
} cll_registrations;

void cll_registrations_add(cll_registrations *areas, void *address, size_t size_bytes, const char *call);
void cll_registrations_remove(cll_registrations *areas, const void *address, int processor, const char *call);

/* Number of the newest area of that address in effect; -1 if there is none. */
int32_t cll_registrations_search(cll_registrations *areas, const void *address);

static inline int32_t cll_registrations_find(cll_registrations *areas, const void *address)
{
    return address == areas->last_address && address != NULL ? areas->last_number : cll_registrations_search(areas, address);
}

/* Has this address been registered in this superstep? */
int cll_registrations_will_have(const cll_registrations *areas, const void *address);

/* What this processor and another one know of the removals; returns whether they agree. */
int cll_registrations_agree(cll_registrations *areas, const int32_t *removals);

/* Lets the changes take effect; returns whether the removals suit what this processor has removed. */
int cll_registrations_apply(cll_registrations *areas);

/* Forgets all areas; the memory is kept. */
void cll_registrations_clear(cll_registrations *areas);

#endif
