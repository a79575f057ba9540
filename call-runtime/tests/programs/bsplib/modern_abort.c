/* fails with "stop at 5": bsp_vabort says the same as bsp_abort. */
#define CLL_BSP_MODERN
#include "check.h"

static void stop(const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    bsp_vabort(format, arguments);
}

static void behave(int p, int s)
{
    if (s == p - 1) {
        stop("stop at %d\n", 5);
    }
    bsp_sync();
}
