/* room.h: the memory that a thread measures in: it is there before it is needed, and what is complete leaves it for the spill file. */
#ifndef CLL_ROOM_H
#define CLL_ROOM_H

#include "../recording/recorder.h"

/* This thread, which has no recorder, measures from now on. */
cll_recorder *cll_recorder_start(void);

/* Makes sure that wanted_bytes are there and sets room_bytes; returns the recorder of this thread, which has one. */
cll_recorder *cll_recorder_make_room(size_t wanted_bytes);

/* It is time to save what this thread has measured. */
void cll_recorder_save(cll_recorder *own);

/* Called, where they are set, before and after records of this thread are saved and their memory is used again. */
extern void (*cll_recorder_before_move)(void);
extern void (*cll_recorder_after_move)(void);

/* Called now and then before a begin until it returns that the processors are settled; NULL where they are from the start. */
extern int (*cll_record_settle_processors)(void);

#endif
