/* bsplib_backend.c: the back end of BSPlib programs: there is one machine, from bsp_begin to bsp_end. */
#include "../base/fail.h"
#include "../bsp/transport.h"
#include "../bsplib/bsplib.h"
#include "kinds.h"

static cll_machine *only_machine(const void *object, const char *call)
{
    if (object != NULL) {
        cll_fail("%s: a BSPlib program has one machine only: leave the object out", call);
    }
    return cll_bsplib_machine(call);
}

static int bsplib_processors(const void *machine)
{
    return cll_machine_processors(only_machine(machine, "report"));
}

static int bsplib_processor(const void *machine)
{
    return cll_machine_processor(only_machine(machine, "report"));
}

static void bsplib_barrier(const void *machine)
{
    static const char call[] = "sync";
    cll_machine_barrier(only_machine(machine, call), call);
}

/* A processor that waits elsewhere is found in a barrier. */
static int enter_bsplib_report(const void *machine, const void **place)
{
    (void)place;
    static const char call[] = "report";
    cll_machine_barrier(only_machine(machine, call), call);
    return 1;
}

static void bsplib_send(const void *machine, int processor, const void *bytes, size_t count)
{
    cll_machine_give(only_machine(machine, "report"), processor, bytes, count);
}

static size_t bsplib_receive(const void *machine, int processor, void *bytes, size_t capacity)
{
    static const char call[] = "report";
    return cll_machine_take(only_machine(machine, call), processor, bytes, capacity, call);
}

const cll_backend cll_bsplib_backend = {
    .kind = "BSPlib",
    .transport = &cll_transport_name,
    .barrier = bsplib_barrier,
    .enter_report = enter_bsplib_report,
    .processors = bsplib_processors,
    .processor = bsplib_processor,
    .send = bsplib_send,
    .receive = bsplib_receive,
};
