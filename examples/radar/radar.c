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
#include <math.h>
#include <mpi.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#pragma cll parallel MPI MPI_COMM_WORLD events

#define GROUPS 3
#define TARGETS 3

/* A cell stands out if it has so many times the mean of those beside it, without the nearest ones, over which the window spreads it. */
#define FACTOR 40
#define GUARD 2
#define BESIDE 6

#define LARGEST 4096

/* Operations on each number, of which a sum, a product or a move of a real number is one. */
#define SAMPLE_OPERATIONS 10
#define TURN_OPERATIONS 4
#define BUTTERFLY_OPERATIONS 5
#define POWER_OPERATIONS 4
#define THRESHOLD_OPERATIONS 5
#define TRACK_OPERATIONS 1

typedef struct {
    double re, im;
} number;

/* What the targets of a frame come to. */
typedef struct {
    long count, checksum;
    double strongest;
} targets;

static const double pi = 3.14159265358979323846;

static int p0 = 1, p1 = 1, p2 = 1, channels = 4, rows = 60, columns = 64, frames = 8;
static long nanoseconds;

/* Which group a processor is in, its communicator, and its place there. */
static int group, member;
static MPI_Comm own;

static void *allocate(size_t count, size_t size)
{
    void *made = calloc(count > 0 ? count : 1, size);
    if (made == NULL) {
        fprintf(stderr, "radar: no memory for %zu numbers\n", count);
        MPI_Abort(MPI_COMM_WORLD, 2);
    }
    return made;
}

static int members(int of)
{
    return of == 0 ? p0 : of == 1 ? p1 : p2;
}

static int first_rank(int of)
{
    return of == 0 ? 0 : of == 1 ? p0 : p0 + p1;
}

/* Where part number `part` of `parts` begins in so many things. */
static int begin(int count, int part, int parts)
{
    return (int)((long)count * part / parts);
}

/* Time that the operations of a planned machine take. */
static void spend(double operations)
{
    double ns = operations * (double)nanoseconds;
    struct timespec time = {.tv_sec = (time_t)(ns / 1e9)};
    time.tv_nsec = (long)(ns - 1e9 * (double)time.tv_sec);
    if (ns > 0) {
        nanosleep(&time, NULL);
    }
}

/* --- The stages, for some rows or columns; one processor alone does them for all. --- */

static int target_row(int frame, int target)
{
    return (7 + 19 * target + (target + 1) * frame) % rows;
}

static int target_speed(int target)
{
    return 5 + target * (columns / TARGETS);
}

/* Between -0.1 and 0.1, the same wherever it is asked for. */
static double noise(unsigned frame, unsigned channel, unsigned row, unsigned column)
{
    unsigned state = ((frame * 31 + channel) * 5003 + row) * 4099 + column;
    for (int turn = 0; turn < 3; turn++) {
        state = (state ^ (state >> 15)) * 2246822519u + 3266489917u;
    }
    return 0.2 * ((double)(state >> 8) / 16777216.0 - 0.5);
}

/* What a channel hears, weighted by von Hann's window. */
static number sample(int frame, int channel, int row, int column)
{
    double window = 0.5 - 0.5 * cos(2 * pi * column / columns);
    number heard = {noise((unsigned)frame, (unsigned)channel, (unsigned)row, (unsigned)column),
                    noise((unsigned)frame, (unsigned)channel + 16, (unsigned)row, (unsigned)column)};
    for (int target = 0; target < TARGETS; target++) {
        if (target_row(frame, target) == row) {
            double phase = 2 * pi * ((double)(target_speed(target) * column % columns) / columns + 0.25 * channel);
            heard.re += cos(phase);
            heard.im += sin(phase);
        }
    }
    return (number){window * heard.re, window * heard.im};
}

/* Transforms columns[0 .. count), a power of two, in place. */
static void transform_row(number *its, int count)
{
    for (int i = 1, j = 0; i < count; i++) {
        int bit = count >> 1;
        for (; j & bit; bit >>= 1) {
            j ^= bit;
        }
        j ^= bit;
        if (i < j) {
            number kept = its[i];
            its[i] = its[j];
            its[j] = kept;
        }
    }
    for (int length = 2; length <= count; length *= 2) {
        for (int start = 0; start < count; start += length) {
            for (int k = 0; k < length / 2; k++) {
                number root = {cos(2 * pi * k / length), -sin(2 * pi * k / length)};
                number *low = &its[start + k], *high = low + length / 2;
                number turned = {root.re * high->re - root.im * high->im, root.re * high->im + root.im * high->re};
                *high = (number){low->re - turned.re, low->im - turned.im};
                *low = (number){low->re + turned.re, low->im + turned.im};
            }
        }
    }
}

