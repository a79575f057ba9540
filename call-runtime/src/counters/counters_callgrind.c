/* counters_callgrind.c: what callgrind has simulated. It writes its sums into a file whenever the program asks for it (valgrind's manual,
 * "Callgrind specific client requests"), and there they are read. What that takes is simulated as well, and forgotten after it.
 */
#include "counters_callgrind.h"

#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "../base/thread.h"

#ifdef CLL_WITH_CALLGRIND

#include <valgrind/callgrind.h>

/* In the order of callgrind's events with --cache-sim: instructions, reads and writes, their misses in the first level, and in the last. */
enum { READS_OF_INSTRUCTIONS, READS, WRITES, FIRST_OF_INSTRUCTIONS, FIRST_OF_READS, FIRST_OF_WRITES, LAST_OF_INSTRUCTIONS, LAST_OF_READS, LAST_OF_WRITES, SUMS };

enum { CALLGRIND_INSTRUCTIONS, CALLGRIND_ACCESSES, CALLGRIND_FIRST_MISSES, CALLGRIND_LAST_MISSES, CALLGRIND_EVENTS };

static const char *const event_names[CALLGRIND_EVENTS] = {"instructions", "data-accesses", "L1-misses", NULL};

/* All threads of the program are counted together, so one may ask. */
static int is_taken = 0;
static CLL_PER_THREAD int is_ours = 0;

const char *cll_callgrind_caches(void)
{
    const char *caches = getenv("CALL_CACHES");
    return RUNNING_ON_VALGRIND && caches != NULL && *caches != '\0' ? caches : NULL;
}

/* `L1 32768/8/64, L3 1048576/16/64`: the last cache has the name of the level that it stands for. */
static int is_last_level(const char *name)
{
    const char *caches = cll_callgrind_caches();
    const char *last = caches == NULL ? NULL : strrchr(caches, 'L');
    size_t length = last == NULL ? 0 : strcspn(last, " ");
    return length > 0 && strncmp(name, last, length) == 0 && strcmp(name + length, "-misses") == 0;
}

int cll_callgrind_has_other_level(const char *name)
{
    unsigned level;
    int length = 0;
    return sscanf(name, "L%u-misses%n", &level, &length) == 1 && length > 0 && name[length] == '\0';
}

static int find_event(const char *name)
{
    for (int event = 0; event < CALLGRIND_LAST_MISSES; event++) {
        if (strcmp(event_names[event], name) == 0) {
            return event;
        }
    }
    return is_last_level(name) ? CALLGRIND_LAST_MISSES : -1;
}

const char *cll_callgrind_add(cll_callgrind_group *group, const char *name, int slot)
{
    if (cll_callgrind_caches() == NULL || getenv("CALL_CALLGRIND") == NULL) {
        return "callgrind: the program does not run under it, as `call run --misses` lets it";
    }
    int event = find_event(name);
    if (event < 0) {
        return "callgrind: no cache of this run has that name";
    }
    if (!is_ours && __atomic_exchange_n(&is_taken, 1, __ATOMIC_ACQ_REL)) {
        return "callgrind: it counts all threads together, so only the first one is asked";
    }
    is_ours = 1;
    group->events[group->count] = event;
    group->slots[group->count] = slot;
    group->count++;
    return NULL;
}

/* The file that callgrind writes for this process, which opens it anew each time. */
static int open_dump(void)
{
    static int file = -1;
    static pid_t owner = 0;
    pid_t own = getpid();
    if (owner != own) {
        char path[512];
        snprintf(path, sizeof path, "%s.%ld", getenv("CALL_CALLGRIND"), (long)own);
        if (file >= 0) {
            close(file);
        }
        file = open(path, O_RDWR | O_CLOEXEC | O_NOFOLLOW);
        owner = file < 0 ? 0 : own;
    }
    return file;
}

/* The sums stand in the last line, which begins with `totals: `; events behind the last that happened are left out. Nothing of the library
 * is called on the way: its code and tables would take the place of the program's data in the caches. */
static int read_sums(uint64_t *sums)
{
    char end[200];
    int file = open_dump();
    off_t size = file < 0 ? -1 : lseek(file, 0, SEEK_END);
    off_t from = size < (off_t)sizeof end ? 0 : size - (off_t)sizeof end;
    ssize_t length = size < 0 ? -1 : pread(file, end, sizeof end, from);
    if (length < 0 || ftruncate(file, 0) != 0) {
        return -1;
    }
    ssize_t at = length;
    while (at > 0 && end[at - 1] != ':') {
        at--;
    }
    int sum = 0;
    for (int was_digit = 0; at > 0 && at < length && sum < SUMS; at++) {
        int is_digit = end[at] >= '0' && end[at] <= '9';
        if (is_digit) {
            sums[sum] = 10 * sums[sum] + (uint64_t)(end[at] - '0');
        } else if (was_digit) {
            sum++;
        }
        was_digit = is_digit;
    }
    return sum > 0 ? 0 : -1;
}

int cll_callgrind_read(const cll_callgrind_group *group, uint64_t *totals)
{
    uint64_t sums[SUMS] = {0};
    CALLGRIND_DUMP_STATS;
    int result = read_sums(sums);
    const uint64_t counts[CALLGRIND_EVENTS] = {
        sums[READS_OF_INSTRUCTIONS],
        sums[READS] + sums[WRITES],
        sums[FIRST_OF_READS] + sums[FIRST_OF_WRITES],
        sums[LAST_OF_READS] + sums[LAST_OF_WRITES],
    };
    for (int event = 0; event < group->count; event++) {
        totals[group->slots[event]] += counts[group->events[event]];
    }
    CALLGRIND_ZERO_STATS;
    return result;
}

#else

const char *cll_callgrind_add(cll_callgrind_group *group, const char *name, int slot)
{
    (void)group;
    (void)name;
    (void)slot;
    return "callgrind: `call run --misses` compiles programs for it";
}

int cll_callgrind_read(const cll_callgrind_group *group, uint64_t *totals)
{
    (void)group;
    (void)totals;
    return 0;
}

int cll_callgrind_has_other_level(const char *name)
{
    (void)name;
    return 0;
}

const char *cll_callgrind_caches(void)
{
    return NULL;
}

#endif
