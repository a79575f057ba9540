/* sample_sort.c: parallel sorting by regular sampling with BSPlib. Each processor sorts its own keys and shows P of them, at equal
 * distances, to all others. All then know the same P*P samples, and choose the same P - 1 splitters among them, so each key can be
 * sent to the processor that it belongs to: none gets more than about 2n/P. Every result is checked.
 *
 *     sample_sort       one size, or with CALL all sizes of the sampling loop
 *     sample_sort N     N keys
 */
#include <bsp.h>
#include <stdio.h>
#include <stdlib.h>

#pragma cll parallel BSPLIB procs = 1:32:2

/* Sizes of the sampling loop in main. */
#define SMALLEST 4096
#define LARGEST 262144

/* Sorts of each size. */
#define REPETITIONS 3

typedef unsigned int key;

#define BYTES(count) ((count) * (int)sizeof(key))

static int compare(const void *left, const void *right)
{
    key a = *(const key *)left, b = *(const key *)right;
    return (a > b) - (a < b);
}

static void sort(key *keys, int count)
{
    qsort(keys, (size_t)count, sizeof *keys, compare);
}

/* P own samples to each processor: samples[s*P ...] are those of processor s. */
static void share_samples(const key *keys, int count, key *samples)
{
    int p = bsp_nprocs();
    for (int at = 0; at < p; at++) {
        key sample = keys[(long long)count * at / p];
        for (int to = 0; to < p; to++) {
            bsp_put(to, &sample, samples, BYTES(bsp_pid() * p + at), sizeof sample);
        }
    }
    bsp_sync();
}

/* Processor t gets the keys from splitter t - 1 to splitter t; a splitter is every P-th of the sorted samples, from the middle of
 * the distance on. */
static void send_keys(const key *keys, int count, key *samples)
{
    int p = bsp_nprocs(), first = 0;
    sort(samples, p * p);
    for (int to = 0; to < p; to++) {
        int end = first;
        while (end < count && (to == p - 1 || keys[end] < samples[(to + 1) * p + p / 2 - 1])) {
            end++;
        }
        bsp_send(to, NULL, keys + first, BYTES(end - first));
        first = end;
    }
    bsp_sync();
}

/* The keys that came, one sorted run from each processor. Returns their number. */
static int receive_keys(key **received)
{
    int messages, bytes, count = 0;
    bsp_qsize(&messages, &bytes);
    *received = malloc((size_t)bytes + 1);
    if (*received == NULL) {
        bsp_abort("sample_sort: no memory for %d bytes of keys\n", bytes);
    }
    for (; messages > 0; messages--) {
        int size;
        bsp_get_tag(&size, NULL);
        bsp_move(*received + count, size);
        count += size / (int)sizeof(key);
    }
    return count;
}

/* What a processor says about its keys. */
typedef struct {
    unsigned long long count, sum, squares;
    key smallest, largest;
    int is_sorted;
} summary;

static summary summary_of(const key *keys, int count)
{
    summary its = {(unsigned long long)count, 0, 0, 0, 0, 1};
    for (int i = 0; i < count; i++) {
        its.sum += keys[i];
        its.squares += (unsigned long long)keys[i] * keys[i];
        its.is_sorted = its.is_sorted && (i == 0 || keys[i - 1] <= keys[i]);
    }
    if (count > 0) {
        its.smallest = keys[0];
        its.largest = keys[count - 1];
    }
    return its;
}

/* Whether the summaries of what was sorted and of what came of it show no mistake, on all processors. */
static int is_right(summary before, summary after, summary *all)
{
    summary own[2] = {before, after};
    unsigned long long count = 0, sum = 0, squares = 0; /* of what there was before, less what there is now */
    key largest = 0;
    int right = 1;
    for (int to = 0; to < bsp_nprocs(); to++) {
        bsp_put(to, own, all, bsp_pid() * (int)sizeof own, sizeof own);
    }
    bsp_sync();
    for (int from = 0; from < bsp_nprocs(); from++) {
        const summary *was = &all[2 * from], *is = &all[2 * from + 1];
        count += was->count - is->count;
        sum += was->sum - is->sum;
        squares += was->squares - is->squares;
        right = right && is->is_sorted && (is->count == 0 || is->smallest >= largest);
        largest = is->count > 0 ? is->largest : largest;
    }
    return right && count == 0 && sum == 0 && squares == 0;
}

/* Keys without a pattern, other ones on each processor. */
static void fill(key *keys, int count, unsigned seed)
{
    unsigned state = 2654435761u * (seed + 1);
    for (int i = 0; i < count; i++) {
        state ^= state << 13;
        state ^= state >> 17;
        state ^= state << 5;
        keys[i] = state;
    }
}

int main(int argc, char **argv)
{
    bsp_begin(bsp_nprocs());
    int p = bsp_nprocs(), s = bsp_pid(), status = 0;
    int n = argc > 1 ? atoi(argv[1]) : SMALLEST, largest = argc > 1 ? n : LARGEST;
    if (n < p * p || n > 1 << 28) {
        bsp_abort("usage: sample_sort [N], N from %d to 268435456\n", p * p);
    }
    key *keys = malloc(((size_t)largest / (size_t)p + 1) * sizeof *keys);
    key *samples = malloc((size_t)p * (size_t)p * sizeof *samples);
    summary *all = malloc(2 * (size_t)p * sizeof *all);
    if (keys == NULL || samples == NULL || all == NULL) {
        bsp_abort("sample_sort: no memory for %d keys\n", largest);
    }
    bsp_push_reg(samples, BYTES(p * p));
    bsp_push_reg(all, 2 * p * (int)sizeof *all);
    bsp_sync();

#pragma cll for(; n <= largest; n *= 2)
    int count = (int)((long long)n * (s + 1) / p - (long long)n * s / p), right = 1;
    for (int round = 0; round < REPETITIONS; round++) {
        key *sorted;
        fill(keys, count, (unsigned)(round * p + s));
        summary before = summary_of(keys, count);
#pragma cll sync whole whole[0] + whole[1]*P + whole[2]*n/P*log2(n)
#pragma cll local local[0] + local[1]*n/P*log2(n/P)
        sort(keys, count);
#pragma cll end local
#pragma cll sample sample[0] + sample[1]*P
        share_samples(keys, count, samples);
#pragma cll end sample
#pragma cll exchange exchange[0] + exchange[1]*P + exchange[2]*n/P
        send_keys(keys, count, samples);
        int received = receive_keys(&sorted);
#pragma cll end exchange
#pragma cll merge merge[0] + merge[1]*received*log2(received + 1) + merge[2]*received*log2(P)
        sort(sorted, received);
#pragma cll end merge
#pragma cll end whole
        right = is_right(before, summary_of(sorted, received), all) && right;
        free(sorted);
    }
    if (s == 0) {
        printf("N = %d, P = %d: %s\n", n, p, right ? "sorted" : "wrong");
    }
    status |= !right;
#pragma cll end for
#pragma cll report all

    bsp_pop_reg(all);
    bsp_pop_reg(samples);
    free(all);
    free(samples);
    free(keys);
    bsp_end();
    return status;
}
