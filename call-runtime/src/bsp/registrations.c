/* registrations.c: areas by number, and a table by address of chains with the newest area first. */
#include "registrations.h"

#include <stdlib.h>
#include <string.h>

#include "../base/fail.h"

#define FIRST_CAPACITY ((size_t)16)

static void *grown(void *array, size_t *capacity, size_t element_bytes, const char *call)
{
    size_t wanted = *capacity == 0 ? FIRST_CAPACITY : 2 * *capacity;
    void *larger = realloc(array, wanted * element_bytes);
    if (larger == NULL) {
        cll_fail("%s: no memory for %zu registrations", call, wanted);
    }
    *capacity = wanted;
    return larger;
}

/* The key is an address; numbers are those of `searched`. */
typedef struct {
    const cll_registrations *searched;
    const void *address;
} area_key;

static int has_address(const void *key, uint64_t number)
{
    const area_key *its = key;
    return its->searched->areas[number].address == its->address;
}

/* In effect, whether it is being removed or not; -1: none. */
static int32_t newest_of_address(const cll_registrations *registrations, const void *address)
{
    area_key key = {registrations, address};
    uint64_t found = cll_table_find(&registrations->newest, cll_hash_address(address), has_address, &key);
    return found == CLL_TABLE_NONE ? -1 : (int32_t)found;
}

static void chain(cll_registrations *registrations, int32_t number)
{
    cll_registered_area *area = &registrations->areas[number];
    uint64_t hash = cll_hash_address(area->address);
    area->older = newest_of_address(registrations, area->address);
    if (area->older < 0) {
        cll_table_add(&registrations->newest, hash, (uint64_t)number);
    } else {
        cll_table_replace(&registrations->newest, hash, (uint64_t)area->older, (uint64_t)number);
    }
}

static void unchain(cll_registrations *registrations, int32_t number)
{
    const cll_registered_area *area = &registrations->areas[number];
    uint64_t hash = cll_hash_address(area->address);
    int32_t newer = newest_of_address(registrations, area->address);
    if (newer == number && area->older < 0) {
        cll_table_remove(&registrations->newest, hash, (uint64_t)number);
    } else if (newer == number) {
        cll_table_replace(&registrations->newest, hash, (uint64_t)number, (uint64_t)area->older);
    } else {
        while (newer >= 0 && registrations->areas[newer].older != number) {
            newer = registrations->areas[newer].older;
        }
        if (newer >= 0) {
            registrations->areas[newer].older = area->older;
        }
    }
}

static void grow_areas(cll_registrations *registrations, const char *call)
{
    size_t capacity = registrations->capacity;
    registrations->areas = grown(registrations->areas, &capacity, sizeof *registrations->areas, call);
    capacity = registrations->capacity;
    registrations->free_numbers = grown(registrations->free_numbers, &capacity, sizeof *registrations->free_numbers, call);
    registrations->capacity = capacity;
    cll_table_reserve(&registrations->newest, capacity, "registrations");
}

static void add_change(cll_registrations *registrations, int32_t number, int is_removal, const char *call)
{
    if (registrations->change_count == registrations->change_capacity) {
        size_t capacity = registrations->change_capacity;
        registrations->known = grown(registrations->known, &capacity, sizeof *registrations->known, call);
        registrations->changes = grown(registrations->changes, &registrations->change_capacity, sizeof *registrations->changes, call);
    }
    registrations->known[registrations->change_count] = registrations->areas[number].address == NULL ? -1 : number;
    registrations->changes[registrations->change_count].number = number;
    registrations->changes[registrations->change_count++].is_removal = is_removal;
    registrations->order = (registrations->order + 1 + (uint64_t)is_removal) * UINT64_C(0x9e3779b97f4a7c15);
}

void cll_registrations_add(cll_registrations *registrations, void *address, size_t size_bytes, const char *call)
{
    int32_t number;
    if (registrations->free_count > 0) {
        number = registrations->free_numbers[--registrations->free_count];
    } else {
        if (registrations->count == registrations->capacity) {
            grow_areas(registrations, call);
        }
        number = (int32_t)registrations->count++;
    }
    cll_registered_area *area = &registrations->areas[number];
    area->address = address;
    area->size_bytes = address == NULL ? 0 : size_bytes;
    area->older = -1;
    area->is_being_removed = 0;
    add_change(registrations, number, 0, call);
}

