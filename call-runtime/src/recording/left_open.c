/* left_open.c: a list of the experiments of which measurements were left open, which grows at its start only. */
#include "left_open.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/fail.h"
#include "../program/units.h"

typedef struct left_open {
    struct left_open *next;
    const cll_experiment *experiment;
    const cll_experiment *around;
    int is_crossing_told;
    uint64_t untold; /* to be told by the next report */
    uint64_t unended; /* whose end may still come */
} left_open;

static left_open *first_left_open = NULL;
static pthread_mutex_t left_open_lock = PTHREAD_MUTEX_INITIALIZER;

static left_open *find_left_open(const cll_experiment *experiment, const cll_experiment *around)
{
    left_open *its = __atomic_load_n(&first_left_open, __ATOMIC_ACQUIRE);
    while (its != NULL && (its->experiment != experiment || its->around != around)) {
        its = its->next;
    }
    return its;
}

static left_open *find_or_make_left_open(const cll_experiment *experiment, const cll_experiment *around)
{
    left_open *its = find_left_open(experiment, around);
    if (its != NULL) {
        return its;
    }
    pthread_mutex_lock(&left_open_lock);
    its = find_left_open(experiment, around);
    if (its == NULL) {
        its = cll_allocate(1, sizeof *its, "the measurements that were left open");
        its->experiment = experiment;
        its->around = around;
        its->next = first_left_open;
        __atomic_store_n(&first_left_open, its, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&left_open_lock);
    return its;
}

void cll_left_open(const cll_experiment *experiment, const cll_experiment *around)
{
    left_open *its = find_or_make_left_open(experiment, around);
    __atomic_add_fetch(&its->untold, 1, __ATOMIC_RELAXED);
    __atomic_add_fetch(&its->unended, around != NULL, __ATOMIC_RELAXED);
}

/* Counts down unless nothing is left. */
static int take_one(uint64_t *count)
{
    uint64_t before = __atomic_load_n(count, __ATOMIC_RELAXED);
    while (before > 0 && !__atomic_compare_exchange_n(count, &before, before - 1, 0, __ATOMIC_RELAXED, __ATOMIC_RELAXED)) {
    }
    return before > 0;
}

/* Where it stands: FILE:LINE for one that is declared by hand. */
static void write_place(char *text, size_t capacity, const cll_experiment *experiment)
{
    int count;
    cll_description *descriptions = cll_units_describe(&count);
    const char *file = NULL;
    for (int number = 0; number < count && file == NULL && experiment->block_count > 0; number++) {
        if (descriptions[number].experiment == experiment) {
            file = cll_description_file(&descriptions[number], 0);
        }
    }
    size_t length = (size_t)snprintf(text, capacity, "%s", file == NULL ? experiment->block_count > 0 ? "line " : "a place unknown" : file);
    for (int block = 0; block < experiment->block_count && length + 40 < capacity; block++) {
        const cll_block *its = &experiment->blocks[block];
        length += (size_t)snprintf(text + length, capacity - length, "%s%d", block > 0 ? ", " : file == NULL ? "" : ":", its->first_line);
        if (its->last_line != its->first_line) {
            length += (size_t)snprintf(text + length, capacity - length, "-%d", its->last_line);
        }
    }
    free(descriptions);
}

int cll_left_open_is_ended(const cll_experiment *experiment)
{
    left_open *its = __atomic_load_n(&first_left_open, __ATOMIC_ACQUIRE);
    while (its != NULL && (its->experiment != experiment || !take_one(&its->unended))) {
        its = its->next;
    }
    if (its == NULL) {
        return 0;
    }
    take_one(&its->untold);
    if (!__atomic_exchange_n(&its->is_crossing_told, 1, __ATOMIC_RELAXED)) {
        char place[512], place_around[512];
        write_place(place, sizeof place, experiment);
        write_place(place_around, sizeof place_around, its->around);
        cll_tell("end %s: its measurement (%s) was begun inside of one of %s (%s), whose end has closed it: measurements must nest; it has no "
                 "row and counts as abandoned, here and wherever the two cross",
                 experiment->name, place, its->around->name, place_around);
    }
    return 1;
}

static void tell_left_open(const left_open *its, uint64_t count)
{
    char place[512], when[640] = "at the report";
    write_place(place, sizeof place, its->experiment);
    if (its->around != NULL) {
        snprintf(when, sizeof when, "when that of %s around %s ended", its->around->name, count == 1 ? "it" : "them");
    }
    cll_tell("experiment %s (%s): %llu %s begun and not ended, %s: no row, and counted as abandoned (is there a way past the end?)",
             its->experiment->name, place, (unsigned long long)count, count == 1 ? "measurement was" : "measurements were", when);
}

void cll_left_open_tell(void)
{
    for (left_open *its = __atomic_load_n(&first_left_open, __ATOMIC_ACQUIRE); its != NULL; its = its->next) {
        uint64_t count = __atomic_exchange_n(&its->untold, 0, __ATOMIC_RELAXED);
        if (count > 0) {
            tell_left_open(its, count);
        }
    }
}

void cll_left_open_forget(void)
{
    for (left_open *its = first_left_open; its != NULL; its = its->next) {
        its->untold = its->unended = 0;
    }
}
