/* collection.h: the measurements that a report takes from the recorders of all threads. */
#ifndef CLL_COLLECTION_H
#define CLL_COLLECTION_H

#include "../recording/recorder.h"

typedef struct {
    cll_record **records; /* measured and abandoned ones */
    size_t count;
    size_t capacity;
    uint64_t late_chunks;
} cll_collection;

/* Takes the complete records that `is_wanted`, in the order of their begins, thread by thread of the team if `by_thread`. Threads
 * may go on with their measurements. The recorders are locked. */
void cll_collection_take(cll_collection *collection, int (*is_wanted)(void *context, const cll_record *record), void *context,
                         int by_thread);

/* The records have been reported, or have to be reported by somebody else. The recorders are locked. */
void cll_collection_forget(const cll_collection *collection);
void cll_collection_give_back(const cll_collection *collection);

void cll_collection_release(cll_collection *collection);

#endif
