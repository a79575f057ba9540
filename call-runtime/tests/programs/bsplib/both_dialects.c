/* ok: calls take int, and unsigned int and size_t, whichever the program uses. */
#include "check.h"

static void behave(int p, int s)
{
    bsp_pid_t right = (bsp_pid_t)((s + 1) % p);
    bsp_nprocs_t messages;
    bsp_size_t tag_bytes = sizeof(long), status, bytes;
    uint8_t area = 0, value = (uint8_t)(s + 1);
    int classic_messages, classic_bytes, classic_status;
    long tag = s;
    bsp_set_tagsize(&tag_bytes);
    CHECK(tag_bytes == 0);
    bsp_push_reg(&area, sizeof area);
    bsp_sync();
    bsp_put(right, &(uint8_t){(uint8_t)(value + 1)}, &area, 0, sizeof value);
    bsp_send(right, &tag, &value, sizeof value);
    bsp_hpsend(right, &tag, (int[]){1, 2}, 2 * sizeof(int));
    bsp_sync();
    bsp_qsize(&messages, &bytes);
    bsp_qsize(&classic_messages, &classic_bytes);
    CHECK(messages == 2 && bytes == 1 + 2 * sizeof(int) && classic_messages == 2 && classic_bytes == (int)bytes);
    bsp_get_tag(&status, &tag);
    bsp_get_tag(&classic_status, &tag);
    CHECK(status == 1 && classic_status == 1 && tag == (s + p - 1) % p);
    bsp_move(&value, status);
    void *its_tag, *its_payload;
    CHECK(bsp_hpmove(&its_tag, &its_payload) == 2 * (int)sizeof(int) && ((int *)its_payload)[1] == 2);
    bsp_get_tag(&status, &tag);
    bsp_get_tag(&classic_status, &tag);
    CHECK(status == (bsp_size_t)-1 && classic_status == -1 && area == (s + p - 1) % p + 2);
    bsp_set_tag_size(&tag_bytes);
    CHECK(tag_bytes == sizeof(long));
}
