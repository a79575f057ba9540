/* bsp.h: BSPlib, the standard of 20 primitives for BSP programs in C.
 *
 * All processors execute the same program in supersteps. What a superstep puts, gets and sends is there after the bsp_sync that
 * ends it. A wrong use ends the run with a message.
 * The number of processors comes from mpirun or, on one computer, from the environment variable CALL_PROCESSORS.
 *
 * Programs count with int, as the standard has it, or with unsigned int and size_t (MulticoreBSP for C, BSPedupack 2): calls take
 * either. Returned numbers are int, and so are the functions whose addresses are taken; with CLL_BSP_MODERN defined before the
 * include they are of the newer dialect.
 */
#ifndef CLL_BSP_H
#define CLL_BSP_H

#ifdef CLL_PUB_H
#error "a source file uses pub.h or bsp.h: both libraries have functions of the same names"
#endif

#include <stdarg.h>
#include <stddef.h>
#include <stdint.h>

#ifdef CLL_BSP_MODERN
#define CLL_BSP_NAME(name) cll_bsplib_modern_##name
#define CLL_BSP_NUMBER unsigned int
#define CLL_BSP_SIZE size_t
#else
#define CLL_BSP_NAME(name) cll_bsplib_##name
#define CLL_BSP_NUMBER int
#define CLL_BSP_SIZE int
#endif

/* In the linker's eyes the functions have names of their own, so a program may bring another BSP library. */
#define bsp_init cll_bsplib_init
#define bsp_abort cll_bsplib_abort
#define bsp_vabort cll_bsplib_vabort
#define bsp_time cll_bsplib_time
#define bsp_pop_reg cll_bsplib_pop_reg
#define bsp_nprocs CLL_BSP_NAME(nprocs)
#define bsp_pid CLL_BSP_NAME(pid)
#define bsp_hpmove CLL_BSP_NAME(hpmove)

/* Names in other implementations. */
#define bsp_abort_va bsp_vabort
#define bsp_pushregister bsp_push_reg
#define bsp_popregister bsp_pop_reg
#define bsp_set_tag_size bsp_set_tagsize

/* Some calls are macros; the name alone is the function. What ends a superstep tells where it is called, for the record of supersteps. */
#if defined(__GNUC__) && !defined(CLL_RUNTIME)
#define CLL_BSP_CALLS_ARE_MACROS 1
#define CLL_BSP_QUOTED(text) #text
#define CLL_BSP_QUOTE(text) CLL_BSP_QUOTED(text)
#define CLL_BSP_LINKS_AS(name) __asm__(CLL_BSP_QUOTE(__USER_LABEL_PREFIX__) name)
#else
#define CLL_BSP_LINKS_AS(name)
#define bsp_end cll_bsplib_end
#define bsp_sync cll_bsplib_sync
#endif

/* Numbers are taken in the types of both dialects. */
#if defined(CLL_BSP_CALLS_ARE_MACROS) && !defined(CLL_BSP_MODERN)
#define CLL_BSP_TAKES_BOTH_DIALECTS 1
#define CLL_BSP_AS(name) CLL_BSP_LINKS_AS("cll_bsplib_" #name)
#else
#define CLL_BSP_AS(name)
#define bsp_begin CLL_BSP_NAME(begin)
#define bsp_push_reg CLL_BSP_NAME(push_reg)
#define bsp_put CLL_BSP_NAME(put)
#define bsp_hpput CLL_BSP_NAME(hpput)
#define bsp_get CLL_BSP_NAME(get)
#define bsp_hpget CLL_BSP_NAME(hpget)
#define bsp_direct_get CLL_BSP_NAME(direct_get)
#define bsp_set_tagsize CLL_BSP_NAME(set_tagsize)
#define bsp_send CLL_BSP_NAME(send)
#define bsp_hpsend CLL_BSP_NAME(hpsend)
#define bsp_qsize CLL_BSP_NAME(qsize)
#define bsp_get_tag CLL_BSP_NAME(get_tag)
#define bsp_move CLL_BSP_NAME(move)
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

/* Programs define these types themselves where the header of BSPonMPI, which has them, is not there. */
#ifndef BSPONMPI_BSP_H
#define BSPONMPI_BSP_H
typedef unsigned int bsp_pid_t;
typedef unsigned int bsp_nprocs_t;
typedef size_t bsp_size_t;
#endif

/* The first statement of main if bsp_begin is not: processors other than 0 execute `spmd`, which begins with bsp_begin and ends with
 * bsp_end, each time that processor 0 begins, and nothing else; processor 0 returns and calls it itself. On one computer they know what
 * it has set before; over MPI they do not. Between sections it names another function. */
void bsp_init(void (*spmd)(void), int argc, char **argv);

