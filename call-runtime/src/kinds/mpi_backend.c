/* mpi_backend.c: the back end of programs that call MPI themselves: machines are communicators. */
#include <mpi.h>

#include <pthread.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "../base/fail.h"
#include "../base/thread.h"
#include "../bsp/transport.h"
#include "../measuring/measurement.h"
#include "kinds.h"

/* Of the duplicated communicator, which carries nothing else. */
enum { GATHER_TAG = 1 };

typedef enum { BEFORE_MPI, IN_MPI, AFTER_MPI } mpi_phase;

static int has_chosen = 0; /* whether the program has said which communicator gives P */
static pthread_mutex_t choosing = PTHREAD_MUTEX_INITIALIZER;
static int is_watching = 0; /* MPI has been seen running */

static mpi_phase phase(void)
{
    int is_initialised = 0;
    int is_finalised = 0;
    PMPI_Initialized(&is_initialised);
    PMPI_Finalized(&is_finalised);
    return is_finalised ? AFTER_MPI : is_initialised ? IN_MPI : BEFORE_MPI;
}

/* Attributes of MPI_COMM_SELF are deleted first of all in MPI_Finalize. */
static int at_finalize(MPI_Comm self, int key, void *value, void *state)
{
    (void)self;
    (void)key;
    (void)value;
    (void)state;
    cll_record_set_processors(1);
    cll_end_run = NULL;
    return MPI_SUCCESS;
}

static int rank_in_world(void)
{
    int rank = 0;
    PMPI_Comm_rank(MPI_COMM_WORLD, &rank);
    return rank;
}

static int size_of(MPI_Comm communicator)
{
    int size = 1;
    PMPI_Comm_size(communicator, &size);
    return size;
}

/* What the launchers of Open MPI and of MPICH say where MPI cannot be asked, before MPI_Init and behind MPI_Finalize. */
static int said_by_launcher(const char *of_open_mpi, const char *of_mpich, int otherwise)
{
    const char *text = getenv(of_open_mpi) != NULL ? getenv(of_open_mpi) : getenv(of_mpich);
    return text != NULL ? (int)strtol(text, NULL, 10) : otherwise;
}

static int is_first_rank_said(void)
{
    return said_by_launcher("OMPI_COMM_WORLD_RANK", "PMI_RANK", 0) == 0;
}

void cll_mpi_tell_unsaid(void)
{
    static int is_told = 0;
    const int is_in_mpi = phase() == IN_MPI;
    const int size = is_in_mpi ? size_of(MPI_COMM_WORLD) : said_by_launcher("OMPI_COMM_WORLD_SIZE", "PMI_SIZE", 1);
    const int rank = is_in_mpi ? rank_in_world() : said_by_launcher("OMPI_COMM_WORLD_RANK", "PMI_RANK", 0);
    if (is_told || size <= 1) {
        return;
    }
    is_told = 1;
    if (rank == 0) {
        cll_tell("report: P is 1, and each of the %d processes of MPI writes a trace of its own, as no file of the program says "
                 "`#pragma cll parallel MPI MPI_COMM_WORLD`",
                 size);
    }
}

/* Under SMPI each processor is its own main thread, whatever the system says. */
static int is_main_thread(void)
{
    int is_main = 1;
#ifndef CLL_SMPI
    PMPI_Is_thread_main(&is_main);
#endif
    return is_main;
}

/* Whether this thread may have MPI do something now. What only tells a fact, such as the size of a communicator, all do. */
static int may_call_mpi(void)
{
    int level = MPI_THREAD_SINGLE;
    PMPI_Query_thread(&level);
    return level == MPI_THREAD_MULTIPLE || is_main_thread();
}

