#include <stdlib.h>
#define RETURN(x) return (x)
extern int n;
int work(int n);
int hidden(void)
{
    int n = work(3);
#pragma cll shadow shadow[0]*n
    work(n);
#pragma cll end shadow
    for (int m = 3; m; m--) {
#pragma cll changed changed[0]*n + changed[1]*m
        n += work(m);
        m -= work(n);
#pragma cll end changed
    }
    int k = n;
#pragma cll other other[0]*k at end
    work(k);
    {
        int k = 3;
        work(k);
    }
#pragma cll end other
#pragma cll other other[0]*k
    work(k);
#pragma cll end other
#pragma cll clauses clauses[0]*x at end(y) let x = k++ + work(k) + missing let unused = 3 let x = 2
    work(k);
#pragma cll end clauses
#pragma cll side side[0]*k++ + side[1]*k
    work(k);
#pragma cll end side
#pragma cll call call[0]*work(k) + call[1]*(k = 3)
    work(k);
#pragma cll end call
#pragma cll assign assign[0]*(k = 3)
    work(k);
#pragma cll end assign
#pragma cll twice variables k, k let w = 3
    work(k);
#pragma cll end twice
#pragma cll number variables work(k)
    work(k);
#pragma cll end number
#pragma cll blank variables k k
    work(k);
#pragma cll end blank
#pragma cll missed variables missing
    work(k);
#pragma cll end missed
#pragma cll column variables time_s
    work(k);
#pragma cll end column
#pragma cll comma variables k,
    work(k);
#pragma cll end comma
#pragma cll none let z = 3
    work(k);
#pragma cll end none
#pragma cll unseen unseen[0]*k
    int late = work(k);
    if (late)
        RETURN(late);
#pragma cll end unseen
    return late;
}
int main(void)
{
#pragma cll report none
    int a = 3;
#pragma cll sync none none[0]*a
    work(a);
#pragma cll end none
    return 0;
}
