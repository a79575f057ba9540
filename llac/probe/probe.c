/* probe.c: what computation, memory and communication cost on this machine, for `llac machine probe`. After the bsp_probe of BSPlib and
 * the bspbench of R. Bisseling, "Parallel Scientific Computation" (2004), section 1.5, which measure s, g and L.
 *
 *     probe             half a minute on one processor, and on several
 *     probe quick       fewer sizes and rounds: a second or two
 *
 * One processor measures the memory and single operations; each number of processors measures the rate of computing, total exchanges
 * and messages. What is measured comes in rounds, so that a disturbance hits one round and not all measurements of a size, and before
 * a round the processors nap until none of them is disturbed.
 */
#ifndef _DEFAULT_SOURCE
#define _DEFAULT_SOURCE
#endif
#include <math.h>
#include <pub.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <time.h>
#include <unistd.h>

#pragma cll parallel PUB gbsp procs = 1:32:2

/* What a run does. Rounds are even: the first half is compared with the second. */
typedef struct {
    int memory_rounds;
    int exchange_rounds;
    long memory_bytes; /* largest working set */
    int message_bytes; /* largest message */
    int naps;          /* at most, in all rounds; those that are left */
    int is_settled;    /* nothing disturbed the processors when the round began */
    int is_quick;
} plan;

enum {
    SLOT_BYTES = 64,           /* between the places of a chase: a line of most caches */
    ACCESSES = 1 << 16,        /* of a measurement */
    OPERATIONS = 1 << 15,      /* likewise; a multiple of 32 */
    VECTOR = 1024,             /* longest vectors of the rate, as in bspbench */
    PASSES = 64,               /* over these vectors */
    TRIPS = 4,                 /* of a message, there and back */
    REPETITIONS = 3,           /* in a round */
    STREAM_REPETITIONS = 16,   /* others use the memory, too */
    SMALLEST_SET = 1024,       /* bytes; a multiple of the 128 of one step of a stream */
    SMALLEST_SWEEP = 32768,    /* likewise, eight times the longest stride */
    STREAM_BYTES = 1 << 22,    /* of a measurement; written in formulas, too, as is ACCESSES */
    SMALLEST_MESSAGE = 8,      /* bytes */
    NAP_US = 20000,
    BUSY_US = 10000,           /* after a nap; until then the system has given each processor a core of its own */
    FIRST_NAPS = 64,           /* to find out how fast the processors are */
    WARM_UPS = 32,             /* supersteps */
    SUPERSTEPS = 8,            /* of a measurement; written in formulas, too */
    LARGEST_EXCHANGE = 1 << 23, /* bytes that a processor sends in a superstep */
    LONG_EXCHANGE = 1 << 18,   /* bytes; see is_long_round */
    ROUNDS_TO_LONG = 4,
    LEAST_ROUNDS = 4           /* of exchanges, whatever disturbs them */
};

static volatile double result; /* nobody can leave out what ends up here */

/* The compiler knows nothing of the value any more, and so neither folds nor joins operations. */
#if defined(__GNUC__)
#define HIDE(value) __asm__ volatile("" : "+r"(value))
#else
#define HIDE(value) (void)(value)
#endif
#if defined(__GNUC__) && defined(__SSE2__)
#define HIDE_REAL(value) __asm__ volatile("" : "+x"(value))
#elif defined(__GNUC__) && defined(__aarch64__)
#define HIDE_REAL(value) __asm__ volatile("" : "+w"(value))
#else
#define HIDE_REAL(value) (void)(value)
#endif

/* How a short loop lies in the lines of the cache decides its speed: at the start of a line, whatever else the program has. */
#if defined(__GNUC__)
#define AT_LINE __attribute__((noinline, aligned(64)))
#else
#define AT_LINE
#endif

/* times as long as at best */
#define SLOW 1.15

/* 1, 1.5, 2, 3, 4, ... times the first; in haste 1, 2, 4, ... */
static long next_size(const plan *its, long size)
{
    if (its->is_quick) {
        return 2 * size;
    }
    return (size & (size - 1)) == 0 && size > 1 ? size / 2 * 3 : size / 3 * 4;
}

