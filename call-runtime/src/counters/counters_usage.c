/* counters_usage.c: what the kernel tells every thread about itself and its process. */
#include "counters_usage.h"

#include <string.h>
#include <sys/resource.h>
#include <time.h>

#if defined(RUSAGE_THREAD) && defined(CLOCK_THREAD_CPUTIME_ID)

enum usage_sum { USAGE_FAULTS, USAGE_MINOR_FAULTS, USAGE_MAJOR_FAULTS, USAGE_SWITCHES, USAGE_CLOCK, USAGE_PROCESS_CLOCK };

static const struct {
    const char *event;
    enum usage_sum sum;
} usage_events[] = {
    {"page-faults", USAGE_FAULTS},        {"minor-faults", USAGE_MINOR_FAULTS}, {"major-faults", USAGE_MAJOR_FAULTS},
    {"context-switches", USAGE_SWITCHES}, {"task-clock", USAGE_CLOCK},          {"cpu-clock", USAGE_CLOCK},
    {"process-clock", USAGE_PROCESS_CLOCK},
};

static uint64_t nanoseconds_of(clockid_t clock)
{
    struct timespec busy = {0, 0};
    clock_gettime(clock, &busy);
    return (uint64_t)busy.tv_sec * UINT64_C(1000000000) + (uint64_t)busy.tv_nsec;
}

static void look_at_usage(const cll_usage_group *group, uint64_t *now)
{
    struct rusage usage;
    memset(&usage, 0, sizeof usage);
    getrusage(RUSAGE_THREAD, &usage);
    for (int event = 0; event < group->count; event++) {
        switch ((enum usage_sum)group->sums[event]) {
        case USAGE_FAULTS:
            now[event] = (uint64_t)usage.ru_minflt + (uint64_t)usage.ru_majflt;
            break;
        case USAGE_MINOR_FAULTS:
            now[event] = (uint64_t)usage.ru_minflt;
            break;
        case USAGE_MAJOR_FAULTS:
            now[event] = (uint64_t)usage.ru_majflt;
            break;
        case USAGE_SWITCHES:
            now[event] = (uint64_t)usage.ru_nvcsw + (uint64_t)usage.ru_nivcsw;
            break;
        case USAGE_CLOCK:
            now[event] = nanoseconds_of(CLOCK_THREAD_CPUTIME_ID);
            break;
        case USAGE_PROCESS_CLOCK:
            now[event] = nanoseconds_of(CLOCK_PROCESS_CPUTIME_ID);
            break;
        }
    }
}

const char *cll_usage_add(cll_usage_group *group, const char *event, int slot)
{
    uint64_t now[CLL_MOST_COUNTERS];
    size_t known = 0;
    while (known < sizeof usage_events / sizeof *usage_events && strcmp(usage_events[known].event, event) != 0) {
        known++;
    }
    if (known == sizeof usage_events / sizeof *usage_events) {
        return "getrusage: there is no such number";
    }
    group->sums[group->count] = usage_events[known].sum;
    group->slots[group->count] = slot;
    group->count++;
    look_at_usage(group, now);
    group->values[group->count - 1] = now[group->count - 1];
    return NULL;
}

void cll_usage_read(cll_usage_group *group, uint64_t *totals)
{
    uint64_t now[CLL_MOST_COUNTERS];
    look_at_usage(group, now);
    for (int event = 0; event < group->count; event++) {
        totals[group->slots[event]] += now[event] - group->values[event];
        group->values[event] = now[event];
    }
}

#else

const char *cll_usage_add(cll_usage_group *group, const char *event, int slot)
{
    (void)group;
    (void)event;
    (void)slot;
    return "getrusage: it knows no threads here";
}

void cll_usage_read(cll_usage_group *group, uint64_t *totals)
{
    (void)group;
    (void)totals;
}

#endif
