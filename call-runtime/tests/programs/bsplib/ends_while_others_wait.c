/* dies from 2 processors: one ends the program when the others wait for it already. */
#define WITH_MAIN
#include "check.h"

#include <time.h>

int main(void)
{
    bsp_begin(INT_MAX);
    int s = bsp_pid();
    bsp_end();
    if (s == 0) {
        struct timespec pause = {0, 100000000};
        nanosleep(&pause, NULL);
        return 0;
    }
    bsp_begin(INT_MAX);
    bsp_end();
    return 0;
}
