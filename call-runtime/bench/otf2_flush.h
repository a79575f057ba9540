/* otf2_flush.h: the events of a benchmark go to disk whenever a buffer of OTF2 is full. */
#ifndef CLL_OTF2_FLUSH_H
#define CLL_OTF2_FLUSH_H

#include <otf2/otf2.h>

#include "../src/base/clock.h"

static OTF2_FlushType before_flush(void *user_data, OTF2_FileType type, OTF2_LocationRef location, void *caller_data, bool is_final)
{
    (void)user_data, (void)type, (void)location, (void)caller_data, (void)is_final;
    return OTF2_FLUSH;
}

static OTF2_TimeStamp after_flush(void *user_data, OTF2_FileType type, OTF2_LocationRef location)
{
    (void)user_data, (void)type, (void)location;
    return cll_clock_wall_ns();
}

static OTF2_FlushCallbacks flush_callbacks = {before_flush, after_flush};

#endif