/* Begins a section of all processors, on so many at most; the number that processor 0 gives counts. There may be several, one after
 * another: who takes no part in one ends there, but on one computer bsp_init brings others. */
void bsp_begin(CLL_BSP_NUMBER most_processors) CLL_BSP_AS(begin);

/* Ends the section on all processors. */
void bsp_end(void) CLL_BSP_LINKS_AS("cll_bsplib_end");

/* Says this on stderr and ends the run on all processors with a status other than 0. */
CLL_BSP_NEVER_RETURNS CLL_BSP_LIKE_PRINTF(1, 2) void bsp_abort(const char *format, ...);

/* From bsp_begin on the number of processors of this section, after it of the last one; before that of the processors that there are. */
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
void bsp_push_reg(const void *address, CLL_BSP_SIZE size) CLL_BSP_AS(push_reg);

/* Takes back the newest registration of the address, from the next superstep on; in the same order on all processors. NULL on all of
 * them: the newest one that is NULL on all of them. */
void bsp_pop_reg(const void *address);

/* Copies `size` bytes to what processor `to` registered with `destination`, `offset` bytes from its start. The source is copied at
 * the call; of bsp_hpput it must stay unchanged until the next superstep. */
void bsp_put(CLL_BSP_NUMBER to, const void *source, void *destination, CLL_BSP_SIZE offset, CLL_BSP_SIZE size) CLL_BSP_AS(put);
void bsp_hpput(CLL_BSP_NUMBER to, const void *source, void *destination, CLL_BSP_SIZE offset, CLL_BSP_SIZE size) CLL_BSP_AS(hpput);

/* Copies `size` bytes from what processor `from` registered with `source`, `offset` bytes from its start. */
void bsp_get(CLL_BSP_NUMBER from, const void *source, CLL_BSP_SIZE offset, void *destination, CLL_BSP_SIZE size) CLL_BSP_AS(get);
void bsp_hpget(CLL_BSP_NUMBER from, const void *source, CLL_BSP_SIZE offset, void *destination, CLL_BSP_SIZE size) CLL_BSP_AS(hpget);

/* Sets the size of the tags of messages that are sent from the next superstep on, on all processors alike; `*tag_bytes` becomes the
 * size that was set before, at first 0. */
void bsp_set_tagsize(CLL_BSP_SIZE *tag_bytes) CLL_BSP_AS(set_tagsize);

/* Sends a message with its tag; both are copied at the call. It can be read in the next superstep, and only there. */
void bsp_send(CLL_BSP_NUMBER to, const void *tag, const void *payload, CLL_BSP_SIZE size) CLL_BSP_AS(send);

/* Number of messages that have not been moved, and bytes of their payloads; `bytes` may be NULL. */
void bsp_qsize(CLL_BSP_NUMBER *messages, CLL_BSP_SIZE *bytes) CLL_BSP_AS(qsize);

/* `*status` becomes the size of the payload of the first message, whose tag is copied; -1 if there is no message. */
void bsp_get_tag(CLL_BSP_SIZE *status, void *tag) CLL_BSP_AS(get_tag);

/* Takes the first message off the queue and copies its payload, `most_bytes` at most. */
void bsp_move(void *payload, CLL_BSP_SIZE most_bytes) CLL_BSP_AS(move);

/* Takes the first message off the queue; its tag and payload can be used where they are until the next bsp_sync. Returns the size of
 * the payload; -1 if there is no message. */
CLL_BSP_SIZE bsp_hpmove(void **tag, void **payload);

/* The same as bsp_abort. */
CLL_BSP_NEVER_RETURNS CLL_BSP_LIKE_PRINTF(1, 0) void bsp_vabort(const char *format, va_list arguments);

/* The same as bsp_send, where tag and payload stay unchanged until the next superstep. */
void bsp_hpsend(CLL_BSP_NUMBER to, const void *tag, const void *payload, CLL_BSP_SIZE size) CLL_BSP_AS(hpsend);

/* The same as bsp_get, and returns with the data; the other processor must not change it in this superstep. It answers when it waits
 * in a call of this library itself. */
void bsp_direct_get(CLL_BSP_NUMBER from, const void *source, CLL_BSP_SIZE offset, void *destination, CLL_BSP_SIZE size)
    CLL_BSP_AS(direct_get);

