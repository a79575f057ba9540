/* pub_memory.c: puts and gets of pub.h. */
#include "../base/fail.h"
#include "pub_inside.h"

void bsp_push_reg(t_bsp *bsp, void *address, int size)
{
    static const char call[] = "bsp_push_reg";
    cll_machine *machine = cll_pub_machine_of(bsp, call);
    if (size < 0) {
        cll_fail("%s: an area of %d bytes cannot be registered", call, size);
    }
    cll_machine_register(machine, address, (size_t)size, call);
}

void bsp_pop_reg(t_bsp *bsp, void *address)
{
    static const char call[] = "bsp_pop_reg";
    cll_machine_unregister(cll_pub_machine_of(bsp, call), address, call);
}

static cll_machine *checked_machine(const t_bsp *bsp, int offset, int size, const char *call)
{
    cll_machine *machine = cll_pub_machine_of(bsp, call);
    if (offset < 0 || size < 0) {
        cll_fail("%s: %d bytes at offset %d: neither can be negative", call, size, offset);
    }
    return machine;
}

static void put(const t_bsp *bsp, int to, const void *source, void *destination, int offset, int size, int is_unbuffered,
                const char *call)
{
    cll_machine *machine = checked_machine(bsp, offset, size, call);
    cll_machine_put(machine, to, source, destination, (size_t)offset, (size_t)size, is_unbuffered, call);
}

static void get(const t_bsp *bsp, int from, const void *source, int offset, void *destination, int size, int is_unbuffered,
                const char *call)
{
    cll_machine *machine = checked_machine(bsp, offset, size, call);
    cll_machine_get(machine, from, source, (size_t)offset, destination, (size_t)size, is_unbuffered, call);
}

void bsp_put(t_bsp *bsp, int to, const void *source, void *destination, int offset, int size)
{
    put(bsp, to, source, destination, offset, size, 0, "bsp_put");
}

void bsp_hpput(t_bsp *bsp, int to, const void *source, void *destination, int offset, int size)
{
    put(bsp, to, source, destination, offset, size, 1, "bsp_hpput");
}

void bsp_get(t_bsp *bsp, int from, const void *source, int offset, void *destination, int size)
{
    get(bsp, from, source, offset, destination, size, 0, "bsp_get");
}

void bsp_hpget(t_bsp *bsp, int from, const void *source, int offset, void *destination, int size)
{
    get(bsp, from, source, offset, destination, size, 1, "bsp_hpget");
}
