/* check.h: main of a program that shows one behaviour of BSPlib. */
#include <bsp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                             \
    do {                                                                                             \
        if (!(condition)) {                                                                          \
            fprintf(stderr, "%s:%d: processor %d: not so: %s\n", __FILE__, __LINE__, (int)bsp_pid(), \
                    #condition);                                                                     \
            exit(9);                                                                                 \
        }                                                                                            \
    } while (0)

#ifndef WITH_MAIN
/* `s`: number of this processor, of p. */
static void behave(int p, int s);

int main(void)
{
    bsp_begin(INT_MAX);
    int s = (int)bsp_pid();
    behave((int)bsp_nprocs(), s);
    bsp_end();
    if (s == 0) {
        puts("ok");
    }
    return 0;
}
#endif
