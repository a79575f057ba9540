/* A sequential program with a BSPlib of its own, under the same names: says `own 1`. */
#include <call.h>
#include <stdio.h>

static const cll_unit unit = {"own_bsplib", "own_bsplib.c", CLL_SEQUENTIAL, 0, 0};

CLL_REGISTER(unit);

int bsp_nprocs(void);
int bsp_pid(void *bsp);
void bsp_sync(void);
void bsplib_init(void);

int bsp_nprocs(void)
{
    return 1;
}

int bsp_pid(void *bsp)
{
    return bsp != 0;
}

void bsp_sync(void)
{
}

void bsplib_init(void)
{
}

int main(void)
{
    bsplib_init();
    bsp_sync();
    printf("own %d\n", bsp_nprocs() + bsp_pid(0));
    return 0;
}
