/* Prints where it is: instrumented and plain, it has to say the same. */
#include <stdio.h>
#include <stdlib.h>

#define HERE() printf("%s:%d %s\n", __FILE__, __LINE__, __func__)
#define MEASURED(body) _Pragma("cll measured measured[0]") body _Pragma("cll end measured")

static int count(int n)
{
#pragma cll count count[0] + \
        count[1]*n
    HERE();
    if (n < 0)
        return abs(n) +
            1;
    for (int i = 0; i < n; i++) {
        if (i == 2)
            break;
        HERE();
    }
#pragma cll end count
    return n;
}

int main(void)
{
    int sum = 0;
    HERE();
    for (int n = -1; n < 4; n++)
        sum += count(n);
    MEASURED(HERE();)
    HERE();
#pragma cll report all
    return sum != 8;
}
