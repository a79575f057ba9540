/* Whole numbers made of real ones: roots, logarithms, quotients that are rounded. */
#include <math.h>

int sum;

void up_to_root(int n)
{
    int root = sqrt(n);
    for (int i = 1; i <= root; i++)
        sum++; /* rounded: n < 0 ? 0 : sqrt(n); n >= 1 */
}

void in_condition(int n)
{
    for (int i = 2; i <= sqrt(n); i++)
        sum++; /* rounded: n < 4 ? 0 : sqrt(n) - 1; n >= 1 */
}

/* How much is left is more where the root is rounded down. */
void from_root(int n, const int *a)
{
    for (int i = sqrt(n); i < n; i++)
        if (a[i % 100] > 3)
            sum++; /* at-most: n < 1 ? 0 : n */
}

void block_of_root(int n, int p, const int *a)
{
    if (p < 1 || n < 1)
        return;
    int side = (int)sqrt((double)p), block = n/side;
    for (int i = 0; i < block; i++)
        if (a[i % 100] > 3)
            sum++; /* at-most: n */
}

void rows_of_grid(int n, int p)
{
    if (p < 1 || n < 1)
        return;
    int side = (int)sqrt((double)p), block = n/side;
    for (int step = 0; step < side; step++)
        for (int i = 0; i < block; i++)
            sum++; /* rounded: n; n > 4*p */
}

int has_divisor(int n)
{
    for (int i = 2; i*i <= n; i++)
        if (n % i == 0) /* at-most: n < 1 ? 0 : sqrt(n) */
            return 1;
    return 0;
}

int has_factor(int n)
{
    for (int i = 2; i < sqrt(n) + 1; i++)
        if (n % i == 0) /* at-most: n < 1 ? 0 : sqrt(n) */
            return 1;
    return 0;
}

void down_to_root(int n, const int *a)
{
    for (int i = n; i > sqrt(n); i--)
        if (a[i % 100] > 3) /* at-most: n < 1 ? 0 : n - sqrt(n) + 1 */
            return;
}

void primes(int n)
{
    for (int i = 2; i <= n; i++)
        if (!has_divisor(i))
            sum++; /* at-most: n < 1 ? 0 : n */
}

static int is_prime(int n)
{
    int found = n % 2 != 0;
    if (found) {
        int root = sqrt(n);
        for (int i = 3; found && i <= root; i += 2)
            if (n % i == 0)
                found = 0;
    }
    return found;
}

void odd_primes(int n)
{
    for (int i = 3; i <= n; i += 2)
        if (is_prime(i))
            sum++; /* at-most: n < 3 ? 0 : n */
}

/* Whether a number is a square is not to be seen from the root alone. */
void of_square(int n)
{
    int root = sqrt(n);
    if (root*root == n)
        for (int i = 0; i < n; i++)
            sum++; /* at-most: n < 1 ? 0 : n */
    if (root*root < n)
        sum++; /* at-most: 1 */
}

void levels(int n)
{
    if (n < 1)
        return;
    for (int level = 0; level < (int)log2(n); level++)
        sum++; /* rounded: n < 2 ? 0 : log2(n); n >= 2 */
}

void all_levels(int n, const int *a)
{
    if (n < 1)
        return;
    int levels = (int)ceil(log2(n));
    for (int level = 0; level < levels; level++)
        if (a[level] > 3)
            sum++; /* at-most: log2(n) + 1 */
}

void real_product(int n, int p, int q)
{
    if (p < 1)
        return;
    int count = (double)n/p*q;
    for (int i = 0; i < count; i++)
        sum++; /* exact: n*q/p < 0 ? 0 : n*q/p */
}

void real_bound(int n)
{
    for (int i = 0; i < (double)n/2; i++)
        sum++; /* exact: n < 0 ? 0 : (n + 1)/2 */
}

void real_quotient(int n)
{
    int half = (int)((float)n/2);
    for (int i = 0; i < half; i++)
        sum++; /* exact: n < 0 ? 0 : n/2 */
}

void rounded_up(int n, int p)
{
    if (p < 1 || n < 1)
        return;
    int share = ceil((double)n/p);
    for (int i = 0; i < share; i++)
        sum++; /* exact: (n + p - 1)/p */
}

/* Of whole numbers the quotient is one already. */
void not_rounded_up(int n, int p)
{
    if (p < 1 || n < 1)
        return;
    int share = ceil(n/p);
    for (int i = 0; i < share; i++)
        sum++; /* exact: n/p */
}

/* A function of one's own. */
static int own_floor(int n)
{
    return n - 1;
}

void by_own(int n)
{
    for (int i = 0; i < own_floor(n); i++)
        sum++; /* exact: n < 2 ? 0 : n - 1 */
}
