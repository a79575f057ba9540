/* bsplib_level1.c: the collective functions of bsp_level1.h. */
#include <stdlib.h>
#include <string.h>

#include "../../include/bsp_level1.h"
#include "../base/fail.h"
#include "../bsp/call_sites.h"
#include "bsplib.h"

static void check_place(const void *place, int size, const char *call)
{
    if (size < 0) {
        cll_fail("%s: %d bytes cannot be sent", call, size);
    }
    if (size > 0 && place == NULL) {
        cll_fail("%s: the address of the data or of the result is NULL", call);
    }
}

void bsp_bcast(int root, const void *source, void *destination, int size)
{
    static const char call[] = "bsp_bcast";
    cll_machine *machine = cll_bsplib_machine(call);
    cll_call_site_caller = CLL_CALLER;
    check_place(destination, size, call);
    cll_machine_check_processor(machine, root, call);
    for (int to = 0; cll_machine_processor(machine) == root && to < cll_machine_processors(machine); to++) {
        cll_machine_put(machine, to, source, destination, 0, (size_t)size, 0, call);
    }
    cll_bsplib_sync_as(call);
}

void bsp_gather(int root, const void *source, void *destination, int size)
{
    static const char call[] = "bsp_gather";
    cll_machine *machine = cll_bsplib_machine(call);
    cll_call_site_caller = CLL_CALLER;
    check_place(source, size, call);
    cll_machine_put(machine, root, source, destination, (size_t)cll_machine_processor(machine) * (size_t)size, (size_t)size, 0, call);
    cll_bsplib_sync_as(call);
}

void bsp_scatter(int root, const void *source, void *destination, int size)
{
    static const char call[] = "bsp_scatter";
    cll_machine *machine = cll_bsplib_machine(call);
    cll_call_site_caller = CLL_CALLER;
    check_place(destination, size, call);
    cll_machine_get(machine, root, source, (size_t)cll_machine_processor(machine) * (size_t)size, destination, (size_t)size, 0, call);
    cll_bsplib_sync_as(call);
}

/* The data of all processors from this one's point of view, of which those from `first_to` on get this one's; to be freed. */
static unsigned char *exchange_all(const void *source, size_t size, int first_to, const char *call)
{
    cll_machine *machine = cll_bsplib_machine(call);
    int processors = cll_machine_processors(machine);
    size_t table_bytes = (size_t)processors * size;
    cll_program_call called = cll_call_site_call();
    unsigned char *table = cll_allocate((size_t)processors, size, "what all processors combine");
    cll_machine_register(machine, table, table_bytes, call);
    cll_bsplib_sync_as(call);
    for (int to = first_to; to < processors; to++) {
        cll_machine_put(machine, to, source, table, (size_t)cll_machine_processor(machine) * size, size, 0, call);
    }
    cll_machine_unregister(machine, table, call);
    cll_call_site_set_call(&called);
    cll_bsplib_sync_as(call);
    return table;
}

/* The data of the processors up to and with `last`. */
static void combine_up_to(int last, unsigned char *table, cll_bsp_operator combine, void *result, int size)
{
    size_t bytes = (size_t)size;
    unsigned char *combined = cll_allocate(1, bytes, "what all processors combine");
    for (int processor = 1; processor <= last && bytes > 0; processor++) {
        unsigned char *own = table + (size_t)processor * bytes;
        combine(combined, own - bytes, own, &size);
        memcpy(own, combined, bytes);
    }
    if (bytes > 0) {
        memcpy(result, table + (size_t)last * bytes, bytes);
    }
    free(combined);
    free(table);
}

static void fold(cll_bsp_operator combine, const void *source, void *result, int size, int is_prefix, const char *call)
{
    const cll_machine *machine = cll_bsplib_machine(call);
    int own = cll_machine_processor(machine);
    check_place(source, size, call);
    check_place(result, size, call);
    if (combine == NULL) {
        cll_fail("%s: the function that combines is NULL", call);
    }
    unsigned char *table = exchange_all(source, (size_t)size, is_prefix ? own : 0, call);
    combine_up_to(is_prefix ? own : cll_machine_processors(machine) - 1, table, combine, result, size);
}

