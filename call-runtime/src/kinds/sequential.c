/* sequential.c: the back end of sequential programs. */
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
