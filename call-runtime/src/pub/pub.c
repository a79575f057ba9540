/* pub.c: the functions of pub.h, on top of the BSP machines. */
#include "../../include/pub.h"

#include "../base/fail.h"
#include "../base/host.h"
#include "../bsp/call_sites.h"
#include "../bsp/machine.h"
#include "pub_inside.h"

cll_machine *cll_pub_machine_of(const t_bsp *bsp, const char *call)
{
    if (bsp == NULL || bsp->machine == NULL) {
        cll_fail("%s: the t_bsp object stands for no machine: it was closed, or never made by bsplib_init or bsp_partition", call);
    }
    return cll_machine_check(bsp->machine, call);
}

static t_bspmsg *message_object(cll_message *message)
{
    return (t_bspmsg *)message;
}

static const char end_of_pub[] = "bsplib_done";
static int is_pub_finished = 0;

static int has_pub_finished(void)
{
    return is_pub_finished;
}

void bsplib_saveargs(int *argc, char ***argv)
{
    if (argc == NULL || argv == NULL) {
        cll_fail("bsplib_saveargs: hand over &argc and &argv");
    }
    cll_host_save_arguments(*argc, *argv);
}

void bsplib_init(const void *parameters, t_bsp *bsp)
{
    if (parameters != BSPLIB_STDPARAMS || bsp == NULL) {
        cll_fail("bsplib_init: hand over BSPLIB_STDPARAMS and the address of a t_bsp");
    }
    bsp->machine = cll_machine_start("bsplib_init", end_of_pub);
    if (cll_machine_processors(bsp->machine) == 1) {
        cll_watch_end(has_pub_finished, end_of_pub);
    }
}

void bsplib_done(void)
{
    cll_call_site_caller = CLL_CALLER;
    cll_pub_check_subsets(cll_machine_innermost(), end_of_pub);
    cll_supersteps_end_program(CLL_PUB, CLL_CALLER);
    cll_machine_finish(end_of_pub, CLL_LEAVES);
    is_pub_finished = 1;
}

int bsp_nprocs(const t_bsp *bsp)
{
    return cll_machine_processors(cll_pub_machine_of(bsp, "bsp_nprocs"));
}

int bsp_pid(const t_bsp *bsp)
{
    return cll_machine_processor(cll_pub_machine_of(bsp, "bsp_pid"));
}

void bsp_sync(t_bsp *bsp)
{
    static const char call[] = "bsp_sync";
    cll_call_site_caller = CLL_CALLER;
    cll_machine *machine = cll_pub_machine_of(bsp, call);
    cll_pub_finish_subsets(machine);
    cll_machine_sync(machine, call);
}

void bsp_oblsync(t_bsp *bsp, int messages)
{
    static const char call[] = "bsp_oblsync";
    cll_call_site_caller = CLL_CALLER;
    cll_machine *machine = cll_pub_machine_of(bsp, call);
    cll_pub_finish_subsets(machine);
    cll_machine_oblivious_sync(machine, messages, call);
}

static void send_message(const t_bsp *bsp, int to, const void *data, int size, const char *call)
{
    cll_machine *machine = cll_pub_machine_of(bsp, call);
    if (size < 0) {
        cll_fail("%s: a message of %d bytes cannot be sent", call, size);
    }
    cll_machine_send(machine, to, NULL, 0, data, (size_t)size, call);
}

void bsp_send(t_bsp *bsp, int to, const void *data, int size)
{
    send_message(bsp, to, data, size, "bsp_send");
}

/* Copied as well: the memory that a packet is sent from is not the user's. */
void bsp_hpsend(t_bsp *bsp, int to, const void *data, int size)
{
    send_message(bsp, to, data, size, "bsp_hpsend");
}

void bsp_gsend(t_bsp *bsp, int count, const int *to, const void *data, int size)
{
    static const char call[] = "bsp_gsend";
    if (count < 0 || (count > 0 && to == NULL)) {
        cll_fail("%s: hand over how many processors get the message, and their numbers", call);
    }
    for (int index = 0; index < count; index++) {
        send_message(bsp, to[index], data, size, call);
    }
}

t_bspmsg *bsp_createmsg(t_bsp *bsp, int size)
{
    static const char call[] = "bsp_createmsg";
    const cll_machine *machine = cll_pub_machine_of(bsp, call);
    if (size < 0) {
        cll_fail("%s: a message of %d bytes cannot be made", call, size);
    }
    return message_object(cll_machine_new_message(machine, (size_t)size));
}

void bsp_sendmsg(t_bsp *bsp, int to, t_bspmsg *message)
{
    static const char call[] = "bsp_sendmsg";
    cll_machine *machine = cll_pub_machine_of(bsp, call);
    if (message == NULL) {
        cll_fail("%s: the message is NULL", call);
    }
    cll_machine_send_message(machine, to, (cll_message *)(void *)message, call);
}

int bsp_nmsgs(const t_bsp *bsp)
{
    return (int)cll_machine_message_count(cll_pub_machine_of(bsp, "bsp_nmsgs"));
}