/* What takes long is measured in some rounds only, the first among them. */
static int is_long_round(int round)
{
    return (round - 1) % ROUNDS_TO_LONG == 0;
}

static void tell(int processors, const char *what, int round, int rounds)
{
    printf("probe: P = %d, %s, round %d of %d\n", processors, what, round, rounds);
    fflush(stdout);
}

/* ---- the speed of the processors ---- */

static double factors[VECTOR], sums[VECTOR];

AT_LINE static void add_multiple(double *y, double alpha, const double *x, int n)
{
    for (int i = 0; i < n; i++) {
        y[i] += alpha * x[i];
    }
}

static void add_multiples(int passes, int n)
{
    for (int pass = 0; pass < passes; pass++) {
        add_multiple(sums, 1e-9, factors, n);
        HIDE(pass);
    }
    result = sums[VECTOR - 1];
}

/* s by y += alpha*x: two operations an element, on all processors at the same time. */
static void measure_rate(t_bsp *gbsp)
{
    (void)gbsp; /* which the directive needs */
    for (int n = 64; n <= VECTOR; n *= 2) {
        for (int repetition = 0; repetition < REPETITIONS; repetition++) {
            int passes = PASSES;
#pragma cll sync rate rate[0]*passes + rate[1]*passes*2*n
            add_multiples(passes, n);
#pragma cll end rate
        }
    }
}

static double now_s(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (double)now.tv_sec + 1e-9 * (double)now.tv_nsec;
}

static void either(void *both, const void *left, const void *right, int size)
{
    int is_one = *(const int *)left || *(const int *)right;
    memcpy(both, &is_one, (size_t)size);
}

/* Whether one of the processors computes much slower than it can, as one does that shares its core. They all ask. */
static int is_disturbed(t_bsp *gbsp)
{
    static double shortest_s = HUGE_VAL;
    double begin_s = now_s();
    add_multiples(PASSES, VECTOR);
    double this_s = now_s() - begin_s;
    shortest_s = fmin(shortest_s, this_s);
    int is_slow = this_s > SLOW * shortest_s, is_any_slow;
    bsp_reduce(gbsp, either, &is_slow, &is_any_slow, sizeof is_slow);
    return is_any_slow;
}

/* Who wakes is given a core anew, by the system and by the host of a virtual machine. */
static void nap(t_bsp *gbsp)
{
    usleep(NAP_US);
    bsp_sync(gbsp);
    for (double end_s = now_s() + 1e-6 * BUSY_US; now_s() < end_s;) {
    }
    bsp_sync(gbsp); /* who waits leaves much of a core to who computes */
}

/* Naps until nothing disturbs the processors, or all naps are used up. */
static void settle(t_bsp *gbsp, plan *its)
{
    its->is_settled = 0;
    while (!its->is_settled && its->naps > 0) {
        nap(gbsp);
        its->naps--;
        its->is_settled = !is_disturbed(gbsp);
    }
}

/* ---- memory ---- */

/* Large pages keep the address translation out of the costs of the caches; small ones show it. */
static unsigned char *map_memory(size_t bytes, int large_pages)
{
    size_t align = (size_t)1 << 21;
    unsigned char *memory = mmap(NULL, bytes + align, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED) {
        fprintf(stderr, "probe: no memory for %zu bytes\n", bytes);
        exit(2);
    }
    memory += (align - (uintptr_t)memory % align) % align;
#if defined(MADV_HUGEPAGE) && defined(MADV_NOHUGEPAGE)
    madvise(memory, bytes, large_pages ? MADV_HUGEPAGE : MADV_NOHUGEPAGE);
#else
    (void)large_pages;
#endif
    memset(memory, 1, bytes);
    return memory;
}

/* Caches are shared with others, and so measured more often than the main memory. */
static long largest_set(const plan *its, int round)
{
    return is_long_round(round) ? its->memory_bytes : its->memory_bytes / 8;
}

static uint64_t random_below(uint64_t limit)
{
    static uint64_t state = 88172645463325252u;
    state ^= state << 13;
    state ^= state >> 7;
    state ^= state << 17;
    return (uint64_t)((double)(state >> 11) * 0x1p-53 * (double)limit);
}

