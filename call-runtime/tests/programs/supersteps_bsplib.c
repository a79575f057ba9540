/* BSPlib supersteps whose records are known exactly; argument PROCESSORS: how many of those that there are take part. Sends with tags,
 * puts, a get and a direct get, each to or from the next processor, and one of each at home. */
#define CLL_BSP_MODERN
#include <bsp.h>
#include <call.h>
#include <stdlib.h>

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_unit unit = {
    .name = "supersteps_bsplib", .source = "supersteps_bsplib.c", .kind = CLL_BSPLIB, .supersteps = 1};

CLL_REGISTER(unit);

static char area[64], large[40000], copy[40000];

static void exchange(unsigned int other)
{
    char got[64];
    bsp_send(other, "tag", "0123456789", 10);
    bsp_hpput(other, large, copy, 0, sizeof copy); /* over MPI without a packet */
    bsp_put(other, "12345", area, 0, 5);
    bsp_get(other, area, 20, got, 7);
    bsp_direct_get(other, area, 40, got + 20, 9);
    bsp_sync();
}

int main(int argc, char **argv)
{
    size_t tag_bytes = 3;
    cll_clock_advance(1000000); /* before the processors start */
    bsp_begin(argc > 1 ? (unsigned int)atoi(argv[1]) : bsp_nprocs());
    unsigned int s = bsp_pid(), p = bsp_nprocs();
    bsp_push_reg(area, sizeof area);
    bsp_push_reg(copy, sizeof copy);
    bsp_set_tagsize(&tag_bytes);
    bsp_sync();
    cll_clock_advance(100 + s);
    exchange((s + 1) % p);
    cll_clock_advance(200 + s);
    exchange(s);
    cll_report(&unit, NULL, NULL);
    bsp_end();
    return 0;
}