/* What calls are: of any type of number, and with the bytes of what pointers point at. */
void cll_bsplib_any_begin(ptrdiff_t most_processors);
void cll_bsplib_any_push_reg(const void *address, ptrdiff_t size);
void cll_bsplib_any_put(ptrdiff_t to, const void *source, void *destination, ptrdiff_t offset, ptrdiff_t size);
void cll_bsplib_any_hpput(ptrdiff_t to, const void *source, void *destination, ptrdiff_t offset, ptrdiff_t size);
void cll_bsplib_any_get(ptrdiff_t from, const void *source, ptrdiff_t offset, void *destination, ptrdiff_t size);
void cll_bsplib_any_hpget(ptrdiff_t from, const void *source, ptrdiff_t offset, void *destination, ptrdiff_t size);
void cll_bsplib_any_direct_get(ptrdiff_t from, const void *source, ptrdiff_t offset, void *destination, ptrdiff_t size);
void cll_bsplib_any_set_tagsize(void *tag_bytes, size_t width);
void cll_bsplib_any_send(ptrdiff_t to, const void *tag, const void *payload, ptrdiff_t size);
void cll_bsplib_any_hpsend(ptrdiff_t to, const void *tag, const void *payload, ptrdiff_t size);
void cll_bsplib_any_qsize(void *messages, size_t messages_width, int is_modern, void *bytes, size_t bytes_width);
void cll_bsplib_any_get_tag(void *status, size_t width, void *tag);
void cll_bsplib_any_move(void *payload, ptrdiff_t most_bytes);

#ifdef CLL_BSP_TAKES_BOTH_DIALECTS
#define bsp_begin(...) cll_bsplib_any_begin(__VA_ARGS__)
#define bsp_push_reg(...) cll_bsplib_any_push_reg(__VA_ARGS__)
#define bsp_put(...) cll_bsplib_any_put(__VA_ARGS__)
#define bsp_hpput(...) cll_bsplib_any_hpput(__VA_ARGS__)
#define bsp_get(...) cll_bsplib_any_get(__VA_ARGS__)
#define bsp_hpget(...) cll_bsplib_any_hpget(__VA_ARGS__)
#define bsp_direct_get(...) cll_bsplib_any_direct_get(__VA_ARGS__)
#define bsp_set_tagsize(tag_bytes) cll_bsplib_any_set_tagsize(tag_bytes, CLL_BSP_WIDTH(tag_bytes))
#define bsp_send(...) cll_bsplib_any_send(__VA_ARGS__)
#define bsp_hpsend(...) cll_bsplib_any_hpsend(__VA_ARGS__)
#define bsp_qsize(messages, bytes) \
    cll_bsplib_any_qsize(messages, CLL_BSP_WIDTH(messages), CLL_BSP_IS_MODERN(messages), bytes, CLL_BSP_WIDTH(bytes))
#define bsp_get_tag(status, tag) cll_bsplib_any_get_tag(status, CLL_BSP_WIDTH(status), tag)
#define bsp_move(...) cll_bsplib_any_move(__VA_ARGS__)

/* Bytes of the integer that a pointer, which may be NULL, points at; 0 of anything else. Modern numbers have no sign. */
#ifdef __cplusplus
extern "C++" {
template <class Number> inline size_t cll_bsplib_width(Number *)
{
    return sizeof(~Number());
}
inline size_t cll_bsplib_width(void *)
{
    return 0;
}
inline size_t cll_bsplib_width(...)
{
    return 0;
}
template <class Number> inline int cll_bsplib_is_modern(Number *)
{
    return Number(-1) > Number();
}
inline int cll_bsplib_is_modern(void *)
{
    return 0;
}
inline int cll_bsplib_is_modern(...)
{
    return 0;
}
}
#define CLL_BSP_WIDTH(pointer) cll_bsplib_width(pointer)
#define CLL_BSP_IS_MODERN(pointer) cll_bsplib_is_modern(pointer)
#else
#define CLL_BSP_IS(pointer, type) __builtin_types_compatible_p(__typeof__(*(pointer)), type)
#define CLL_BSP_IS_MODERN(pointer)                                                                                        \
    (__extension__(CLL_BSP_IS(pointer, unsigned int) || CLL_BSP_IS(pointer, unsigned long) ||                             \
                   CLL_BSP_IS(pointer, unsigned long long)))
#define CLL_BSP_WIDTH(pointer)                                                                                            \
    (__extension__(CLL_BSP_IS_MODERN(pointer) || CLL_BSP_IS(pointer, int) || CLL_BSP_IS(pointer, long) ||                 \
                   CLL_BSP_IS(pointer, long long)                                                                         \
                       ? sizeof *(pointer)                                                                                \
                       : 0))
#endif
#endif

#if defined(CLL_BSP_CALLS_ARE_MACROS) && !defined(CLL_DISABLE)
void cll_at(const char *file, int line, const char *function);
#define bsp_end(...) (cll_at(__FILE__, __LINE__, __func__), bsp_end(__VA_ARGS__))
#define bsp_sync(...) (cll_at(__FILE__, __LINE__, __func__), bsp_sync(__VA_ARGS__))
#endif

#ifdef __cplusplus
}
#endif

#endif