/* Places at a distance from each other; where it is larger than a line, not all of them fall into the same set of the caches. */
static unsigned char *place(unsigned char *memory, long distance, uint64_t index)
{
    return memory + index * (uint64_t)distance + index * SLOT_BYTES % (uint64_t)distance;
}

/* Each place holds the address of another, in one cycle through all of them in random order (Sattolo's shuffle). */
static void *make_cycle(unsigned char *memory, long distance, long count)
{
    for (long i = 0; i < count; i++) {
        unsigned char *here = place(memory, distance, (uint64_t)i);
        memcpy(place(memory, distance, (uint64_t)i), &here, sizeof here);
    }
    for (long i = count - 1; i > 0; i--) {
        unsigned char *one = place(memory, distance, (uint64_t)i);
        unsigned char *other = place(memory, distance, random_below((uint64_t)i));
        unsigned char address[sizeof(void *)];
        memcpy(address, one, sizeof address);
        memcpy(one, other, sizeof address);
        memcpy(other, address, sizeof address);
    }
    return memory;
}

static void *chase(void *start, long accesses)
{
    void **at = start;
    for (long i = 0; i < accesses; i += 8) {
        at = *at, at = *at, at = *at, at = *at;
        at = *at, at = *at, at = *at, at = *at;
    }
    return at;
}

/* Loads that wait for each other, in working sets of all sizes. Their number is always the same: load[0] is the time of one, and each
 * cache an interval of bytes where it holds. */
static void measure_loads(unsigned char *memory, const plan *its, int round)
{
    for (long bytes = SMALLEST_SET; bytes <= largest_set(its, round); bytes = next_size(its, bytes)) {
        void *at = chase(make_cycle(memory, SLOT_BYTES, bytes / SLOT_BYTES), bytes / SLOT_BYTES);
        for (int repetition = 0; repetition < REPETITIONS; repetition++) {
#pragma cll load load[0]*65536*bytes/bytes
            at = chase(at, ACCESSES);
#pragma cll end load
        }
        result = (double)(uintptr_t)at;
    }
}

/* The same with one place on each page: as long as the processor knows where the pages are is an interval of page[0]. */
static void measure_pages(unsigned char *memory, const plan *its, int round)
{
    long page_bytes = sysconf(_SC_PAGESIZE);
    for (long bytes = 8 * page_bytes; bytes <= largest_set(its, round); bytes = next_size(its, bytes)) {
        void *at = chase(make_cycle(memory, page_bytes, bytes / page_bytes), bytes / page_bytes);
        for (int repetition = 0; repetition < REPETITIONS; repetition++) {
#pragma cll page page[0]*65536*bytes/bytes*page_bytes/page_bytes
            at = chase(at, ACCESSES);
#pragma cll end page
        }
        result = (double)(uintptr_t)at;
    }
}

/* Loads at a constant distance, over and over through a working set that is a multiple of eight distances. */
static uint64_t sweep(const unsigned char *memory, long bytes, long stride, long accesses)
{
    uint64_t sum = 0, word;
    long at = 0;
    for (long i = 0; i < accesses; i += 8) {
        for (const unsigned char *here = memory + at, *end = here + 8 * stride; here != end; here += stride) {
            memcpy(&word, here, sizeof word);
            sum += word;
        }
        at += 8 * stride;
        at = at < bytes ? at : 0;
    }
    return sum;
}

/* They do not wait for each other. */
static void measure_strides(const unsigned char *memory, const plan *its, int round)
{
    for (long bytes = SMALLEST_SWEEP; bytes <= largest_set(its, round); bytes *= 2) {
        for (long stride = 8; stride <= SMALLEST_SWEEP / 8; stride *= 2) {
            uint64_t sum = sweep(memory, bytes, stride, bytes / stride);
            for (int repetition = 0; repetition < REPETITIONS; repetition++) {
#pragma cll stride stride[0]*65536*bytes/bytes*stride/stride
                sum += sweep(memory, bytes, stride, ACCESSES);
#pragma cll end stride
            }
            result = (double)sum;
        }
    }
}

/* As wide as the compiler has loads. */
#if defined(__GNUC__)
typedef uint64_t wide __attribute__((vector_size(16)));
#else
typedef uint64_t wide;
#endif

