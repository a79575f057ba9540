/* waiting.c: asks the operating system, which tells it in /proc where it is Linux. */
#include "waiting.h"

#include <dirent.h>
#include <stdio.h>
#include <string.h>

typedef struct {
    unsigned long long all;
    unsigned long long stolen;
} passed_ticks;

static passed_ticks at_start;

static void add_thread(cll_processor_time *sum, const char *thread)
{
    char path[64];
    unsigned long long ran_ns, waited_ns;
    if (snprintf(path, sizeof path, "/proc/self/task/%.20s/schedstat", thread) >= (int)sizeof path) {
        return;
    }
    FILE *file = fopen(path, "r");
    if (file == NULL) {
        return;
    }
    if (fscanf(file, "%llu %llu", &ran_ns, &waited_ns) == 2) {
        sum->ran_ns += ran_ns;
        sum->waited_ns += waited_ns;
    }
    fclose(file);
}

cll_processor_time cll_processor_time_look(void)
{
    cll_processor_time sum = {0, 0};
    DIR *threads = opendir("/proc/self/task");
    if (threads == NULL) {
        return sum;
    }
    for (const struct dirent *thread = readdir(threads); thread != NULL; thread = readdir(threads)) {
        if (thread->d_name[0] != '.') {
            add_thread(&sum, thread->d_name);
        }
    }
    closedir(threads);
    return sum;
}

/* Zeros where it is not told. */
static passed_ticks look_at_ticks(void)
{
    enum { STOLEN = 7, KINDS }; /* user, nice, system, idle, iowait, irq, softirq, steal; guests are counted among users */
    passed_ticks ticks = {0, 0};
    unsigned long long kinds[KINDS];
    FILE *file = fopen("/proc/stat", "r");
    if (file == NULL) {
        return ticks;
    }
    if (fscanf(file, "cpu %llu %llu %llu %llu %llu %llu %llu %llu", kinds, kinds + 1, kinds + 2, kinds + 3, kinds + 4, kinds + 5, kinds + 6,
               kinds + STOLEN) == KINDS) {
        for (int kind = 0; kind < KINDS; kind++) {
            ticks.all += kinds[kind];
        }
        ticks.stolen = kinds[STOLEN];
    }
    fclose(file);
    return ticks;
}

void cll_stolen_start(void)
{
    at_start = look_at_ticks();
}

double cll_stolen_share(void)
{
    passed_ticks now = look_at_ticks();
    if (at_start.all == 0 || now.all <= at_start.all || now.stolen < at_start.stolen) {
        return -1;
    }
    return (double)(now.stolen - at_start.stolen) / (double)(now.all - at_start.all);
}
