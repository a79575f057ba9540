/* Any number of processors, arguments SUPERSTEPS SEED: random puts, gets and messages of 0 bytes to 100 KB, buffered or not, on areas
 * that are registered anew now and then; every processor knows what all do and compares. Says `ok`. */
#include <bsp.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { SLICE = 100000, OPERATIONS = 24 };

typedef struct {
    int kind; /* 0, 1: put, hpput; 2, 3: get, hpget; 4: message */
    int partner;
    int offset;
    int size;
    unsigned char start; /* of the bytes of a put or message */
} operation;

static uint64_t seed = 1;
static int p, s;
static unsigned char *area;    /* a slice for each processor that puts into it */
static unsigned char **models; /* the areas of all processors */
static unsigned char *data;
static unsigned char *got[OPERATIONS];

static uint64_t dice(int superstep, int processor, int index)
{
    uint64_t value = seed + ((uint64_t)superstep << 40) + ((uint64_t)processor << 20) + (uint64_t)index;
    value += 0x9e3779b97f4a7c15u;
    value = (value ^ value >> 30) * 0xbf58476d1ce4e5b9u;
    value = (value ^ value >> 27) * 0x94d049bb133111ebu;
    return value ^ value >> 31;
}

static void *room(size_t count)
{
    void *bytes = calloc(count, 1);
    if (bytes == NULL) {
        bsp_abort("no memory");
    }
    return bytes;
}

static void check(int holds, const char *what, int superstep, int index)
{
    if (!holds) {
        bsp_abort("processor %d, superstep %d, operation %d: %s", s, superstep, index, what);
    }
}

static operation operation_of(int superstep, int processor, int index)
{
    uint64_t value = dice(superstep, processor, index);
    operation made;
    made.kind = (int)(value % 5);
    made.partner = (int)(value / 5 % (uint64_t)p);
    made.start = (unsigned char)(value >> 20);
    uint64_t course = value >> 30 & 15;
    int limit = course < 8 ? 17 : course < 14 ? 3000 : SLICE;
    made.size = (int)((value >> 34) % (uint64_t)limit);
    /* A slice has a place for each operation, so no put overlaps another; large ones are cut. */
    int place = SLICE / OPERATIONS;
    if (made.kind < 2) {
        made.offset = processor * SLICE + index * place;
        int most = index == OPERATIONS - 1 ? 1 : (superstep + processor) % 4 == 0 && index == 0 ? SLICE - place : place;
        made.size = made.size < most ? made.size : most;
        if (index > 0 && (superstep + processor) % 4 == 0 && index < OPERATIONS - 1) {
            made.size = 0;
        }
    } else {
        made.offset = (int)((value >> 10) % (uint64_t)(p * SLICE - made.size));
    }
    return made;
}

static void fill(unsigned char *bytes, operation its)
{
    for (int at = 0; at < its.size; at++) {
        bytes[at] = (unsigned char)(its.start + at * 7);
    }
}

static void start(int superstep)
{
    int tag[2] = {superstep, s};
    for (int index = 0; index < OPERATIONS; index++) {
        operation its = operation_of(superstep, s, index);
        unsigned char *own = data + index * SLICE; /* an unbuffered source must stay as it is */
        fill(own, its);
        switch (its.kind) {
        case 0:
            bsp_put(its.partner, own, area, its.offset, its.size);
            memset(own, 0xee, (size_t)its.size);
            break;
        case 1:
            bsp_hpput(its.partner, own, area, its.offset, its.size);
            break;
        case 2:
            bsp_get(its.partner, area, its.offset, got[index], its.size);
            break;
        case 3:
            bsp_hpget(its.partner, area, its.offset, got[index], its.size);
            break;
        default:
            bsp_send(its.partner, tag, own, its.size);
            memset(own, 0xee, (size_t)its.size);
        }
    }
}

