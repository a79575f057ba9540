/* thinning.h: which executions are measured where CALL_BUDGET says how much of a thread's time measuring may take. Executions of one
 * point, that is, of one experiment with equal values, come in blocks, of which one that chance chooses is measured and stands for all:
 * so each has the same chance, whatever the rhythm of the program is, and sums over what the measured ones stand for are unbiased. The
 * first blocks of a point have 1, 2, 4, ... executions, up to a size that follows from how long they take. */
#ifndef CLL_THINNING_H
#define CLL_THINNING_H

#include "../recording/recorder.h"

/* An execution that is not measured and has not ended: where among the open measurements it lies. */
typedef struct {
    const cll_experiment *experiment;
    const cll_record *enclosing;
} cll_left_out;

/* What is known of an experiment; its address stands beside it, so that a search looks at one line of the cache. */
typedef struct {
    const cll_experiment *experiment; /* NULL: free */
    struct cll_thinned *known;
} cll_thinning_slot;

/* Of one thread. */
typedef struct cll_thinning {
    cll_thinning_slot *slots; /* by the hash of their address */
    size_t slot_count;                /* 0 or a power of two; at most half of them are used */
    size_t experiment_count;
    cll_left_out *left_out; /* the innermost is the last */
    size_t left_out_count;
    size_t left_out_capacity;
    uint64_t random;
    double price;     /* so much of the time of an experiment may go to measure it */
    uint64_t window_start_ticks;
    double window_start_cost; /* of measurements, in ticks */
} cll_thinning;

/* Reads CALL_BUDGET, once; returns whether there is one. */
int cll_budget_start(void);

/* For a thread that begins to measure, and when it has ended. */
void cll_thinning_start(cll_recorder *own);
void cll_thinning_release(cll_recorder *recorder);

/* For how many executions this one is to be measured, 0: it is not. It stands for `passed` of them that nobody looked at. */
uint64_t cll_thinning_look(cll_recorder *own, const cll_experiment *experiment, const cll_value *values, uint64_t passed);

/* After a look: chooses the executions that are to be passed over. */
void cll_thinning_pass(cll_recorder *own, const cll_experiment *experiment, cll_gate *gate);

/* A measurement has ended. */
void cll_thinning_learn(cll_recorder *own, const cll_record *record, uint64_t end_ticks);

/* Keeps an execution in mind until its end. */
void cll_thinning_make_room(cll_recorder *own);

static inline void cll_thinning_leave_out(cll_recorder *own, const cll_experiment *experiment)
{
    cll_thinning *its = own->thinning;
    if (its->left_out_count == its->left_out_capacity) {
        cll_thinning_make_room(own);
    }
    its->left_out[its->left_out_count++] = (cll_left_out){experiment, own->innermost};
}

/* The end of an experiment: returns whether the innermost of its executions that are open was left out, which is forgotten then. */
int cll_thinning_end(const cll_recorder *own, const cll_experiment *experiment);

/* From now on nothing of it is measured. */
void cll_thinning_hold(cll_recorder *own, const cll_experiment *experiment);

#endif
