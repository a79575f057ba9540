/* pub_backend.c: the back end of PUB programs: the recorder's questions, asked of the BSP machines. */
#include "../../include/pub.h"
#include "../base/fail.h"
#include "../bsp/machine.h"
#include "../bsp/transport.h"
#include "kinds.h"

static cll_machine *machine_in_use(const void *object, const char *call)
{
    const t_bsp *bsp = object;
    if (bsp != NULL && bsp->machine == NULL) {
        cll_fail("%s: the t_bsp object stands for no machine: it was closed, or never made by bsplib_init or bsp_partition", call);
    }
    return cll_machine_check(bsp == NULL ? NULL : bsp->machine, call);
}

static int pub_processors(const void *machine)
{
    return cll_machine_processors(machine_in_use(machine, "report"));
}

static int pub_processor(const void *machine)
{
    return cll_machine_processor(machine_in_use(machine, "report"));
}

static void pub_barrier(const void *machine)
{
    static const char call[] = "sync";
    cll_machine_barrier(machine_in_use(machine, call), call);
}

static void pub_send(const void *machine, int processor, const void *bytes, size_t count)
{
    cll_machine_give(machine_in_use(machine, "report"), processor, bytes, count);
}

static size_t pub_receive(const void *machine, int processor, void *bytes, size_t capacity)
{
    return cll_machine_take(machine_in_use(machine, "report"), processor, bytes, capacity, "report");
}

const cll_backend cll_pub_backend = {
    .kind = "PUB",
    .transport = &cll_transport_name,
    .barrier = pub_barrier,
    .processors = pub_processors,
    .processor = pub_processor,
    .send = pub_send,
    .receive = pub_receive,
};
