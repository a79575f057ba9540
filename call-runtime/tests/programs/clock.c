/* Argument CASE. `times`: what is measured lasts as long as CLOCK_MONOTONIC_RAW says, whose bounds are printed; `forked`: the same in
 * a child process. `monotone`: readings of one thread never decrease; `threads`: neither do those of several threads. `exact`: ticks
 * become nanoseconds to the nearest. `readings`, CALL_CLOCK=counting: a reading takes 7 ns after the first measurement. */
#include <call.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "../../src/base/clock.h"
#include "../../src/measuring/measurement.h"

static const cll_block blocks[] = {{NULL, 1, 2}};
static const cll_experiment asleep = {"asleep", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment at_work = {"at_work", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&asleep, &at_work};
static const cll_unit unit = {"clock", "clock.c", CLL_SEQUENTIAL, 2, experiments};

static uint64_t raw_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC_RAW, &now);
    return (uint64_t)now.tv_sec * 1000000000u + (uint64_t)now.tv_nsec;
}

static void pause_for_150_ms(void)
{
    struct timespec duration = {0, 150000000};
    nanosleep(&duration, NULL);
}

static void work_for_100_ms(void)
{
    uint64_t start_ns = raw_ns();
    while (raw_ns() - start_ns < 100000000) {
    }
}

static void measure(const cll_experiment *experiment, void (*run)(void))
{
    uint64_t before_begin_ns = raw_ns();
    cll_begin(experiment, NULL);
    uint64_t after_begin_ns = raw_ns();
    run();
    uint64_t before_end_ns = raw_ns();
    cll_end(experiment);
    uint64_t after_end_ns = raw_ns();
    printf("%llu %llu\n", (unsigned long long)(before_end_ns - after_begin_ns), (unsigned long long)(after_end_ns - before_begin_ns));
}

static int times(void)
{
    measure(&asleep, pause_for_150_ms);
    measure(&at_work, work_for_100_ms);
    cll_report(&unit, NULL, NULL);
    return 0;
}

static int forked(void)
{
    int status = 1;
    cll_begin(&asleep, NULL);
    pid_t child = fork();
    if (child == 0) {
        measure(&asleep, pause_for_150_ms);
        measure(&at_work, work_for_100_ms);
        cll_end(&asleep);
        cll_report(&unit, NULL, "at_work");
        fflush(stdout);
        _exit(0);
    }
    return waitpid(child, &status, 0) != child || status != 0;
}

static int monotone(void)
{
    cll_begin(&asleep, NULL);
    cll_end(&asleep);
    uint64_t before = cll_clock_begin();
    for (int reading = 0; reading < 1000000; reading++) {
        uint64_t now = reading % 3 == 0 ? cll_clock_begin() : cll_clock_end();
        if (now < before) {
            printf("%llu after %llu\n", (unsigned long long)now, (unsigned long long)before);
            return 1;
        }
        before = now;
    }
    return 0;
}

static uint64_t latest = 0;

/* A reading after another thread has told its own is not below that. */
static void *read_against_others(void *failures)
{
    for (int reading = 0; reading < 300000; reading++) {
        uint64_t told = __atomic_load_n(&latest, __ATOMIC_ACQUIRE);
        uint64_t now = reading % 2 == 0 ? cll_clock_begin() : cll_clock_end();
        if (now < told) {
            ++*(int *)failures;
        }
        while (told < now && !__atomic_compare_exchange_n(&latest, &told, now, 0, __ATOMIC_ACQ_REL, __ATOMIC_ACQUIRE)) {
        }
    }
    return NULL;
}

static int threads(void)
{
    enum { THREADS = 4 };
    pthread_t handles[THREADS];
    int failures[THREADS] = {0};
    int sum = 0;
    cll_begin(&asleep, NULL);
    cll_end(&asleep);
    for (int thread = 0; thread < THREADS; thread++) {
        if (pthread_create(&handles[thread], NULL, read_against_others, &failures[thread]) != 0) {
            return 1;
        }
    }
    for (int thread = 0; thread < THREADS; thread++) {
        pthread_join(handles[thread], NULL);
        sum += failures[thread];
    }
    printf("%d readings go back\n", sum);
    return sum > 0;
}

static int exact(void)
{
    cll_begin(&asleep, NULL);
    cll_end(&asleep);
    cll_clock_calibrate(1);
    double frequency = cll_clock_frequency();
    uint64_t before_ns = 0;
    for (uint64_t ticks = 1; ticks < (uint64_t)1 << 60; ticks += 1 + ticks / 97) {
        uint64_t ns = cll_clock_nanoseconds(ticks);
        double wanted_ns = frequency > 0 ? (double)ticks / frequency * 1e9 : (double)ticks;
        double error_ns = (double)ns - wanted_ns;
        if (ns < before_ns || cll_clock_nanoseconds(ticks + 1) < ns || error_ns > 0.5001 + 1e-14 * wanted_ns ||
            error_ns < -0.5001 - 1e-14 * wanted_ns) {
            printf("%llu ticks are %llu ns, not %.3f\n", (unsigned long long)ticks, (unsigned long long)ns, wanted_ns);
            return 1;
        }
        before_ns = ns;
    }
    return cll_clock_nanoseconds(0) != 0;
}

static int readings(void)
{
    cll_clock_set_reading(7);
    cll_record_prepare(); /* measures the empty pair */
    cll_clock_set_reading(0);
    cll_begin(&asleep, NULL);
    cll_clock_advance(3);
    cll_end(&asleep);
    cll_clock_set_reading(7);
    for (unsigned k = 0; k < 3; k++) {
        cll_begin(&at_work, NULL);
        cll_clock_advance(1000 * k);
        cll_begin(&asleep, NULL);
        cll_clock_advance(k);
        cll_end(&asleep);
        cll_end(&at_work);
    }
    cll_report(&unit, NULL, NULL);
    return 0;
}

int main(int argument_count, char **arguments)
{
    static const struct {
        const char *name;
        int (*run)(void);
    } cases[] = {{"times", times},     {"forked", forked}, {"monotone", monotone},
                 {"threads", threads}, {"exact", exact},   {"readings", readings}};
    for (size_t at = 0; argument_count == 2 && at < sizeof cases / sizeof *cases; at++) {
        if (strcmp(cases[at].name, arguments[1]) == 0) {
            return cases[at].run();
        }
    }
    return 1;
}
