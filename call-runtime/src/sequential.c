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

static void nobody_to_wait_for(const void *machine)
{
    (void)machine;
}

static const char *const no_transport = "none";

/* There is no other processor, so the report calls neither. */
const cll_backend cll_sequential_backend = {"sequential", &no_transport, one, zero, nobody_to_wait_for, NULL, NULL};
