/* shared.c: the output belongs to the process, so it tells the processors where their lists are. Messages would take simulated time. */
#include "shared.h"

#include "thread.h"

#ifdef CLL_SMPI
#include <stdio.h>
#include <stdlib.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "fail.h"

static const char name_of_lists[] = "CALL_SMPI_LISTS";

/* The one that getpid tells is that of the simulated processor. */
static long process_of_system(void)
{
    return syscall(SYS_getpid);
}

/* What another process has set means nothing in this one, nor what stood there before it became another program. */
static void **find_lists(void)
{
    const char *told = getenv(name_of_lists);
    char text[96];
    long process = 0;
    void *output = NULL;
    void *lists = NULL;
    if (told != NULL && sscanf(told, "%ld %p %p", &process, &output, &lists) == 3 && process == process_of_system() &&
        output == (void *)stdout) {
        return lists;
    }
    lists = cll_allocate(CLL_SHARED_COUNT, sizeof(void *), "the names of call sites");
    snprintf(text, sizeof text, "%ld %p %p", process_of_system(), (void *)stdout, lists);
    setenv(name_of_lists, text, 1);
    return lists;
}

void **cll_shared(cll_shared_list list)
{
    static void **lists = NULL;
    if (lists == NULL) {
        lists = find_lists();
    }
    return &lists[list];
}
#else
#include <stddef.h>

void **cll_shared(cll_shared_list list)
{
    static void *lists[CLL_SHARED_COUNT];
    return &lists[list];
}
#endif