/* Sums keep the loads from being left out, and eight of them from waiting for each other. */
static wide read_all(const unsigned char *memory, long bytes)
{
    const wide *words = (const wide *)(const void *)memory;
    wide a = *words, b = a, c = a, d = a, e = a, f = a, g = a, h = a;
    for (const wide *end = words + bytes / (long)sizeof *words; words != end; words += 8) {
        a += words[0], b += words[1], c += words[2], d += words[3];
        e += words[4], f += words[5], g += words[6], h += words[7];
    }
    return a + b + c + d + e + f + g + h;
}

/* What comes from memory in a row: a measurement reads the same number of bytes of each working set, and goes on where the one before
 * has stopped. */
static void measure_streams(const unsigned char *memory, const plan *its, int round)
{
    for (long bytes = SMALLEST_SET; bytes <= largest_set(its, round); bytes = next_size(its, bytes)) {
        wide sum = read_all(memory, bytes);
        long at = 0;
        for (int repetition = 0; repetition < STREAM_REPETITIONS; repetition++) {
#pragma cll stream stream[0]*4194304*bytes/bytes
            for (long left = STREAM_BYTES; left > 0;) {
                long part = left < bytes - at ? left : bytes - at;
                sum += read_all(memory + at, part);
                left -= part;
                at = at + part < bytes ? at + part : 0;
            }
#pragma cll end stream
        }
        memcpy((void *)&result, &sum, sizeof result);
    }
}

/* ---- operations ---- */

/* Eight values that do not wait for each other, four times; or one value, so that each operation waits for the one before. */
#define ON_EIGHT(step) step(0) step(1) step(2) step(3) step(4) step(5) step(6) step(7)
#define INDEPENDENT(step) \
    for (long i = 0; i < operations; i += 32) { \
        ON_EIGHT(step) ON_EIGHT(step) ON_EIGHT(step) ON_EIGHT(step) \
    }
#define ON_FIRST(step) step(0) step(0) step(0) step(0) step(0) step(0) step(0) step(0)
#define DEPENDENT(step) \
    for (long i = 0; i < operations; i += 32) { \
        ON_FIRST(step) ON_FIRST(step) ON_FIRST(step) ON_FIRST(step) \
    }

#define ADD_REAL(k) x[k] += b; HIDE_REAL(x[k]);
#define MULTIPLY_REAL(k) x[k] *= b; HIDE_REAL(x[k]);
#define DIVIDE_REAL(k) x[k] /= b; HIDE_REAL(x[k]);
#define MULTIPLY_AND_ADD(k) x[k] = fma(x[k], b, b); HIDE_REAL(x[k]);
#define ADD_WHOLE(k) n[k] += c; HIDE(n[k]);
#define MULTIPLY_WHOLE(k) n[k] *= c; HIDE(n[k]);
#define DIVIDE_WHOLE(k) n[k] = d / n[k]; HIDE(n[k]);

