/* simulated_waits.c: the waits of all processors in memory that they share. */
#include "simulated_waits.h"

#include <stdlib.h>
#include <string.h>

#include "../base/fail.h"
#include "waits.h"

typedef struct {
    int64_t surplus; /* packets sent, less those received */
    cll_wait reason;
} last_wait;

/* SimGrid may let several processors run at once. */
struct cll_simulated_waits {
    int processors;
    int users;
    int awake;
    int64_t under_way; /* packets, as far as they were sent and received before the last waits */
    last_wait last[];
};

cll_simulated_waits *cll_simulated_waits_make(int processors)
{
    cll_simulated_waits *waits = cll_allocate(1, sizeof *waits + (size_t)processors * sizeof *waits->last, "all processors");
    waits->processors = processors;
    waits->users = processors;
    waits->awake = processors;
    return waits;
}

void cll_simulated_waits_leave(cll_simulated_waits *waits)
{
    if (__atomic_sub_fetch(&waits->users, 1, __ATOMIC_SEQ_CST) == 0) {
        free(waits);
    }
}

CLL_NEVER_RETURNS static void fail_all(const cll_simulated_waits *waits)
{
    cll_waits all;
    memset(&all, 0, sizeof all);
    for (int processor = 0; processor < waits->processors; processor++) {
        cll_waits_add(&all, processor, &waits->last[processor].reason);
    }
    cll_waits_fail(&all);
}

void cll_simulated_waits_begin(cll_simulated_waits *waits, int processor, uint64_t sent, uint64_t received, const cll_wait *reason)
{
    last_wait *last = &waits->last[processor];
    int64_t surplus = (int64_t)(sent - received);
    __atomic_add_fetch(&waits->under_way, surplus - last->surplus, __ATOMIC_SEQ_CST);
    last->surplus = surplus;
    last->reason = *reason;
    if (__atomic_sub_fetch(&waits->awake, 1, __ATOMIC_SEQ_CST) == 0 && __atomic_load_n(&waits->under_way, __ATOMIC_SEQ_CST) == 0) {
        fail_all(waits);
    }
}

void cll_simulated_waits_end(cll_simulated_waits *waits)
{
    __atomic_add_fetch(&waits->awake, 1, __ATOMIC_SEQ_CST);
}
