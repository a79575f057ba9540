/* waits.c: the one message about all processors that wait in vain. */
#include "waits.h"

#include <stdio.h>
#include <string.h>

static void remove_wait(cll_waits *waits, int64_t at)
{
    waits->count--;
    waits->left_out++;
    memmove(&waits->waits[at], &waits->waits[at + 1], (size_t)(waits->count - at) * sizeof *waits->waits);
}

/* Whether there is room for one more that waits for so many messages. */
static int make_room(cll_waits *waits, uint64_t want)
{
    int64_t at = waits->count;
    if (at < CLL_TOLD_WAITS) {
        return 1;
    }
    while (want > 0 && at-- > 0) {
        if (waits->waits[at].want == 0) {
            remove_wait(waits, at);
            return 1;
        }
    }
    return 0;
}

void cll_waits_add(cll_waits *waits, int processor, const cll_wait *wait)
{
    if (!make_room(waits, wait->want)) {
        waits->left_out++;
        return;
    }
    cll_told_wait *told = &waits->waits[waits->count++];
    memset(told, 0, sizeof *told);
    strncpy(told->call, wait->call, sizeof told->call - 1);
    told->superstep = wait->superstep;
    told->have = wait->have;
    told->want = wait->want;
    told->processor = processor;
}

static int describe(char *text, size_t capacity, const cll_told_wait *told)
{
    int length = snprintf(text, capacity, "; processor %d in %s, superstep %llu", (int)told->processor, told->call,
                          (unsigned long long)told->superstep);
    if (told->want > 0) {
        length += snprintf(text + length, capacity - (size_t)length, ", with %llu of %llu messages", (unsigned long long)told->have,
                           (unsigned long long)told->want);
    }
    return length;
}

void cll_waits_fail(const cll_waits *waits)
{
    enum { LONGEST = 192 };
    char text[(CLL_TOLD_WAITS + 1) * LONGEST];
    int length = 0;
    text[0] = '\0';
    for (int64_t at = 0; at < waits->count; at++) {
        length += describe(text + length, LONGEST, &waits->waits[at]);
    }
    if (waits->left_out > 0) {
        snprintf(text + length, LONGEST, "; and %lld others", (long long)waits->left_out);
    }
    cll_fail("all processors wait and no message is on its way%s", text);
}
