/* bsp_backend.c: the back ends of PUB and BSPlib programs: the report's questions, asked of the BSP machines. */
#include "../base/fail.h"
#include "../bsp/transport.h"
#include "../bsp/virtual_turns.h"
#include "../bsplib/bsplib.h"
#include "../pub/pub_inside.h"
#include "kinds.h"

static cll_machine *pub_machine(const t_bsp *bsp, const char *call)
{
    return bsp == NULL ? cll_machine_check(NULL, call) : cll_pub_machine_of(bsp, call);
}

/* There is one machine, from bsp_begin to bsp_end. */
static cll_machine *bsplib_machine(const void *object, const char *call)
{
    if (object != NULL) {
        cll_fail("%s: a BSPlib program has one machine only: leave the object out", call);
    }
    return cll_bsplib_machine(call);
}

static cll_machine *machine_in_use(const void *object, const char *call)
{
    return cll_backend_in_use() == &cll_bsplib_backend ? bsplib_machine(object, call) : pub_machine(object, call);
}

static int bsp_processors(const void *machine)
{
    const cll_machine *in_use = machine_in_use(machine, "report");
    if (cll_turns_are_taken()) {
        cll_fail("report: a virtual processor cannot report: put the report behind bsp_migrate_dup");
    }
    return cll_machine_processors(in_use);
}

static int bsp_processor(const void *machine)
{
    return cll_machine_processor(machine_in_use(machine, "report"));
}

static void bsp_barrier(const void *machine)
{
    static const char call[] = "sync";
    cll_machine_barrier(machine_in_use(machine, call), call);
}

/* A processor that waits elsewhere is found in a barrier. */
static int enter_bsplib_report(const void *machine, const void **place)
{
    (void)place;
    static const char call[] = "report";
    cll_machine_barrier(machine_in_use(machine, call), call);
    return 1;
}

static void bsp_give(const void *machine, int processor, const void *bytes, size_t count)
{
    cll_machine_give(machine_in_use(machine, "report"), processor, bytes, count);
}

static size_t bsp_take(const void *machine, int processor, void *bytes, size_t capacity)
{
    static const char call[] = "report";
    return cll_machine_take(machine_in_use(machine, call), processor, bytes, capacity, call);
}

const cll_backend cll_pub_backend = {
    .kind = "PUB",
    .transport = &cll_transport_name,
    .library = cll_transport_library,
    .barrier = bsp_barrier,
    .processors = bsp_processors,
    .processor = bsp_processor,
    .send = bsp_give,
    .receive = bsp_take,
};

const cll_backend cll_bsplib_backend = {
    .kind = "BSPlib",
    .transport = &cll_transport_name,
    .library = cll_transport_library,
    .barrier = bsp_barrier,
    .enter_report = enter_bsplib_report,
    .processors = bsp_processors,
    .processor = bsp_processor,
    .send = bsp_give,
    .receive = bsp_take,
};
