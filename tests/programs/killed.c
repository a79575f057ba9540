/* Fifty supersteps, in which processors send around what they have, more each time; then processor 1 is killed before a report, or all
 * go on if there is an argument. */
#include <bsp.h>
#include <signal.h>

static char bytes[50];

static void step(int count)
{
    bsp_send((bsp_pid() + 1) % bsp_nprocs(), (void *)0, bytes, count);
    bsp_sync();
}

int main(int argc, char **argv)
{
    (void)argv;
    bsp_begin(bsp_nprocs());
    for (int count = 1; count <= 50; count++) {
        step(count);
    }
    if (bsp_pid() == 1 && argc == 1) {
        raise(SIGKILL);
    }
    bsp_sync();
    bsp_end();
    return 0;
}
