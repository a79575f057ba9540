/* Types that wrap, narrow or round. */
#include <stddef.h>

int sum;

void up(unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        sum++; /* exact: n */
}

/* n - 1 of zero is the largest number: stopped by hand. */
void wraps(unsigned n)
{
    unsigned turns = 0;
    for (unsigned i = 0; i < n - 1; i++) {
        sum++; /* exact: n == 0 ? 100 : min(100, n - 1) */
        if (++turns == 100)
            break;
    }
}

/* i >= 0 always holds for unsigned: another end is needed. */
void down(unsigned n)
{
    for (unsigned i = n; i-- > 0;)
        sum++; /* exact: n */
}

void difference(unsigned a, unsigned b)
{
    if (a > b)
        return;
    for (size_t i = 0; i < b - a; i++)
        sum++; /* exact: a <= b ? b - a : 0 */
}

/* Signed compared with unsigned: -1 is large. */
void mixed(int n, unsigned m)
{
    if (n < m)
        sum++; /* exact: n >= 0 && n < m ? 1 : 0 */
}

/* Wraps at 256: at most 200 if the bound is below. */
void narrow(int n)
{
    if (n > 200)
        n = 200;
    for (unsigned char i = 0; i < n; i++)
        sum++; /* exact: max(0, min(n, 200)) */
}

void character(char c)
{
    for (; c < 'z'; c++)
        sum++; /* exact: 122 - c; c <= 122 && c >= 0 */
}

void truncated(double x)
{
    int n = x/2;
    for (int i = 0; i < n; i++)
        sum++; /* exact: floor(x/2); x >= 0 */
}

/* 0.1 added ten times is not 1, so one more or less: an upper bound. */
void tenths(int n)
{
    for (double x = 0; x < n; x += 0.1)
        sum++; /* at-most: 10*max(0, n) + 1 */
}

void bits(unsigned n)
{
    while (n) {
        n &= n - 1; /* at-most: n == 0 ? 0 : floor(log2(n)) + 1 */
        sum++; /* at-most: log2(n + 1) */
    }
}

/* Product wraps for large n in int; it is long here. */
void product(int n, int m)
{
    for (long i = 0; i < (long)n*m; i++)
        sum++; /* exact: max(0, n*m) */
}

void negative_remainder(int n)
{
    for (int i = 0; i < n%3; i++)
        sum++; /* exact: max(0, n%3) */
}

void negative_division(int n)
{
    for (int i = n/2; i < 0; i++)
        sum++; /* exact: n < 0 ? floor(-n/2) : 0 */
}

void shifted(int n)
{
    for (int i = 0; i < n >> 1; i++)
        sum++; /* exact: max(0, floor(n/2)) */
}

void power_of_two(int n)
{
    if (n < 0 || n > 10)
        return;
    for (int i = 0; i < 1 << n; i++)
        sum++; /* exact: n < 0 || n > 10 ? 0 : pow(2, n) */
}
