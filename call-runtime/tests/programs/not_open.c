/* Ends an experiment that is not open: status 2, and the message names it and its lines. */
#include <call.h>
#include <stddef.h>

static const cll_block blocks[] = {{NULL, 3, 9}, {NULL, 12, 15}};
static const cll_experiment f = {"f", NULL, 0, NULL, 0, 2, blocks};
static const cll_experiment g = {"g", NULL, 0, NULL, 0, 1, blocks};

int main(void)
{
    cll_begin(&g, NULL);
    cll_end(&f);
    return 0;
}