/* MPI is running: a failure must end all processes, and the end of MPI be noticed. */
static void watch_mpi(void)
{
    static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
    int key;
    if (__atomic_load_n(&is_watching, __ATOMIC_ACQUIRE) || !may_call_mpi()) {
        return;
    }
    pthread_mutex_lock(&lock);
    if (!is_watching) {
        cll_record_set_run_processor(rank_in_world(), size_of(MPI_COMM_WORLD));
        cll_end_run = cll_mpi_end_all;
        PMPI_Comm_create_keyval(MPI_COMM_NULL_COPY_FN, at_finalize, &key, NULL);
        PMPI_Comm_set_attr(MPI_COMM_SELF, key, NULL);
        PMPI_Comm_free_keyval(&key); /* it stays until the attribute goes */
        __atomic_store_n(&is_watching, 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&lock);
}

static MPI_Comm communicator_at(const void *machine)
{
    return machine == NULL ? MPI_COMM_WORLD : *(const MPI_Comm *)machine;
}

/* The experiment whose block begins where this thread has called; NULL if that is not known. */
static const char *experiment_called_at(void)
{
    const cll_unit *unit = cll_called_at.unit;
    for (int number = 0; cll_called_at.line > 0 && number < unit->experiment_count; number++) {
        const cll_experiment *experiment = unit->experiments[number];
        for (int block = 0; block < experiment->block_count; block++) {
            const char *file = experiment->blocks[block].file == NULL ? unit->source : experiment->blocks[block].file;
            if (experiment->blocks[block].first_line == cll_called_at.line && strcmp(file, cll_called_at.file == NULL ? unit->source : cll_called_at.file) == 0) {
                return experiment->name;
            }
        }
    }
    return NULL;
}

/* Whether this is the first time for the place; where too many are told, no further one is. */
static int is_first_at_place(void)
{
    enum { MOST_PLACES = 64 };
    static cll_call_place told[MOST_PLACES];
    static int count = 0;
    int is_first = 1;
    pthread_mutex_lock(&choosing);
    for (int at = 0; at < count; at++) {
        is_first &= told[at].file != cll_called_at.file || told[at].line != cll_called_at.line || told[at].call != cll_called_at.call;
    }
    is_first &= count < MOST_PLACES;
    if (is_first) {
        told[count++] = cll_called_at;
    }
    pthread_mutex_unlock(&choosing);
    return is_first;
}

/* What is wrong with the call of this thread, once for each place. */
static void tell_of_call(const char *what)
{
    const char *experiment = experiment_called_at();
    char place[256] = "";
    if (!is_first_at_place()) {
        return;
    }
    if (cll_called_at.line > 0) {
        const char *file = cll_called_at.file == NULL ? cll_called_at.unit->source : cll_called_at.file;
        snprintf(place, sizeof place, "%s:%d: ", file, cll_called_at.line);
    }
    cll_tell("%s%s%s: %s", place, experiment == NULL ? "" : "experiment ", experiment == NULL ? cll_called_at.call : experiment, what);
}

/* Why nothing can be counted or gathered in the communicator; NULL if it can. */
static const char *refusal_of(MPI_Comm communicator)
{
    int is_between = 0;
    if (communicator == MPI_COMM_NULL) {
        return "the communicator is MPI_COMM_NULL, as this process is not in it: let only its processes come here";
    }
    PMPI_Comm_test_inter(communicator, &is_between);
    return is_between ? "an intercommunicator joins two groups, and processors are counted in one: give the communicator of one of them" : NULL;
}

/* Of an intercommunicator one process of each group is enough. */
static int tells_refusal(MPI_Comm communicator)
{
    int rank = 0;
    if (communicator != MPI_COMM_NULL) {
        PMPI_Comm_rank(communicator, &rank);
    }
    return rank == 0;
}

/* Of all threads that do not choose themselves. The world is for those that measure before the main thread has chosen. */
static void choose_processors(int processors, int is_world)
{
    pthread_mutex_lock(&choosing);
    if (!is_world || !has_chosen) {
        cll_record_set_processors(processors);
        __atomic_store_n(&has_chosen, 1, __ATOMIC_RELEASE);
    }
    pthread_mutex_unlock(&choosing);
}

static int settle_on_world(void)
{
    if (__atomic_load_n(&has_chosen, __ATOMIC_ACQUIRE)) {
        return 1;
    }
    switch (phase()) {
    case BEFORE_MPI:
        return 0;
    case IN_MPI:
        watch_mpi();
        choose_processors(size_of(MPI_COMM_WORLD), 1);
        break;
    case AFTER_MPI:
        choose_processors(1, 1);
        break;
    }
    return 1;
}

/* Other threads than the main one may work on other communicators at the same time. */
static void use_communicator(const void *machine, const char *call)
{
    const char *refusal;
    (void)call;
    if (phase() != IN_MPI) {
        if (is_first_rank_said()) {
            tell_of_call(phase() == BEFORE_MPI ? "MPI has not been started, so P is 1: it must stand behind MPI_Init if the processes of MPI are meant"
                                               : "MPI has ended, so P is 1: it must stand before MPI_Finalize if the processes of MPI are meant");
        }
        cll_record_set_team(1, 0);
        return;
    }
    watch_mpi();
    MPI_Comm communicator = communicator_at(machine);
    if ((refusal = refusal_of(communicator)) != NULL) {
        if (tells_refusal(communicator)) {
            char what[256];
            snprintf(what, sizeof what, "it is not measured: %s", refusal);
            tell_of_call(what);
        }
        cll_record_set_team(CLL_LEFT_OUT, 0);
        return;
    }
    int size = size_of(communicator);
    if (is_main_thread()) {
        choose_processors(size, 0);
        cll_record_set_team(0, 0);
    } else {
        cll_record_set_team(size, 0);
    }
}

/* The use before it has told what is wrong. */
static void mpi_barrier(const void *machine)
{
    if (phase() == IN_MPI && refusal_of(communicator_at(machine)) == NULL) {
        PMPI_Barrier(communicator_at(machine));
    }
}

static const char *refusal_of_report(const void *machine)
{
    switch (phase()) {
    case BEFORE_MPI:
        return "MPI has not been started: the report must stand behind MPI_Init";
    case AFTER_MPI:
        return "MPI has ended: the report must stand before MPI_Finalize";
    case IN_MPI:
        break;
    }
    watch_mpi();
    return refusal_of(communicator_at(machine));
}

/* Threads may report at once, each on a communicator. */
static int enter_mpi_report(const void *machine, const void **place)
{
    const char *refusal = refusal_of_report(machine);
    *place = NULL;
    if (refusal != NULL) {
        if (phase() == IN_MPI ? tells_refusal(communicator_at(machine)) : is_first_rank_said()) {
            tell_of_call(refusal);
        }
        cll_fail_at_end();
        return 0;
    }
    MPI_Comm *gathering = cll_allocate(1, sizeof *gathering, "the report");
    PMPI_Comm_dup(communicator_at(machine), gathering);
    *place = gathering;
    return 1;
}

static void leave_mpi_report(const void *place)
{
    MPI_Comm *gathering = (MPI_Comm *)(uintptr_t)place;
    if (gathering != NULL) {
        PMPI_Comm_free(gathering);
        free(gathering);
    }
}

static MPI_Comm gathering_at(const void *place)
{
    return *(const MPI_Comm *)place;
}

static int gathering_processors(const void *place)
{
    return size_of(gathering_at(place));
}

static int gathering_processor(const void *place)
{
    int rank = 0;
    PMPI_Comm_rank(gathering_at(place), &rank);
    return rank;
}

static void mpi_send(const void *place, int processor, const void *bytes, size_t count)
{
    PMPI_Send(bytes, (int)count, MPI_BYTE, processor, GATHER_TAG, gathering_at(place));
}

static size_t mpi_receive(const void *place, int processor, void *bytes, size_t capacity)
{
    MPI_Status status;
    int count = 0;
    PMPI_Recv(bytes, (int)capacity, MPI_BYTE, processor, GATHER_TAG, gathering_at(place), &status);
    PMPI_Get_count(&status, MPI_BYTE, &count);
    return (size_t)count;
}

const cll_backend cll_mpi_backend = {
    .kind = "MPI",
    .transport = &cll_transport_name,
    .library = cll_transport_library,
    .settle = settle_on_world,
    .use = use_communicator,
    .barrier = mpi_barrier,
    .enter_report = enter_mpi_report,
    .leave_report = leave_mpi_report,
    .processors = gathering_processors,
    .processor = gathering_processor,
    .send = mpi_send,
    .receive = mpi_receive,
};
