/* backend.h: what the recorder needs to know of the parallel library of a program; one table for each kind. */
#ifndef CLL_BACKEND_H
#define CLL_BACKEND_H

#include <stddef.h>

#include "../include/call.h"

/* `machine` is always the object of the kind, as it stands in the program; NULL is the machine in use. */
typedef struct {
    const char *kind; /* as the header of the trace names it */
    const char *const *transport; /* likewise */
    int (*processors)(const void *machine);
    int (*processor)(const void *machine);
    void (*barrier)(const void *machine);

    /* Between two processors of the machine, in order, apart from all messages of the program. */
    void (*send)(const void *machine, int processor, const void *bytes, size_t count);
    size_t (*receive)(const void *machine, int processor, void *bytes, size_t capacity);
} cll_backend;

extern const cll_backend cll_sequential_backend;
extern const cll_backend cll_pub_backend;

const cll_backend *cll_backend_of(const cll_program *program);

#endif
