/* radar.c: a radar that looks for moving targets, as a pipeline of three groups of processors, with MPI. A frame is what `channels`
 * receivers hear: for each row (a distance) and column (a pulse) a complex number. Six stages find the targets of each frame:
 *
 *     group 0   samples     receivers deliver column by column, which are weighted by a window
 *               turn        columns are turned into rows, which other processors of the group have
 *     group 1   transform   each row is transformed: columns become speeds
 *     group 2   power       channels are added up
 *               threshold   what stands out of its row is a target
 *               track       targets are counted, and the strongest one of the frame is found
 *
 * A group hands a frame over when the next one asks for it. What the groups find is compared with what one processor finds alone, and
 * with the targets that there are.
 *
 *     radar P0 P1 P2 [CHANNELS ROWS COLUMNS [FRAMES [NANOSECONDS]]]      on P0 + P1 + P2 processors
 *
 * With NANOSECONDS each operation takes so long beside what it takes: under SMPI, which leaves out what this computer needs if it is
 * told to (--cfg=smpi/simulate-computation:no), times are those of such a machine and always the same.
 */
#define _POSIX_C_SOURCE 200809L
#include <mpi.h>

#include "stages.h"

#pragma cll parallel MPI MPI_COMM_WORLD events

static MPI_Comm own; /* of the group */

/* Rows of a frame, all channels of each, go to those of the next group who want some of them; what is early waits. */
static void hand_over(number *its)
{
    int next = group + 1, count = 0;
    MPI_Request *requests = allocate((size_t)members(next), sizeof *requests);
    MPI_Status *statuses = allocate((size_t)members(next), sizeof *statuses);
    for (int to = 0; to < members(next); to++) {
        part shared = shared_with(next, to);
        if (shared.numbers > 0) {
            MPI_Issend(its + shared.first, 2 * shared.numbers, MPI_DOUBLE, first_rank(next) + to, 0, MPI_COMM_WORLD, &requests[count++]);
        }
    }
    MPI_Waitall(count, requests, statuses);
    free(requests);
    free(statuses);
}

/* The other side. */
static void take_over(number *its)
{
    int before = group - 1, count = 0;
    MPI_Request *requests = allocate((size_t)members(before), sizeof *requests);
    MPI_Status *statuses = allocate((size_t)members(before), sizeof *statuses);
    for (int from = 0; from < members(before); from++) {
        part shared = shared_with(before, from);
        if (shared.numbers > 0) {
            MPI_Irecv(its + shared.first, 2 * shared.numbers, MPI_DOUBLE, first_rank(before) + from, 0, MPI_COMM_WORLD, &requests[count++]);
        }
    }
    MPI_Waitall(count, requests, statuses);
    free(requests);
    free(statuses);
}

/* So many numbers come from there. */
static int columns_from(int other)
{
    return own_rows() * channels * (begin(columns, other + 1, p0) - begin(columns, other, p0));
}

/* Group 0: its columns of all rows become all columns of its rows. */
static void turn(number *by_columns, number *received, number *by_rows)
{
    int *counts = allocate(4 * (size_t)p0, sizeof *counts);
    int *starts = counts + p0, *to_counts = starts + p0, *to_starts = to_counts + p0;
    for (int other = 0, at = 0; other < p0; other++) {
        part its = columns_for(other);
        to_starts[other] = 2 * its.first;
        to_counts[other] = 2 * its.numbers;
        starts[other] = at;
        at += counts[other] = 2 * columns_from(other);
    }
    MPI_Alltoallv(by_columns, to_counts, to_starts, MPI_DOUBLE, received, counts, starts, MPI_DOUBLE, own);
    for (int other = 0; other < p0; other++) {
        place_columns(received + starts[other] / 2, other, by_rows);
    }
    spend((double)TURN_OPERATIONS * own_rows() * channels * columns);
    free(counts);
}

static void run_group_0(void)
{
    size_t all = (size_t)(rows * channels) * (size_t)columns;
    number *by_columns = allocate(all, sizeof *by_columns), *received = allocate(all, sizeof *received);
    number *by_rows = allocate(all, sizeof *by_rows);
    for (int frame = 0; frame < frames; frame++) {
#pragma cll samples samples[0] + samples[1]*channels*rows*columns/p0
        make_samples(frame, by_columns);
#pragma cll end samples
#pragma cll turn turn[0] + turn[1]*channels*rows*columns/p0
        turn(by_columns, received, by_rows);
#pragma cll end turn
        hand_over(by_rows);
    }
    free(by_columns);
    free(received);
    free(by_rows);
}

static void run_group_1(void)
{
    number *its = allocate((size_t)own_rows() * (size_t)(channels * columns), sizeof *its);
    for (int frame = 0; frame < frames; frame++) {
        take_over(its);
#pragma cll transform transform[0] + transform[1]*channels*rows*columns*log2(columns)/p1
        transform_rows(its);
#pragma cll end transform
        hand_over(its);
    }
    free(its);
}

static void run_group_2(targets *found)
{
    size_t cells = (size_t)own_rows() * (size_t)columns;
    number *its = allocate(cells * (size_t)channels, sizeof *its);
    double *power = allocate(cells, sizeof *power);
    char *is_target = allocate(cells, sizeof *is_target);
    for (int frame = 0; frame < frames; frame++) {
        take_over(its);
#pragma cll power power[0] + power[1]*channels*rows*columns/p2
        add_powers(its, power);
#pragma cll end power
#pragma cll threshold threshold[0] + threshold[1]*rows*columns/p2
        find_targets(power, is_target);
#pragma cll end threshold
#pragma cll track track[0] + track[1]*rows*columns/p2
        targets mine = add_targets(is_target, power), *all = &found[frame];
        MPI_Reduce(&mine.count, &all->count, 2, MPI_LONG, MPI_SUM, 0, own);
        MPI_Reduce(&mine.strongest, &all->strongest, 1, MPI_DOUBLE, MPI_MAX, 0, own);
#pragma cll end track
    }
    free(its);
    free(power);
    free(is_target);
}

int main(int argc, char **argv)
{
    int rank, processors, right = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processors);
    if (!read_arguments(argc, argv) || p0 + p1 + p2 != processors) {
        if (rank == 0) {
            tell_usage("radar");
        }
        MPI_Finalize();
        return 2;
    }
    find_place(rank);
    MPI_Comm_split(MPI_COMM_WORLD, group, rank, &own);
    targets *found = allocate((size_t)frames, sizeof *found);
#pragma cll pipeline pipeline[0] + pipeline[1]*frames
    if (group == 0) {
        run_group_0();
    } else if (group == 1) {
        run_group_1();
    } else {
        run_group_2(found);
    }
#pragma cll end pipeline
#pragma cll report all
    if (rank == first_rank(2)) {
        right = tell_result(found);
    }
    MPI_Bcast(&right, 1, MPI_INT, first_rank(2), MPI_COMM_WORLD);
    MPI_Comm_free(&own);
    free(found);
    MPI_Finalize();
    return right ? 0 : 1;
}
