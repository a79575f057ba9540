/* Supersteps from stacks that are much alike: the same functions at the same depths in another order, and frames of other sizes. What
 * is printed for each is the functions that are open, the innermost first. */
#include <bsp.h>
#include <stdio.h>

enum { DEEPEST = 6, SUPERSTEPS = 20000 };

static unsigned state = 1;
static char path[DEEPEST + 1];

static unsigned drawn(unsigned count)
{
    state = 1664525u * state + 1013904223u;
    return (state >> 16) % count;
}

static void go_on(int depth);

__attribute__((noinline)) static void synchronise(int depth)
{
    for (int at = depth - 1; at >= 0; at--) {
        putchar(path[at]);
    }
    putchar('\n');
    bsp_sync();
}

__attribute__((noinline)) static void a(int depth)
{
    path[depth] = 'a';
    go_on(depth + 1);
    path[depth] = 0;
}

/* Its frame has one of four sizes. */
__attribute__((noinline)) static void b(int depth)
{
    volatile char bytes[16 + 16 * drawn(4)];
    bytes[0] = 0;
    path[depth] = 'b';
    go_on(depth + 1);
    path[depth] = bytes[0];
    path[depth] = 0;
}

__attribute__((noinline)) static void c(int depth)
{
    volatile char bytes[16 + 16 * drawn(2)];
    bytes[0] = 1;
    path[depth] = 'c';
    if (depth % 2 == 0) {
        go_on(depth + 1);
    } else {
        go_on(depth + 1);
        path[depth] = bytes[0];
    }
    path[depth] = 0;
}

/* Its frame is aligned to more than others are. */
__attribute__((noinline)) static void d(int depth)
{
    _Alignas(64) volatile char bytes[64];
    bytes[0] = 2;
    path[depth] = 'd';
    go_on(depth + 1);
    path[depth] = bytes[0];
    path[depth] = 0;
}

__attribute__((noinline)) static void go_on(int depth)
{
    static void (*const functions[])(int) = {a, b, c, d};
    if (depth == DEEPEST || drawn(4) == 0) {
        synchronise(depth);
    } else {
        functions[drawn(4)](depth);
    }
    path[depth] = 0;
}

int main(void)
{
    bsp_begin(1);
    for (int step = 0; step < SUPERSTEPS; step++) {
        go_on(0);
    }
    bsp_end();
    return 0;
}
