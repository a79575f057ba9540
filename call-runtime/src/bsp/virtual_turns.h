/* virtual_turns.h: virtual processors of a process are threads of it, of which one at a time has its turn, so that the runtime below knows
 * of one thread only. A turn passes where a virtual processor waits. */
#ifndef CLL_BSP_VIRTUAL_TURNS_H
#define CLL_BSP_VIRTUAL_TURNS_H

/* Executes the function once for each number 0 ... count - 1, as virtual processors, and returns when all have returned. */
void cll_turns_take(int count, void (*execute)(int number, void *argument), void *argument, const char *call);

/* Are there virtual processors now? */
int cll_turns_are_taken(void);

/* Lets the others have their turns. Returns 0 at once if all have looked in vain since there was hope: then this one has to wait for what
 * comes from other processes. */
int cll_turns_pass(void);

/* Something has come that one of them may wait for. */
void cll_turns_give_hope(void);

#endif
