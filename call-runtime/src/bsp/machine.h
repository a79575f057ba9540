/* machine.h: BSP machines: processors, supersteps, messages, barriers, parts. Every BSP library stands on these functions.
 * `call` is the name of the user's function, for messages. */
#ifndef CLL_BSP_MACHINE_H
#define CLL_BSP_MACHINE_H

#include <stddef.h>
#include <stdint.h>

typedef struct cll_machine cll_machine;

/* A message in a packet; its bytes follow at once, then its tag. */
typedef struct {
    uint64_t size_bytes;
    int32_t source;
    int32_t tag_bytes;
} cll_message;

/* Aligned to 8, to 16 where a tag may hold something that needs it. */
static inline size_t cll_message_tag_offset(size_t size_bytes, int32_t tag_bytes)
{
    size_t alignment = tag_bytes < 16 ? 8 : 16;
    return (size_bytes + alignment - 1) & ~(alignment - 1);
}

static inline void *cll_message_tag(cll_message *message)
{
    return (unsigned char *)(message + 1) + cll_message_tag_offset((size_t)message->size_bytes, message->tag_bytes);
}

/* Starts the processors; the machine of all. */
cll_machine *cll_machine_start(const char *call, const char *end_call);

/* Ends it on all processors. */
void cll_machine_finish(const char *call);

#if defined(__GNUC__)
__attribute__((noreturn))
#endif
void cll_machine_fail_processor(const cll_machine *machine, int processor, const char *call);

/* The machine if it is open, NULL stands for the innermost one; fails if it is not open. */
cll_machine *cll_machine_check(const void *machine, const char *call);

int cll_machine_processors(const cll_machine *machine);
int cll_machine_processor(const cll_machine *machine);

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

/* Memory that others may put to and get from: changes take effect at the next synchronisation. */
void cll_machine_register(cll_machine *machine, void *address, size_t size_bytes, const char *call);
void cll_machine_unregister(cll_machine *machine, const void *address, const char *call);
void cll_machine_put(cll_machine *machine, int to, const void *source, const void *destination, size_t offset, size_t count,
                     int is_unbuffered, const char *call);
void cll_machine_get(cll_machine *machine, int from, const void *source, size_t offset, void *destination, size_t count,
                     int is_unbuffered, const char *call);
/* Returns with the data, as it is when the other processor waits next. */
void cll_machine_direct_get(cll_machine *machine, int from, const void *source, size_t offset, void *destination, size_t count,
                            const char *call);

/* What all processors must have set alike when the superstep ends. */
void cll_machine_set_tag(cll_machine *machine, int32_t tag_bytes);

/* Waits for all processors of the machine; not a superstep. */
void cll_machine_barrier(cll_machine *machine, const char *call);

/* Bytes of the runtime itself, apart from supersteps and messages. */
void cll_machine_give(cll_machine *machine, int to, const void *bytes, size_t count);
size_t cll_machine_take(cll_machine *machine, int from, void *bytes, size_t capacity, const char *call);

#endif
