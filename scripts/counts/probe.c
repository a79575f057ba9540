/* Writes down the values with which blocks are entered, and gives the driver its sizes and its data. Not instrumented itself. */
#include "probe.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { BLOCKS = 4096, BUFFER_BYTES = 1 << 20, ENTRIES = 200000, TOO_MANY_ENTRIES = 97 };

static int depth[BLOCKS];
static FILE *file;
static long entries;
static char **sizes;
static int size_count, next_unknown, pattern;
static unsigned chance = 12345;

/* Of blocks that `exit` ended within, nothing can be said: a negative number each. */
static void write_unfinished(void)
{
    for (int block = 0; file && block < BLOCKS; block++)
        if (depth[block] > 0) fprintf(file, "%d\n", -block);
}

/* Blocks are numbered from 1. Of a block within itself (recursion) only the outermost entry is written. */
int cll_probe_enter(int block, int count, const double *values)
{
    if (depth[block]++ > 0) return block;
    if (!file) {
        file = fopen("entries", "w");
        atexit(write_unfinished);
    }
    if (!file || ++entries > ENTRIES) _exit(TOO_MANY_ENTRIES);
    fprintf(file, "%d", block);
    for (int i = 0; i < count; i++) fprintf(file, " %.17g", values[i]);
    fputc('\n', file);
    return block;
}

/* A loop's variable is negative once its loop has ended. */
void cll_probe_leave(int *block) { depth[abs(*block)]--; }

void cll_probe_begin(int argc, char **argv, int unknown_from)
{
    pattern = argc > 1 ? atoi(argv[1]) : 0;
    sizes = argv + 2;
    size_count = argc - 2;
    next_unknown = unknown_from;
}

long long cll_probe_value(int index) { return index < size_count ? atoll(sizes[index]) : 0; }

static unsigned random_bits(void)
{
    chance = chance * 1103515245u + 12345u;
    return chance >> 16;
}

/* Functions that the source only declares: the sizes that are nobody's, then what the pattern says. */
long cll_probe_unknown()
{
    if (next_unknown < size_count) return (long)cll_probe_value(next_unknown++);
    switch (pattern % 4) {
    case 0: return 0;
    case 1: return random_bits() % 2;
    case 2: return 1;
    default: return (long)(random_bits() % 7) - 2;
    }
}

long cll_probe_random() { return pattern % 4 == 0 ? 0 : pattern % 4 == 2 ? 1 : random_bits() % 2; }

/* 0: bytes of unknown kind, 1: int, 2: double, 3: char. Zeros, rising, or at random. */
void *cll_probe_buffer(int kind)
{
    char *buffer = calloc(1, BUFFER_BYTES);
    if (!buffer) exit(1);
    if (kind == 3)
        for (int i = 0; i < 40 && pattern % 4 > 1; i++) buffer[i] = (char)('a' + random_bits() % 26);
    for (int i = 0; kind == 1 && i < BUFFER_BYTES / (int)sizeof(int); i++)
        ((int *)buffer)[i] = pattern % 4 == 2 ? 2 * i : pattern % 4 == 3 ? (int)(random_bits() % 10) : 0;
    for (int i = 0; kind == 2 && i < BUFFER_BYTES / (int)sizeof(double); i++)
        ((double *)buffer)[i] = pattern % 4 == 2 ? i : pattern % 4 == 3 ? (random_bits() % 10) - 4.5 : 0;
    return buffer;
}
