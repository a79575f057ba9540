/* waiting.h: how busy the computer was: what a process waits for a processor, and what other computers take on the same hardware. */
#ifndef CLL_WAITING_H
#define CLL_WAITING_H

#include <stdint.h>

/* Of the threads of this process that live, since each of them began; zeros where the system does not tell. */
typedef struct {
    uint64_t ran_ns;
    uint64_t waited_ns; /* ready to run, while others had the processors */
} cll_processor_time;

cll_processor_time cll_processor_time_look(void);

/* Keeps what was stolen until now. */
void cll_stolen_start(void);

/* The part of the time of all processors since then in which a hypervisor ran others than this computer; negative where nobody knows. */
double cll_stolen_share(void);

#endif
