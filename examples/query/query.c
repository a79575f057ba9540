/* query.c: queries over relations with BSPlib, in four versions that a call-graph profile leads from one to the next, as in section 4 of
 * Jarvis, Hill, Siniolakis and Vasilev, "Portable and architecture independent parallel performance tuning using BSP". The answers
 * are compared with those of one processor.
 *
 *     query [VERSION [N]]    N sales (96000), and versions
 *         1   relations are used as they are, and the sort takes few samples (the default)
 *         2   they are spread evenly first
 *         3   the sort takes as many samples as theory says
 *         4   it sorts them on all processors
 *
 * Compiled with -DCOUNTED=10 and run with CALL_CLOCK=counting, time is what is counted here: 10 nanoseconds for each look at a row.
 */
#include <bsp.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#pragma cll parallel BSPLIB procs = 1:16:2 supersteps

#ifdef COUNTED
void cll_clock_advance(unsigned long long nanoseconds);
#define LOOK_AT(rows) cll_clock_advance(COUNTED * (unsigned long long)(rows))
#else
#define LOOK_AT(rows) ((void)(rows))
#endif

/* Those of a sale are its item and customer and how many were sold; those of an item its kind and price. */
enum { ITEM, CUSTOMER, KIND, AMOUNT, COLUMNS };

/* Samples of each processor for each part of the rows: few, and about the logarithm of the number of rows, as in theory. */
enum { FEW_SAMPLES = 1, ENOUGH_SAMPLES = 16 };

/* The customer in rows of items. */
#define NOBODY (-1)

typedef struct {
    long long of[COLUMNS];
} row;

/* The rows that this processor has. */
typedef struct {
    row *rows;
    int count;
} relation;

static int version = 1;
static int p, s;
static int *counts; /* of rows on each processor */

static void *allocate(size_t count, size_t bytes)
{
    void *made = calloc(count + 1, bytes);
    if (made == NULL) {
        bsp_abort("query: no memory for %d rows\n", (int)count);
    }
    return made;
}

static relation relation_of(int count)
{
    relation made = {allocate((size_t)count, sizeof(row)), count};
    return made;
}

/* Numbers without a pattern, the same on every computer. */
static unsigned long long hash(unsigned long long number)
{
    number = (number + 1) * 0x9e3779b97f4a7c15ull;
    number = (number ^ (number >> 30)) * 0xbf58476d1ce4e5b9ull;
    return (number ^ (number >> 27)) % 0x7fffffffull;
}

static int log2_of(int number)
{
    int log = 0;
    while (number > 1 << log) {
        log++;
    }
    return log;
}

/* The order by a column; the row of an item stands before those of its sales. */
static int sorted_column;

static int compare_rows(const void *left, const void *right)
{
    const long long *a = ((const row *)left)->of, *b = ((const row *)right)->of;
    int order = (a[sorted_column] > b[sorted_column]) - (a[sorted_column] < b[sorted_column]);
    return order != 0 ? order : (a[CUSTOMER] > b[CUSTOMER]) - (a[CUSTOMER] < b[CUSTOMER]);
}

static int compare_keys(const void *left, const void *right)
{
    long long a = *(const long long *)left, b = *(const long long *)right;
    return (a > b) - (a < b);
}

static void sort_rows(relation its, int column)
{
    sorted_column = column;
    qsort(its.rows, (size_t)its.count, sizeof(row), compare_rows);
    LOOK_AT(its.count * log2_of(its.count));
}

static void sort_keys(long long *keys, int count)
{
    qsort(keys, (size_t)count, sizeof *keys, compare_keys);
    LOOK_AT(count * log2_of(count));
}

static void send(int to, const void *from, int count, size_t bytes)
{
    if (count > 0) {
        bsp_send(to, NULL, from, count * (int)bytes);
    }
}

/* All that has come, one behind the other. Returns the number of bytes. */
static int receive(void *to)
{
    int messages, bytes, size;
    bsp_qsize(&messages, &bytes);
    for (int at = 0; messages > 0; messages--, at += size) {
        bsp_get_tag(&size, NULL);
        bsp_move((char *)to + at, size);
    }
    return bytes;
}

/* The rows that have come take the place of those that were here. */
static void receive_rows(relation *its)
{
    int messages, bytes;
    bsp_qsize(&messages, &bytes);
    free(its->rows);
    *its = relation_of(bytes / (int)sizeof(row));
    receive(its->rows);
    LOOK_AT(its->count);
}

