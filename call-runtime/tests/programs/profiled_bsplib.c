/* BSPlib without call.h: two sections, each with two supersteps that a function ends. */
#include <bsp.h>

static void step(int count)
{
    while (count-- > 0) {
        bsp_sync();
    }
}

int main(void)
{
    for (int section = 0; section < 2; section++) {
        bsp_begin(bsp_nprocs());
        step(2);
        bsp_end();
    }
    return 0;
}
