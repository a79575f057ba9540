/* transport.h: what moves packets between the processors of a run. A program is linked with one transport. A transport knows
 * processors by their number in the whole run and nothing of machines and supersteps. */
#ifndef CLL_BSP_TRANSPORT_H
#define CLL_BSP_TRANSPORT_H

#include <stddef.h>
#include <stdint.h>

enum cll_packet_kind {
    CLL_DATA,          /* messages of a superstep */
    CLL_PUTS,
    CLL_GETS,
    CLL_ANSWERS,       /* what was got */
    CLL_DIRECT_GET,    /* a get that is answered within the superstep */
    CLL_DIRECT_ANSWER,
    CLL_SYNC_TOKEN,    /* barrier at the end of a superstep */
    CLL_BARRIER_TOKEN, /* barrier between */
    CLL_GATHER         /* the runtime's own messages */
};

/* In barriers of up to so many processors each sends a token to every other one; beyond it takes rounds. */
#define CLL_EXCHANGING_PROCESSORS 8

/* A packet is known by kind, machine, number and round. */
typedef struct cll_packet {
    struct cll_packet *next; /* in a queue of one process */
    uint64_t machine;
    uint64_t number; /* of the superstep or barrier */
    uint32_t kind;
    uint32_t round; /* of the barrier; of a CLL_GATHER packet the sender */
    int32_t source; /* number of the sender in the machine */
    int32_t owner;  /* for the transport */
    uint64_t message_count;
    uint64_t payload_bytes;
    uint64_t capacity_bytes;
} cll_packet;

/* Packets are aligned to 16, and so is the payload, which follows at once. */
#define CLL_PACKET_ALIGNMENT 16u

static inline unsigned char *cll_packet_payload(cll_packet *packet)
{
    return (unsigned char *)(packet + 1);
}

/* What a processor waits for, for the message when it waits in vain. */
typedef struct {
    const char *call;
    uint64_t superstep;
    uint64_t have;
    uint64_t want; /* 0 where messages are not counted */
} cll_wait;

/* As the header of the trace names it. */
extern const char *const cll_transport_name;

/* The library below with its version, in ASCII that prints; empty where there is none or it does not tell. */
const char *cll_transport_library(void);

/* Whether a processor can still send when it exits; not under SMPI, where that is after the simulation. */
extern const int cll_transport_works_at_exit;

/* Called by all after the start, each with whether it records times. Returns whether they count from the same moment on all processors; `origin_ticks`
 * is that moment, or becomes one from which those of this processor count. */
int cll_transport_share_clock(int is_recording, uint64_t *origin_ticks);

/* Number of processors that a start would bring. */
int cll_transport_available(void);

/* Starts the processors; each returns with its number and theirs. The names of the library's calls for start and end are for
 * messages. With `is_alone` processor 0 starts and, where the transport can, forks the others later. */
void cll_transport_start(int is_alone, int *processor, int *processors, const char *start_call, const char *end_call);

/* Called by processor 0 while it is alone: makes so many processors, of those that there are at most, the others being copies of it
 * as it is now, and returns in each with its number. */
extern const int cll_transport_can_fork;
int cll_transport_fork(int processors, const char *call);

/* What a processor does after the end: nothing more with the others; it goes on while they leave; it may start again with those that
 * have not left; so, and the others cannot go on without it. */
typedef enum { CLL_LEAVES, CLL_IS_LEFT, CLL_MAY_RESTART, CLL_IS_WAITED_FOR } cll_after_finish;

/* After the last barrier: no processor sends any more. */
void cll_transport_finish(cll_after_finish after);

/* Those that have not left, the first ones, start once more. */
extern const int cll_transport_can_restart;
void cll_transport_restart(int processors, const char *call);

/* A processor that may have started again does not: others that do would wait for it. */
void cll_transport_leave(const char *call);

/* A packet with room for so many bytes; the kind and so on are the caller's to fill in. */
cll_packet *cll_transport_allocate(size_t capacity_bytes);

/* The receiver has read the packet. */
void cll_transport_release(cll_packet *packet);

/* What the sender of a packet does before it waits, or goes on in the program. */
typedef enum {
    CLL_NOTHING_MORE,
    CLL_FLUSH_FOLLOWS,
    CLL_PACKET_FOLLOWS /* another one to the same processor; the two can travel together */
} cll_following;

/* The packet is the transport's from now on. Packets of one number from one processor to another arrive in order. */
void cll_transport_send(int processor, cll_packet *packet, cll_following following);

/* Waits for the next packet. */
cll_packet *cll_transport_receive(const cll_wait *reason);

/* The next packet if one is there already, else NULL. */
cll_packet *cll_transport_poll(void);

/* Returns when each packet sent so far will be received before any packet that is sent as a consequence of this return. */
void cll_transport_flush(void);

/* Blocks of at least so many bytes can go from the sender's memory to the receiver's without a packet; those between two processors
 * are received in the order in which they were sent. SIZE_MAX: none can. At most 1 GiB each. */
extern const size_t cll_transport_smallest_block;
void cll_transport_send_block(int processor, const void *bytes, size_t count);
void cll_transport_receive_block(int processor, void *bytes, size_t count);

/* Returns when all blocks have been moved and no transfer needs this processor any more; for where all receivers wait for what was
 * sent, or have it. */
void cll_transport_drain(void);

/* Lets transfers that have begun run to their end where they need this processor for it; does not wait for any receiver. */
void cll_transport_settle(void);

#endif
