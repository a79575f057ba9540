/* regions.c: which teams ran the parallel regions inside of measurements. */
#include "regions.h"

#include <pthread.h>

#include "../base/fail.h"

/* So many experiments with different teams are told; nothing is allocated while clocks run. */
enum { MOST_DIFFERENT = 16 };

static struct different_teams {
    const cll_experiment *experiment;
    unsigned smallest;
    unsigned largest;
    int is_told;
} different_teams[MOST_DIFFERENT];

static pthread_mutex_t different_teams_lock = PTHREAD_MUTEX_INITIALIZER;

static void note_different(const cll_experiment *experiment, unsigned one, unsigned other)
{
    unsigned smallest = one < other ? one : other;
    unsigned largest = one < other ? other : one;
    pthread_mutex_lock(&different_teams_lock);
    for (struct different_teams *at = different_teams; at < different_teams + MOST_DIFFERENT; at++) {
        if (at->experiment == NULL) {
            *at = (struct different_teams){experiment, smallest, largest, 0};
        }
        if (at->experiment == experiment) {
            at->smallest = smallest < at->smallest ? smallest : at->smallest;
            at->largest = largest > at->largest ? largest : at->largest;
            break;
        }
    }
    pthread_mutex_unlock(&different_teams_lock);
}

static void note_team(cll_record *record, unsigned team)
{
    unsigned known = cll_team_of_regions(record);
    if (known == CLL_REGIONS_UNASKED || known == team) {
        return;
    }
    if (known != 0) {
        note_different(record->experiment, known, team);
    }
    if (team > known) {
        record->processors = (int32_t)(((uint32_t)record->processors & UINT16_MAX) | team << 16);
    }
}

const cll_record *cll_region_begins(unsigned team)
{
    cll_recorder *own = cll_own_recorder;
    if (!cll_recorder_is_any(own)) {
        return NULL;
    }
    const cll_record *around = own->around_region;
    if (own->innermost != NULL && own->innermost != around && team < CLL_REGIONS_UNASKED) {
        note_team(own->innermost, team);
    }
    own->around_region = own->innermost;
    return around;
}

void cll_region_ends(const cll_record *around)
{
    cll_recorder *own = cll_own_recorder;
    if (cll_recorder_is_any(own)) {
        own->around_region = around;
    }
}

void cll_regions_hand_on(const cll_recorder *own, const cll_record *ended)
{
    cll_record *around = ended->is.enclosing;
    unsigned team = cll_team_of_regions(ended);
    if (around != NULL && around != own->around_region && team != 0 && team != CLL_REGIONS_UNASKED) {
        note_team(around, team);
    }
}

void cll_regions_tell_different(void)
{
    pthread_mutex_lock(&different_teams_lock);
    for (struct different_teams *at = different_teams; at < different_teams + MOST_DIFFERENT && at->experiment != NULL; at++) {
        if (!at->is_told) {
            at->is_told = 1;
            cll_tell("%s: parallel regions inside its block ran on teams of %u to %u threads: P is the largest of them", at->experiment->name,
                     at->smallest, at->largest);
        }
    }
    pthread_mutex_unlock(&different_teams_lock);
}