void bsp_fold(cll_bsp_operator combine, const void *source, void *result, int size)
{
    cll_call_site_caller = CLL_CALLER;
    fold(combine, source, result, size, 0, "bsp_fold");
}

void bsp_scan(cll_bsp_operator combine, const void *source, void *result, int size)
{
    cll_call_site_caller = CLL_CALLER;
    fold(combine, source, result, size, 1, "bsp_scan");
}

/* An operator on numbers, and the functions on it: of all processors and up to this one. */
#define CLL_LEVEL1_OPERATOR(name, type, combined)                                     \
    static void combine_##name(void *result, void *left, void *right, int *size)      \
    {                                                                                 \
        type first;                                                                   \
        type second;                                                                  \
        memcpy(&first, left, sizeof first);                                           \
        memcpy(&second, right, sizeof second);                                        \
        type both = (combined);                                                       \
        memcpy(result, &both, (size_t)*size);                                         \
    }

#define CLL_LEVEL1_FUNCTION(name, type, operator_name, is_prefix)                     \
    type cll_bsplib_##name(type number)                                               \
    {                                                                                 \
        type result;                                                                  \
        cll_call_site_caller = CLL_CALLER;                                            \
        fold(combine_##operator_name, &number, &result, sizeof number, is_prefix, "bsp_" #name); \
        return result;                                                                \
    }

#define CLL_LEVEL1_BOTH(name, type, combined)              \
    CLL_LEVEL1_OPERATOR(name, type, combined)              \
    CLL_LEVEL1_FUNCTION(name, type, name, 0)               \
    CLL_LEVEL1_FUNCTION(name##_prefix, type, name, 1)

#define CLL_LEVEL1_NUMBERS(letter, type)                                       \
    CLL_LEVEL1_BOTH(sum##letter, type, first + second)                         \
    CLL_LEVEL1_BOTH(product##letter, type, first *second)                      \
    CLL_LEVEL1_BOTH(min##letter, type, second < first ? second : first)        \
    CLL_LEVEL1_BOTH(max##letter, type, second > first ? second : first)

CLL_LEVEL1_NUMBERS(I, int)
CLL_LEVEL1_NUMBERS(R, float)
CLL_LEVEL1_NUMBERS(D, double)
CLL_LEVEL1_BOTH(all, int, first != 0 && second != 0)
CLL_LEVEL1_BOTH(any, int, first != 0 || second != 0)

int bsp_constantI(int number)
{
    static const char call[] = "bsp_constantI";
    int processors = cll_machine_processors(cll_bsplib_machine(call));
    int is_constant = 1;
    cll_call_site_caller = CLL_CALLER;
    int *numbers = (int *)(void *)exchange_all(&number, sizeof number, 0, call);
    for (int processor = 1; processor < processors; processor++) {
        is_constant &= numbers[processor] == numbers[0];
    }
    free(numbers);
    return is_constant;
}

#define CLL_LEVEL1_SORT(letter, type)                                                              \
    static int compare_##letter(const void *left, const void *right)                              \
    {                                                                                             \
        type first = *(const type *)left;                                                         \
        type second = *(const type *)right;                                                       \
        return (first > second) - (first < second);                                               \
    }                                                                                             \
    type cll_bsplib_sort##letter(type number)                                                     \
    {                                                                                             \
        static const char call[] = "bsp_sort" #letter;                                            \
        const cll_machine *machine = cll_bsplib_machine(call);                                    \
        cll_call_site_caller = CLL_CALLER;                                                        \
        type *numbers = (type *)(void *)exchange_all(&number, sizeof number, 0, call);            \
        qsort(numbers, (size_t)cll_machine_processors(machine), sizeof number, compare_##letter); \
        number = numbers[cll_machine_processor(machine)];                                         \
        free(numbers);                                                                            \
        return number;                                                                            \
    }

CLL_LEVEL1_SORT(I, int)
CLL_LEVEL1_SORT(R, float)
CLL_LEVEL1_SORT(D, double)
CLL_LEVEL1_SORT(C, char)
