/* registrations.h: the memory that processors have registered for puts and gets of others. An area has a number, the same on all
 * processors, since all register and remove in the same order. Changes are collected and take effect at the synchronisation. */
#ifndef CLL_BSP_REGISTRATIONS_H
#define CLL_BSP_REGISTRATIONS_H

#include <stddef.h>
#include <stdint.h>

#include "../base/table.h"

typedef struct {
    unsigned char *address; /* NULL: this processor takes no part */
    size_t size_bytes;
    int32_t older; /* of the same address; -1: none */
    int32_t is_being_removed;
    int32_t is_of_nobody; /* all processors have registered NULL */
} cll_registered_area;

typedef struct {
    int32_t number;
    int32_t is_removal;
} cll_registration_change;

typedef struct {
    cll_registered_area *areas; /* by number */
    int32_t *free_numbers;
    cll_table newest; /* number of the newest area of an address */
    cll_registration_change *changes; /* in the order of the calls */
    int32_t *known; /* of each change: the number of its area; -1 where the address is NULL, and others may know better */
    size_t count;
    size_t capacity;
    size_t free_count;
    size_t change_count;
    size_t change_capacity;
    uint64_t order; /* fingerprint of the changes, which all processors must have alike */
    const void *last_address; /* found by the search before */
    int32_t last_number;
} cll_registrations;

void cll_registrations_add(cll_registrations *registrations, void *address, size_t size_bytes, const char *call);
void cll_registrations_remove(cll_registrations *registrations, const void *address, int processor, const char *call);

/* Number of the newest area of that address in effect; -1 if there is none. */
int32_t cll_registrations_search(cll_registrations *registrations, const void *address);

static inline int32_t cll_registrations_find(cll_registrations *registrations, const void *address)
{
    return address == registrations->last_address && address != NULL ? registrations->last_number
                                                                      : cll_registrations_search(registrations, address);
}

/* Has this address been registered in this superstep? */
int cll_registrations_will_have(const cll_registrations *registrations, const void *address);

/* What this processor and another one know of the changes; returns whether they agree. */
int cll_registrations_agree(cll_registrations *registrations, const int32_t *known);

/* Lets the changes take effect; returns whether the removals suit what this processor has removed. If not: does the first that does not
 * take back NULL on all processors? */
int cll_registrations_apply(cll_registrations *registrations, int *names_nothing);

/* Forgets all areas; the memory is kept. */
void cll_registrations_clear(cll_registrations *registrations);

#endif
