/* Loops that were unrolled, that come from Fortran, and whose ends are computed in other ways. */
int sum;

void clean_up(int n)
{
    int i, m = n % 5;
    for (i = 0; i < m; i++)
        sum += i; /* exact: n - 5*floor(n/5); n >= 0 */
    for (i = m; i < n; i += 5)
        sum -= i; /* exact: floor(n/5); n >= 0 */
}

void clean_up_first(int n)
{
    int i, m, e;
    m = n % 3;
    if (m != 0) {
        e = m;
        for (i = 1; i <= e; i++)
            sum += i; /* exact: n - 3*floor(n/3); n >= 0 */
        if (n < 3)
            return;
    }
    for (i = m + 1; i <= n; i += 3)
        sum -= i; /* exact: floor(n/3); n >= 0 */
}

void whole_parts(int n)
{
    for (int i = 0; i < n - n % 4; i += 4)
        sum += i; /* exact: floor(n/4); n >= 0 */
}

/* As a condition the rest of a division decides as data do. */
void every_fourth(int n)
{
    if (n % 4 == 3)
        for (int i = 0; i < n; i++)
            sum += i; /* at-most: max(0, n) */
    if (n % 4)
        for (int i = 0; i < n; i++)
            sum += i; /* at-most: max(0, n) */
}

void step_of_two(int n)
{
    int s = 2;
    for (int i = 1; s < 0 ? i >= n : i <= n; i += s)
        sum += i; /* exact: floor((n + 1)/2); n >= 0 */
}

void step_down(int n)
{
    int s = -1;
    for (int i = n; s < 0 ? i >= 1 : i <= 1; i += s)
        sum += i; /* exact: n; n >= 0 */
}

void step_of_sign(int n, int s)
{
    for (int i = 1; s < 0 ? i >= n : i <= n; i += s)
        sum += i; /* exact: floor((n + s - 1)/s); s >= 1 && n >= 1 */
}

void bits(int n)
{
    while (n >>= 1)
        sum++; /* rounded: log2(n); n >= 2 */
}

void digits(int n)
{
    while (n /= 10)
        sum++; /* rounded: log2(n); n >= 10 */
}

void half_way(int n)
{
    for (int i = 0; i < 0.5*n; i++)
        sum += i; /* exact: floor((n + 1)/2); n >= 0 */
    for (int i = 1; i <= n/4.0; i++)
        sum += i; /* exact: floor(n/4); n >= 0 */
    for (int i = 0; i < 1.5*n + 0.25; i++)
        sum += i; /* exact: floor((6*n + 4)/4); n >= 0 */
}

/* Below 1 the difference would be a large number. */
void natural_half(unsigned n)
{
    for (unsigned i = 1; i <= (n - 1)/2; i++)
        sum += i; /* exact: floor((n - 1)/2); n >= 1 */
}

void packed(int n)
{
    int kk = 1;
    for (int j = 1; j <= n; j++) {
        int e = kk + j - 1;
        for (int k = kk; k <= e; k++)
            sum += k; /* exact: n*(n + 1)/2; n >= 0 */
        kk += j;
    }
}

void packed_lower(int n)
{
    int kk = 0;
    for (int j = 0; j < n; j++) {
        for (int k = kk; k < kk + n - j; k++)
            sum += k; /* exact: n*(n + 1)/2; n >= 0 */
        kk += n - j;
    }
}

/* The sum of the rows before. */
void all_before(int n)
{
    int kk = 0;
    for (int j = 0; j < n; j++) {
        for (int k = 0; k < kk; k++)
            sum += k; /* exact: (n*n*n - 3*n*n + 2*n)/6; n >= 0 */
        kk += j;
    }
}

/* What is added has gone on by then. */
void late(int n)
{
    int j = 0, kk = 0;
    while (j < n) {
        j++;
        kk += j;
        for (int k = 0; k < kk; k++)
            sum += k; /* exact: n*(n + 1)*(n + 2)/6; n >= 0 */
    }
}

void in_the_step(int n)
{
    int kk = 0;
    for (int j = 0; j < n; j++, kk += j)
        for (int k = 0; k < kk; k++)
            sum += k; /* exact: n*(n + 1)*(n - 1)/6; n >= 0 */
}
