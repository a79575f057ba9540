/* Functions that call themselves. */
int sum;

void linear(int n)
{
    sum++; /* exact: max(0, n) + 1 */
    if (n > 0) /* exact: max(0, n) + 1 */
        linear(n - 1); /* exact: max(0, n) */
}

void by_two(int n)
{
    if (n <= 0)
        return;
    sum++; /* exact: floor((max(0, n) + 1)/2) */
    by_two(n - 2); /* exact: floor((max(0, n) + 1)/2) */
}

/* A loop in each activation: quadratic. */
void linear_with_loop(int n)
{
    for (int i = 0; i < n; i++)
        sum++; /* exact: n*(n + 1)/2; n >= 0 */
    if (n > 0)
        linear_with_loop(n - 1); /* exact: max(0, n) */
}

/* T(n) = T(n/2) + 1 */
void halves(int n)
{
    sum++; /* exact: n < 1 ? 1 : floor(log2(n)) + 2 */
    if (n > 0)
        halves(n/2); /* rounded: log2(n); n >= 2 */
}

/* T(n) = 2 T(n/2) + 1 */
void tree(int n)
{
    if (n <= 1)
        return;
    sum++; /* exact: n - 1; n >= 1 */
    tree(n/2); /* exact: n - 1; n >= 1 */
    tree(n - n/2); /* exact: n - 1; n >= 1 */
}

/* T(n) = 2 T(n/2) + n */
void merge(int n)
{
    if (n <= 1)
        return;
    merge(n/2);
    merge(n - n/2);
    for (int i = 0; i < n; i++)
        sum++; /* rounded: n*log2(n); n >= 2 */
}

/* T(n) = 4 T(n/2) + n */
void quarters(int n)
{
    for (int i = 0; i < n; i++)
        sum++; /* rounded: n*n; n >= 1 */
    if (n > 1)
        for (int i = 0; i < 4; i++)
            quarters(n/2);
}

/* T(n) = 3 T(n/2) + n, not n*log2(n) and not n*n */
void karatsuba(int n)
{
    for (int i = 0; i < n; i++)
        sum++; /* rounded: pow(n, log2(3)); n >= 1 */
    if (n <= 1)
        return;
    karatsuba(n/2);
    karatsuba(n/2);
    karatsuba(n/2);
}

/* T(n) = T(n/2) + n: linear, not n*log2(n) */
void prefix(int n)
{
    for (int i = 0; i < n; i++)
        sum++; /* rounded: n; n >= 1 */
    if (n > 1)
        prefix(n/2); /* rounded: log2(n); n >= 2 */
}

/* Exponential: no polynomial. */
void fibonacci(int n)
{
    if (n > 24)
        n = 24;
    if (n < 2)
        return;
    sum++; /* unknown */
    fibonacci(n - 1);
    fibonacci(n - 2);
}

static void odd(int n);

static void even(int n)
{
    sum++; /* for mutual exact: n < 0 ? 0 : floor(n/2) + 1 */
    if (n > 0)
        odd(n - 1);
}

static void odd(int n)
{
    sum--; /* for mutual exact: n < 0 ? 0 : floor((n + 1)/2) */
    if (n > 0)
        even(n - 1);
}

void mutual(int n)
{
    if (n >= 0)
        even(n); /* exact: n >= 0 ? 1 : 0 */
}

/* Range as two parameters. */
void range(int low, int high)
{
    if (high - low < 1)
        return;
    sum++; /* exact: high > low ? high - low : 0 */
    range(low + 1, high);
}

/* Depth by a parameter of its own that no loop sees. */
void depth_and_width(int depth, int n)
{
    if (depth <= 0)
        return;
    for (int i = 0; i < n; i++)
        sum++; /* exact: max(0, depth)*max(0, n) */
    depth_and_width(depth - 1, n);
}

/* Called at every turn: exponential in depth for two turns, linear for one. */
void turns(int depth)
{
    if (depth > 12)
        depth = 12;
    if (depth <= 0)
        return;
    for (int i = 0; i < 2; i++)
        turns(depth - 1); /* exact: depth <= 0 ? 0 : 2*(pow(2, min(depth, 12)) - 1) */
}

/* What ends it is a product, a sum, a root, a quotient: not 0. */
void cells(int cell, int n)
{
    sum++; /* exact: max(0, n*n - cell) + 1 */
    if (cell < n*n)
        cells(cell + 1, n);
}

void flood(int cell, int n, int m)
{
    if (cell >= n + m)
        return;
    sum++; /* exact: max(0, n + m - cell) */
    flood(cell + 1, n, m);
}

void divisors(int d, int n)
{
    if (d*d > n)
        return;
    sum++; /* rounded: sqrt(n) - d + 1; d >= 1; n >= d*d */
    divisors(d + 1, n);
}

void down_to(int n, int m)
{
    if (n <= m)
        return;
    sum++; /* at-most: n > 0 ? log2(n) + 1 : 0; m >= 1 */
    down_to(n/2, m);
}

void triangle(int i, int n)
{
    if (i >= n)
        return;
    for (int j = 0; j < i; j++)
        sum++; /* exact: (n*(n - 1) - i*(i - 1))/2; i >= 0; n >= i */
    triangle(i + 1, n);
}

/* Parts that are not equal. */
void uneven(int n)
{
    if (n < 1)
        return;
    sum++; /* at-most: 8*n; n >= 1 */
    uneven(n/2);
    uneven(n/4);
}
