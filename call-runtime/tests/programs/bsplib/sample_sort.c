/* ok: sample sort, keys by bsp_send and bsp_move, samples by bsp_get. */
#include "check.h"

enum { KEYS = 3000, SAMPLES = 8 };

static int ascending(const void *left, const void *right)
{
    int a = *(const int *)left, b = *(const int *)right;
    return (a > b) - (a < b);
}

/* All samples on all processors; the splitters stand at equal distances. */
static void find_splitters(int p, const int *keys, int *all)
{
    int own[SAMPLES];
    for (int at = 0; at < SAMPLES; at++) {
        own[at] = keys[at * KEYS / SAMPLES];
    }
    bsp_push_reg(own, sizeof own);
    bsp_sync();
    for (int from = 0; from < p; from++) {
        bsp_get(from, own, 0, all + from * SAMPLES, sizeof own);
    }
    bsp_sync();
    bsp_pop_reg(own);
    qsort(all, (size_t)(p * SAMPLES), sizeof *all, ascending);
}

static int receive_keys(int *keys)
{
    int messages, bytes, count = 0;
    bsp_qsize(&messages, &bytes);
    while (messages-- > 0) {
        int status, tag;
        bsp_get_tag(&status, &tag);
        CHECK(tag == 42);
        bsp_move(keys + count, status);
        count += status / (int)sizeof *keys;
    }
    return count;
}

static void behave(int p, int s)
{
    static int keys[KEYS];
    int *all = malloc((size_t)(p * SAMPLES) * sizeof *all), *sorted = malloc((size_t)(p * KEYS) * sizeof *sorted);
    long long sum = 0, sums[2] = {0, 0};
    int tag_bytes = sizeof(int), tag = 42, first = 0, edge[2];
    unsigned seed = 12345u + (unsigned)s;
    CHECK(all != NULL && sorted != NULL);
    for (int at = 0; at < KEYS; at++) {
        seed = seed * 1103515245u + 12345u;
        keys[at] = (int)(seed >> 8 & 0xffff);
        sum += keys[at];
    }
    qsort(keys, KEYS, sizeof *keys, ascending);
    bsp_set_tagsize(&tag_bytes);
    find_splitters(p, keys, all);
    for (int to = 0; to < p; to++) {
        int end = first;
        while (end < KEYS && (to == p - 1 || keys[end] < all[(to + 1) * SAMPLES])) {
            end++;
        }
        bsp_send(to, &tag, keys + first, (end - first) * (int)sizeof *keys);
        first = end;
    }
    bsp_sync();
    int count = receive_keys(sorted);
    qsort(sorted, (size_t)count, sizeof *sorted, ascending);
    /* No key is lost, and those of the left neighbour are not larger. */
    long long received = 0;
    for (int at = 0; at < count; at++) {
        received += sorted[at];
    }
    edge[0] = count > 0 ? sorted[0] : INT_MAX;
    edge[1] = count > 0 ? sorted[count - 1] : INT_MIN;
    int left[2] = {INT_MIN, INT_MIN};
    long long *table = calloc((size_t)p * 2, sizeof *table);
    CHECK(table != NULL);
    bsp_push_reg(left, sizeof left);
    bsp_push_reg(table, p * 2 * (int)sizeof *table);
    bsp_sync();
    sums[0] = sum;
    sums[1] = received;
    for (int to = 0; to < p; to++) {
        bsp_put(to, sums, table, s * (int)sizeof sums, sizeof sums);
    }
    if (s + 1 < p) {
        bsp_put(s + 1, edge, left, 0, sizeof edge);
    }
    bsp_sync();
    long long sent_by_all = 0, received_by_all = 0;
    for (int from = 0; from < p; from++) {
        sent_by_all += table[2 * from];
        received_by_all += table[2 * from + 1];
    }
    CHECK(sent_by_all == received_by_all);
    CHECK(count == 0 || left[1] <= edge[0]);
    free(table);
    free(all);
    free(sorted);
}
