/* bsp.h: BSPlib, the standard of 20 primitives for BSP programs in C.
 *
 * All processors execute the same program in supersteps. What a superstep puts, gets and sends is there after the bsp_sync that
 * ends it. A wrong use ends the run with a message.
 * The number of processors comes from mpirun or, on one computer, from the environment variable CALL_PROCESSORS.
 *
 * Newer programs (MulticoreBSP for C, BSPedupack 2) count with unsigned int and size_t: define CLL_BSP_MODERN before the include,
 * or with -DCLL_BSP_MODERN, for that dialect and its three more functions.
 */
#ifndef CLL_BSP_H
#define CLL_BSP_H

#ifdef CLL_PUB_H
#error "a source file uses pub.h or bsp.h: both libraries have functions of the same names"
#endif

#include <stdarg.h>
#include <stddef.h>

/* In the linker's eyes the functions have names of their own, so a program may bring another BSP library. */
#define bsp_init cll_bsplib_init
#define bsp_abort cll_bsplib_abort
#define bsp_time cll_bsplib_time
#define bsp_pop_reg cll_bsplib_pop_reg
#ifdef CLL_BSP_MODERN
#define bsp_begin cll_bsplib_modern_begin
#define bsp_nprocs cll_bsplib_modern_nprocs
#define bsp_pid cll_bsplib_modern_pid
#define bsp_push_reg cll_bsplib_modern_push_reg
#define bsp_put cll_bsplib_modern_put
#define bsp_hpput cll_bsplib_modern_hpput
#define bsp_get cll_bsplib_modern_get
#define bsp_hpget cll_bsplib_modern_hpget
#define bsp_set_tagsize cll_bsplib_modern_set_tagsize
#define bsp_send cll_bsplib_modern_send
#define bsp_qsize cll_bsplib_modern_qsize
#define bsp_get_tag cll_bsplib_modern_get_tag
#define bsp_move cll_bsplib_modern_move
#define bsp_hpmove cll_bsplib_modern_hpmove
#define bsp_vabort cll_bsplib_modern_vabort
#define bsp_hpsend cll_bsplib_modern_hpsend
#define bsp_direct_get cll_bsplib_modern_direct_get
#define CLL_BSP_NUMBER unsigned int
#define CLL_BSP_SIZE size_t
#else
#define bsp_begin cll_bsplib_begin
#define bsp_nprocs cll_bsplib_nprocs
#define bsp_pid cll_bsplib_pid
#define bsp_push_reg cll_bsplib_push_reg
#define bsp_put cll_bsplib_put
#define bsp_hpput cll_bsplib_hpput
#define bsp_get cll_bsplib_get
#define bsp_hpget cll_bsplib_hpget
#define bsp_set_tagsize cll_bsplib_set_tagsize
#define bsp_send cll_bsplib_send
#define bsp_qsize cll_bsplib_qsize
#define bsp_get_tag cll_bsplib_get_tag
#define bsp_move cll_bsplib_move
#define bsp_hpmove cll_bsplib_hpmove
#define CLL_BSP_NUMBER int
#define CLL_BSP_SIZE int
#endif

/* What ends a superstep is a macro that tells where it is called, for the record of supersteps, and then calls the function. The name
 * alone is the function. */
#if defined(__GNUC__) && !defined(CLL_DISABLE) && !defined(CLL_RUNTIME)
#define CLL_BSP_TELLS_PLACES 1
#define CLL_BSP_QUOTED(text) #text
#define CLL_BSP_QUOTE(text) CLL_BSP_QUOTED(text)
#define CLL_BSP_LINKS_AS(name) __asm__(CLL_BSP_QUOTE(__USER_LABEL_PREFIX__) name)
#else
#define CLL_BSP_LINKS_AS(name)
#define bsp_end cll_bsplib_end
#define bsp_sync cll_bsplib_sync
#endif

#if defined(__GNUC__)
#define CLL_BSP_NEVER_RETURNS __attribute__((noreturn))
#define CLL_BSP_LIKE_PRINTF(at, first) __attribute__((format(printf, at, first)))
#else
#define CLL_BSP_NEVER_RETURNS
#define CLL_BSP_LIKE_PRINTF(at, first)
#endif

