/* Any number of processors, arguments SUPERSTEPS SEED: random messages of 0 bytes to 1 MiB on nested machines, ended by random kinds of
 * synchronisation, at random times; every processor knows what all send and compares. Says `storm ok` and the number of messages. */
#include <call.h>
#include <pub.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

static const cll_unit unit = {"storm", "storm.c", CLL_PUB, 0, 0};

#define LARGEST 1048576
#define DEEPEST 3

static uint64_t seed = 1;
static unsigned char *buffer;
static unsigned long long verified = 0;
static int world_pid = 0;

static uint64_t mixed(uint64_t value)
{
    value += 0x9e3779b97f4a7c15u;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
    value = (value ^ value >> 27) * 0x94d049bb133111ebu;
    return value ^ value >> 31;
}

/* The dice of the storm: the same numbers on all processors. */
static uint64_t dice(uint64_t machine, int superstep, int from, int to, int index)
{
    uint64_t value = mixed(seed + machine);
    value = mixed(value + (uint64_t)superstep);
    value = mixed(value + (uint64_t)(from + 1));
    value = mixed(value + (uint64_t)(to + 1));
    return mixed(value + (uint64_t)(index + 1));
}

static int message_count(uint64_t machine, int superstep, int from, int to)
{
    uint64_t value = dice(machine, superstep, from, to, -1) % 16;
    return value < 6 ? 0 : value < 12 ? 1 : value < 15 ? 2 : 40;
}

static int message_size(uint64_t machine, int superstep, int from, int to, int index)
{
    uint64_t value = dice(machine, superstep, from, to, index);
    uint64_t kind = value % 256;
    value /= 256;
    if (kind < 32) {
        return 0;
    }
    if (kind < 200) {
        return (int)(value % 65);
    }
    if (kind < 240) {
        return (int)(value % 5000);
    }
    if (kind < 254) {
        return (int)(value % 40000);
    }
    return kind == 254 ? LARGEST : (int)(value % LARGEST);
}

static void fail(const char *what, int superstep, int from, int index)
{
    fprintf(stderr, "storm: processor %d, superstep %d: %s (message %d from %d)\n", world_pid, superstep, what, index, from);
    exit(1);
}

/* The bytes of a message: a sequence that starts differently for each. */
static uint64_t next_word(uint64_t word)
{
    return word * 6364136223846793005u + 1442695040888963407u;
}

static void fill(unsigned char *bytes, int size, uint64_t word)
{
    for (int at = 0; at < size; at += 8) {
        word = next_word(word);
        memcpy(bytes + at, &word, (size_t)(size - at < 8 ? size - at : 8));
    }
}

static int is_filled(const unsigned char *bytes, int size, uint64_t word)
{
    for (int at = 0; at < size; at += 8) {
        word = next_word(word);
        if (memcmp(bytes + at, &word, (size_t)(size - at < 8 ? size - at : 8)) != 0) {
            return 0;
        }
    }
    return 1;
}

static void dawdle(uint64_t value)
{
    if (value % 8 == 0) {
        struct timespec pause = {0, (long)(value / 8 % 300000)};
        nanosleep(&pause, NULL);
    }
}

/* Sends the messages with from_index <= index < to_index to all. */
static void send_some(t_bsp *bsp, uint64_t machine, int superstep, int from_index, int to_index)
{
    int pid = bsp_pid(bsp), processors = bsp_nprocs(bsp);
    for (int index = from_index; index < to_index; index++) {
        for (int step = 0; step < processors; step++) {
            int to = (pid * 7 + step) % processors;
            if (index >= message_count(machine, superstep, pid, to)) {
                continue;
            }
            int size = message_size(machine, superstep, pid, to, index);
            fill(buffer, size, dice(machine, superstep, pid, to, index));
            if (index % 2 == 0) {
                bsp_send(bsp, to, buffer, size);
                memset(buffer, 0xee, (size_t)size); /* it has been copied */
            } else {
                bsp_hpsend(bsp, to, size == 0 ? NULL : buffer, size);
            }
        }
    }
}

static int expected_count(t_bsp *bsp, uint64_t machine, int superstep)
{
    int count = 0;
    for (int from = 0; from < bsp_nprocs(bsp); from++) {
        count += message_count(machine, superstep, from, bsp_pid(bsp));
    }
    return count;
}

