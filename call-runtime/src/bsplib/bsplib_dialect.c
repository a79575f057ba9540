/* bsplib_dialect.c: the functions of bsp.h that have numbers, in the dialect that the header was included for. Both are compiled. */
#include "../../include/bsp.h"

#include <limits.h>

#include "../base/fail.h"
#include "bsplib.h"

CLL_BSP_NUMBER bsp_nprocs(void)
{
    return (CLL_BSP_NUMBER)cll_bsplib_processors();
}

CLL_BSP_NUMBER bsp_pid(void)
{
    return (CLL_BSP_NUMBER)cll_machine_processor(cll_bsplib_machine("bsp_pid"));
}

void bsp_begin(CLL_BSP_NUMBER most_processors)
{
    cll_bsplib_any_begin((ptrdiff_t)most_processors);
}

void bsp_push_reg(const void *address, CLL_BSP_SIZE size)
{
    cll_bsplib_any_push_reg(address, (ptrdiff_t)size);
}

void bsp_put(CLL_BSP_NUMBER to, const void *source, void *destination, CLL_BSP_SIZE offset, CLL_BSP_SIZE size)
{
    cll_bsplib_any_put((ptrdiff_t)to, source, destination, (ptrdiff_t)offset, (ptrdiff_t)size);
}

void bsp_hpput(CLL_BSP_NUMBER to, const void *source, void *destination, CLL_BSP_SIZE offset, CLL_BSP_SIZE size)
{
    cll_bsplib_any_hpput((ptrdiff_t)to, source, destination, (ptrdiff_t)offset, (ptrdiff_t)size);
}

void bsp_get(CLL_BSP_NUMBER from, const void *source, CLL_BSP_SIZE offset, void *destination, CLL_BSP_SIZE size)
{
    cll_bsplib_any_get((ptrdiff_t)from, source, (ptrdiff_t)offset, destination, (ptrdiff_t)size);
}

void bsp_hpget(CLL_BSP_NUMBER from, const void *source, CLL_BSP_SIZE offset, void *destination, CLL_BSP_SIZE size)
{
    cll_bsplib_any_hpget((ptrdiff_t)from, source, (ptrdiff_t)offset, destination, (ptrdiff_t)size);
}

void bsp_direct_get(CLL_BSP_NUMBER from, const void *source, CLL_BSP_SIZE offset, void *destination, CLL_BSP_SIZE size)
{
    cll_bsplib_any_direct_get((ptrdiff_t)from, source, (ptrdiff_t)offset, destination, (ptrdiff_t)size);
}

void bsp_set_tagsize(CLL_BSP_SIZE *tag_bytes)
{
    cll_bsplib_any_set_tagsize(tag_bytes, sizeof *tag_bytes);
}

void bsp_send(CLL_BSP_NUMBER to, const void *tag, const void *payload, CLL_BSP_SIZE size)
{
    cll_bsplib_any_send((ptrdiff_t)to, tag, payload, (ptrdiff_t)size);
}

void bsp_hpsend(CLL_BSP_NUMBER to, const void *tag, const void *payload, CLL_BSP_SIZE size)
{
    cll_bsplib_any_hpsend((ptrdiff_t)to, tag, payload, (ptrdiff_t)size);
}

void bsp_qsize(CLL_BSP_NUMBER *messages, CLL_BSP_SIZE *bytes)
{
    cll_bsplib_any_qsize(messages, sizeof *messages, (CLL_BSP_NUMBER)-1 > 0, bytes, sizeof *bytes);
}

void bsp_get_tag(CLL_BSP_SIZE *status, void *tag)
{
    cll_bsplib_any_get_tag(status, sizeof *status, tag);
}

void bsp_move(void *payload, CLL_BSP_SIZE most_bytes)
{
    cll_bsplib_any_move(payload, (ptrdiff_t)most_bytes);
}

CLL_BSP_SIZE bsp_hpmove(void **tag, void **payload)
{
    ptrdiff_t size = cll_bsplib_any_hpmove(tag, payload);
    if (sizeof(CLL_BSP_SIZE) == sizeof(int) && size > INT_MAX) {
        cll_fail("bsp_hpmove: an int cannot tell the size of a message of %td bytes: compile with -DCLL_BSP_MODERN", size);
    }
    return (CLL_BSP_SIZE)size;
}
