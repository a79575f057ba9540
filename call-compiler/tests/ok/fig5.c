#include <math.h>
#include <stdio.h>
#define LIMIT 100

static long total;

static long work(int n)
{
    long result;
    if (n < 2) {
        result = n;
    } else
#pragma cll G G[0] + G[1] * n * log(n)
        result = work(n - 1) + work(n - 2);
#pragma cll end G
    return result;
}

int main(void)
{
    int N = 8;
    unsigned char small = 3;
    double ratio = 0.5;
    float P_of_mine = 2;
#pragma cll parallel sequential
#pragma cll for(N = 1; \
                N < 16; /* powers of two */ \
                N *= 2)
    int inside = N;
#pragma cll sync f f[0] + f[1]*log(P) + \
    f[2]*(N/P)*log(N/P)    // as in the paper
    total += work(inside);
#pragma cll end f
#pragma cll end for
    if (total)
#pragma cll once once[0]*LIMIT + once[1]*small + once[2]*ratio*P_of_mine
        total += work(3);
#pragma cll end once
    else
        total = 1;
    do
#pragma cll loops loops[0]
        total--;
#pragma cll end loops
    while (total > 10);
again:
#pragma cll untold
    total++;
#pragma cll end untold
    if (total < 0)
        goto again;
    {
        double P = 3;
#pragma cll own own[0]*P
        total += (long)P;
#pragma cll end own
    }
    printf("%ld at line %d, %g\n", total, __LINE__, small * ratio * P_of_mine);
#pragma cll report f G, once
#pragma cll report all
    return 0;
}
