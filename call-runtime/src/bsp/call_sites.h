/* call_sites.h: from where supersteps are ended: the position of the call in the source and the call stack above it. A call
 * site has a number, counted from 0 as the program comes to it. */
#ifndef CLL_BSP_PLACES_H
#define CLL_BSP_PLACES_H

#include <stdint.h>

/* The library's functions that end a superstep tell who called them: where the call stack of the program begins. */
extern void *cll_call_site_caller;

#if defined(__GNUC__)
#define CLL_CALLER __builtin_return_address(0)
#else
#define CLL_CALLER ((void *)0)
#endif

/* The macros of bsp.h and pub.h call it before the function. */
void cll_at(const char *file, int line, const char *function);

/* The call of the program that is being executed, for functions of the library that end more than one superstep: each end forgets it. */
typedef struct {
    const char *file;
    const char *function;
    void *caller;
    int line;
} cll_program_call;
cll_program_call cll_call_site_call(void);
void cll_call_site_set_call(const cll_program_call *call);

/* Readies the stack walk, which allocates the first time. */
void cll_call_sites_start(void);

/* Room for one more. */
void cll_call_sites_make_room(void);

/* That of the library's function `call` that is being executed; never allocates. */
uint32_t cll_call_site_here(const char *call);

/* The same where it is known which function of the library the program has called: that with this frame. */
uint32_t cll_call_site_above(const char *call, const void *frame);

/* That of `call` in a parallel region, which returns to `caller`: what is around is the region's call site. One thread at a time; needs room for one
 * more. */
uint32_t cll_call_site_inside(const char *call, const void *caller, uint32_t region);

/* That of a call which nothing is known of. */
uint32_t cll_call_site_nowhere(const char *call);

/* For the trace, which calls them places: those that people cannot tell apart have the same number, counted from 1, and one of them
 * speaks for all. The first function finds text and numbers, the second says that the section has a superstep from there. */
void cll_call_sites_describe(void);
void cll_call_site_use(uint32_t site);
uint32_t cll_call_site_number(uint32_t site);

/* Goes on to the first one from `site` on that is used and speaks for its number; returns whether there is one. */
int cll_call_site_next(uint32_t *site);

/* How many have been met so far; their numbers are below. */
uint32_t cll_call_sites_count(void);

/* `CALL FILE:LINE in FUNCTION < CALLER < main`. */
const char *cll_call_site_text(uint32_t site);

#endif
