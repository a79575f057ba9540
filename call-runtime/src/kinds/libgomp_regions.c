/* libgomp_regions.c: gcc makes each parallel region a call of a function GOMP_parallel… of libgomp, which tells no tool about it. The program
 * finds the functions here first; they go on to those of libgomp, and the thread that opens the region tells its team. Where libgomp is
 * linked statically its own functions take their place, and no region is seen. */
#include "libgomp_regions.h"

#include <stddef.h>

#include "../measuring/measurement.h"
#include "../measuring/regions.h"

#if defined(_OPENMP) && defined(__GNUC__) && !defined(__clang__) && defined(__ELF__) && defined(__has_include)
#if __has_include(<dlfcn.h>)
#include <dlfcn.h>
#endif
#endif

/* Before glibc 2.34 dlsym is in a library that programs need not be linked with. */
#if defined(_OPENMP) && !defined(__clang__) && defined(RTLD_NEXT) && (!defined(__GLIBC__) || __GLIBC_PREREQ(2, 34))
#define CLL_WITH_LIBGOMP_REGIONS 1
#endif

#ifdef CLL_WITH_LIBGOMP_REGIONS

#include <omp.h>

#include "../base/fail.h"

typedef void (*region_body)(void *data);

typedef struct {
    region_body body;
    void *data;
    const cll_record *around;
} seen_region;

static int a_region_was_seen = 0;

static int are_seen(void)
{
    return cll_record_find_team != NULL;
}

/* ThreadSanitizer does not know how libgomp orders its threads: it is told that a region follows what was before and comes before what is
 * behind, or what threads read of it would race with what the stack has next. */
#ifdef __SANITIZE_THREAD__
#include <sanitizer/tsan_interface.h>
static void comes_before(seen_region *its)
{
    __tsan_release(its);
}
static void comes_behind(seen_region *its)
{
    __tsan_acquire(its);
}
#else
static void comes_before(seen_region *its)
{
    (void)its;
}
static void comes_behind(seen_region *its)
{
    (void)its;
}
#endif

__attribute__((no_sanitize_thread)) static void run_region(void *of_region)
{
    seen_region *its = of_region;
    comes_behind(its);
    if (omp_get_thread_num() == 0) {
        its->around = cll_region_begins((unsigned)omp_get_num_threads());
    }
    its->body(its->data);
    comes_before(its);
}

static void end_region(seen_region *its)
{
    comes_behind(its);
    __atomic_store_n(&a_region_was_seen, 1, __ATOMIC_RELAXED);
    cll_region_ends(its->around);
}

/* That of libgomp; `known` keeps it. */
static void *next_function(void **known, const char *name)
{
    void *found = __atomic_load_n(known, __ATOMIC_RELAXED);
    if (found == NULL) {
        found = dlsym(RTLD_NEXT, name);
        if (found == NULL) {
            cll_fail("the function %s of the OpenMP library is missing: link the program with -fopenmp", name);
        }
        __atomic_store_n(known, found, __ATOMIC_RELAXED);
    }
    return found;
}

/* `parameters` and `arguments`: what follows the threads that are asked for. */
#define REGION_FUNCTION(name, parameters, arguments)                                                                     \
    __attribute__((weak, visibility("default"))) void name(region_body body, void *data, unsigned threads, CLL_EACH_OF parameters); \
    void name(region_body body, void *data, unsigned threads, CLL_EACH_OF parameters)                                    \
    {                                                                                                                    \
        static void *known = NULL;                                                                                       \
        void (*next)(region_body, void *, unsigned, CLL_EACH_OF parameters);                                             \
        *(void **)(void *)&next = next_function(&known, #name);                                                          \
        seen_region its = {body, data, NULL};                                                                            \
        if (!are_seen()) {                                                                                               \
            next(body, data, threads, CLL_EACH_OF arguments);                                                            \
            return;                                                                                                      \
        }                                                                                                                \
        comes_before(&its);                                                                                              \
        next(run_region, &its, threads, CLL_EACH_OF arguments);                                                          \
        end_region(&its);                                                                                                \
    }
#define CLL_EACH_OF(...) __VA_ARGS__
#define CHUNKED_LOOP(name) \
    REGION_FUNCTION(name, (long start, long end, long step, long chunk, unsigned flags), (start, end, step, chunk, flags))
#define LOOP(name) REGION_FUNCTION(name, (long start, long end, long step, unsigned flags), (start, end, step, flags))

/* As omp-builtins.def of gcc 4.9 to 15 has them. */
REGION_FUNCTION(GOMP_parallel, (unsigned flags), (flags))
REGION_FUNCTION(GOMP_parallel_sections, (unsigned count, unsigned flags), (count, flags))
CHUNKED_LOOP(GOMP_parallel_loop_static)
CHUNKED_LOOP(GOMP_parallel_loop_dynamic)
CHUNKED_LOOP(GOMP_parallel_loop_guided)
CHUNKED_LOOP(GOMP_parallel_loop_nonmonotonic_dynamic)
CHUNKED_LOOP(GOMP_parallel_loop_nonmonotonic_guided)
LOOP(GOMP_parallel_loop_runtime)
LOOP(GOMP_parallel_loop_nonmonotonic_runtime)
LOOP(GOMP_parallel_loop_maybe_nonmonotonic_runtime)

/* Its data begins with what libgomp wants of it; returns the size of the team. */
typedef struct {
    void *reductions;
    seen_region region;
} seen_reductions;

static void run_reductions(void *of_region)
{
    run_region(&((seen_reductions *)of_region)->region);
}

__attribute__((weak, visibility("default"))) unsigned GOMP_parallel_reductions(region_body body, void *data, unsigned threads, unsigned flags);

unsigned GOMP_parallel_reductions(region_body body, void *data, unsigned threads, unsigned flags)
{
    static void *known = NULL;
    unsigned (*next)(region_body, void *, unsigned, unsigned);
    *(void **)(void *)&next = next_function(&known, "GOMP_parallel_reductions");
    if (!are_seen()) {
        return next(body, data, threads, flags);
    }
    seen_reductions its = {*(void **)data, {body, data, NULL}};
    comes_before(&its.region);
    unsigned team = next(run_reductions, &its, threads, flags);
    end_region(&its.region);
    return team;
}

int cll_libgomp_regions_are_seen(void)
{
    static int is_known = 0;
    static int runs = 0;
    if (!__atomic_load_n(&is_known, __ATOMIC_ACQUIRE)) {
#pragma omp parallel num_threads(1)
        __atomic_store_n(&runs, 1, __ATOMIC_RELAXED);
        __atomic_store_n(&is_known, 1, __ATOMIC_RELEASE);
    }
    return __atomic_load_n(&a_region_was_seen, __ATOMIC_RELAXED);
}

#else

int cll_libgomp_regions_are_seen(void)
{
    return 0;
}

#endif
