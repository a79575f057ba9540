/* Multiplied, divided and squared variables. */
int sum;

void doubling(int n)
{
    for (long i = 1; i < n; i *= 2)
        sum++; /* rounded: log2(n); n >= 2 */
}

void doubling_exact(int n)
{
    for (long i = 1; i <= n; i *= 2)
        sum++; /* exact: floor(log2(n)) + 1; n >= 1 */
}

void halving(int n)
{
    while (n > 1) {
        n /= 2; /* exact: floor(log2(n)); n >= 1 */
        sum++; /* rounded: log2(n); n >= 2 */
    }
}

void shifting(unsigned n)
{
    while (n) {
        n >>= 1; /* exact: n == 0 ? 0 : floor(log2(n)) + 1 */
        sum++; /* rounded: log2(n); n >= 2 */
    }
}

/* From zero it would never grow: the start is not below one. */
void from_parameter(int a, int n)
{
    if (a < 1)
        a = 1; /* exact: a < 1 ? 1 : 0 */
    for (long i = a; i < n; i = 3*i)
        sum++; /* at-most: n > 1 ? log2(n)/log2(3) + 1 : 0 */
}

void n_log_n(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = n; j > 1; j /= 2)
            sum++; /* rounded: n*log2(n); n >= 2 */
}

/* Not n*log(n): the rows shrink. */
void geometric(int n)
{
    for (int i = n; i > 0; i /= 2)
        for (int j = 0; j < i; j++)
            sum++; /* rounded: n; n >= 1 */
}

/* Not n*log(n) either. */
void geometric_up(int n)
{
    for (long i = 1; i < n; i *= 2)
        for (int j = 0; j < i; j++)
            sum++; /* rounded: n; n >= 2 */
}

void harmonic(int n)
{
    for (int i = 1; i <= n; i++)
        for (int j = i; j <= n; j += i)
            sum++; /* rounded: n*log2(n); n >= 2 */
}

void harmonic_division(int n)
{
    for (int i = 1; i <= n; i++)
        for (int j = 0; j < n/i; j++)
            sum++; /* rounded: n*log2(n); n >= 2 */
}

void root(int n)
{
    for (long i = 0; i*i < n; i++)
        sum++; /* exact: n <= 0 ? 0 : ceil(sqrt(n)) */
}

void divisors(int n)
{
    for (long i = 1; i*i <= n; i++)
        if (n%i == 0) /* exact: floor(sqrt(n)); n >= 1 */
            sum++; /* at-most: sqrt(max(0, n)) */
}

void cube_root(int n)
{
    for (long i = 1; i*i*i <= n; i++)
        sum++; /* rounded: cbrt(n); n >= 1 */
}

/* Sums of 1 + 2 + … reach n after about sqrt(2*n) steps. */
void growing_step(int n)
{
    int s = 0;
    for (int i = 1; s < n; i++)
        s += i; /* rounded: sqrt(n); n >= 1 */
}

/* log2(log2(n)). */
void squaring(int n)
{
    for (long i = 2; i < n; i *= i)
        sum++; /* at-most: n > 2 ? log2(log2(n)) + 1 : 0 */
}

/* n to the power of log2(3), not n*log2(n). */
void powers_of_three(int n)
{
    long width = 1;
    for (int i = n; i > 1; i /= 2)
        width *= 3; /* exact: floor(log2(n)); n >= 1 */
    for (long i = 0; i < width; i++)
        sum++; /* rounded: pow(n, log2(3)); n >= 1024 */
}