/* An hpget may read before or after the puts of its superstep, so its bytes are open. */
static void check_gets(int superstep)
{
    for (int index = 0; index < OPERATIONS; index++) {
        operation its = operation_of(superstep, s, index);
        if (its.kind == 2) {
            check(memcmp(got[index], models[its.partner] + its.offset, (size_t)its.size) == 0, "wrong bytes got", superstep, index);
        }
    }
}

static void check_messages(int superstep)
{
    int messages, bytes, expected = 0, expected_bytes = 0;
    for (int from = 0; from < p; from++) {
        for (int index = 0; index < OPERATIONS; index++) {
            operation its = operation_of(superstep, from, index);
            if (its.kind == 4 && its.partner == s) {
                expected++;
                expected_bytes += its.size;
            }
        }
    }
    bsp_qsize(&messages, &bytes);
    check(messages == expected && bytes == expected_bytes, "wrong number of messages or bytes", superstep, messages);
    int next[64] = {0}; /* those of one processor come in order here, which is more than the standard says */
    while (messages-- > 0) {
        int status, tag[2];
        bsp_get_tag(&status, tag);
        check(tag[0] == superstep && tag[1] >= 0 && tag[1] < p, "wrong tag", superstep, messages);
        operation its;
        do {
            check(next[tag[1]] < OPERATIONS, "a message too many", superstep, messages);
            its = operation_of(superstep, tag[1], next[tag[1]]++);
        } while (its.kind != 4 || its.partner != s);
        check(status == its.size, "wrong size", superstep, messages);
        fill(data, its);
        if (messages % 2 == 0) {
            void *its_tag, *payload;
            bsp_hpmove(&its_tag, &payload);
            check(memcmp(payload, data, (size_t)its.size) == 0, "wrong message in place", superstep, messages);
        } else {
            bsp_move(data + SLICE, SLICE);
            check(memcmp(data + SLICE, data, (size_t)its.size) == 0, "wrong message", superstep, messages);
        }
    }
}

static void put_into_models(int superstep)
{
    for (int from = 0; from < p; from++) {
        for (int index = 0; index < OPERATIONS; index++) {
            operation its = operation_of(superstep, from, index);
            if (its.kind < 2) {
                fill(models[its.partner] + its.offset, its);
            }
        }
    }
}

int main(int argc, char **argv)
{
    bsp_begin(64);
    p = bsp_nprocs();
    s = bsp_pid();
    int supersteps = argc > 1 ? atoi(argv[1]) : 20, tag_bytes = 2 * sizeof(int);
    size_t area_bytes = (size_t)p * SLICE;
    seed = argc > 2 ? (uint64_t)atol(argv[2]) : 1;
    area = room(area_bytes);
    data = room((size_t)OPERATIONS * SLICE);
    models = room((size_t)p * sizeof *models);
    for (int processor = 0; processor < p; processor++) {
        models[processor] = room(area_bytes);
    }
    for (int index = 0; index < OPERATIONS; index++) {
        got[index] = room(SLICE);
    }
    bsp_push_reg(area, (int)area_bytes);
    bsp_set_tagsize(&tag_bytes);
    bsp_sync();
    for (int superstep = 0; superstep < supersteps; superstep++) {
        start(superstep);
        if (superstep % 5 == 2) {
            bsp_push_reg(area, (int)area_bytes);
        } else if (superstep % 5 == 4) {
            bsp_pop_reg(area);
        }
        bsp_sync();
        check_gets(superstep);
        put_into_models(superstep);
        check(memcmp(area, models[s], area_bytes) == 0, "wrong bytes in the area", superstep, -1);
        check_messages(superstep);
    }
    bsp_end();
    for (int processor = 0; processor < p; processor++) {
        free(models[processor]);
    }
    for (int index = 0; index < OPERATIONS; index++) {
        free(got[index]);
    }
    free(models);
    free(area);
    free(data);
    if (s == 0) {
        puts("ok");
    }
    return 0;
}
