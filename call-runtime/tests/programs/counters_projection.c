/* Readings of perf events from a pipe, as the kernel would give them: what is counted for a part of the time only is projected, what
 * was not counted yet waits for the next reading, and what is no reading is told. */
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../../src/counters/counters_perf.h"

static int read_from(cll_perf_group *group, int pipe, uint64_t *totals, const uint64_t *words, size_t count)
{
    if (write(pipe, words, count * sizeof *words) != (ssize_t)(count * sizeof *words)) {
        return -2;
    }
    return cll_perf_read(group, totals);
}

int main(void)
{
    /* number of events, enabled, running, then each of them */
    static const uint64_t readings[][5] = {
        {2, 100, 100, 7, 70}, {2, 200, 150, 12, 71}, {2, 300, 150, 12, 71}, {2, 400, 160, 13, 72}, {2, 500, 260, 14, 72}, {3, 600, 360, 15, 73},
    };
    int ends[2];
    uint64_t totals[3] = {1000, 0, 0};
    cll_perf_group group;
    memset(&group, 0, sizeof group);
    if (pipe(ends) != 0) {
        return 1;
    }
    group.count = 2;
    group.files[0] = ends[0];
    group.slots[0] = 2;
    group.slots[1] = 0;
    for (size_t reading = 0; reading < sizeof readings / sizeof *readings; reading++) {
        int result = read_from(&group, ends[1], totals, readings[reading], 5);
        printf("%d %llu %llu %llu\n", result, (unsigned long long)totals[0], (unsigned long long)totals[1], (unsigned long long)totals[2]);
    }
    printf("%d\n", read_from(&group, ends[1], totals, readings[0], 4));
    return 0;
}
