/* machine.h: BSP machines: processors, supersteps, messages, barriers, parts. Every BSP library stands on these functions.
 * `call` is the name of the user's function, for messages. */
#ifndef CLL_BSP_MACHINE_H
#define CLL_BSP_MACHINE_H

#include <stddef.h>
#include <stdint.h>

typedef struct cll_machine cll_machine;

/* A message in a packet; its bytes follow at once. */
typedef struct {
    int32_t size_bytes;
    int32_t source;
    int32_t unused[2];
} cll_message;

/* Starts the processors; the machine of all. */
cll_machine *cll_machine_start(const char *call);

/* Ends it on all processors. */
void cll_machine_finish(const char *call);

/* The machine if it is open, NULL stands for the innermost one; fails if it is not open. */
cll_machine *cll_machine_check(const void *machine, const char *call);

int cll_machine_processors(const cll_machine *machine);
int cll_machine_processor(const cll_machine *machine);

cll_machine *cll_machine_partition(cll_machine *machine, int parts, const int *ends, const char *call);
void cll_machine_close(cll_machine *machine, const char *call);

void cll_machine_send(cll_machine *machine, int to, const void *data, int size_bytes, const char *call);
void cll_machine_sync(cll_machine *machine, const char *call);
void cll_machine_oblivious_sync(cll_machine *machine, int messages, const char *call);

/* Messages of the last superstep, by source, then as they were sent. */
size_t cll_machine_message_count(const cll_machine *machine);
cll_message *cll_machine_message(const cll_machine *machine, size_t index);
/* NULL if there is none. */
cll_message *cll_machine_message_from(const cll_machine *machine, int source, size_t index);

/* Waits for all processors of the machine; not a superstep. */
void cll_machine_barrier(cll_machine *machine, const char *call);

/* Bytes of the runtime itself, apart from supersteps and messages. */
void cll_machine_give(cll_machine *machine, int to, const void *bytes, size_t count);
size_t cll_machine_take(cll_machine *machine, int from, void *bytes, size_t capacity);

#endif
