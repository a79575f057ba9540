/* ok: the newer dialect counts without sign, and can get at once. */
#define CLL_BSP_MODERN
#include "check.h"
#include <stdint.h>

static void behave(int p, int s)
{
    size_t size = sizeof(unsigned), bytes, status;
    unsigned messages, tag = (unsigned)s, right = (unsigned)((s + 1) % p), left = (unsigned)((s + p - 1) % p);
    unsigned area[2] = {77, 77}, mine = (unsigned)s, copy = 0;
    unsigned (*count)(void) = bsp_nprocs;
    CHECK(count() == (unsigned)p && bsp_pid() == (unsigned)s);
    bsp_push_reg(area, sizeof area);
    bsp_push_reg(&mine, sizeof mine);
    bsp_set_tagsize(&size);
    CHECK(size == 0);
    bsp_sync();
    bsp_direct_get(right, &mine, 0, &copy, sizeof copy);
    CHECK(copy == right);
    bsp_direct_get((unsigned)s, &mine, 0, &copy, sizeof copy);
    CHECK(copy == (unsigned)s);
    bsp_put(right, &mine, area, 0, sizeof mine);
    bsp_hpput(right, &mine, area, sizeof mine, sizeof mine);
    bsp_get(right, &mine, 0, &copy, sizeof copy);
    bsp_send(right, &tag, &mine, sizeof mine);
    bsp_hpsend(right, &tag, &mine, sizeof mine);
    bsp_sync();
    CHECK(area[0] == left && area[1] == left && copy == right);
    bsp_hpget(right, area, 0, &copy, sizeof copy);
    bsp_qsize(&messages, &bytes);
    CHECK(messages == 2 && bytes == 2 * sizeof mine);
    bsp_get_tag(&status, &tag);
    CHECK(status == sizeof mine && tag == left);
    bsp_move(&mine, sizeof mine);
    void *its_tag, *its_payload;
    CHECK(bsp_hpmove(&its_tag, &its_payload) == sizeof mine && *(unsigned *)its_tag == left);
    bsp_get_tag(&status, &tag);
    CHECK(status == SIZE_MAX && bsp_hpmove(&its_tag, &its_payload) == SIZE_MAX);
    bsp_pop_reg(area);
    bsp_sync();
    CHECK(copy == (unsigned)s && bsp_time() >= 0);
}
