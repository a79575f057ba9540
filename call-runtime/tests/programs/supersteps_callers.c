/* What ends supersteps can stand wherever a call or a function can; as C and C++, with and without CLL_DISABLE. */
#include <bsp.h>

#include <bsp.h>

static void (*const ends[])(void) = {bsp_sync, &bsp_end};

static int synchronised(int value)
{
    return bsp_sync(), value;
}

int main(void)
{
    void (*sync)(void) = bsp_sync;
    bsp_begin(1);
    if (synchronised(1))
        bsp_sync();
    else
        bsp_sync();
    synchronised(2) ? bsp_sync() : (void)0;
    for (int step = 0; step < 2; bsp_sync(), step++) {
    }
    (bsp_sync)();
    sync == ends[0] ? sync() : bsp_end();
    ends[1]();
    return 0;
}
