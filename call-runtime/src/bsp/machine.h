/* machine.h: BSP machines: processors, supersteps, messages, barriers, parts. Every BSP library stands on these functions.
 * `call` is the name of the user's function, for messages. */
#ifndef CLL_BSP_MACHINE_H
#define CLL_BSP_MACHINE_H

#include <stddef.h>
#include <stdint.h>

#include "machine_stack.h"
#include "memory.h"

/* Starts the processors; the machine of all. */
cll_machine *cll_machine_start(const char *call, const char *end_call);

/* Or starts with processor 0, without a machine; later the others are forked: so many, or as many as there are. */
int cll_machine_can_fork(void);
void cll_machine_start_alone(const char *call, const char *end_call);
cll_machine *cll_machine_fork(ptrdiff_t most_processors, const char *call);

/* Ends it on all processors. Those that have not left may start again, if the transport can, on a machine of
 * their own, where they have the same numbers. */
void cll_machine_finish(const char *call, cll_after_finish after);
int cll_machine_restarts(void);
cll_machine *cll_machine_restart(int processor, int processors, const char *call);

cll_machine *cll_machine_partition(cll_machine *machine, int parts, const int *ends, const char *call);
void cll_machine_close(cll_machine *machine, const char *call);

/* `tag` NULL: without one. The tag size is the machine's, for all messages of the superstep. */
void cll_machine_send(cll_machine *machine, int to, const void *tag, int32_t tag_bytes, const void *data, size_t size_bytes,
                      const char *call);
/* Whether the message is one that an open machine has received in its last superstep, or a new one. */
int cll_machine_has_message(const cll_message *message);

/* A message to be written where it is and then sent, once; its source is -1 until then. */
cll_message *cll_machine_new_message(const cll_machine *machine, size_t size_bytes);
void cll_machine_send_message(cll_machine *machine, int to, cll_message *message, const char *call);
void cll_machine_sync(cll_machine *machine, const char *call);
void cll_machine_oblivious_sync(cll_machine *machine, int messages, const char *call);

/* Messages of the last superstep, by source, then as they were sent. */
size_t cll_machine_message_count(const cll_machine *machine);
cll_message *cll_machine_message(const cll_machine *machine, size_t index);
/* NULL if there is none. */
cll_message *cll_machine_message_from(const cll_machine *machine, int source, size_t index);

/* What all processors must have set alike when the superstep ends. */
void cll_machine_set_tag(cll_machine *machine, int32_t tag_bytes);

/* Waits for all processors of the machine; not a superstep. */
void cll_machine_barrier(cll_machine *machine, const char *call);

/* The machine of the virtual processors, `count` on each processor of the one around it, from the point of view of one of them. */
cll_machine *cll_machine_open_virtual(cll_machine *around, int count, int number, const char *call);

/* Bytes of the runtime itself, apart from supersteps and messages; those for a superstep are taken as such. */
void cll_machine_give_for(cll_machine *machine, uint64_t superstep, int to, const void *bytes, size_t count);
size_t cll_machine_take_for(cll_machine *machine, uint64_t superstep, int from, void *bytes, size_t capacity, const char *call);
void cll_machine_give(cll_machine *machine, int to, const void *bytes, size_t count);
size_t cll_machine_take(cll_machine *machine, int from, void *bytes, size_t capacity, const char *call);

#endif
