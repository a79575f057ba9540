/* MPI, CALL_CLOCK=counting: measurements among the events that the unit asks for; one is left without its end. */
#include <call.h>
#include <mpi.h>

void cll_clock_advance(unsigned long long nanoseconds);

static const cll_block blocks[] = {{0, 3, 9}};
static const cll_experiment outer = {"outer", 0, 0, 0, 0, 1, blocks, 0, 0, 0};
static const cll_experiment inner = {"inner", 0, 0, 0, 0, 1, blocks, 0, 0, 0};
static const cll_experiment *const experiments[] = {&outer, &inner};
static const cll_unit unit = {
    .name = "events_experiments", .source = "events_experiments.c", .kind = CLL_MPI, .experiment_count = 2, .experiments = experiments, .events = 1};

CLL_REGISTER(unit);

int main(int argc, char **argv)
{
    MPI_Init(&argc, &argv);
    cll_begin(&outer, 0);
    cll_clock_advance(7);
    cll_begin(&inner, 0);
    cll_clock_advance(5);
    MPI_Barrier(MPI_COMM_WORLD);
    cll_end(&inner);
    cll_begin(&inner, 0);
    cll_clock_advance(3);
    cll_end(&outer);
    cll_report(&unit, 0, 0);
    MPI_Barrier(MPI_COMM_WORLD);
    MPI_Finalize();
    return 0;
}
