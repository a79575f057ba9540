/* stream.c: what the memory carries, as J. McCalpin's STREAM measures it: "copy" and "triad", and memchr of the C library, which only
 * reads. The best of some repetitions, in bytes a second, of arrays far larger than the caches. Writing counts once, as there.
 *
 *     stream BYTES      of an array
 */
#include "../../../call-runtime/bench/measure.h"

#include <stdio.h>
#include <string.h>
#include <sys/mman.h>

enum { REPETITIONS = 40, LARGE_PAGE = 1 << 21 };

static double *make_array(size_t count, double value)
{
    size_t bytes = (count * sizeof(double) + LARGE_PAGE - 1) / LARGE_PAGE * LARGE_PAGE;
    double *array = aligned_alloc(LARGE_PAGE, bytes);
    if (array == NULL) {
        fprintf(stderr, "stream: no memory\n");
        exit(2);
    }
#ifdef MADV_HUGEPAGE
    madvise(array, bytes, MADV_HUGEPAGE);
#endif
    for (size_t i = 0; i < count; i++) {
        array[i] = value;
    }
    return array;
}

static double best_us(double best, double begin)
{
    double this = now_us() - begin;
    return best == 0 || this < best ? this : best;
}

int main(int argc, char **argv)
{
    size_t bytes = argc > 1 ? strtoul(argv[1], NULL, 10) : 0, count = bytes / sizeof(double);
    if (count == 0) {
        fprintf(stderr, "usage: stream BYTES\n");
        return 2;
    }
    double *a = make_array(count, 1), *b = make_array(count, 2), *c = make_array(count, 3);
    double read_us = 0, copy_us = 0, triad_us = 0;
    int is_found = 0;
    for (int repetition = 0; repetition < REPETITIONS; repetition++) {
        double begin = now_us();
        is_found |= memchr(a, 0xa5, bytes) != NULL; /* none of the numbers has such a byte */
        read_us = best_us(read_us, begin);
        begin = now_us();
#pragma omp simd
        for (size_t i = 0; i < count; i++) {
            c[i] = a[i];
        }
        copy_us = best_us(copy_us, begin);
        begin = now_us();
#pragma omp simd
        for (size_t i = 0; i < count; i++) {
            a[i] = b[i] + 0.5 * c[i];
        }
        triad_us = best_us(triad_us, begin);
    }
    double array_bytes = (double)(count * sizeof(double));
    printf("read %.4g\ncopy %.4g\ntriad %.4g\n", 1e6 * array_bytes / read_us, 2e6 * array_bytes / copy_us,
           3e6 * array_bytes / triad_us);
    fprintf(stderr, "%s", is_found ? "stream: some of the memory was not read\n" : "");
    free(a);
    free(b);
    free(c);
    return 0;
}
