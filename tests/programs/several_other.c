#include "several.h"

void other(int n)
{
#pragma cll both both[0] + both[1]*n
    advance(100 + n);
#pragma cll end both
    shared(n);
#pragma cll only only[0]*n
    advance(n);
#pragma cll end only
}
