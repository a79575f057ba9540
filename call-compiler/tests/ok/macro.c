/* Directives in macros and in a header that is read twice. */
#define MEASURED(n) \
    _Pragma("cll measured measured[0]*size") \
    work(n);         \
    _Pragma("cll end measured")

int work(int n);

#define TYPE int
#include "template.h"
#undef TYPE
#define TYPE long
#include "template.h"

int main(void)
{
    int size = 3;
    MEASURED(size)
    size++;
    MEASURED(size + 1)
#if 0
#pragma cll never never[0]
#endif
#pragma cll report all
    return (int)(add_int(size) + add_long(size));
}
