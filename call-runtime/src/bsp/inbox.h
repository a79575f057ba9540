/* inbox.h: the messages that arrived for one superstep. */
#ifndef CLL_BSP_INBOX_H
#define CLL_BSP_INBOX_H

#include <stddef.h>
#include <stdint.h>

#include "transport.h"

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

typedef struct {
    cll_packet *first;
    cll_packet *last;
    size_t message_count;
    cll_message **messages; /* after cll_inbox_sort: by source, then as they were sent */
    size_t capacity;
} cll_inbox;

/* From a message in a packet to the next one. */
static inline size_t cll_message_span_bytes(const cll_message *message)
{
    size_t used_bytes = cll_message_tag_offset((size_t)message->size_bytes, message->tag_bytes) + (size_t)message->tag_bytes;
    return sizeof *message + ((used_bytes + CLL_PACKET_ALIGNMENT - 1) & ~((size_t)CLL_PACKET_ALIGNMENT - 1));
}

/* Releases the packets. */
void cll_inbox_clear(cll_inbox *inbox);

/* Packets of one source come in the order in which they were sent. */
void cll_inbox_add(cll_inbox *inbox, cll_packet *packet);
void cll_inbox_sort(cll_inbox *inbox, const char *call);

/* Whether the message is in it; the memory of others is not looked at. */
int cll_inbox_has(const cll_inbox *inbox, const cll_message *message);

/* Message number `index` from `source`; NULL if there is none. */
cll_message *cll_inbox_find(const cll_inbox *inbox, int source, size_t index);

#endif
