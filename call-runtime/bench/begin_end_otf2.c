/* begin_end_otf2.c: the contestants of OTF2: an event for the begin, with two attributes or none, and one for the end. */
#include <otf2/otf2.h>

#include "../src/base/clock.h"
#include "contestant.h"
#include "otf2_flush.h"

enum { REGION = 0, N = 0, X = 1 };

static OTF2_Archive *archive;
static OTF2_EvtWriter *writers[CLOCKS]; /* a location's times must not fall */
static OTF2_AttributeList *attributes;

int otf2_open(const char *directory)
{
    archive = OTF2_Archive_Open(directory, "pairs", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT, OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT,
                                OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (archive == NULL) {
        return 0;
    }
    OTF2_Archive_SetFlushCallbacks(archive, &flush_callbacks, NULL);
    OTF2_Archive_SetSerialCollectiveCallbacks(archive);
    OTF2_Archive_OpenEvtFiles(archive);
    for (int clock = 0; clock < CLOCKS; clock++) {
        writers[clock] = OTF2_Archive_GetEvtWriter(archive, (OTF2_LocationRef)clock);
    }
    attributes = OTF2_AttributeList_New();
    return writers[0] != NULL && writers[1] != NULL && attributes != NULL;
}

void otf2_close(void)
{
    OTF2_AttributeList_Delete(attributes);
    for (int clock = 0; clock < CLOCKS; clock++) {
        OTF2_Archive_CloseEvtWriter(archive, writers[clock]);
    }
    OTF2_Archive_CloseEvtFiles(archive);
    OTF2_Archive_Close(archive);
}

static uint64_t begin_time(clock_kind clock)
{
#ifdef CLL_WITH_TSC
    if (clock == TSC) {
        return cll_tsc_begin();
    }
#endif
    (void)clock;
    return cll_clock_wall_ns();
}

static uint64_t end_time(clock_kind clock)
{
#ifdef CLL_WITH_TSC
    if (clock == TSC) {
        return cll_tsc_end();
    }
#endif
    (void)clock;
    return cll_clock_wall_ns();
}

static void pairs_without(int pairs, clock_kind clock)
{
    OTF2_EvtWriter *writer = writers[clock];
    for (int pair = 0; pair < pairs; pair++) {
        OTF2_EvtWriter_Enter(writer, NULL, begin_time(clock), REGION);
        OTF2_EvtWriter_Leave(writer, NULL, end_time(clock), REGION);
    }
}

static void pairs_with_two(int pairs, clock_kind clock)
{
    OTF2_EvtWriter *writer = writers[clock];
    for (int pair = 0; pair < pairs; pair++) {
        OTF2_AttributeList_AddInt64(attributes, N, pair);
        OTF2_AttributeList_AddDouble(attributes, X, 0.5 * pair);
        OTF2_EvtWriter_Enter(writer, attributes, begin_time(clock), REGION);
        OTF2_EvtWriter_Leave(writer, NULL, end_time(clock), REGION);
    }
}

const contestant otf2_contestants[] = {
    {"OTF2, no attributes", pairs_without, 0},
    {"OTF2, 2 attributes", pairs_with_two, 0},
    {NULL, NULL, 0},
};
