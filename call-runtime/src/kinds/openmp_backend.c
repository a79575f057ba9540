/* openmp_backend.c: the back end of OpenMP programs: the processors are the threads of the innermost team. */
#include <stdint.h>

#include "../base/fail.h"
#include "../base/thread.h"
#include "../program/openmp_there.h"
#include "../events/openmp_tool.h"
#include "../measuring/measurement.h"
#include "../measuring/regions.h"
#include "kinds.h"
#include "libgomp_regions.h"

#ifdef _OPENMP

#include <omp.h>

/* Several inner teams would report at once. */
static void check_one_team(const char *call)
{
    if (omp_get_active_level() > 1) {
        cll_fail("%s: this parallel region is inside another one: report in the outer region or behind it, where all that the inner "
                 "teams measured is there",
                 call);
    }
}

static void check_team(const char *call)
{
    if (omp_get_num_threads() >= CLL_REGIONS_UNASKED) {
        cll_fail("%s: a team of %d threads is too large: %d can be told apart", call, omp_get_num_threads(), CLL_REGIONS_UNASKED - 1);
    }
}

static int team_size(void)
{
    return omp_get_num_threads();
}

static int team_number(void)
{
    return omp_get_thread_num();
}

/* Of a region that this thread would open with so many threads, 0 for none that it says. */
static int size_of_next_team(int threads)
{
    int wanted = threads > 0 ? threads : omp_get_max_threads();
    int limit = omp_get_thread_limit();
    return omp_get_active_level() >= omp_get_max_active_levels() ? 1 : wanted < limit ? wanted : limit;
}

static int is_in_region(void)
{
    return omp_get_level() > 0;
}

static void wait_for_team(void)
{
#pragma omp barrier
}

#else

/* Present if the program was compiled with OpenMP all the same. */
#if defined(__GNUC__) && defined(__ELF__)
extern int omp_in_parallel(void) __attribute__((weak));
#else
static int (*const omp_in_parallel)(void) = NULL;
#endif

static void check_one_team(const char *call)
{
    (void)call;
}

static void check_team(const char *call)
{
    if (omp_in_parallel != NULL && omp_in_parallel()) {
        cll_fail("%s: the program runs a team of OpenMP threads, but the runtime was compiled without OpenMP: compile all files with "
                 "-fopenmp",
                 call);
    }
}

static int team_size(void)
{
    return 1;
}

static int team_number(void)
{
    return 0;
}

static int size_of_next_team(int threads)
{
    (void)threads;
    return 1;
}

static int is_in_region(void)
{
    return 0;
}

static void wait_for_team(void)
{
}

#endif

/* Of the region that the next measurement is around, as far as it is known before; 0: its function opens none. */
static CLL_PER_THREAD int next_team = 0;

/* A measurement had to take what was known before the region. */
static int a_team_was_guessed = 0;

static int regions_are_seen(void)
{
    if (cll_openmp_runtime() == CLL_OPENMP_OF_LLVM) {
#ifdef CLL_TRANSPORT_MPI
        return 0; /* the tool is not part of that runtime */
#else
        return cll_openmp_tells_regions();
#endif
    }
    return cll_libgomp_regions_are_seen();
}

static void announce_team(int threads)
{
    next_team = size_of_next_team(threads);
}

static void find_team(void)
{
    int expected = next_team;
    next_team = 0;
    check_team("begin");
    if (regions_are_seen()) {
        cll_record_set_open_team(team_size(), team_number(), expected > 0 || !is_in_region());
        return;
    }
    if (expected > 0) {
        __atomic_store_n(&a_team_was_guessed, 1, __ATOMIC_RELAXED);
    }
    cll_record_set_open_team(expected > 0 ? expected : team_size(), team_number(), 0);
}

void cll_openmp_tell_teams(void)
{
    cll_regions_tell_different();
    if (__atomic_exchange_n(&a_team_was_guessed, 0, __ATOMIC_RELAXED)) {
        cll_tell("report: this OpenMP library does not tell which team runs a parallel region: P of a block around one is what its clauses and "
                 "omp_get_max_threads() say at the begin, and 1 around a function that opens one");
    }
}

static void use_team(const void *machine, const char *call)
{
    (void)machine;
    check_team(call);
}

static void openmp_barrier(const void *machine)
{
    (void)machine;
    wait_for_team();
}

/* All threads have ended their measurements when the first one gathers, and begin new ones when it is done. */
static int enter_openmp_report(const void *machine, const void **place)
{
    (void)machine;
    (void)place;
    check_one_team("report");
    check_team("report");
    wait_for_team();
    return team_number() == 0;
}

static void leave_openmp_report(const void *place)
{
    (void)place;
    wait_for_team();
}

/* The team reports as one; how large it was when it measured is in the records. */
static int one_process(const void *place)
{
    (void)place;
    return 1;
}

static int first_process(const void *place)
{
    (void)place;
    return 0;
}

static const char *const threads_transport = "none";

const cll_backend cll_openmp_backend = {
    .kind = "OpenMP",
    .transport = &threads_transport,
    .has_teams = 1,
    .find_team = find_team,
    .use = use_team,
    .use_team = announce_team,
    .barrier = openmp_barrier,
    .enter_report = enter_openmp_report,
    .leave_report = leave_openmp_report,
    .processors = one_process,
    .processor = first_process,
};
