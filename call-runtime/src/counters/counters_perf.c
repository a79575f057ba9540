/* counters_perf.c: the perf events of Linux, of one thread. */
#include "counters_perf.h"

#include <errno.h>
#include <string.h>
#include <strings.h>
#include <unistd.h>

#if defined(__linux__) && defined(__has_include)
#if __has_include(<linux/perf_event.h>) && __has_include(<sys/syscall.h>)
#define CLL_WITH_PERF 1
#include <linux/perf_event.h>
#include <sys/syscall.h>
#endif
#endif

/* With the numbers of the kernel, which belong to its interface. */
static const cll_perf_event perf_events[] = {
    {"page-faults", CLL_PERF_SOFTWARE, 2},
    {"minor-faults", CLL_PERF_SOFTWARE, 5},
    {"major-faults", CLL_PERF_SOFTWARE, 6},
    {"context-switches", CLL_PERF_KERNEL, 3},
    {"cpu-migrations", CLL_PERF_KERNEL, 4},
    {"task-clock", CLL_PERF_CLOCK, 1},
    {"cpu-clock", CLL_PERF_CLOCK, 0},
    {"process-clock", CLL_PERF_CLOCK, 0},
    {"cycles", CLL_PERF_HARDWARE, 0},
    {"instructions", CLL_PERF_HARDWARE, 1},
    {"cache-references", CLL_PERF_HARDWARE, 2},
    {"cache-misses", CLL_PERF_HARDWARE, 3},
    {"branches", CLL_PERF_HARDWARE, 4},
    {"branch-misses", CLL_PERF_HARDWARE, 5},
    {"ref-cycles", CLL_PERF_HARDWARE, 9},
};

/* What PAPI calls them, and further names of the kernel. */
static const struct {
    const char *name;
    const char *event;
} perf_synonyms[] = {
    {"PAPI_TOT_CYC", "cycles"},
    {"PAPI_TOT_INS", "instructions"},
    {"PAPI_REF_CYC", "ref-cycles"},
    {"PAPI_L3_TCA", "cache-references"},
    {"PAPI_L3_TCM", "cache-misses"},
    {"PAPI_BR_INS", "branches"},
    {"PAPI_BR_MSP", "branch-misses"},
    {"PERF_COUNT_SW_PAGE_FAULTS", "page-faults"},
    {"PERF_COUNT_SW_PAGE_FAULTS_MIN", "minor-faults"},
    {"PERF_COUNT_SW_PAGE_FAULTS_MAJ", "major-faults"},
    {"PERF_COUNT_SW_CONTEXT_SWITCHES", "context-switches"},
    {"PERF_COUNT_SW_CPU_MIGRATIONS", "cpu-migrations"},
    {"PERF_COUNT_SW_TASK_CLOCK", "task-clock"},
    {"PERF_COUNT_SW_CPU_CLOCK", "cpu-clock"},
    {"PERF_COUNT_HW_CPU_CYCLES", "cycles"},
    {"PERF_COUNT_HW_INSTRUCTIONS", "instructions"},
    {"PERF_COUNT_HW_CACHE_REFERENCES", "cache-references"},
    {"PERF_COUNT_HW_CACHE_MISSES", "cache-misses"},
    {"PERF_COUNT_HW_BRANCH_INSTRUCTIONS", "branches"},
    {"PERF_COUNT_HW_BRANCH_MISSES", "branch-misses"},
    {"PERF_COUNT_HW_REF_CPU_CYCLES", "ref-cycles"},
    {"faults", "page-faults"},
    {"cs", "context-switches"},
    {"migrations", "cpu-migrations"},
    {"cpu-cycles", "cycles"},
    {"branch-instructions", "branches"},
};

const cll_perf_event *cll_perf_find(const char *name)
{
    static const char prefix[] = "perf::";
    if (strncmp(name, prefix, sizeof prefix - 1) == 0) {
        name += sizeof prefix - 1;
    }
    for (size_t synonym = 0; synonym < sizeof perf_synonyms / sizeof *perf_synonyms; synonym++) {
        if (strcasecmp(name, perf_synonyms[synonym].name) == 0) {
            name = perf_synonyms[synonym].event;
            break;
        }
    }
    for (size_t event = 0; event < sizeof perf_events / sizeof *perf_events; event++) {
        if (strcasecmp(name, perf_events[event].name) == 0) {
            return &perf_events[event];
        }
    }
    return NULL;
}