/* Of one row: all channels, one behind the other. */
static void add_power(const number *row, double *power)
{
    for (int column = 0; column < columns; column++) {
        power[column] = 0;
        for (int channel = 0; channel < channels; channel++) {
            number its = row[channel * columns + column];
            power[column] += its.re * its.re + its.im * its.im;
        }
    }
}

static int stands_out(const double *power, int column)
{
    double beside = 0;
    for (int distance = GUARD + 1; distance <= GUARD + BESIDE; distance++) {
        beside += power[(column + distance) % columns] + power[(column - distance + columns) % columns];
    }
    int is_peak = power[column] >= power[(column + 1) % columns] && power[column] >= power[(column + columns - 1) % columns];
    return is_peak && power[column] > FACTOR * beside / (2 * BESIDE);
}

/* Adds the targets of a row to those of the frame. */
static void count_targets(const char *is_target, const double *power, int row, targets *found)
{
    for (int column = 0; column < columns; column++) {
        if (is_target[column]) {
            found->count++;
            found->checksum += (long)row * columns + column;
            found->strongest = fmax(found->strongest, power[column]);
        }
    }
}

/* --- Groups --- */

/* Rows `first` … of a frame, all channels of each, go to those of the next group who want some of them; what is early waits. */
static void hand_over(number *its)
{
    int next = group + 1, first = begin(rows, member, members(group)), end = begin(rows, member + 1, members(group));
    int width = 2 * channels * columns, count = 0;
    MPI_Request *requests = allocate((size_t)members(next), sizeof *requests);
    MPI_Status *statuses = allocate((size_t)members(next), sizeof *statuses);
    for (int to = 0; to < members(next); to++) {
        int from_row = begin(rows, to, members(next)), to_row = begin(rows, to + 1, members(next));
        from_row = from_row > first ? from_row : first;
        to_row = to_row < end ? to_row : end;
        if (from_row < to_row) {
            number *part = its + (size_t)(from_row - first) * (size_t)(channels * columns);
            MPI_Issend(part, (to_row - from_row) * width, MPI_DOUBLE, first_rank(next) + to, 0, MPI_COMM_WORLD, &requests[count++]);
        }
    }
    MPI_Waitall(count, requests, statuses);
    free(requests);
    free(statuses);
}

/* The other side. */
static void take_over(number *its)
{
    int before = group - 1, first = begin(rows, member, members(group)), end = begin(rows, member + 1, members(group));
    int width = 2 * channels * columns, count = 0;
    MPI_Request *requests = allocate((size_t)members(before), sizeof *requests);
    MPI_Status *statuses = allocate((size_t)members(before), sizeof *statuses);
    for (int from = 0; from < members(before); from++) {
        int from_row = begin(rows, from, members(before)), to_row = begin(rows, from + 1, members(before));
        from_row = from_row > first ? from_row : first;
        to_row = to_row < end ? to_row : end;
        if (from_row < to_row) {
            number *part = its + (size_t)(from_row - first) * (size_t)(channels * columns);
            MPI_Irecv(part, (to_row - from_row) * width, MPI_DOUBLE, first_rank(before) + from, 0, MPI_COMM_WORLD, &requests[count++]);
        }
    }
    MPI_Waitall(count, requests, statuses);
    free(requests);
    free(statuses);
}

