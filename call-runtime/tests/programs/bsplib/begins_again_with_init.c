/* ok: with bsp_init processor 0 executes main, and the others each section that it begins, of whatever function. */
#define WITH_MAIN
#include "check.h"

static int wanted = 0, sections = 0;

static int sum(void)
{
    int total = 0, own = bsp_pid() + 1, bytes, messages;
    for (int to = 0; to < bsp_nprocs(); to++) {
        bsp_send(to, NULL, &own, sizeof own);
    }
    bsp_sync();
    bsp_qsize(&messages, &bytes);
    while (messages-- > 0) {
        bsp_move(&own, sizeof own);
        total += own;
    }
    return total;
}

static void first(void)
{
    bsp_begin(wanted);
    CHECK(sum() == bsp_nprocs() * (bsp_nprocs() + 1) / 2);
    CHECK(++sections <= 2);
    bsp_end();
}

static void second(void)
{
    bsp_begin(wanted);
    CHECK(sum() == bsp_nprocs() * (bsp_nprocs() + 1) / 2);
    CHECK(sections == 2);
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(first, argc, argv);
    wanted = bsp_nprocs();
    first();
    first();
    bsp_init(second, argc, argv);
    second();
    puts("ok");
    return 0;
}
