/* thread.h: variables of which each thread has its own. */
#ifndef CLL_THREAD_H
#define CLL_THREAD_H

#ifdef CLL_TRANSPORT_MPI
#include <mpi.h>
#endif

/* SimGrid's SMPI simulates time and processors: each has its own copy of all variables and is no thread of the system. */
#if defined(CLL_TRANSPORT_MPI) && defined(SMPI_H)
#define CLL_SMPI 1
#endif

/* Reached without a call also in a shared object; a few words have room there. */
#if defined(CLL_SMPI)
#define CLL_PER_THREAD
#elif defined(__ELF__)
#define CLL_PER_THREAD __thread __attribute__((tls_model("initial-exec")))
#else
#define CLL_PER_THREAD __thread
#endif

#endif
