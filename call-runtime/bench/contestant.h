/* contestant.h: what takes turns in begin_end.c. */
#ifndef CONTESTANT_H
#define CONTESTANT_H

#include <stddef.h>

typedef enum { MONOTONIC, TSC, CLOCKS } clock_kind;

typedef struct {
    const char *name;
    void (*run)(int pairs, clock_kind clock);
    int has_own_clock; /* like CLOCK_MONOTONIC, whatever it is told */
} contestant;

/* begin_end_call.c, in the program and in a shared object; ends with a name NULL. */
extern const contestant call_contestants[];

/* begin_end_otf2.c and begin_end_lttng.c. Return whether it can take part. */
int otf2_open(const char *directory);
void otf2_close(void);
extern const contestant otf2_contestants[];

int lttng_is_recording(void);
extern const contestant lttng_contestants[];

#endif
