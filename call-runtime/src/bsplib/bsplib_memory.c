/* bsplib_memory.c: registrations, puts and gets of bsp.h. */
#include <stdint.h>

#include "../../include/bsp.h"
#include "bsplib.h"
#include "../base/fail.h"

void bsp_push_reg(const void *address, int size)
{
    static const char call[] = "bsp_push_reg";
    if (size < 0) {
        cll_fail("%s: an area of %d bytes cannot be registered", call, size);
    }
    cll_machine_register(cll_bsplib_machine(call), (void *)(uintptr_t)address, (size_t)size, call);
}

void bsp_pop_reg(const void *address)
{
    static const char call[] = "bsp_pop_reg";
    cll_machine_unregister(cll_bsplib_machine(call), address, call);
}

static void check_signs(int offset, int size, const char *call)
{
    if (offset < 0 || size < 0) {
        cll_fail("%s: %d bytes at offset %d: neither can be negative", call, size, offset);
    }
}

void bsp_put(int to, const void *source, void *destination, int offset, int size)
{
    static const char call[] = "bsp_put";
    check_signs(offset, size, call);
    cll_machine_put(cll_bsplib_machine(call), to, source, destination, (size_t)offset, (size_t)size, 0, call);
}

void bsp_hpput(int to, const void *source, void *destination, int offset, int size)
{
    static const char call[] = "bsp_hpput";
    check_signs(offset, size, call);
    cll_machine_put(cll_bsplib_machine(call), to, source, destination, (size_t)offset, (size_t)size, 1, call);
}

void bsp_get(int from, const void *source, int offset, void *destination, int size)
{
    static const char call[] = "bsp_get";
    check_signs(offset, size, call);
    cll_machine_get(cll_bsplib_machine(call), from, source, (size_t)offset, destination, (size_t)size, 0, call);
}

void bsp_hpget(int from, const void *source, int offset, void *destination, int size)
{
    static const char call[] = "bsp_hpget";
    check_signs(offset, size, call);
    cll_machine_get(cll_bsplib_machine(call), from, source, (size_t)offset, destination, (size_t)size, 1, call);
}
