/* areas.c: a table of areas by number, and chains by address with the newest area first. */
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

static size_t bucket_of_address(const cll_registrations *areas, const void *address)
{
    uint64_t mixed = (uint64_t)(uintptr_t)address * UINT64_C(0x9e3779b97f4a7c15);
    return (size_t)(mixed >> 32) & (areas->bucket_count - 1);
}

static void chain(cll_registrations *areas, int32_t number)
{
    int32_t *link = &areas->buckets[bucket_of_address(areas, areas->areas[number].address)];
    while (*link >= 0 && areas->areas[*link].age > areas->areas[number].age) {
        link = &areas->areas[*link].older;
    }
    areas->areas[number].older = *link;
    *link = number;
}

static void unchain(cll_registrations *areas, int32_t number)
{
    int32_t *link = &areas->buckets[bucket_of_address(areas, areas->areas[number].address)];
    while (*link >= 0 && *link != number) {
        link = &areas->areas[*link].older;
    }
    if (*link == number) {
        *link = areas->areas[number].older;
    }
}

/* All areas are in a new table of buckets before the room for areas grows beyond it. */
static void grow_areas(cll_registrations *areas, const char *call)
{
    size_t capacity = areas->capacity;
    areas->areas = grown(areas->areas, &capacity, sizeof *areas->areas, call);
    capacity = areas->capacity;
    areas->free_numbers = grown(areas->free_numbers, &capacity, sizeof *areas->free_numbers, call);
    int32_t *buckets = malloc(capacity * sizeof *buckets);
    int32_t *old = areas->buckets;
    size_t old_count = areas->bucket_count;
    if (buckets == NULL) {
        cll_fail("%s: no memory for %zu registrations", call, capacity);
    }
    for (size_t at = 0; at < capacity; at++) {
        buckets[at] = -1;
    }
    areas->buckets = buckets;
    areas->bucket_count = areas->capacity = capacity;
    for (size_t at = 0; at < old_count; at++) {
        for (int32_t number = old[at]; number >= 0;) {
            int32_t older = areas->areas[number].older;
            chain(areas, number);
            number = older;
        }
    }
    free(old);
}

static void add_change(cll_registrations *areas, int32_t number, int is_removal, const char *call)
{
    if (areas->change_count == areas->change_capacity) {
        areas->changes = grown(areas->changes, &areas->change_capacity, sizeof *areas->changes, call);
    }
    areas->changes[areas->change_count].number = number;
    areas->changes[areas->change_count++].is_removal = is_removal;
    areas->order = (areas->order + 1 + (uint64_t)is_removal) * UINT64_C(0x9e3779b97f4a7c15);
}

void cll_registrations_add(cll_registrations *areas, void *address, size_t size_bytes, const char *call)
{
    int32_t number;
    if (areas->free_count > 0) {
        number = areas->free_numbers[--areas->free_count];
    } else {
        if (areas->count == areas->capacity) {
            grow_areas(areas, call);
        }
        number = (int32_t)areas->count++;
    }
    cll_registered_area *area = &areas->areas[number];
    area->address = address;
    area->size_bytes = address == NULL ? 0 : size_bytes;
    area->age = ++areas->age;
    area->older = -1;
    area->is_being_removed = 0;
    add_change(areas, number, 0, call);
}

/* The newest one that is not being removed yet, also among those of this superstep. */
static int32_t newest_to_remove(const cll_registrations *areas, const void *address)
{
    for (size_t at = areas->change_count; at-- > 0;) {
        const cll_registered_area *area = &areas->areas[areas->changes[at].number];
        if (!areas->changes[at].is_removal && area->address == address && !area->is_being_removed) {
            return areas->changes[at].number;
        }
    }
    int32_t number = areas->bucket_count == 0 ? -1 : areas->buckets[bucket_of_address(areas, address)];
    while (number >= 0 && (areas->areas[number].address != address || areas->areas[number].is_being_removed)) {
        number = areas->areas[number].older;
    }
    return number;
}

void cll_registrations_remove(cll_registrations *areas, const void *address, int processor, const char *call)
{
    int32_t number = newest_to_remove(areas, address);
    if (number < 0) {
        cll_fail("%s: processor %d has not registered the address %p, or has removed each registration of it", call, processor, address);
    }
    areas->areas[number].is_being_removed = 1;
    if (areas->removal_count == areas->removal_capacity) {
        areas->removals = grown(areas->removals, &areas->removal_capacity, sizeof *areas->removals, call);
    }
    areas->removals[areas->removal_count++] = address == NULL ? -1 - number : number;
    add_change(areas, number, 1, call);
}

int32_t cll_registrations_search(cll_registrations *areas, const void *address)
{
    int32_t number = areas->bucket_count == 0 || address == NULL ? -1 : areas->buckets[bucket_of_address(areas, address)];
    while (number >= 0 && areas->areas[number].address != address) {
        number = areas->areas[number].older;
    }
    if (number >= 0) {
        areas->last_address = address;
        areas->last_number = number;
    }
    return number;
}

int cll_registrations_will_have(const cll_registrations *areas, const void *address)
{
    for (size_t at = 0; at < areas->change_count; at++) {
        if (!areas->changes[at].is_removal && areas->areas[areas->changes[at].number].address == address) {
            return 1;
        }
    }
    return 0;
}

/* A number is the larger: it stands against what does not know. */
int cll_registrations_agree(cll_registrations *areas, const int32_t *removals)
{
    for (size_t at = 0; at < areas->removal_count; at++) {
        int32_t own = areas->removals[at];
        int32_t other = removals[at];
        if (own >= 0 && other >= 0 && own != other) {
            return 0;
        }
        areas->removals[at] = own > other ? own : other;
    }
    return 1;
}

static int remove_one(cll_registrations *areas, int32_t own, int32_t agreed)
{
    areas->areas[own].is_being_removed = 0;
    if (agreed < 0) {
        return 1; /* NULL everywhere: nobody can name it, and which one was meant is open */
    }
    if (agreed != own && areas->areas[agreed].address != NULL) {
        return 0;
    }
    unchain(areas, agreed);
    areas->free_numbers[areas->free_count++] = agreed;
    areas->open_count--;
    return 1;
}

int cll_registrations_apply(cll_registrations *areas)
{
    size_t removal = 0;
    int suits = 1;
    if (areas->change_count == 0) {
        return 1;
    }
    for (size_t at = 0; suits && at < areas->change_count; at++) {
        const cll_registration_change *change = &areas->changes[at];
        if (change->is_removal) {
            suits = remove_one(areas, change->number, areas->removals[removal++]);
        } else {
            chain(areas, change->number);
            areas->open_count++;
        }
    }
    areas->change_count = 0;
    areas->removal_count = 0;
    areas->order = 0;
    areas->last_address = NULL;
    return suits;
}

void cll_registrations_clear(cll_registrations *areas)
{
    for (size_t at = 0; at < areas->bucket_count; at++) {
        areas->buckets[at] = -1;
    }
    areas->count = 0;
    areas->free_count = 0;
    areas->open_count = 0;
    areas->change_count = 0;
    areas->removal_count = 0;
    areas->order = 0;
    areas->last_address = NULL;
}
