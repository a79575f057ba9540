/* regions.h: the parallel regions of OpenMP that run inside measurements. `P` of a measurement around regions is the largest team that
 * ran one of them. */
#ifndef CLL_REGIONS_H
#define CLL_REGIONS_H

#include "../recording/recorder.h"

/* Of an open measurement of a thread in a team of `team` threads. `asks_regions`: its P is the team of the regions that its thread
 * opens, if it opens any, else that of its own team. */
static inline int32_t cll_open_teams(int team, int asks_regions)
{
    return (int32_t)((uint32_t)team | (asks_regions ? 0 : (uint32_t)CLL_REGIONS_UNASKED << 16));
}

static inline unsigned cll_team_of_regions(const cll_record *record)
{
    return (uint32_t)record->processors >> 16;
}

/* Threads of the region that this thread opens; in the thread itself. Returns what the end of the region hands back. */
const cll_record *cll_region_begins(unsigned team);
void cll_region_ends(const cll_record *around);

/* What the regions inside an open measurement were is so of the one around it, unless a region is between them. */
void cll_regions_hand_on(const cll_recorder *own, const cll_record *ended);

/* The record has its P. */
static inline void cll_regions_settle(cll_record *record)
{
    unsigned team = cll_team_of_regions(record);
    record->processors = team == 0 || team == CLL_REGIONS_UNASKED ? record->processors & UINT16_MAX : (int32_t)team;
}

/* Tells, once each, which experiments have regions of different teams. */
void cll_regions_tell_different(void);

#endif
