/* BSPlib with bsp_init and without call.h: two sections, which main calls through a function. */
#include <bsp.h>

#if defined(__GNUC__)
#define APART __attribute__((noinline))
#else
#define APART
#endif

static int calls = 0;

static APART void step(int count)
{
    while (count-- > 0) {
        bsp_sync();
    }
    calls++;
}

static APART void spmd(void)
{
    bsp_begin(bsp_nprocs());
    step(2);
    bsp_end();
    calls++;
}

static APART void solve(void)
{
    spmd();
    calls++;
}

int main(int argc, char **argv)
{
    bsp_init(spmd, argc, argv);
    solve();
    solve();
    return calls == 6 ? 0 : 1;
}
