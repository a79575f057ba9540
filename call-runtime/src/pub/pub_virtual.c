/* pub_virtual.c: virtual processors of pub.h. */
#include "../base/fail.h"
#include "../base/thread.h"
#include "../bsp/virtual_turns.h"
#include "pub_inside.h"

typedef struct {
    cll_machine *around;
    int count;
    void (*execute)(t_bsp *bsp, void *parameter);
    void *parameter;
} virtual_program;

static const char start_of_virtual[] = "bsp_migrate_dup";

static void live_as(int number, void *given)
{
    const virtual_program *its = given;
    t_bsp bsp;
    bsp.machine = cll_machine_open_virtual(its->around, its->count, number, start_of_virtual);
    its->execute(&bsp, its->parameter);
    if (cll_machine_innermost() != its->around) {
        cll_fail("%s: the function of the virtual processors returned without bsp_migrate_done", start_of_virtual);
    }
}

static void check_count(cll_machine *machine, int count)
{
    int told = count;
    if (cll_machine_processor(machine) != 0) {
        cll_machine_take(machine, 0, &told, sizeof told, start_of_virtual);
    }
    for (int to = 1; cll_machine_processor(machine) == 0 && to < cll_machine_processors(machine); to++) {
        cll_machine_give(machine, to, &told, sizeof told);
    }
    if (told != count) {
        cll_fail("%s: processor 0 wants %d virtual processors each, and processor %d wants %d", start_of_virtual, told,
                 cll_machine_processor(machine), count);
    }
}

void bsp_migrate_dup(t_bsp *bsp, int virtual_processors, void (*execute)(t_bsp *bsp, void *parameter), void *parameter, int may_migrate)
{
    virtual_program program = {cll_pub_machine_of(bsp, start_of_virtual), virtual_processors, execute, parameter};
    (void)may_migrate;
#ifdef CLL_SMPI
    cll_fail("%s: a processor that SMPI simulates cannot have virtual processors: run the program without SMPI, or simulate as many processors",
             start_of_virtual);
#endif
    cll_machine_check_innermost(program.around, start_of_virtual);
    if (cll_turns_are_taken()) {
        cll_fail("%s: a virtual processor cannot have virtual processors", start_of_virtual);
    }
    if (virtual_processors < 1 || virtual_processors > INT32_MAX / cll_machine_processors(program.around) || execute == NULL) {
        cll_fail("%s: hand over how many virtual processors each processor is to have, 1 or more, and their function", start_of_virtual);
    }
    check_count(program.around, virtual_processors);
    cll_turns_take(virtual_processors, live_as, &program, start_of_virtual);
    program.around->partitions++;
}

void bsp_migrate_done(t_bsp *bsp)
{
    bsp_done(bsp);
}
