/* Ways out before the end of a function or body, in braces and without: what follows runs where their conditions fail. */
#include <stdlib.h>

int sum;

void in_braces(int n)
{
    if (n < 2) {
        return;
    }
    for (int i = 0; i < n; i++)
        sum += i; /* exact: 0 if n < 2 else n */
}

void behind_more(int n)
{
    if (n < 2) {
        sum++;
        if (sum > 1000000)
            sum = 0;
        return;
    }
    for (int i = 0; i < n; i++)
        sum += i; /* exact: 0 if n < 2 else n */
}

void in_nested_braces(int n)
{
    if (n < 2) {
        {
            sum++;
            return;
        }
    }
    for (int i = 0; i < n; i++)
        sum += i; /* exact: 0 if n < 2 else n */
}

void by_exit(int n)
{
    if (n < 0) {
        exit(0);
    }
    for (int i = 0; i < n; i++)
        sum += i; /* exact: max(0, n) */
}

void in_a_loop(int n, int m)
{
    for (int i = 0; i < n; i++) {
        if (i < m) {
            continue;
        }
        sum += i; /* exact: max(0, n - max(0, m)) */
    }
}

void both_ways(int n)
{
    if (n < 2) {
        sum++;
        return;
    } else {
        for (int i = 0; i < n; i++)
            sum += i; /* exact: 0 if n < 2 else n */
    }
    sum++; /* exact: 0 if n < 2 else 1 */
}

void one_of_two(int n, int m)
{
    if (n > 0) {
        if (m > 0) {
            return;
        }
        sum++;
    }
    for (int i = 0; i < m + n; i++)
        sum += i; /* exact: 0 if n > 0 and m > 0 else max(0, m + n) */
}

/* The condition changes what it asks for: once. */
void by_a_change_before(int n)
{
    if (--n < 2)
        return;
    for (int i = 0; i < n; i++)
        sum += i; /* exact: 0 if n - 1 < 2 else n - 1 */
}

void by_a_change_behind(int n)
{
    if (n++ < 5) {
        return;
    }
    for (int i = 0; i < n; i++)
        sum += i; /* exact: 0 if n < 5 else n + 1 */
}

void once(int n)
{
    for (int i = 0; i < n; i++) {
        sum++; /* exact: 1 if n > 0 else 0 */
        return;
    }
    sum = 0; /* exact: 0 if n > 0 else 1 */
}

void of_a_switch(int n, int k)
{
    switch (k) {
    case 1:
        sum = 2;
        return;
    case 2:
        for (int i = 0; i < n; i++)
            sum += i; /* exact: max(0, n) if k == 2 else 0 */
        break;
    default:
        return;
    }
    sum = 3; /* exact: 1 if k == 2 else 0 */
}

void never(int n)
{
    {
        return;
    }
    for (int i = 0; i < n; i++)
        sum += i; /* exact: 0 */
}

void entered(int n)
{
    if (n > 100)
        goto inside;
    if (n < 2) {
inside:
        return;
    }
    for (int i = 0; i < n; i++)
        sum += i; /* exact: 0 if n < 2 or n > 100 else n */
}

void by_goto(int n)
{
    if (n < 2) {
        goto out;
    }
    for (int i = 0; i < n; i++)
        sum += i; /* exact: 0 if n < 2 else n */
out:
    sum++; /* exact: 1 */
}

static int counted(int n)
{
    if (n < 2) {
        return 0;
    }
    for (int i = 0; i < n; i++)
        sum += i;
    return n;
}

void of_a_call(int n)
{
    counted(n);
    for (int i = 0; i < n; i++)
        sum += counted(i); /* exact: max(0, n) */
}
