/* backend.c: the back end of the program, and that of sequential ones. */
#include "backend.h"

static int one(const void *machine)
{
    (void)machine;
    return 1;
}

static int zero(const void *machine)
{
    (void)machine;
    return 0;
}

static const char *const no_transport = "none";

/* There is no other processor, so the report calls neither send nor receive. */
const cll_backend cll_sequential_backend = {
    .kind = "sequential",
    .transport = &no_transport,
    .processors = one,
    .processor = zero,
};

static const cll_backend *chosen_backend = &cll_sequential_backend;

const cll_backend *cll_backend_in_use(void)
{
    return __atomic_load_n(&chosen_backend, __ATOMIC_ACQUIRE);
}

void cll_backend_choose(const cll_backend *backend)
{
    __atomic_store_n(&chosen_backend, backend, __ATOMIC_RELEASE);
}