static void measure_operations(long operations)
{
    double x[8], b = 1 + 1e-9, sum = 0;
    int64_t n[8], c = 3, d = 1000000007000000009;
    HIDE_REAL(b);
    HIDE(c);
    HIDE(d);
    for (int k = 0; k < 8; k++) {
        x[k] = 1 + k;
        n[k] = 1000000007 + k;
    }
#pragma cll f64_divide f64_divide[0]*operations
    INDEPENDENT(DIVIDE_REAL)
#pragma cll end f64_divide
#pragma cll f64_divide_dependent f64_divide_dependent[0]*operations
    DEPENDENT(DIVIDE_REAL)
#pragma cll end f64_divide_dependent
#pragma cll f64_multiply f64_multiply[0]*operations
    INDEPENDENT(MULTIPLY_REAL)
#pragma cll end f64_multiply
#pragma cll f64_multiply_dependent f64_multiply_dependent[0]*operations
    DEPENDENT(MULTIPLY_REAL)
#pragma cll end f64_multiply_dependent
#pragma cll f64_add f64_add[0]*operations
    INDEPENDENT(ADD_REAL)
#pragma cll end f64_add
#pragma cll f64_add_dependent f64_add_dependent[0]*operations
    DEPENDENT(ADD_REAL)
#pragma cll end f64_add_dependent
#ifdef FP_FAST_FMA /* else it is a function of the library */
#pragma cll f64_fma f64_fma[0]*operations
    INDEPENDENT(MULTIPLY_AND_ADD)
#pragma cll end f64_fma
#pragma cll f64_fma_dependent f64_fma_dependent[0]*operations
    DEPENDENT(MULTIPLY_AND_ADD)
#pragma cll end f64_fma_dependent
#endif
#pragma cll i64_divide i64_divide[0]*operations
    INDEPENDENT(DIVIDE_WHOLE)
#pragma cll end i64_divide
#pragma cll i64_divide_dependent i64_divide_dependent[0]*operations
    DEPENDENT(DIVIDE_WHOLE)
#pragma cll end i64_divide_dependent
#pragma cll i64_multiply i64_multiply[0]*operations
    INDEPENDENT(MULTIPLY_WHOLE)
#pragma cll end i64_multiply
#pragma cll i64_multiply_dependent i64_multiply_dependent[0]*operations
    DEPENDENT(MULTIPLY_WHOLE)
#pragma cll end i64_multiply_dependent
#pragma cll i64_add i64_add[0]*operations
    INDEPENDENT(ADD_WHOLE)
#pragma cll end i64_add
#pragma cll i64_add_dependent i64_add_dependent[0]*operations
    DEPENDENT(ADD_WHOLE)
#pragma cll end i64_add_dependent
    for (int k = 0; k < 8; k++) {
        sum += x[k] + (double)n[k];
    }
    result = sum;
}

/* ---- all processors ---- */

/* Each processor sends as much to each other one, h bytes in all; one that is alone sends to itself. A size that is
 * disturbed is left out. */
static void measure_exchange(t_bsp *gbsp, const char *data, const plan *its, int round)
{
    int processors = bsp_nprocs(gbsp), processor = bsp_pid(gbsp);
    int partners = processors > 1 ? processors - 1 : 1;
    for (int warm_up = 0; warm_up < WARM_UPS; warm_up++) { /* after a pause, or other work */
        bsp_send(gbsp, (processor + 1) % processors, data, SMALLEST_MESSAGE);
        bsp_sync(gbsp);
    }
    for (long size = SMALLEST_MESSAGE; size <= its->message_bytes; size = next_size(its, size)) {
        long h = size * partners;
        if (h > LARGEST_EXCHANGE || (h > LONG_EXCHANGE && !is_long_round(round))) {
            break;
        }
        if (its->is_settled && is_disturbed(gbsp)) {
            continue;
        }
        for (int repetition = 0; repetition <= REPETITIONS; repetition++) { /* the first is a rehearsal for the memory */
#pragma cll sync exchange exchange[0]*8 + exchange[1]*8*h
            for (int superstep = 0; superstep < SUPERSTEPS; superstep++) {
                for (int step = 1; step <= partners; step++) {
                    bsp_send(gbsp, (processor + step) % processors, data, (int)size);
                }
                bsp_sync(gbsp);
            }
#pragma cll end exchange
            result = ((char *)bspmsg_data(bsp_getmsg(gbsp, 0)))[size - 1];
        }
    }
}

/* Processor 0 and the last one; the others pass through the same supersteps. */
static void go_there_and_back(t_bsp *gbsp, const char *data, int size, int trips)
{
    int processor = bsp_pid(gbsp), last = bsp_nprocs(gbsp) - 1;
    for (int trip = 0; trip < trips; trip++) {
        if (processor == 0) {
            bsp_send(gbsp, last, data, size);
        }
        bsp_oblsync(gbsp, processor == last);
        if (processor == last) {
            bsp_send(gbsp, 0, data, size);
        }
        bsp_oblsync(gbsp, processor == 0);
    }
}

/* message[0] is the time of an empty message one way, message[1] that of each byte. */
static void measure_messages(t_bsp *gbsp, const char *data, const plan *its)
{
    for (long bytes = SMALLEST_MESSAGE; bytes <= its->message_bytes; bytes *= 2) {
        if (its->is_settled && is_disturbed(gbsp)) {
            continue;
        }
        for (int repetition = 0; repetition < REPETITIONS; repetition++) {
            int trips = TRIPS;
            bsp_sync(gbsp);
            go_there_and_back(gbsp, data, (int)bytes, trips); /* the others are soon through, and do not disturb any more */
            if (bsp_pid(gbsp) == 0) {
#pragma cll message message[0]*2*trips + message[1]*2*trips*bytes
                go_there_and_back(gbsp, data, (int)bytes, trips);
#pragma cll end message
            } else {
                go_there_and_back(gbsp, data, (int)bytes, trips);
            }
        }
    }
}

