/* known_stacks.h: walks the call stack, and knows again what was walked before. A walk takes a tenth of a microsecond for each
 * function; a known stack is told by a look at the places in memory where its return addresses stand. */
#ifndef CLL_BSP_KNOWN_STACKS_H
#define CLL_BSP_KNOWN_STACKS_H

#include <stdint.h>

#define CLL_STACK_UNKNOWN UINT32_MAX

#if defined(__GNUC__)
#define CLL_FRAME __builtin_frame_address(0)
#define CLL_WITH_FRAME __attribute__((noinline))
#else
#define CLL_FRAME ((const void *)0)
#define CLL_WITH_FRAME
#endif

/* Allocates what the other functions need. */
void cll_stacks_start(void);

/* The return addresses in the stack, the innermost first; there may be some of the library below that of the function with this
 * frame. Returns how many, 0 where stacks cannot be walked. */
int cll_stack_walk(const void *frame, void **addresses, int capacity);

/* The number that was given to the stack above this frame, if it is known. */
uint32_t cll_stack_number(const void *frame);

/* Gives a number to the stack that was walked last. */
void cll_stack_remember(uint32_t number);

#endif
