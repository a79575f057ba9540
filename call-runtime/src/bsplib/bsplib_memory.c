/* bsplib_memory.c: registrations, puts and gets of bsp.h, for numbers of any type. */
#include <stdint.h>

#include "../../include/bsp.h"
#include "../base/fail.h"
#include "bsplib.h"

static void check_signs(ptrdiff_t offset, ptrdiff_t size, const char *call)
{
    if (offset < 0 || size < 0) {
        cll_fail("%s: %td bytes at offset %td: neither can be negative", call, size, offset);
    }
}

void cll_bsplib_any_push_reg(const void *address, ptrdiff_t size)
{
    static const char call[] = "bsp_push_reg";
    if (size < 0) {
        cll_fail("%s: an area of %td bytes cannot be registered", call, size);
    }
    cll_machine_register(cll_bsplib_machine(call), (void *)(uintptr_t)address, (size_t)size, call);
}

void bsp_pop_reg(const void *address)
{
    static const char call[] = "bsp_pop_reg";
    cll_machine_unregister(cll_bsplib_machine(call), address, call);
}

static void put_bytes(ptrdiff_t to, const void *source, const void *destination, ptrdiff_t offset, ptrdiff_t size,
                      int is_unbuffered, const char *call)
{
    check_signs(offset, size, call);
    cll_machine_put(cll_bsplib_machine(call), cll_bsplib_number(to), source, destination, (size_t)offset, (size_t)size, is_unbuffered,
                    call);
}

static void get_bytes(ptrdiff_t from, const void *source, ptrdiff_t offset, void *destination, ptrdiff_t size, int is_unbuffered,
                      const char *call)
{
    check_signs(offset, size, call);
    cll_machine_get(cll_bsplib_machine(call), cll_bsplib_number(from), source, (size_t)offset, destination, (size_t)size,
                    is_unbuffered, call);
}

void cll_bsplib_any_put(ptrdiff_t to, const void *source, void *destination, ptrdiff_t offset, ptrdiff_t size)
{
    put_bytes(to, source, destination, offset, size, 0, "bsp_put");
}

void cll_bsplib_any_hpput(ptrdiff_t to, const void *source, void *destination, ptrdiff_t offset, ptrdiff_t size)
{
    put_bytes(to, source, destination, offset, size, 1, "bsp_hpput");
}

void cll_bsplib_any_get(ptrdiff_t from, const void *source, ptrdiff_t offset, void *destination, ptrdiff_t size)
{
    get_bytes(from, source, offset, destination, size, 0, "bsp_get");
}

void cll_bsplib_any_hpget(ptrdiff_t from, const void *source, ptrdiff_t offset, void *destination, ptrdiff_t size)
{
    get_bytes(from, source, offset, destination, size, 1, "bsp_hpget");
}

void cll_bsplib_any_direct_get(ptrdiff_t from, const void *source, ptrdiff_t offset, void *destination, ptrdiff_t size)
{
    static const char call[] = "bsp_direct_get";
    check_signs(offset, size, call);
    cll_machine_direct_get(cll_bsplib_machine(call), cll_bsplib_number(from), source, (size_t)offset, destination, (size_t)size, call);
}
