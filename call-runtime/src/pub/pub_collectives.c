/* pub_collectives.c: broadcast, reduction and prefixes of pub.h, on binomial trees. They are no supersteps: they use the channel that
 * reports use, on which packets between two processors keep their order. */

#include <stdlib.h>
#include <string.h>

#include "../base/fail.h"
#include "pub_inside.h"

typedef struct {
    cll_machine *machine;
    int processors;
    int processor;
    size_t count;
    const char *call;
} collective;

static collective checked(const t_bsp *bsp, const void *data, const void *result, int size, const char *call)
{
    collective its;
    its.machine = cll_pub_machine_of(bsp, call);
    its.processors = cll_machine_processors(its.machine);
    its.processor = cll_machine_processor(its.machine);
    its.count = (size_t)size;
    its.call = call;
    if (size < 0) {
        cll_fail("%s: %d bytes cannot be sent", call, size);
    }
    if (size > 0 && (data == NULL || result == NULL)) {
        cll_fail("%s: the address of the data or of the result is NULL", call);
    }
    return its;
}

static void receive(const collective *its, int from, void *bytes)
{
    size_t count = cll_pub_take(its->machine, 0, from, bytes, its->count, its->call);
    if (count != its->count) {
        cll_fail("%s: processor %d has %zu bytes, and processor %d has %zu", its->call, from, count, its->processor, its->count);
    }
}

static void send(const collective *its, int64_t to, const void *bytes)
{
    cll_pub_give(its->machine, 0, (int)to, bytes, its->count);
}

static void broadcast(const collective *its, int root, void *data)
{
    int own = (its->processor - root + its->processors) % its->processors; /* number in the tree */
    int64_t bit = 1;
    for (; bit < its->processors; bit *= 2) {
        if (own & bit) {
            receive(its, (int)((own - bit + root) % its->processors), data);
            break;
        }
    }
    for (bit /= 2; bit > 0; bit /= 2) {
        if (own + bit < its->processors) {
            send(its, (own + bit + root) % its->processors, data);
        }
    }
}

void bsp_bcast(t_bsp *bsp, int root, void *data, int size)
{
    collective its = checked(bsp, data, data, size, "bsp_bcast");
    if (root < 0 || root >= its.processors) {
        cll_machine_fail_processor(its.machine, root, its.call);
    }
    broadcast(&its, root, data);
}

/* Size of a place that leaves the next one aligned. */
static size_t place_bytes(const collective *its)
{
    return (its->count + 16) & ~(size_t)15;
}

/* For what comes, and for the result of it. */
static unsigned char *two_places(const collective *its)
{
    unsigned char *places = malloc(2 * place_bytes(its));
    if (places == NULL) {
        cll_fail("%s: no memory", its->call);
    }
    return places;
}

static void copy_result(const collective *its, void *result, const void *combined)
{
    if (its->count > 0) {
        memmove(result, combined, its->count);
    }
}

void bsp_reduce(t_bsp *bsp, t_bspop combine, const void *data, void *result, int size)
{
    collective its = checked(bsp, data, result, size, "bsp_reduce");
    unsigned char *came = two_places(&its);
    unsigned char *combined = came + place_bytes(&its);
    copy_result(&its, result, data);
    for (int64_t bit = 1; bit < its.processors; bit *= 2) {
        if (its.processor & bit) {
            send(&its, its.processor - bit, result);
            break;
        }
        if (its.processor + bit < its.processors) {
            receive(&its, (int)(its.processor + bit), came);
            combine(combined, result, came, size);
            copy_result(&its, result, combined);
        }
    }
    free(came);
    broadcast(&its, 0, result);
}

/* After the round of a distance d the result covers the 2d processors up to this one. */
void bsp_scan(t_bsp *bsp, t_bspop combine, const void *data, void *result, int size)
{
    collective its = checked(bsp, data, result, size, "bsp_scan");
    unsigned char *came = two_places(&its);
    unsigned char *combined = came + place_bytes(&its);
    copy_result(&its, result, data);
    for (int64_t distance = 1; distance < its.processors; distance *= 2) {
        if (its.processor + distance < its.processors) {
            send(&its, its.processor + distance, result);
        }
        if (its.processor >= distance) {
            receive(&its, (int)(its.processor - distance), came);
            combine(combined, came, result, size);
            copy_result(&its, result, combined);
        }
    }
    free(came);
}
