/* With several_other.c and several.h: one program, one trace. */
#include "several.h"

int main(void)
{
    int n;
    for (n = 1; n <= 3; n++) {
#pragma cll both both[0] + both[1]*n
        advance(10 + n);
#pragma cll end both
        shared(n);
        other(n);
    }
#pragma cll report all
    return 0;
}