static int smaller(int a, int b)
{
    return a < b ? a : b;
}

static int larger(int a, int b)
{
    return a > b ? a : b;
}

/* As many rows on each processor: what some have too many of, counted over all of them, goes to those that have too few. */
static void balance(relation *its)
{
    long long all = 0;
    for (int to = 0; to < p; to++) {
        bsp_put(to, &its->count, counts, s * (int)sizeof *counts, sizeof *counts);
    }
    bsp_sync();
    for (int from = 0; from < p; from++) {
        all += counts[from];
    }
    for (int at = 0; at < p; at++) {
        counts[at] -= (int)(all * (at + 1) / p - all * at / p);
    }
    int first = 0, wanted = 0, more = larger(counts[s], 0), kept = its->count - more;
    for (int from = 0; from < s; from++) {
        first += larger(counts[from], 0);
    }
    for (int to = 0; to < p; to++) {
        int begin = larger(first, wanted), end = smaller(first + more, wanted + larger(-counts[to], 0));
        send(to, its->rows + kept + begin - first, end - begin, sizeof(row));
        wanted += larger(-counts[to], 0);
    }
    send(s, its->rows, kept, sizeof(row));
    bsp_sync();
    receive_rows(its);
}

/* Keeps the smaller half of two sorted arrays, or the larger one, in the first. */
static void keep_half(long long *own, const long long *others, int count, int is_smaller)
{
    long long *kept = allocate((size_t)count, sizeof *kept);
    int step = is_smaller ? 1 : -1, first = is_smaller ? 0 : count - 1;
    for (int at = first, left = first, right = first; at >= 0 && at < count; at += step) {
        int is_left = is_smaller ? own[left] <= others[right] : own[left] >= others[right];
        kept[at] = is_left ? own[left] : others[right];
        left += is_left ? step : 0;
        right += is_left ? 0 : step;
    }
    memcpy(own, kept, (size_t)count * sizeof *kept);
    free(kept);
    LOOK_AT(count);
}

static void exchange_halves(int partner, long long *keys, long long *others, int count)
{
    if (partner < p) {
        send(partner, keys, count, sizeof *keys);
    }
    bsp_sync();
    if (partner < p) {
        receive(others);
        keep_half(keys, others, count, s < partner);
    }
}

/* Bitonic sort of as many keys on each processor: the smallest come to processor 0. */
static void sort_everywhere(long long *keys, int count)
{
    long long *others = allocate((size_t)count, sizeof *others);
    sort_keys(keys, count);
    for (int merged = 1; merged < p; merged *= 2) {
        exchange_halves(s ^ (2 * merged - 1), keys, others, count);
        for (int distance = merged / 2; distance > 0; distance /= 2) {
            exchange_halves(s ^ distance, keys, others, count);
        }
    }
    free(others);
}

/* The samples are sorted over all processors: the first one on each is a splitter, but on processor 0. */
static void tell_splitters(const long long *samples, long long *splitters)
{
    for (int to = 0; to < p && s > 0; to++) {
        send(to, samples, 1, sizeof *samples);
    }
    bsp_sync();
    receive(splitters);
    sort_keys(splitters, p - 1);
}

/* Processor 0 sorts the samples of all. */
static void gather_splitters(const long long *samples, int count, long long *splitters)
{
    long long *all = s == 0 ? allocate((size_t)count * (size_t)p, sizeof *all) : NULL;
    send(0, samples, count, sizeof *samples);
    bsp_sync();
    if (s == 0) {
        receive(all);
        sort_keys(all, count * p);
        for (int at = 1; at < p; at++) {
            splitters[at - 1] = all[at * count];
        }
        for (int to = 0; to < p; to++) {
            send(to, splitters, p - 1, sizeof *splitters);
        }
    }
    bsp_sync();
    receive(splitters);
    free(all);
}

