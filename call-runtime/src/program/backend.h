/* backend.h: what the runtime needs to know of the parallel library of a program; one table for each kind. */
#ifndef CLL_BACKEND_H
#define CLL_BACKEND_H

#include <stddef.h>

/* `machine` is always the object of the kind, as it stands in the program; NULL is the machine in use. */
typedef struct {
    const char *kind; /* as the header of the trace names it */
    const char *const *transport; /* likewise */
    const char *(*library)(void); /* likewise, the library of MPI; NULL or empty where there is none */
    int has_teams; /* processors are threads; their number is in the records */

    /* NULL where there is nothing to do. The first is called now and then until it returns that P is settled. `call`: for messages. */
    int (*settle)(void);
    void (*find_team)(void); /* of the thread, before each begin */
    void (*use)(const void *machine, const char *call);
    void (*use_team)(int threads); /* see cll_use_team */
    void (*barrier)(const void *machine);

    /* Around a report; NULL where there is nothing to do. Does this thread gather? `place`, which is the machine at first, is what the
     * functions below are given. */
    int (*enter_report)(const void *machine, const void **place);
    void (*leave_report)(const void *place);

    int (*processors)(const void *place);
    int (*processor)(const void *place);

    /* Between two processors of the machine, in order, apart from all messages of the program; only while it reports. */
    void (*send)(const void *place, int processor, const void *bytes, size_t count);
    size_t (*receive)(const void *place, int processor, void *bytes, size_t capacity);
} cll_backend;

extern const cll_backend cll_sequential_backend;

/* That of the kind which a unit says; the sequential one until then. */
const cll_backend *cll_backend_in_use(void);
void cll_backend_choose(const cll_backend *backend);

#endif