/* The newest one that is not being removed yet, also among those of this superstep. */
static int32_t newest_to_remove(const cll_registrations *registrations, const void *address)
{
    for (size_t at = registrations->change_count; at-- > 0;) {
        const cll_registered_area *area = &registrations->areas[registrations->changes[at].number];
        if (!registrations->changes[at].is_removal && area->address == address && !area->is_being_removed) {
            return registrations->changes[at].number;
        }
    }
    int32_t number = newest_of_address(registrations, address);
    while (number >= 0 && registrations->areas[number].is_being_removed) {
        number = registrations->areas[number].older;
    }
    return number;
}

void cll_registrations_remove(cll_registrations *registrations, const void *address, int processor, const char *call)
{
    int32_t number = newest_to_remove(registrations, address);
    if (number < 0) {
        cll_fail("%s: processor %d has not registered the address %p, or has removed each registration of it", call, processor, address);
    }
    registrations->areas[number].is_being_removed = 1;
    add_change(registrations, number, 1, call);
}

int32_t cll_registrations_search(cll_registrations *registrations, const void *address)
{
    int32_t number = address == NULL ? -1 : newest_of_address(registrations, address);
    if (number >= 0) {
        registrations->last_address = address;
        registrations->last_number = number;
    }
    return number;
}

int cll_registrations_will_have(const cll_registrations *registrations, const void *address)
{
    for (size_t at = 0; at < registrations->change_count; at++) {
        if (!registrations->changes[at].is_removal && registrations->areas[registrations->changes[at].number].address == address) {
            return 1;
        }
    }
    return 0;
}

/* A number is the larger: it stands against what does not know. */
int cll_registrations_agree(cll_registrations *registrations, const int32_t *known)
{
    for (size_t at = 0; at < registrations->change_count; at++) {
        int32_t own = registrations->known[at];
        if (own >= 0 && known[at] >= 0 && own != known[at]) {
            return 0;
        }
        registrations->known[at] = own > known[at] ? own : known[at];
    }
    return 1;
}

/* The newest area that no processor has an address of; -1: there is none. */
static int32_t newest_of_nobody(const cll_registrations *registrations)
{
    int32_t number = newest_of_address(registrations, NULL);
    while (number >= 0 && !registrations->areas[number].is_of_nobody) {
        number = registrations->areas[number].older;
    }
    return number;
}

static int remove_one(cll_registrations *registrations, int32_t own, int32_t agreed)
{
    registrations->areas[own].is_being_removed = 0;
    if (agreed < 0) {
        agreed = newest_of_nobody(registrations);
    } else if (agreed != own && registrations->areas[agreed].address != NULL) {
        return 0;
    }
    if (agreed < 0) {
        return 0;
    }
    unchain(registrations, agreed);
    registrations->free_numbers[registrations->free_count++] = agreed;
    return 1;
}

int cll_registrations_apply(cll_registrations *registrations, int *names_nothing)
{
    int suits = 1;
    if (registrations->change_count == 0) {
        return 1;
    }
    for (size_t at = 0; suits && at < registrations->change_count; at++) {
        const cll_registration_change *change = &registrations->changes[at];
        if (change->is_removal) {
            suits = remove_one(registrations, change->number, registrations->known[at]);
            *names_nothing = registrations->known[at] < 0;
        } else {
            registrations->areas[change->number].is_of_nobody = registrations->known[at] < 0;
            chain(registrations, change->number);
        }
    }
    registrations->change_count = 0;
    registrations->order = 0;
    registrations->last_address = NULL;
    return suits;
}

void cll_registrations_clear(cll_registrations *registrations)
{
    cll_table_clear(&registrations->newest);
    registrations->count = 0;
    registrations->free_count = 0;
    registrations->change_count = 0;
    registrations->order = 0;
    registrations->last_address = NULL;
}
