/* check.h: main of a program that shows one behaviour of PUB. */
#include <pub.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define CHECK(condition)                                                                           \
    do {                                                                                           \
        if (!(condition)) {                                                                        \
            fprintf(stderr, "%s:%d: processor %d: not so: %s\n", __FILE__, __LINE__, own_number,   \
                    #condition);                                                                   \
            exit(9);                                                                               \
        }                                                                                          \
    } while (0)

static int own_number = -1;

#ifndef WITH_MAIN
/* `s`: number of this processor, of p. */
static void behave(t_bsp *bsp, int p, int s);

int main(int argc, char **argv)
{
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    own_number = bsp_pid(&bsp);
    behave(&bsp, bsp_nprocs(&bsp), own_number);
    bsplib_done();
    if (own_number == 0) {
        puts("ok");
    }
    return 0;
}
#endif
