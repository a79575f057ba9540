/* mpi_clocks.c: a question and its answer cross the network; processor 0 has answered between both, so half of what they take is how far off that may be
 * (F. Cristian, Probabilistic clock synchronization, 1989). Of several the quickest counts. */
#include "mpi_clocks.h"

#include <mpi.h>
#include <string.h>

#include "../base/clock.h"
#include "../bsp/mpi_clock_origin.h"
#include "event_definitions.h"

#ifdef CLL_SMPI

/* Simulated time is the same everywhere. */
int cll_event_clocks_start(uint64_t *origin_ticks)
{
    *origin_ticks = 0;
    return 1;
}

void cll_event_clocks_compare(void)
{
}

void cll_event_clocks_end(void)
{
}

#else

enum { QUESTIONS = 32, QUESTION = 1, ANSWER = 2 };

static MPI_Comm clock_world = MPI_COMM_NULL; /* no message of the program meets those of this file */
static MPI_Comm clock_neighbours = MPI_COMM_NULL;
static uint64_t clock_origin_ticks = 0;

static void tell_clock_to(int asking)
{
    for (int question = 0; question < QUESTIONS; question++) {
        PMPI_Recv(NULL, 0, MPI_BYTE, asking, QUESTION, clock_world, MPI_STATUS_IGNORE);
        uint64_t now_ns = cll_clock_nanoseconds(cll_clock_end() - clock_origin_ticks);
        PMPI_Send(&now_ns, (int)sizeof now_ns, MPI_BYTE, asking, ANSWER, clock_world);
    }
}

static cll_clock_reading ask_first_clock(void)
{
    cll_clock_reading best = {0, 0, UINT64_MAX};
    for (int question = 0; question < QUESTIONS; question++) {
        uint64_t answer_ns = 0;
        uint64_t asked_ticks = cll_clock_end();
        PMPI_Send(NULL, 0, MPI_BYTE, 0, QUESTION, clock_world);
        PMPI_Recv(&answer_ns, (int)sizeof answer_ns, MPI_BYTE, 0, ANSWER, clock_world, MPI_STATUS_IGNORE);
        uint64_t half_ticks = (cll_clock_end() - asked_ticks) / 2;
        if (half_ticks < best.uncertainty_ticks) {
            best.own_ticks = asked_ticks - clock_origin_ticks + half_ticks;
            best.first_ns = answer_ns;
            best.uncertainty_ticks = half_ticks;
        }
    }
    return best;
}

void cll_event_clocks_compare(void)
{
    cll_clock_reading reading = {0, 0, 0};
    int rank = 0;
    int size = 0;
    int near_rank = 0;
    if (clock_world == MPI_COMM_NULL) {
        return;
    }
    PMPI_Comm_rank(clock_world, &rank);
    PMPI_Comm_size(clock_world, &size);
    PMPI_Comm_rank(clock_neighbours, &near_rank);
    cll_clock_calibrate(0);
    /* Each learns who asks, in the order of ranks. */
    for (int asking = 1; asking < size; asking++) {
        int asks = rank == asking && near_rank == 0;
        PMPI_Bcast(&asks, 1, MPI_INT, asking, clock_world);
        if (asks && rank == asking) {
            reading = ask_first_clock();
        } else if (asks && rank == 0) {
            tell_clock_to(asking);
        }
    }
    PMPI_Bcast(&reading, (int)sizeof reading, MPI_BYTE, 0, clock_neighbours);
    cll_event_clock_read(&reading);
}

int cll_event_clocks_start(uint64_t *origin_ticks)
{
    int all = 0;
    int near = 0;
    *origin_ticks = 0;
    if (cll_clock_in_use == CLL_CLOCK_COUNTING) {
        return 1;
    }
    clock_neighbours = cll_mpi_clock_origin(MPI_COMM_WORLD, origin_ticks);
    clock_origin_ticks = *origin_ticks;
    PMPI_Comm_size(MPI_COMM_WORLD, &all);
    PMPI_Comm_size(clock_neighbours, &near);
    if (near == all) {
        PMPI_Comm_free(&clock_neighbours);
        return 1;
    }
    PMPI_Comm_dup(MPI_COMM_WORLD, &clock_world);
    cll_events_compare_clocks = cll_event_clocks_compare;
    cll_event_clocks_compare();
    return 0;
}

void cll_event_clocks_end(void)
{
    cll_events_compare_clocks = NULL;
    if (clock_world != MPI_COMM_NULL) {
        cll_event_clocks_compare();
        PMPI_Comm_free(&clock_neighbours);
        PMPI_Comm_free(&clock_world);
    }
}

#endif
