/* deep.c: empty supersteps at the end of a call stack that is ten functions deep: `deep COUNT`. scripts/bench_recording.py runs it. */
#include <bsp.h>
#include <stdlib.h>

__attribute__((noinline)) static void deeper(int depth)
{
    if (depth > 1) {
        deeper(depth - 1);
    } else {
        bsp_sync();
    }
    __asm__ volatile("" ::: "memory"); /* the call is no jump */
}

int main(int argc, char **argv)
{
    bsp_begin(bsp_nprocs());
    int count = argc > 1 ? atoi(argv[1]) : 1;
    for (int step = 0; step < count; step++) {
        deeper(9);
    }
    bsp_end();
    return 0;
}
