/* virtual_turns.c: threads that hand a turn round. */
#include "virtual_turns.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>

#include "../base/fail.h"
#include "../recording/recorder.h"
#include "machine_stack.h"

typedef struct {
    pthread_t thread;
    pthread_cond_t may_go_on;
    cll_machine *innermost; /* while others have their turns */
    int number;
    int has_returned;
} virtual_processor;

static pthread_mutex_t lock = PTHREAD_MUTEX_INITIALIZER;
static pthread_cond_t all_have_returned = PTHREAD_COND_INITIALIZER;
static virtual_processor *virtual_processors = NULL;
static int virtual_count = 0;
static int left_count = 0;  /* that have not returned */
static int turn = 0;        /* whose it is */
static int looked_in_vain = 0; /* since there was hope */
static void (*execute_virtual)(int number, void *argument) = NULL;
static void *argument_of_virtual = NULL;

int cll_turns_are_taken(void)
{
    return virtual_count > 0;
}

void cll_turns_give_hope(void)
{
    looked_in_vain = 0;
}

/* Locked. */
static void hand_over(void)
{
    virtual_processors[turn].innermost = cll_machine_innermost();
    do {
        turn = (turn + 1) % virtual_count;
    } while (virtual_processors[turn].has_returned);
    pthread_cond_signal(&virtual_processors[turn].may_go_on);
}

/* Locked. */
static void await_turn(const virtual_processor *own)
{
    while (turn != own->number) {
        pthread_cond_wait(&virtual_processors[own->number].may_go_on, &lock);
    }
    cll_machine_set_innermost(own->innermost);
    cll_record_set_processors(own->innermost->processors);
}

int cll_turns_pass(void)
{
    if (++looked_in_vain >= left_count) {
        return 0;
    }
    pthread_mutex_lock(&lock);
    const virtual_processor *own = &virtual_processors[turn];
    hand_over();
    await_turn(own);
    pthread_mutex_unlock(&lock);
    return 1;
}

static void *live(void *given)
{
    virtual_processor *own = given;
    pthread_mutex_lock(&lock);
    await_turn(own);
    pthread_mutex_unlock(&lock);
    execute_virtual(own->number, argument_of_virtual);
    pthread_mutex_lock(&lock);
    own->has_returned = 1;
    looked_in_vain = 0;
    if (--left_count > 0) {
        hand_over();
    } else {
        pthread_cond_signal(&all_have_returned);
    }
    pthread_mutex_unlock(&lock);
    return NULL;
}

void cll_turns_take(int count, void (*execute)(int number, void *argument), void *argument, const char *call)
{
    cll_machine *around = cll_machine_innermost();
    virtual_processors = cll_allocate((size_t)count, sizeof *virtual_processors, "virtual processors");
    execute_virtual = execute;
    argument_of_virtual = argument;
    pthread_mutex_lock(&lock);
    virtual_count = left_count = count;
    turn = 0;
    looked_in_vain = 0;
    for (int number = 0; number < count; number++) {
        virtual_processor *made = &virtual_processors[number];
        made->number = number;
        made->innermost = around;
        pthread_cond_init(&made->may_go_on, NULL);
        int reason = pthread_create(&made->thread, NULL, live, made);
        if (reason != 0) {
            cll_fail("%s: cannot start virtual processor %d of %d: %s", call, number, count, strerror(reason));
        }
    }
    while (left_count > 0) {
        pthread_cond_wait(&all_have_returned, &lock);
    }
    pthread_mutex_unlock(&lock);
    for (int number = 0; number < count; number++) {
        pthread_join(virtual_processors[number].thread, NULL);
        pthread_cond_destroy(&virtual_processors[number].may_go_on);
    }
    free(virtual_processors);
    virtual_processors = NULL;
    virtual_count = 0;
    cll_machine_set_innermost(around);
    cll_record_set_processors(around->processors);
}