/* Keys that divide all rows into as many parts as there are processors, found from random samples of the sorted rows. */
static void find_splitters(relation its, int column, long long *splitters)
{
    static unsigned long long drawn = 0;
    int count = p * (version >= 3 ? ENOUGH_SAMPLES : FEW_SAMPLES);
    long long *samples = allocate((size_t)count, sizeof *samples);
    for (int at = 0; at < count; at++) {
        samples[at] = its.count == 0 ? LLONG_MAX : its.rows[hash(drawn++ * 1024 + (unsigned)s) % (unsigned)its.count].of[column];
    }
    LOOK_AT(count);
    if (version >= 4) {
        sort_everywhere(samples, count);
        tell_splitters(samples, splitters);
    } else {
        gather_splitters(samples, count, splitters);
    }
    free(samples);
}

/* Sample sort: rows of one key come to one processor, smaller keys to one before it. */
static void sort(relation *its, int column)
{
    long long *splitters = allocate((size_t)p, sizeof *splitters);
    sort_rows(*its, column);
    find_splitters(*its, column, splitters);
    for (int to = 0, first = 0; to < p; to++) {
        int end = first;
        while (end < its->count && (to == p - 1 || its->rows[end].of[column] < splitters[to])) {
            end++;
        }
        send(to, its->rows + first, end - first, sizeof(row));
        first = end;
    }
    LOOK_AT(its->count);
    bsp_sync();
    receive_rows(its);
    sort_rows(*its, column);
    free(splitters);
}

/* SELECT * FROM its WHERE column >= least */
static relation select_rows(relation its, int column, long long least)
{
    relation selected = relation_of(its.count);
    selected.count = 0;
    for (int at = 0; at < its.count; at++) {
        if (its.rows[at].of[column] >= least) {
            selected.rows[selected.count++] = its.rows[at];
        }
    }
    LOOK_AT(its.count);
    return selected;
}

/* SELECT column, SUM(amount) FROM its GROUP BY column */
static relation group_by(relation its, int column)
{
    relation groups = select_rows(its, AMOUNT, LLONG_MIN);
    int count = 0;
    sort(&groups, column);
    for (int at = 0; at < groups.count; at++) {
        row its = {{0}};
        its.of[column] = groups.rows[at].of[column];
        its.of[AMOUNT] = groups.rows[at].of[AMOUNT];
        if (count > 0 && groups.rows[count - 1].of[column] == its.of[column]) {
            groups.rows[count - 1].of[AMOUNT] += its.of[AMOUNT];
        } else {
            groups.rows[count++] = its;
        }
    }
    LOOK_AT(groups.count);
    groups.count = count;
    return groups;
}

/* SELECT kind, sales.amount * items.amount FROM sales JOIN items ON item */
static relation join(relation sales, relation items)
{
    relation both = relation_of(sales.count + items.count);
    memcpy(both.rows, sales.rows, (size_t)sales.count * sizeof(row));
    memcpy(both.rows + sales.count, items.rows, (size_t)items.count * sizeof(row));
    sort(&both, ITEM);
    row item = {{-1}};
    int count = 0;
    for (int at = 0; at < both.count; at++) {
        row its = both.rows[at];
        if (its.of[CUSTOMER] == NOBODY) {
            item = its;
        } else if (its.of[ITEM] == item.of[ITEM]) {
            its.of[KIND] = item.of[KIND];
            its.of[AMOUNT] *= item.of[AMOUNT];
            both.rows[count++] = its;
        }
    }
    LOOK_AT(both.count);
    both.count = count;
    return both;
}

/* Rows on processors before this one: each has more of them than the one before, as shops of different sizes. */
static int rows_before(int n, int processor)
{
    return (int)((long long)n * processor * (processor + 1) / ((long long)p * (p + 1)));
}

static row sale(int n, int at)
{
    unsigned long long random = hash((unsigned)at);
    row made = {{0}};
    made.of[ITEM] = (long long)(random % (unsigned)(n / 8));
    made.of[CUSTOMER] = (long long)(hash(random) % (unsigned)(n / 4));
    made.of[AMOUNT] = (long long)(random / 1024 % 10);
    return made;
}

static row item(int n, int at)
{
    unsigned long long random = hash((unsigned)at + 0x10000000u);
    row made = {{0}};
    made.of[ITEM] = at;
    made.of[CUSTOMER] = NOBODY;
    made.of[KIND] = (long long)(random % (unsigned)(n / 64));
    made.of[AMOUNT] = (long long)(1 + random / 1024 % 100);
    return made;
}

static relation rows_here(row (*row_of)(int n, int at), int n, int count)
{
    int first = rows_before(count, s);
    relation made = relation_of(rows_before(count, s + 1) - first);
    for (int at = 0; at < made.count; at++) {
        made.rows[at] = row_of(n, first + at);
    }
    return made;
}

