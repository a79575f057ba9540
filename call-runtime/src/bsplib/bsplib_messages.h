/* bsplib_messages.h: messages as both dialects of bsp.h have them. */
#ifndef CLL_BSPLIB_MESSAGES_H
#define CLL_BSPLIB_MESSAGES_H

#include "bsplib.h"

/* Returns the size before, of messages sent from the next superstep on. */
size_t cll_bsplib_set_tag(size_t tag_bytes);
void cll_bsplib_send_message(int to, const void *tag, const void *payload, size_t size, const char *call);

/* How many messages are left. How many bytes they have is counted only if it is asked for. */
size_t cll_bsplib_queue(size_t *bytes);

/* The first message of the queue; NULL if it is empty. */
cll_message *cll_bsplib_first(const char *call);
void cll_bsplib_copy_tag(cll_message *message, void *tag);
void cll_bsplib_move_payload(void *payload, size_t most_bytes);
cll_message *cll_bsplib_take(void **tag, void **payload);

#endif
