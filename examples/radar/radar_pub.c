/* radar_pub.c: the pipeline of radar.c on a BSP machine of PUB, which is partitioned into the three groups. In each round a group does its
 * stages with a frame of its own, on its part of the machine; then a superstep of the whole machine hands all frames over at once. So a
 * round takes as long as the slowest group, for which the others wait.
 *
 *     radar_pub P0 P1 P2 [CHANNELS ROWS COLUMNS [FRAMES [NANOSECONDS]]]      on P0 + P1 + P2 processors
 */
#define _POSIX_C_SOURCE 200809L
#include <pub.h>

#include "stages.h"

#pragma cll parallel PUB &machine supersteps

static t_bsp machine, own; /* the latter of the group, in a round */

/* What a processor has of a frame; its group needs only some of it. */
static number *by_columns, *its_rows;
static double *power;
static char *is_target;

/* A frame is handed over behind the round in which its stage is done. */
static int frame_of(int round)
{
    return round - group;
}

static int has_frame(int round)
{
    return frame_of(round) >= 0 && frame_of(round) < frames;
}

static void hand_over(void)
{
    for (int to = 0; to < members(group + 1); to++) {
        part shared = shared_with(group + 1, to);
        if (shared.numbers > 0) {
            bsp_send(&machine, first_rank(group + 1) + to, its_rows + shared.first, shared.numbers * (int)sizeof *its_rows);
        }
    }
}

static void take_over(void)
{
    for (int from = 0; from < members(group - 1); from++) {
        part shared = shared_with(group - 1, from);
        if (shared.numbers > 0) {
            t_bspmsg *message = bsp_findmsg(&machine, first_rank(group - 1) + from, 0);
            memcpy(its_rows + shared.first, bspmsg_data(message), (size_t)shared.numbers * sizeof *its_rows);
        }
    }
}

/* Group 0: its columns of all rows become all columns of its rows. */
static void turn(void)
{
    for (int other = 0; other < p0; other++) {
        part its = columns_for(other);
        bsp_send(&own, other, by_columns + its.first, its.numbers * (int)sizeof *by_columns);
    }
    bsp_sync(&own);
    for (int other = 0; other < p0; other++) {
        place_columns(bspmsg_data(bsp_findmsg(&own, other, 0)), other, its_rows);
    }
    spend((double)TURN_OPERATIONS * own_rows() * channels * columns);
}

/* Member 0 of group 2 has the targets of all. */
static targets gather(targets mine)
{
    targets all = {0, 0, 0};
    bsp_send(&own, 0, &mine, sizeof mine);
    bsp_sync(&own);
    for (int at = 0; at < bsp_nmsgs(&own); at++) {
        const targets *its = bspmsg_data(bsp_getmsg(&own, at));
        all.count += its->count;
        all.checksum += its->checksum;
        all.strongest = fmax(all.strongest, its->strongest);
    }
    return all;
}

static void do_stages(int frame, targets *found)
{
    if (group == 0) {
#pragma cll samples samples[0] + samples[1]*channels*rows*columns/p0
        make_samples(frame, by_columns);
#pragma cll end samples
#pragma cll turn turn[0] + turn[1]*channels*rows*columns/p0
        turn();
#pragma cll end turn
    } else if (group == 1) {
#pragma cll transform transform[0] + transform[1]*channels*rows*columns*log2(columns)/p1
        transform_rows(its_rows);
#pragma cll end transform
    } else {
#pragma cll power power[0] + power[1]*channels*rows*columns/p2
        add_powers(its_rows, power);
#pragma cll end power
#pragma cll threshold threshold[0] + threshold[1]*rows*columns/p2
        find_targets(power, is_target);
#pragma cll end threshold
#pragma cll track track[0] + track[1]*rows*columns/p2
        found[frame] = gather(add_targets(is_target, power));
#pragma cll end track
    }
}

static void run(targets *found)
{
    const int ends[] = {p0, p0 + p1, p0 + p1 + p2};
    for (int round = 0; round < frames + 2; round++) {
        bsp_partition(&machine, &own, 3, ends);
        if (has_frame(round)) {
            do_stages(frame_of(round), found);
        }
        bsp_done(&own);
        if (has_frame(round) && group < 2) {
            hand_over();
        }
        bsp_sync(&machine);
        if (has_frame(round + 1) && group > 0) {
            take_over();
        }
    }
}

/* Processor `from` knows whether all is right. */
static int tell_all(int from, int right)
{
    for (int to = 0; bsp_pid(&machine) == from && to < bsp_nprocs(&machine); to++) {
        bsp_send(&machine, to, &right, sizeof right);
    }
    bsp_sync(&machine);
    return *(const int *)bspmsg_data(bsp_getmsg(&machine, 0));
}

int main(int argc, char **argv)
{
    int right = 1;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &machine);
    if (!read_arguments(argc, argv) || p0 + p1 + p2 != bsp_nprocs(&machine)) {
        if (bsp_pid(&machine) == 0) {
            tell_usage("radar_pub");
        }
        bsplib_done();
        return 2;
    }
    find_place(bsp_pid(&machine));
    targets *found = allocate((size_t)frames, sizeof *found);
    by_columns = allocate((size_t)(rows * channels) * (size_t)own_columns(), sizeof *by_columns);
    its_rows = allocate((size_t)(own_rows() * channels) * (size_t)columns, sizeof *its_rows);
    power = allocate((size_t)own_rows() * (size_t)columns, sizeof *power);
    is_target = allocate((size_t)own_rows() * (size_t)columns, sizeof *is_target);
#pragma cll pipeline pipeline[0] + pipeline[1]*frames
    run(found);
#pragma cll end pipeline
#pragma cll report all
    if (bsp_pid(&machine) == first_rank(2)) {
        right = tell_result(found);
    }
    right = tell_all(first_rank(2), right);
    free(found);
    free(by_columns);
    free(its_rows);
    free(power);
    free(is_target);
    bsplib_done();
    return right ? 0 : 1;
}
