/* mpi_signals.h: what is recorded is saved when a signal ends the program that has left that to the system. */
#ifndef CLL_EVENTS_MPI_SIGNALS_H
#define CLL_EVENTS_MPI_SIGNALS_H

#include <stddef.h>

/* This thread records. `describe` writes lines about what it waits for, whole ones that fit, and returns their length. */
void cll_events_watch_signals(size_t (*describe)(char *text, size_t capacity));

#endif
