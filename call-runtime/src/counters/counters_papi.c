/* counters_papi.c: events of PAPI. Nothing of it is needed to compile or to link; what is used of it has been the same since PAPI 5. */
#include "counters_papi.h"

#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "../base/fail.h"

#if defined(__has_include) && defined(__GNUC__) && !defined(CLL_WITHOUT_PAPI)
#if __has_include(<dlfcn.h>)
#define CLL_WITH_PAPI 1
#include <dlfcn.h>
#include <pthread.h>
/* Before glibc 2.34 a program that is linked without -ldl does without PAPI. */
#pragma weak dlopen
#pragma weak dlsym
#if defined(__linux__) && __has_include(<link.h>)
#define CLL_WITH_PROGRAM_HEADERS 1
#include <link.h>
#endif
#endif
#endif

#ifdef CLL_WITH_PAPI

/* PAPI_OK and PAPI_NULL */
enum { PAPI_IS_FINE = 0, PAPI_NOTHING = -1 };

/* Of each major version at least as many minor ones as there are; newer ones first. */
enum { PAPI_NEWEST = 9, PAPI_OLDEST = 5, PAPI_MINORS = 10 };

static struct {
    int (*library_init)(int version);
    int (*thread_init)(unsigned long (*number_of_thread)(void));
    int (*event_name_to_code)(const char *name, int *code);
    int (*query_event)(int code);
    int (*create_eventset)(int *set);
    int (*add_event)(int set, int code);
    int (*start)(int set);
    int (*read)(int set, long long *values);
    int (*stop)(int set, long long *values);
    int (*cleanup_eventset)(int set);
    int (*destroy_eventset)(int *set);
    int (*register_thread)(void);
    int (*unregister_thread)(void);
    char *(*strerror)(int error);
} papi;

static const char *papi_refusal; /* why there is no PAPI; NULL if there is */

#ifdef CLL_WITH_PROGRAM_HEADERS
static int look_for_loader(struct dl_phdr_info *program, size_t size_bytes, void *is_there)
{
    (void)size_bytes;
    for (int header = 0; header < program->dlpi_phnum; header++) {
        *(int *)is_there |= program->dlpi_phdr[header].p_type == PT_INTERP;
    }
    return 1; /* the program itself comes first */
}
#endif

/* A static program may have dlopen, but libpapi would bring a second C library into it. */
static int is_static_program(void)
{
#ifdef CLL_WITH_PROGRAM_HEADERS
    int has_loader = 0;
    dl_iterate_phdr(look_for_loader, &has_loader);
    return !has_loader;
#else
    return 0;
#endif
}

static void *open_papi(void)
{
    void *library = dlopen("libpapi.so", RTLD_NOW | RTLD_LOCAL);
    for (int major = PAPI_NEWEST; library == NULL && major >= PAPI_OLDEST; major--) {
        for (int minor = PAPI_MINORS; library == NULL && minor >= 0; minor--) {
            char name[48];
            if (minor == PAPI_MINORS) {
                snprintf(name, sizeof name, "libpapi.so.%d", major);
            } else {
                snprintf(name, sizeof name, "libpapi.so.%d.%d", major, minor);
            }
            library = dlopen(name, RTLD_NOW | RTLD_LOCAL);
        }
    }
    return library;
}

static int find_papi_functions(void *library)
{
    const struct {
        const char *name;
        void *function; /* a pointer to the pointer */
    } wanted[] = {
        {"PAPI_library_init", &papi.library_init},
        {"PAPI_thread_init", &papi.thread_init},
        {"PAPI_event_name_to_code", &papi.event_name_to_code},
        {"PAPI_query_event", &papi.query_event},
        {"PAPI_create_eventset", &papi.create_eventset},
        {"PAPI_add_event", &papi.add_event},
        {"PAPI_start", &papi.start},
        {"PAPI_read", &papi.read},
        {"PAPI_stop", &papi.stop},
        {"PAPI_cleanup_eventset", &papi.cleanup_eventset},
        {"PAPI_destroy_eventset", &papi.destroy_eventset},
        {"PAPI_register_thread", &papi.register_thread},
        {"PAPI_unregister_thread", &papi.unregister_thread},
        {"PAPI_strerror", &papi.strerror},
    };
    for (size_t function = 0; function < sizeof wanted / sizeof *wanted; function++) {
        void *found = dlsym(library, wanted[function].name);
        if (found == NULL) {
            return 0;
        }
        memcpy(wanted[function].function, &found, sizeof found);
    }
    return 1;
}

static unsigned long number_of_this_thread(void)
{
    return (unsigned long)pthread_self();
}

