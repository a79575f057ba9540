/* stages.h: what the stages of the radar do with some rows or columns of a frame, wherever those are; the targets that there are; and which
 * processors are in which group. */
#ifndef RADAR_STAGES_H
#define RADAR_STAGES_H

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

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

/* Which group this processor is in, and its place there. */
static int group, member;

static void *allocate(size_t count, size_t size)
{
    void *made = calloc(count > 0 ? count : 1, size);
    if (made == NULL) {
        fprintf(stderr, "radar: no memory for %zu numbers\n", count);
        abort();
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

static void find_place(int rank)
{
    group = rank < p0 ? 0 : rank < p0 + p1 ? 1 : 2;
    member = rank - first_rank(group);
}

/* Where part number `part` of `parts` begins in so many things. */
static int begin(int count, int part, int parts)
{
    return (int)((long)count * part / parts);
}

static int own_rows(void)
{
    return begin(rows, member + 1, members(group)) - begin(rows, member, members(group));
}

static int own_columns(void)
{
    return begin(columns, member + 1, p0) - begin(columns, member, p0);
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

/* --- What stages do with a number, or with a row. --- */

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

/* --- The stages, for what this processor has. --- */

/* By rows, channels and its columns. */
static void make_samples(int frame, number *by_columns)
{
    int first = begin(columns, member, p0), width = own_columns();
    for (int line = 0; line < rows * channels; line++) {
        for (int column = 0; column < width; column++) {
            by_columns[line * width + column] = sample(frame, line % channels, line / channels, first + column);
        }
    }
    spend((double)SAMPLE_OPERATIONS * rows * channels * width);
}

static void transform_rows(number *its)
{
    for (int line = 0; line < own_rows() * channels; line++) {
        transform_row(its + (size_t)line * (size_t)columns, columns);
    }
    spend(BUTTERFLY_OPERATIONS * log2(columns) * own_rows() * channels * columns);
}

static void add_powers(const number *its, double *power)
{
    for (int row = 0; row < own_rows(); row++) {
        add_power(its + (size_t)row * (size_t)(channels * columns), power + (size_t)row * (size_t)columns);
    }
    spend((double)POWER_OPERATIONS * own_rows() * channels * columns);
}

static void find_targets(const double *power, char *is_target)
{
    for (int row = 0; row < own_rows(); row++) {
        for (int column = 0; column < columns; column++) {
            is_target[row * columns + column] = (char)stands_out(power + (size_t)row * (size_t)columns, column);
        }
    }
    spend((double)THRESHOLD_OPERATIONS * own_rows() * columns);
}

static targets add_targets(const char *is_target, const double *power)
{
    targets found = {0, 0, 0};
    for (int row = 0; row < own_rows(); row++) {
        size_t at = (size_t)row * (size_t)columns;
        count_targets(is_target + at, power + at, begin(rows, member, p2) + row, &found);
    }
    spend((double)TRACK_OPERATIONS * own_rows() * columns);
    return found;
}

/* --- Who needs what of whom --- */

/* Numbers beside each other, of those that this processor has. */
typedef struct {
    int first, numbers;
} part;

/* Rows that member `other` of another group has, too. */
static part shared_with(int other_group, int other)
{
    int own_first = begin(rows, member, members(group)), own_end = begin(rows, member + 1, members(group));
    int first = begin(rows, other, members(other_group)), end = begin(rows, other + 1, members(other_group));
    first = first > own_first ? first : own_first;
    end = end < own_end ? end : own_end;
    return (part){(first - own_first) * channels * columns, end > first ? (end - first) * channels * columns : 0};
}

/* Of its columns: those of the rows that another member of group 0 makes of them. */
static part columns_for(int other)
{
    int first = begin(rows, other, p0), end = begin(rows, other + 1, p0);
    return (part){first * channels * own_columns(), (end - first) * channels * own_columns()};
}

static void place_columns(const number *received, int other, number *by_rows)
{
    int column = begin(columns, other, p0), count = begin(columns, other + 1, p0) - column;
    for (int line = 0; line < own_rows() * channels; line++) {
        memcpy(by_rows + (size_t)line * (size_t)columns + column, received + (size_t)line * (size_t)count, (size_t)count * sizeof *by_rows);
    }
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

static void tell_usage(const char *program)
{
    fprintf(stderr, "usage: %s P0 P1 P2 [CHANNELS ROWS COLUMNS [FRAMES [NANOSECONDS]]] on P0 + P1 + P2 processors; COLUMNS is a power of two from "
                    "32 on, and no group has more processors than there are rows\n", program);
}

/* Says what was found; returns whether that is right. */
static int tell_result(const targets *found)
{
    int right = are_right(found);
    printf("%d + %d + %d processors, %d frames: %ld targets, %s\n", p0, p1, p2, frames, found[frames - 1].count, right ? "right" : "wrong");
    return right;
}

#endif