static void verify(t_bsp *bsp, uint64_t machine, int superstep)
{
    int pid = bsp_pid(bsp), place = 0;
    if (bsp_nmsgs(bsp) != expected_count(bsp, machine, superstep)) {
        fail("wrong number of messages", superstep, -1, bsp_nmsgs(bsp));
    }
    for (int from = 0; from < bsp_nprocs(bsp); from++) {
        int count = message_count(machine, superstep, from, pid);
        for (int index = 0; index < count; index++, place++, verified++) {
            t_bspmsg *message = bsp_getmsg(bsp, place);
            int size = message_size(machine, superstep, from, pid, index);
            if (bspmsg_src(message) != from || bsp_findmsg(bsp, from, index) != message) {
                fail("wrong order", superstep, from, index);
            }
            if (bspmsg_size(message) != size) {
                fail("wrong size", superstep, from, index);
            }
            if ((uintptr_t)bspmsg_data(message) % 16 != 0) {
                fail("not aligned", superstep, from, index);
            }
            if (!is_filled(bspmsg_data(message), size, dice(machine, superstep, from, pid, index))) {
                fail("wrong bytes", superstep, from, index);
            }
        }
        if (bsp_findmsg(bsp, from, count) != NULL || bsp_findmsg(bsp, from, -1) != NULL) {
            fail("a message too many", superstep, from, count);
        }
    }
}

static void storm(t_bsp *bsp, uint64_t machine, int depth, int supersteps);

/* Unequal parts: each processor below the last ends a part with probability one half. */
static void divide(t_bsp *bsp, uint64_t machine, int superstep, int depth, int supersteps)
{
    t_bsp own;
    int processors = bsp_nprocs(bsp), parts = 0, part = 0;
    int *ends = malloc((size_t)processors * sizeof *ends);
    if (ends == NULL) {
        fail("no memory", superstep, -1, -1);
    }
    for (int end = 1; end <= processors; end++) {
        if (end == processors || dice(machine, superstep, -1, end, -2) % 2 == 0) {
            ends[parts++] = end;
        }
    }
    while (ends[part] <= bsp_pid(bsp)) {
        part++;
    }
    bsp_partition(bsp, &own, parts, ends);
    if (bsp_nprocs(&own) != ends[part] - (part == 0 ? 0 : ends[part - 1]) ||
        bsp_pid(&own) != bsp_pid(bsp) - (part == 0 ? 0 : ends[part - 1])) {
        fail("wrong part", superstep, -1, part);
    }
    storm(&own, mixed(machine + (uint64_t)superstep * 1000 + (uint64_t)part), depth + 1, supersteps);
    bsp_done(&own);
    free(ends);
}

static void storm(t_bsp *bsp, uint64_t machine, int depth, int supersteps)
{
    for (int superstep = 0; superstep < supersteps; superstep++) {
        uint64_t course = dice(machine, superstep, -1, -1, -1);
        uint64_t own = dice(machine, superstep, bsp_pid(bsp), -1, -3);
        send_some(bsp, machine, superstep, 0, 1);
        dawdle(own);
        if (course % 5 == 0) {
            cll_sync(&unit, course % 2 == 0 ? bsp : NULL);
        }
        if (depth < DEEPEST && course / 8 % 8 == 0) {
            divide(bsp, machine, superstep, depth, 1 + (int)(course / 64 % 4));
            if (superstep > 0) {
                verify(bsp, machine, superstep - 1); /* still there */
            }
        }
        send_some(bsp, machine, superstep, 1, 40);
        if (course / 1024 % 2 == 0) {
            bsp_sync(bsp);
        } else {
            bsp_oblsync(bsp, expected_count(bsp, machine, superstep));
        }
        dawdle(own / 4096);
        verify(bsp, machine, superstep);
    }
}

int main(int argc, char **argv)
{
    t_bsp bsp, copy;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    copy = bsp;
    int supersteps = argc > 1 ? atoi(argv[1]) : 10;
    seed = argc > 2 ? (uint64_t)atol(argv[2]) : 1;
    world_pid = bsp_pid(&bsp);
    buffer = malloc(LARGEST);
    if (buffer == NULL) {
        fail("no memory", 0, -1, -1);
    }
    storm(&copy, 1, 0, supersteps);
    bsp_sync(&bsp);
    if (bsp_nmsgs(&bsp) != 0) {
        fail("messages are left", supersteps, -1, -1);
    }
    bsp_send(&bsp, 0, &verified, (int)sizeof verified);
    bsp_sync(&bsp);
    if (world_pid == 0) {
        unsigned long long total = 0, one;
        for (int index = 0; index < bsp_nmsgs(&bsp); index++) {
            memcpy(&one, bspmsg_data(bsp_getmsg(&bsp, index)), sizeof one);
            total += one;
        }
        printf("storm ok %llu\n", total);
    }
    free(buffer);
    bsplib_done();
    return 0;
}