t_bspmsg *bsp_getmsg(const t_bsp *bsp, int index)
{
    static const char call[] = "bsp_getmsg";
    const cll_machine *machine = cll_pub_machine_of(bsp, call);
    size_t count = cll_machine_message_count(machine);
    if (index < 0 || (size_t)index >= count) {
        cll_fail("%s: processor %d has no message %d: the last superstep brought %zu, counted from 0", call,
                 cll_machine_processor(machine), index, count);
    }
    return message_object(cll_machine_message(machine, (size_t)index));
}

t_bspmsg *bsp_findmsg(const t_bsp *bsp, int from, int index)
{
    static const char call[] = "bsp_findmsg";
    const cll_machine *machine = cll_pub_machine_of(bsp, call);
    if (from < 0 || from >= cll_machine_processors(machine)) {
        cll_fail("%s: processor %d does not exist in a machine of %d processors", call, from, cll_machine_processors(machine));
    }
    return index < 0 ? NULL : message_object(cll_machine_message_from(machine, from, (size_t)index));
}

static const cll_message *checked_message(const t_bspmsg *message, const char *call)
{
    if (message == NULL) {
        cll_fail("%s: the message is NULL: bsp_findmsg found none", call);
    }
    const cll_message *its = (const cll_message *)(const void *)message;
    if (!cll_machine_has_message(its)) {
        cll_fail("%s: the message is gone, as messages are after the next bsp_sync or bsp_oblsync of their machine", call);
    }
    return its;
}

void *bspmsg_data(t_bspmsg *message)
{
    checked_message(message, "bspmsg_data");
    return (cll_message *)(void *)message + 1;
}

int bspmsg_size(const t_bspmsg *message)
{
    return (int)checked_message(message, "bspmsg_size")->size_bytes;
}

int bspmsg_src(const t_bspmsg *message)
{
    return checked_message(message, "bspmsg_src")->source;
}

void bsp_partition(t_bsp *bsp, t_bsp *part, int parts, const int *ends)
{
    static const char call[] = "bsp_partition";
    cll_machine *machine = cll_pub_machine_of(bsp, call);
    if (part == NULL || ends == NULL) {
        cll_fail("%s: the address of the new t_bsp or of the ends of the parts is NULL", call);
    }
    part->machine = cll_machine_partition(machine, parts, ends, call);
}

void bsp_dup(t_bsp *bsp, t_bsp *copy)
{
    static const char call[] = "bsp_dup";
    cll_machine *machine = cll_pub_machine_of(bsp, call);
    int end = cll_machine_processors(machine);
    if (copy == NULL) {
        cll_fail("%s: the address of the new t_bsp is NULL", call);
    }
    copy->machine = cll_machine_partition(machine, 1, &end, call);
}

void bsp_done(t_bsp *part)
{
    static const char call[] = "bsp_done";
    cll_call_site_caller = CLL_CALLER;
    cll_machine *machine = cll_pub_machine_of(part, call);
    cll_pub_check_subsets(machine, call);
    cll_machine_close(machine, call);
    part->machine = NULL;
}

void bsp_push_reg(t_bsp *bsp, void *address, int size)
{
    static const char call[] = "bsp_push_reg";
    cll_machine *machine = cll_pub_machine_of(bsp, call);
    if (size < 0) {
        cll_fail("%s: an area of %d bytes cannot be registered", call, size);
    }
    cll_machine_register(machine, address, (size_t)size, call);
}

void bsp_pop_reg(t_bsp *bsp, void *address)
{
    static const char call[] = "bsp_pop_reg";
    cll_machine_unregister(cll_pub_machine_of(bsp, call), address, call);
}

static cll_machine *checked_machine(const t_bsp *bsp, int offset, int size, const char *call)
{
    cll_machine *machine = cll_pub_machine_of(bsp, call);
    if (offset < 0 || size < 0) {
        cll_fail("%s: %d bytes at offset %d: neither can be negative", call, size, offset);
    }
    return machine;
}

static void put(const t_bsp *bsp, int to, const void *source, void *destination, int offset, int size, int is_unbuffered,
                const char *call)
{
    cll_machine *machine = checked_machine(bsp, offset, size, call);
    cll_machine_put(machine, to, source, destination, (size_t)offset, (size_t)size, is_unbuffered, call);
}

static void get(const t_bsp *bsp, int from, const void *source, int offset, void *destination, int size, int is_unbuffered,
                const char *call)
{
    cll_machine *machine = checked_machine(bsp, offset, size, call);
    cll_machine_get(machine, from, source, (size_t)offset, destination, (size_t)size, is_unbuffered, call);
}

void bsp_put(t_bsp *bsp, int to, const void *source, void *destination, int offset, int size)
{
    put(bsp, to, source, destination, offset, size, 0, "bsp_put");
}

void bsp_hpput(t_bsp *bsp, int to, const void *source, void *destination, int offset, int size)
{
    put(bsp, to, source, destination, offset, size, 1, "bsp_hpput");
}

void bsp_get(t_bsp *bsp, int from, const void *source, int offset, void *destination, int size)
{
    get(bsp, from, source, offset, destination, size, 0, "bsp_get");
}

void bsp_hpget(t_bsp *bsp, int from, const void *source, int offset, void *destination, int size)
{
    get(bsp, from, source, offset, destination, size, 1, "bsp_hpget");
}