/* Four times the last cache that the system knows of, which only says how far to look. */
static long largest_working_set(void)
{
    long cache = 0, memory = sysconf(_SC_PHYS_PAGES) / 8 * sysconf(_SC_PAGESIZE), wanted;
#if defined(_SC_LEVEL2_CACHE_SIZE) && defined(_SC_LEVEL4_CACHE_SIZE)
    static const int names[] = {_SC_LEVEL4_CACHE_SIZE, _SC_LEVEL3_CACHE_SIZE, _SC_LEVEL2_CACHE_SIZE};
    for (int k = 0; k < 3 && cache <= 0; k++) {
        cache = sysconf(names[k]);
    }
#endif
    wanted = cache > 0 ? 4 * cache : 1L << 27;
    wanted = wanted < 1L << 25 ? 1L << 25 : wanted > 1L << 28 ? 1L << 28 : wanted;
    return memory > 0 && wanted > memory ? memory : wanted;
}

static plan make_plan(int processors, int is_quick)
{
    plan its = {.memory_rounds = 16, .exchange_rounds = processors > 1 ? 40 : 16, .memory_bytes = largest_working_set(),
                .message_bytes = 1 << 18, .naps = 1000};
    if (is_quick) {
        its = (plan){.memory_rounds = 2, .exchange_rounds = 4, .memory_bytes = 1 << 26, .message_bytes = 1 << 20, .is_quick = 1};
    }
#ifdef SMPI_HELPERS_H
    its.naps = 0;                /* nothing disturbs simulated processors, */
    its.message_bytes = 1 << 20; /* and their copies end in no cache */
#endif
    return its;
}

static void measure_one_processor(t_bsp *gbsp, plan *its)
{
    unsigned char *large = map_memory((size_t)its->memory_bytes, 1), *small = map_memory((size_t)its->memory_bytes, 0);
    for (int round = 1; round <= its->memory_rounds; round++) {
        tell(1, "memory", round, its->memory_rounds);
        settle(gbsp, its);
        measure_loads(large, its, round);
        measure_strides(large, its, round);
        settle(gbsp, its);
        measure_streams(large, its, round);
        measure_pages(small, its, round);
        for (int repetition = 0; repetition < REPETITIONS; repetition++) {
            measure_operations(OPERATIONS);
        }
    }
}

int main(int argc, char **argv)
{
    t_bsp machine, *gbsp = &machine;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, gbsp);
    int is_quick = argc > 1 && strcmp(argv[1], "quick") == 0;
    int processors = bsp_nprocs(gbsp), is_first = bsp_pid(gbsp) == 0;
    plan its = make_plan(processors, is_quick);
    int has_naps = its.naps > 0;
    /* Nobody writes what is sent, so it is one page of zeros, over and over: g is that of the transport, wherever data lie. */
    char *data = calloc((size_t)its.message_bytes, 1);
    if (data == NULL) {
        fprintf(stderr, "probe: no memory for messages\n");
        return 2;
    }
    for (int k = 0; k < VECTOR; k++) {
        factors[k] = k;
        sums[k] = 1;
    }
    for (int naps = 0; has_naps && naps < FIRST_NAPS; naps++) {
        nap(gbsp);
        is_disturbed(gbsp);
    }
    if (processors == 1) {
        measure_one_processor(gbsp, &its);
    }
    for (int round = 1; round <= its.exchange_rounds; round++) {
        if (is_first) {
            tell(processors, "exchange", round, its.exchange_rounds);
        }
        settle(gbsp, &its);
        if (has_naps && !its.is_settled && round > LEAST_ROUNDS) {
            break;
        }
        measure_rate(gbsp);
        measure_exchange(gbsp, data, &its, round);
        if (processors > 1) {
            measure_messages(gbsp, data, &its);
        }
    }
#pragma cll report all
    bsplib_done();
    return 0;
}
