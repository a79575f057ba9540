/* handing.h: what the callbacks of libotf2 hand on. */
#ifndef CALL_OTF2_HANDING_H
#define CALL_OTF2_HANDING_H

#include <otf2/otf2.h>

#include "records.h"

/* What is being handed over. */
struct call_otf2_reader {
    OTF2_Reader *archive;
    call_otf2_sink sink;
    void *user;
};

static inline OTF2_CallbackCode call_otf2_hand(void *user, const call_otf2_record *record)
{
    const call_otf2_reader *reader = user;
    reader->sink(reader->user, record);
    return OTF2_CALLBACK_SUCCESS;
}

/* The callbacks for each kind of definition and event that is handed on; NULL if there is no memory. */
OTF2_GlobalDefReaderCallbacks *call_otf2_definition_callbacks(void);
OTF2_EvtReaderCallbacks *call_otf2_event_callbacks(void);

#endif
