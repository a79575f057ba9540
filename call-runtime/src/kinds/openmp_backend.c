/* openmp_backend.c: the back end of OpenMP programs: the processors are the threads of the innermost team. */
#include <stdint.h>

#include "../base/fail.h"
#include "../base/thread.h"
#include "../measuring/measurement.h"
#include "kinds.h"

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
    if (omp_get_num_threads() > UINT16_MAX) {
        cll_fail("%s: a team of %d threads is too large: %d can be told apart", call, omp_get_num_threads(), UINT16_MAX);
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

static void wait_for_team(void)
{
}

#endif

/* Of the region that the next measurement is around; 0: that measurement is of the team it is in. */
static CLL_PER_THREAD int next_team = 0;

static void announce_team(int threads)
{
    next_team = size_of_next_team(threads);
}

static void find_team(void)
{
    check_team("begin");
    cll_record_set_team(next_team > 0 ? next_team : team_size(), team_number());
    next_team = 0;
}

static void use_team(const void *machine, const char *call)
{
    (void)machine;
    check_team(call);
    cll_record_set_team(team_size(), team_number());
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