#ifdef CLL_WITH_PERF

static int open_perf_event(const cll_perf_event *event, int leader)
{
    struct perf_event_attr wanted;
    memset(&wanted, 0, sizeof wanted);
    wanted.size = sizeof wanted;
    wanted.type = event->kind == CLL_PERF_HARDWARE ? PERF_TYPE_HARDWARE : PERF_TYPE_SOFTWARE;
    wanted.config = (uint64_t)event->number;
    wanted.read_format = PERF_FORMAT_GROUP | PERF_FORMAT_TOTAL_TIME_ENABLED | PERF_FORMAT_TOTAL_TIME_RUNNING;
    /* What the processor counts in the program itself is what PAPI counts, too, and mostly allowed. */
    wanted.exclude_kernel = event->kind == CLL_PERF_HARDWARE;
    wanted.exclude_hv = event->kind == CLL_PERF_HARDWARE;
    return (int)syscall(SYS_perf_event_open, &wanted, 0, -1, leader, PERF_FLAG_FD_CLOEXEC);
}

static const char *perf_refusal(const cll_perf_event *event, int error)
{
    switch (error) {
    case ENOENT:
    case ENODEV:
    case EOPNOTSUPP:
        return event->kind == CLL_PERF_HARDWARE ? "perf: hardware counters are not available here" : "perf: this kernel does not count it";
    case EACCES:
    case EPERM:
        return "perf: the kernel does not allow it, see /proc/sys/kernel/perf_event_paranoid";
    case ENOSYS:
        return "perf: this kernel has no perf events";
    case EMFILE:
    case ENFILE:
        return "perf: too many open files";
    case EINVAL:
    case ENOSPC:
        return "perf: the processor cannot count it together with the others";
    default:
        return "perf: the kernel refuses it";
    }
}

const char *cll_perf_add(cll_perf_group *group, const cll_perf_event *event, int slot)
{
    int file = open_perf_event(event, group->count == 0 ? -1 : group->files[0]);
    if (file < 0) {
        return perf_refusal(event, errno);
    }
    group->files[group->count] = file;
    group->slots[group->count] = slot;
    group->values[group->count] = 0;
    group->count++;
    return NULL;
}

int cll_perf_read(cll_perf_group *group, uint64_t *totals)
{
    struct {
        uint64_t count;
        uint64_t enabled_ns;
        uint64_t running_ns;
        uint64_t values[CLL_MOST_COUNTERS];
    } now;
    size_t wanted = sizeof now - sizeof now.values + (size_t)group->count * sizeof *now.values;
    ssize_t got = read(group->files[0], &now, sizeof now);
    if (got < 0 || (size_t)got != wanted || now.count != (uint64_t)group->count) {
        return -1;
    }
    uint64_t enabled_ns = now.enabled_ns - group->enabled_ns;
    uint64_t running_ns = now.running_ns - group->running_ns;
    int is_projected = running_ns < enabled_ns;
    if (is_projected && running_ns == 0) {
        return 1; /* the next reading that knows something covers this time, too */
    }
    group->enabled_ns = now.enabled_ns;
    group->running_ns = now.running_ns;
    for (int event = 0; event < group->count; event++) {
        uint64_t more = now.values[event] - group->values[event];
        group->values[event] = now.values[event];
        if (is_projected) {
            more = (uint64_t)((double)more * (double)enabled_ns / (double)running_ns + 0.5);
        }
        totals[group->slots[event]] += more;
    }
    return is_projected;
}

void cll_perf_close(cll_perf_group *group)
{
    for (int event = group->count - 1; event >= 0; event--) {
        close(group->files[event]);
    }
    memset(group, 0, sizeof *group);
}

#else

const char *cll_perf_add(cll_perf_group *group, const cll_perf_event *event, int slot)
{
    (void)group;
    (void)event;
    (void)slot;
    return "perf: this runtime was compiled without it";
}

int cll_perf_read(cll_perf_group *group, uint64_t *totals)
{
    (void)group;
    (void)totals;
    return -1;
}

void cll_perf_close(cll_perf_group *group)
{
    (void)group;
}

#endif
