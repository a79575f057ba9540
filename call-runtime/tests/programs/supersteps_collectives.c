/* Collectives of PUB in supersteps, whose traffic is known; each combination takes 1000 ns of the counting clock. With an argument: five
 * broadcasts of so many bytes, and nothing else. Any number of processors. */
#include <call.h>
#include <pub.h>
#include <stdlib.h>
#include <string.h>

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_unit unit = {
    .name = "supersteps_collectives", .source = "supersteps_collectives.c", .kind = CLL_PUB, .supersteps = 1};

CLL_REGISTER(unit);

static void combine(void *result, const void *left, const void *right, int size)
{
    (void)right;
    memcpy(result, left, (size_t)size);
    cll_clock_advance(1000);
}

static void broadcast_much(t_bsp *bsp, int size)
{
    char *data = calloc(1, (size_t)size);
    for (int round = 0; round < 5; round++) {
        bsp_bcast(bsp, 0, data, size);
    }
    bsp_sync(bsp);
    free(data);
}

static void move_little(t_bsp *bsp)
{
    int p = bsp_nprocs(bsp), all[64];
    char data[100] = {0}, result[8];
    bsp_bcast(bsp, p - 1, data, 100);
    bsp_sync(bsp);
    bsp_reduce(bsp, combine, data, result, 8);
    bsp_sync(bsp);
    bsp_scan(bsp, combine, data, result, 8);
    bsp_sync(bsp);
    for (int processor = 0; processor < p; processor++) {
        all[processor] = processor;
    }
    bsp_greduce(bsp, p, all, combine, data, result, 8);
    bsp_sync(bsp);
    bsp_bcast(bsp, 0, data, 3);
}

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    if (argc > 1) {
        broadcast_much(&bsp, atoi(argv[1]));
    } else {
        move_little(&bsp);
    }
    cll_report(&unit, &bsp, NULL);
    bsplib_done();
    return 0;
}
