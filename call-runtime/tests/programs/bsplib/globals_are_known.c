/* ok: with bsp_init the processors of each section know what processor 0 has set before; one has more of them than the last. */
#define WITH_MAIN
#include "check.h"

static int wanted = 0;
static int *numbers = NULL;

static void spmd(void)
{
    bsp_begin(wanted);
    CHECK(numbers != NULL && numbers[wanted - 1] == 7 * wanted);
    CHECK(bsp_nprocs() == wanted);
    int total = 0, own = numbers[bsp_pid()];
    bsp_push_reg(&total, sizeof total);
    bsp_sync();
    bsp_put(0, &own, &total, 0, bsp_pid() == bsp_nprocs() - 1 ? sizeof own : 0);
    bsp_sync();
    CHECK(bsp_pid() != 0 || total == 7 * wanted);
    numbers[0] = -1; /* of this processor */
    bsp_end();
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    int available = bsp_nprocs();
    for (wanted = 1; wanted <= available; wanted++) {
        free(numbers);
        numbers = malloc((size_t)wanted * sizeof *numbers);
        for (int at = 0; at < wanted; at++) {
            numbers[at] = 7 * (at + 1);
        }
        spmd();
        CHECK(numbers[0] == -1);
    }
    free(numbers);
    puts("ok");
    return 0;
}