/* Group 0: its columns of all rows become all columns of its rows. */
static void turn(number *by_columns, number *received, number *by_rows)
{
    int first = begin(columns, member, p0), width = begin(columns, member + 1, p0) - first;
    int height = begin(rows, member + 1, p0) - begin(rows, member, p0), at = 0;
    int *counts = allocate(4 * (size_t)p0, sizeof *counts);
    int *starts = counts + p0, *to_counts = starts + p0, *to_starts = to_counts + p0;
    for (int other = 0; other < p0; other++) {
        to_starts[other] = 2 * channels * width * begin(rows, other, p0);
        to_counts[other] = 2 * channels * width * begin(rows, other + 1, p0) - to_starts[other];
        starts[other] = 2 * channels * height * begin(columns, other, p0);
        counts[other] = 2 * channels * height * begin(columns, other + 1, p0) - starts[other];
    }
    MPI_Alltoallv(by_columns, to_counts, to_starts, MPI_DOUBLE, received, counts, starts, MPI_DOUBLE, own);
    for (int other = 0; other < p0; other++) {
        int column = begin(columns, other, p0), count = begin(columns, other + 1, p0) - column;
        for (int line = 0; line < height * channels; line++, at += count) {
            memcpy(by_rows + (size_t)line * (size_t)columns + column, received + at, (size_t)count * sizeof *by_rows);
        }
    }
    free(counts);
}

static void run_group_0(void)
{
    int first = begin(columns, member, p0), width = begin(columns, member + 1, p0) - first;
    int height = begin(rows, member + 1, p0) - begin(rows, member, p0);
    size_t most = (size_t)(rows + 1) * (size_t)channels * (size_t)(columns + 1);
    number *by_columns = allocate(most, sizeof *by_columns), *received = allocate(most, sizeof *received);
    number *by_rows = allocate(most, sizeof *by_rows);
    for (int frame = 0; frame < frames; frame++) {
#pragma cll samples samples[0] + samples[1]*channels*rows*columns/p0
        for (int line = 0; line < rows * channels; line++) {
            for (int column = 0; column < width; column++) {
                by_columns[line * width + column] = sample(frame, line % channels, line / channels, first + column);
            }
        }
        spend((double)SAMPLE_OPERATIONS * rows * channels * width);
#pragma cll end samples
#pragma cll turn turn[0] + turn[1]*channels*rows*columns/p0
        turn(by_columns, received, by_rows);
        spend((double)TURN_OPERATIONS * height * channels * columns);
#pragma cll end turn
        hand_over(by_rows);
    }
    free(by_columns);
    free(received);
    free(by_rows);
}

static void run_group_1(void)
{
    int height = begin(rows, member + 1, p1) - begin(rows, member, p1);
    number *its = allocate((size_t)height * (size_t)(channels * columns), sizeof *its);
    for (int frame = 0; frame < frames; frame++) {
        take_over(its);
#pragma cll transform transform[0] + transform[1]*channels*rows*columns*log2(columns)/p1
        for (int line = 0; line < height * channels; line++) {
            transform_row(its + (size_t)line * (size_t)columns, columns);
        }
        spend(BUTTERFLY_OPERATIONS * log2(columns) * height * channels * columns);
#pragma cll end transform
        hand_over(its);
    }
    free(its);
}

static void run_group_2(targets *found)
{
    int first = begin(rows, member, p2), height = begin(rows, member + 1, p2) - first;
    number *its = allocate((size_t)height * (size_t)(channels * columns), sizeof *its);
    double *power = allocate((size_t)height * (size_t)columns, sizeof *power);
    char *is_target = allocate((size_t)height * (size_t)columns, sizeof *is_target);
    for (int frame = 0; frame < frames; frame++) {
        take_over(its);
#pragma cll power power[0] + power[1]*channels*rows*columns/p2
        for (int row = 0; row < height; row++) {
            add_power(its + (size_t)row * (size_t)(channels * columns), power + (size_t)row * (size_t)columns);
        }
        spend((double)POWER_OPERATIONS * height * channels * columns);
#pragma cll end power
#pragma cll threshold threshold[0] + threshold[1]*rows*columns/p2
        for (int row = 0; row < height; row++) {
            for (int column = 0; column < columns; column++) {
                is_target[row * columns + column] = (char)stands_out(power + (size_t)row * (size_t)columns, column);
            }
        }
        spend((double)THRESHOLD_OPERATIONS * height * columns);
#pragma cll end threshold
#pragma cll track track[0] + track[1]*rows*columns/p2
        targets mine = {0, 0, 0}, *all = &found[frame];
        for (int row = 0; row < height; row++) {
            size_t at = (size_t)row * (size_t)columns;
            count_targets(is_target + at, power + at, first + row, &mine);
        }
        spend((double)TRACK_OPERATIONS * height * columns);
        MPI_Reduce(&mine.count, &all->count, 2, MPI_LONG, MPI_SUM, 0, own);
        MPI_Reduce(&mine.strongest, &all->strongest, 1, MPI_DOUBLE, MPI_MAX, 0, own);
#pragma cll end track
    }
    free(its);
    free(power);
    free(is_target);
}

