/* bsplib.h: what the files of the BSPlib library share. Sizes are size_t here: both dialects of bsp.h stand on these functions. */
#ifndef CLL_BSPLIB_H
#define CLL_BSPLIB_H

#include <stddef.h>

#include "../bsp/machine.h"

/* The machine of all processors; fails outside of bsp_begin and bsp_end. */
cll_machine *cll_bsplib_machine(const char *call);

/* Inside its number of processors, elsewhere those that there are. */
int cll_bsplib_processors(void);

/* The classic bsp_begin. */
void cll_bsplib_begin(int most_processors);

/* bsplib_messages.c */
void cll_bsplib_start_messages(void);
void cll_bsplib_next_superstep(void);
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