/* The library wants to hear its own version, in which it is compared up to the minor one. */
static int agree_on_papi_version(void)
{
    for (int major = PAPI_NEWEST; major >= PAPI_OLDEST; major--) {
        for (int minor = PAPI_MINORS - 1; minor >= 0; minor--) {
            int version = major << 24 | minor << 16;
            if (papi.library_init(version) == version) {
                return 1;
            }
        }
    }
    return 0;
}

static const char *load_papi(void)
{
    if (dlopen == NULL || dlsym == NULL) {
        return "libpapi cannot be loaded, as the program is linked without -ldl";
    }
    if (is_static_program()) {
        return "libpapi cannot be loaded into a static program";
    }
    void *library = open_papi();
    if (library == NULL) {
        return "libpapi is not there";
    }
    return find_papi_functions(library) ? NULL : "libpapi lacks functions of PAPI 5 to 9";
}

/* Once in each process. */
static const char *prepare_papi(void)
{
    static int is_loaded = 0;
    static pid_t prepared_in = 0;
    if (!is_loaded) {
        is_loaded = 1;
        papi_refusal = load_papi();
    }
    if (papi_refusal == NULL && prepared_in != getpid()) {
        prepared_in = getpid();
        if (!agree_on_papi_version()) {
            papi_refusal = "libpapi cannot be initialised";
        } else if (papi.thread_init(number_of_this_thread) != PAPI_IS_FINE) {
            papi_refusal = "libpapi cannot count threads";
        }
    }
    return papi_refusal;
}

static const char *name_papi_error(int error)
{
    const char *name = papi.strerror(error);
    return name == NULL ? "unknown error" : name;
}

const char *cll_papi_add(cll_papi_set *set, const char *name, int slot)
{
    const char *refusal = prepare_papi();
    if (refusal != NULL) {
        return refusal;
    }
    int code = 0;
    int result = set->is_registered ? PAPI_IS_FINE : papi.register_thread();
    if (result == PAPI_IS_FINE) {
        set->is_registered = 1;
        result = papi.event_name_to_code(name, &code);
    }
    if (result == PAPI_IS_FINE) {
        result = papi.query_event(code);
    }
    if (result == PAPI_IS_FINE && !set->is_made) {
        set->number = PAPI_NOTHING;
        result = papi.create_eventset(&set->number);
        set->is_made = result == PAPI_IS_FINE;
    }
    if (result == PAPI_IS_FINE) {
        result = papi.add_event(set->number, code);
    }
    if (result != PAPI_IS_FINE) {
        return name_papi_error(result);
    }
    set->slots[set->count] = slot;
    set->count++;
    return NULL;
}

const char *cll_papi_start(cll_papi_set *set)
{
    if (set->count == 0 || set->is_running) {
        return NULL;
    }
    memset(set->values, 0, sizeof set->values);
    int result = papi.start(set->number);
    set->is_running = result == PAPI_IS_FINE;
    return set->is_running ? NULL : name_papi_error(result);
}

int cll_papi_read(cll_papi_set *set, uint64_t *totals)
{
    long long now[CLL_MOST_COUNTERS];
    if (!set->is_running) {
        return 0;
    }
    if (papi.read(set->number, now) != PAPI_IS_FINE) {
        return -1;
    }
    for (int event = 0; event < set->count; event++) {
        totals[set->slots[event]] += (uint64_t)(now[event] - set->values[event]);
        set->values[event] = now[event];
    }
    return 0;
}

void cll_papi_stop(cll_papi_set *set)
{
    long long now[CLL_MOST_COUNTERS];
    if (set->is_running) {
        papi.stop(set->number, now);
        set->is_running = 0;
    }
}

void cll_papi_close(cll_papi_set *set)
{
    if (set->is_made) {
        cll_papi_stop(set);
        papi.cleanup_eventset(set->number);
        papi.destroy_eventset(&set->number);
    }
    if (set->is_registered) {
        papi.unregister_thread();
    }
    memset(set, 0, sizeof *set);
}

#else

const char *cll_papi_add(cll_papi_set *set, const char *name, int slot)
{
    (void)set;
    (void)name;
    (void)slot;
    return "libraries cannot be loaded here";
}

const char *cll_papi_start(cll_papi_set *set)
{
    (void)set;
    return NULL;
}

int cll_papi_read(cll_papi_set *set, uint64_t *totals)
{
    (void)set;
    (void)totals;
    return 0;
}

void cll_papi_stop(cll_papi_set *set)
{
    (void)set;
}

void cll_papi_close(cll_papi_set *set)
{
    (void)set;
}

#endif