/* --- Whether it is right --- */

/* The targets of a frame, found by one processor alone. */
static targets find_alone(int frame)
{
    targets found = {0, 0, 0};
    number *row = allocate((size_t)(channels * columns), sizeof *row);
    double *power = allocate((size_t)columns, sizeof *power);
    char *is_target = allocate((size_t)columns, sizeof *is_target);
    for (int at = 0; at < rows; at++) {
        for (int channel = 0; channel < channels; channel++) {
            for (int column = 0; column < columns; column++) {
                row[channel * columns + column] = sample(frame, channel, at, column);
            }
            transform_row(row + channel * columns, columns);
        }
        add_power(row, power);
        for (int column = 0; column < columns; column++) {
            is_target[column] = (char)stands_out(power, column);
        }
        count_targets(is_target, power, at, &found);
    }
    free(row);
    free(power);
    free(is_target);
    return found;
}

/* Whether all frames have the targets that there are, and what one processor finds. */
static int are_right(const targets *found)
{
    int right = 1;
    for (int frame = 0; frame < frames; frame++) {
        targets alone = find_alone(frame);
        long checksum = 0;
        for (int target = 0; target < TARGETS; target++) {
            checksum += (long)target_row(frame, target) * columns + target_speed(target);
        }
        right = right && found[frame].count == TARGETS && found[frame].checksum == checksum;
        right = right && alone.count == TARGETS && alone.checksum == checksum;
        /* Equal to the last bit: each row is computed as a whole, wherever that is. */
        right = right && found[frame].strongest >= alone.strongest && found[frame].strongest <= alone.strongest;
    }
    return right;
}

/* A whole number on the command line, at least as large as said. */
static long argument(int argc, char **argv, int place, long otherwise, long least, long most)
{
    char *end;
    if (place >= argc) {
        return otherwise;
    }
    long value = strtol(argv[place], &end, 10);
    return *end != '\0' || end == argv[place] || value < least || value > most ? -1 : value;
}

static int read_arguments(int argc, char **argv)
{
    int *values[] = {&p0, &p1, &p2, &channels, &rows, &columns, &frames};
    const int least[] = {1, 1, 1, 1, 1, 32, 1}, most[] = {LARGEST, LARGEST, LARGEST, 16, LARGEST, LARGEST, 1000000};
    int is_good = argc <= 9;
    for (int place = 0; place < 7; place++) {
        *values[place] = (int)argument(argc, argv, place + 1, *values[place], least[place], most[place]);
        is_good = is_good && *values[place] > 0;
    }
    nanoseconds = argument(argc, argv, 8, 0, 0, 1000000000);
    int widest = p0 > p1 ? p0 : p1;
    widest = widest > p2 ? widest : p2;
    return is_good && nanoseconds >= 0 && (columns & (columns - 1)) == 0 && rows >= widest && columns >= p0;
}

int main(int argc, char **argv)
{
    int rank, processors, right = 1;
    MPI_Init(&argc, &argv);
    MPI_Comm_rank(MPI_COMM_WORLD, &rank);
    MPI_Comm_size(MPI_COMM_WORLD, &processors);
    if (!read_arguments(argc, argv) || p0 + p1 + p2 != processors) {
        if (rank == 0) {
            fprintf(stderr, "usage: radar P0 P1 P2 [CHANNELS ROWS COLUMNS [FRAMES [NANOSECONDS]]] on P0 + P1 + P2 processors; COLUMNS is a "
                            "power of two from 32 on, and no group has more processors than there are rows\n");
        }
        MPI_Finalize();
        return 2;
    }
    group = rank < p0 ? 0 : rank < p0 + p1 ? 1 : 2;
    member = rank - first_rank(group);
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
        right = are_right(found);
        printf("%d + %d + %d processors, %d frames: %ld targets, %s\n", p0, p1, p2, frames, found[frames - 1].count,
               right ? "right" : "wrong");
    }
    MPI_Bcast(&right, 1, MPI_INT, first_rank(2), MPI_COMM_WORLD);
    MPI_Comm_free(&own);
    free(found);
    MPI_Finalize();
    return right ? 0 : 1;
}
