/* mpi_communicators.h: which communicator of the section a handle of MPI is. */
#ifndef CLL_EVENTS_MPI_COMMUNICATORS_H
#define CLL_EVENTS_MPI_COMMUNICATORS_H

#include <mpi.h>
#include <stdint.h>

/* What goes through it is not recorded. */
#define CLL_NO_COMMUNICATOR UINT32_MAX

/* MPI_COMM_WORLD and MPI_COMM_SELF are known from the start. */
void cll_event_communicators_start(void);
uint32_t cll_event_world(void);

/* All processors of a new communicator call it. MPI_COMM_NULL is none, and one between two groups is not recorded. */
void cll_event_communicator_made(MPI_Comm communicator);
void cll_event_communicator_freed(MPI_Comm communicator);

/* One that is made while its processors go on: all of `of` begin, and each ends when its part is complete. */
typedef struct cll_communicator_naming cll_communicator_naming;
cll_communicator_naming *cll_event_communicator_begin(MPI_Comm of, const MPI_Comm *made);
void cll_event_communicator_end(cll_communicator_naming *naming);

/* CLL_NO_COMMUNICATOR of one that no recorded call has made. */
uint32_t cll_event_communicator(MPI_Comm communicator);

/* For each rank of a group its number in the run, and how many there are; negative for one that is not of this run. To be freed. */
int *cll_event_processors_of(MPI_Group group, int *count);

/* A window is known by the communicator that it was made of. */
void cll_event_window_made(MPI_Win window, MPI_Comm communicator);
void cll_event_window_freed(MPI_Win window);
uint32_t cll_event_window(MPI_Win window);

/* The same, and how many windows of that communicator were made before. */
uint32_t cll_event_window_number(MPI_Win window, uint32_t *number);

#endif
