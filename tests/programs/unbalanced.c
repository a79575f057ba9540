/* unbalanced.c: one processor computes and sends to all, then all compute and each sends to the next one. */
#include <bsp.h>

#include <unistd.h>

enum { BYTES = 50000, TIMES = 5, MICROSECONDS = 4000 };
static char sent[BYTES], received[BYTES];

static void star(void)
{
    usleep(bsp_pid() == 0 ? MICROSECONDS : 0);
    for (int to = 1; bsp_pid() == 0 && to < bsp_nprocs(); to++) {
        bsp_put(to, sent, received, 0, BYTES);
    }
    bsp_sync();
}

static void ring(void)
{
    usleep(MICROSECONDS); /* meanwhile what was sent to all has come */
    bsp_put((bsp_pid() + 1) % bsp_nprocs(), sent, received, 0, BYTES);
    bsp_sync();
}

int main(void)
{
    bsp_begin(bsp_nprocs());
    bsp_push_reg(received, BYTES);
    bsp_sync();
    for (int time = 0; time < TIMES; time++) {
        star();
        ring();
    }
    bsp_end();
    return 0;
}
