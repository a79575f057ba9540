/* Steps other than one, descending loops, bounds that are not met exactly. */
int sum;

void step_three(int n)
{
    for (int i = 0; i < n; i += 3)
        sum += i; /* exact: floor((n + 2)/3); n >= 0 */
}

void step_three_closed(int n)
{
    for (int i = 0; i <= n; i += 3)
        sum += i; /* exact: floor(n/3) + 1; n >= 0 */
}

void step_from(int a, int b)
{
    for (int i = a; i < b; i += 4)
        sum += i; /* exact: max(0, floor((b - a + 3)/4)) */
}

void descending(int n)
{
    for (int i = n; i > 0; i--)
        sum += i; /* exact: max(0, n) */
}

void descending_closed(int n)
{
    for (int i = n; i >= 0; i -= 2)
        sum += i; /* exact: max(0, floor(n/2) + 1) */
}

/* Half of n rounds towards zero in C, also below zero. */
void half(int n)
{
    for (int i = -2; i < n/2; i++)
        sum += i; /* exact: floor(n/2) + 2; n >= 0 */
}

/* The bound is what is left of n. */
void rest(int n)
{
    for (int i = 0; i < n%4; i++)
        sum += i; /* at-most: 3 */
}

/* A step that is a parameter would not end below one. */
void step_of_parameter(int n, int s)
{
    if (s < 1)
        return;
    for (int i = 0; i < n; i += s)
        sum += i; /* exact: floor((n + s - 1)/s); s >= 1 && n >= 0 */
}

void two_steps(int n)
{
    for (int i = 0; i < n; i++) {
        i++; /* exact: floor((n + 1)/2); n >= 0 */
        sum += i; /* exact: floor((n + 1)/2); n >= 0 */
    }
}

/* Not equal: met only by the right remainder, so the guard makes it end. */
void not_equal(int n)
{
    if (n < 0)
        return; /* exact: n < 0 ? 1 : 0 */
    for (int i = 0; i != 3*n; i += 3)
        sum += i; /* exact: max(0, n) */
}

void not_equal_down(int n)
{
    if (n < 0)
        n = -n; /* exact: n < 0 ? 1 : 0 */
    for (int i = n; i != 0; i--)
        sum += i; /* exact: abs(n) */
}

/* The test stands at the end: once at least. */
void once_at_least(int n)
{
    int i = 0; /* exact: 1 */
    do {
        sum += i; /* exact: max(1, n) */
        i++; /* exact: max(1, n) */
    } while (i < n);
}

void post_decrement(int n)
{
    if (n < 0)
        return;
    while (n--)
        sum += n; /* exact: max(0, n) */
}

void pre_decrement(int n)
{
    while (--n > 0)
        sum += n; /* exact: max(0, n - 1) */
}

void post_decrement_positive(int n)
{
    while (n-- > 0)
        sum += n; /* exact: max(0, n) */
    sum = n; /* exact: 1 */
}

/* After the first loop n is spent; the second sees -1. */
void spent(int n)
{
    while (n-- > 0)
        sum++; /* exact: max(0, n) */
    for (int i = 0; i < n + 3; i++)
        sum--; /* exact: 2; n >= 0 */
}
