/* waits.h: what is said when all processors wait in vain. */
#ifndef CLL_BSP_WAITS_H
#define CLL_BSP_WAITS_H

#include <stdint.h>

#include "../base/fail.h"
#include "transport.h"

/* A line has room for so many. */
#define CLL_TOLD_WAITS 8

typedef struct {
    char call[24];
    uint64_t superstep;
    uint64_t have;
    uint64_t want;
    int64_t processor;
} cll_told_wait;

/* Zeroed it is empty. It may be sent from one process to another. */
typedef struct {
    int64_t count;
    int64_t left_out;
    cll_told_wait waits[CLL_TOLD_WAITS];
} cll_waits;

/* In the order of the processors. Where there is no room for all, those that wait for messages come first. */
void cll_waits_add(cll_waits *waits, int processor, const cll_wait *wait);

CLL_NEVER_RETURNS void cll_waits_fail(const cll_waits *waits);

#endif