/* What the queries answer: what each customer bought at least twice of, and the income from each kind. */
typedef struct {
    relation spent, income;
} answers;

static answers queries(relation sales, relation items)
{
    answers its;
    relation bought = select_rows(sales, AMOUNT, 2);
    free(sales.rows);
    if (version >= 2) {
        balance(&bought);
        balance(&items);
    }
    its.spent = group_by(bought, CUSTOMER);
    relation sold = group_by(bought, ITEM);
    relation priced = join(sold, items);
    its.income = group_by(priced, KIND);
    free(bought.rows);
    free(sold.rows);
    free(priced.rows);
    free(items.rows);
    return its;
}

/* A sum over the rows of an answer in any order. */
static unsigned long long digest(long long key, long long amount)
{
    return 1 + hash(hash((unsigned long long)key) + (unsigned long long)amount);
}

static unsigned long long digest_of(relation its, int column)
{
    unsigned long long sum = 0;
    for (int at = 0; at < its.count; at++) {
        sum += digest(its.rows[at].of[column], its.rows[at].of[AMOUNT]);
    }
    return sum;
}

static unsigned long long digest_of_sums(const long long *sums, int count)
{
    unsigned long long sum = 0;
    for (int at = 0; at < count; at++) {
        sum += sums[at] == 0 ? 0 : digest(at, sums[at]);
    }
    return sum;
}

/* The digests of both answers, found by one processor without a sort. */
static void answer_alone(int n, unsigned long long *digests)
{
    long long *sold = allocate((size_t)n, sizeof *sold), *spent = allocate((size_t)n, sizeof *spent);
    long long *income = allocate((size_t)n, sizeof *income);
    for (int at = 0; at < n; at++) {
        row its = sale(n, at);
        long long amount = its.of[AMOUNT] >= 2 ? its.of[AMOUNT] : 0;
        spent[its.of[CUSTOMER]] += amount;
        sold[its.of[ITEM]] += amount;
    }
    for (int at = 0; at < n / 8; at++) {
        row its = item(n, at);
        income[its.of[KIND]] += sold[at] * its.of[AMOUNT];
    }
    digests[0] = digest_of_sums(spent, n);
    digests[1] = digest_of_sums(income, n);
    free(income);
    free(spent);
    free(sold);
}

/* Whether the rows of all processors are the right answers, on all of them. */
static int are_right(answers its, int n)
{
    unsigned long long own[2] = {digest_of(its.spent, CUSTOMER), digest_of(its.income, KIND)}, right[2], sums[2] = {0, 0};
    unsigned long long *all = allocate(2 * (size_t)p, sizeof *all);
    for (int to = 0; to < p; to++) {
        send(to, own, 2, sizeof *own);
    }
    bsp_sync();
    receive(all);
    for (int from = 0; from < p; from++) {
        sums[0] += all[2 * from];
        sums[1] += all[2 * from + 1];
    }
    free(all);
    answer_alone(n, right);
    return sums[0] == right[0] && sums[1] == right[1];
}

int main(int argc, char **argv)
{
    bsp_begin(bsp_nprocs());
    int n = argc > 2 ? atoi(argv[2]) : 96000;
    version = argc > 1 ? atoi(argv[1]) : 1;
    p = bsp_nprocs();
    s = bsp_pid();
    if (version < 1 || version > 4 || n < 64 || n > 1 << 25) {
        bsp_abort("usage: query [VERSION [N]], VERSION from 1 to 4, N from 64 to 33554432\n");
    }
    counts = allocate((size_t)p, sizeof *counts);
    bsp_push_reg(counts, p * (int)sizeof *counts);
    bsp_sync();
    relation sales = rows_here(sale, n, n), items = rows_here(item, n, n / 8);
#pragma cll sync queries queries[0] + queries[1]*n*log2(n)/P
    answers its = queries(sales, items);
#pragma cll end queries
    int right = are_right(its, n);
    if (s == 0) {
        printf("version %d, N = %d, P = %d: %s\n", version, n, p, right ? "right" : "wrong");
    }
#pragma cll report all
    bsp_pop_reg(counts);
    free(its.spent.rows);
    free(its.income.rows);
    free(counts);
    bsp_end();
    return !right;
}