#ifdef __cplusplus
extern "C" {
#endif

/* The first statement of main if bsp_begin is not: processors other than 0 execute `spmd`, which begins with bsp_begin and ends
 * with bsp_end, and exit; processor 0 returns and calls it itself. */
void bsp_init(void (*spmd)(void), int argc, char **argv);

/* Begins the parallel part, once, on so many processors at most; the number that processor 0 gives counts. */
void bsp_begin(CLL_BSP_NUMBER most_processors);

/* Ends it, once, on all processors. */
void bsp_end(void) CLL_BSP_LINKS_AS("cll_bsplib_end");

/* Says this on stderr and ends the run on all processors with a status other than 0. */
CLL_BSP_NEVER_RETURNS CLL_BSP_LIKE_PRINTF(1, 2) void bsp_abort(const char *format, ...);

/* Between bsp_begin and bsp_end the number of processors, elsewhere that of the processors that there are. */
CLL_BSP_NUMBER bsp_nprocs(void);

/* Number of this processor: 0 ... bsp_nprocs() - 1. */
CLL_BSP_NUMBER bsp_pid(void);

/* Seconds since bsp_begin, by this processor's clock. */
double bsp_time(void);

/* Ends the superstep on all processors. All that was got is read, after the last processor has come; then it is written, and then
 * what was put. */
void bsp_sync(void) CLL_BSP_LINKS_AS("cll_bsplib_sync");

/* Lets the others put to and get from `size` bytes at `address`, from the next superstep on. All processors register in the same
 * order what they will call by the address that each has given. NULL or 0 bytes: there is nothing on this processor. The newest
 * registration of an address counts. */
void bsp_push_reg(const void *address, CLL_BSP_SIZE size);

/* Takes back the newest registration of the address, from the next superstep on; in the same order on all processors. */
void bsp_pop_reg(const void *address);

/* Copies `size` bytes to what processor `to` registered with `destination`, `offset` bytes from its start. The source is copied at
 * the call; of bsp_hpput it must stay unchanged until the next superstep. */
void bsp_put(CLL_BSP_NUMBER to, const void *source, void *destination, CLL_BSP_SIZE offset, CLL_BSP_SIZE size);
void bsp_hpput(CLL_BSP_NUMBER to, const void *source, void *destination, CLL_BSP_SIZE offset, CLL_BSP_SIZE size);

/* Copies `size` bytes from what processor `from` registered with `source`, `offset` bytes from its start. */
void bsp_get(CLL_BSP_NUMBER from, const void *source, CLL_BSP_SIZE offset, void *destination, CLL_BSP_SIZE size);
void bsp_hpget(CLL_BSP_NUMBER from, const void *source, CLL_BSP_SIZE offset, void *destination, CLL_BSP_SIZE size);

/* Sets the size of the tags of messages that are sent from the next superstep on, on all processors alike; `*tag_bytes` becomes the
 * size that was set before, at first 0. */
void bsp_set_tagsize(CLL_BSP_SIZE *tag_bytes);

/* Sends a message with its tag; both are copied at the call. It can be read in the next superstep, and only there. */
void bsp_send(CLL_BSP_NUMBER to, const void *tag, const void *payload, CLL_BSP_SIZE size);

/* Number of messages that have not been moved, and bytes of their payloads; `bytes` may be NULL. */
void bsp_qsize(CLL_BSP_NUMBER *messages, CLL_BSP_SIZE *bytes);

/* `*status` becomes the size of the payload of the first message, whose tag is copied; -1 if there is no message. */
void bsp_get_tag(CLL_BSP_SIZE *status, void *tag);

/* Takes the first message off the queue and copies its payload, `most_bytes` at most. */
void bsp_move(void *payload, CLL_BSP_SIZE most_bytes);

/* Takes the first message off the queue; its tag and payload can be used where they are until the next bsp_sync. Returns the size of
 * the payload; -1 if there is no message. */
CLL_BSP_SIZE bsp_hpmove(void **tag, void **payload);

#ifdef CLL_BSP_MODERN

/* The same as bsp_abort. */
CLL_BSP_NEVER_RETURNS CLL_BSP_LIKE_PRINTF(1, 0) void bsp_vabort(const char *format, va_list arguments);

/* The same as bsp_send, where tag and payload stay unchanged until the next superstep. */
void bsp_hpsend(CLL_BSP_NUMBER to, const void *tag, const void *payload, CLL_BSP_SIZE size);

/* The same as bsp_get, and returns with the data; the other processor must not change it in this superstep. It answers when it waits
 * in a call of this library itself. */
void bsp_direct_get(CLL_BSP_NUMBER from, const void *source, CLL_BSP_SIZE offset, void *destination, CLL_BSP_SIZE size);

#endif

#ifdef CLL_BSP_TELLS_PLACES
void cll_at(const char *file, int line, const char *function);
#define bsp_end(...) (cll_at(__FILE__, __LINE__, __func__), bsp_end(__VA_ARGS__))
#define bsp_sync(...) (cll_at(__FILE__, __LINE__, __func__), bsp_sync(__VA_ARGS__))
#endif

#ifdef __cplusplus
}
#endif

#endif
