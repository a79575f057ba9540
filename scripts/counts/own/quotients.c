/* Parts of n for p processors, and quotients that C rounds towards 0. */
int sum;

void own_part(int n, int p)
{
    int part = n/p;
    for (int i = 0; i < part; i++)
        sum += i; /* exact: n//p; n >= 0; p >= 1 */
}

void begun_parts(int n, int p, int rank)
{
    int part = (n + p - 1)/p;
    int begin = rank*part, end = begin + part < n ? begin + part : n;
    for (int i = begin; i < end; i++)
        sum += i; /* exact: max(0, min(n, (rank + 1)*((n + p - 1)//p)) - rank*((n + p - 1)//p)); n >= 1; p >= 1; rank >= 0 */
}

void rows_of_a_part(int n, int m, int p)
{
    for (int i = 0; i < n/p; i++)
        for (int j = 0; j < m; j++)
            sum += j; /* exact: max(0, m)*(n//p); n >= 0; p >= 1 */
}

void blocks_of_a_transform(int n)
{
    int k, blocks, block, j;
    for (k = 2; k <= n; k *= 2) {
        blocks = n/k;
        for (block = 0; block < blocks; block++)
            for (j = 0; j < k/2; j++)
                sum += j; /* rounded: n*log2(n); n >= 2 */
    }
}

void harmonic(int n)
{
    for (int k = 1; k <= n; k++)
        for (int j = 0; j < n/k; j++)
            sum += j; /* rounded: n*log2(n + 1); n >= 2 */
}

/* Most of the quotients are 0 where m is large. */
void harmonic_beyond(int n, int m)
{
    for (int k = 1; k <= m; k++)
        for (int j = 0; j < n/k; j++)
            sum += j; /* at-most: n*(log2(m) + 1); n >= 1; m >= 1 */
}

void both_ways(int n, int p)
{
    for (int i = n/p; i < n; i++)
        sum += i; /* exact: n - n//p; n >= 0; p >= 1 */
}

/* Negative numbers are rounded upwards. */
void below_zero(int n, int p)
{
    for (int i = 0; i < 10 + n/p; i++)
        sum += i; /* exact: 10 + n//p; n >= 0; p >= 1 */
}

void without_a_rest(int n, int p)
{
    int product = n*p;
    for (int i = 0; i < product/p; i++)
        sum += i; /* exact: max(0, n) */
}

void twice(int n, int p, int q)
{
    int part = n/p/q;
    while (part-- > 0)
        sum++; /* exact: n//p//q; n >= 0; p >= 1; q >= 1 */
}

void unsigned_parts(unsigned n, unsigned p)
{
    for (unsigned i = 0; i < n/p; i++)
        sum += i; /* exact: n//p; p >= 1 */
}

void changes(int n, int p)
{
    int part = n/p;
    p = 3;
    for (int i = 0; i < part; i++)
        sum += i; /* exact: n//p; n >= 0; p >= 1 */
}

void steps_of_a_part(int n, int p)
{
    int part = n/p;
    for (int i = 0; i < n; i += part)
        sum += i; /* at-most: 2*p + 1; n >= p; p >= 1 */
}

void from_a_quotient(int m, int *a)
{
    for (int i = 0; i < 10; i++)
        for (int j = i/4; j < m; j++)
            if (a[j])
                sum++; /* at-most: 4*max(0, m) + 4*max(0, m - 1) + 2*max(0, m - 2) */
}

/* From below 0, where C rounds upward. */
void from_below_zero(int n, int m)
{
    for (int i = (m - n)/2; i < 0; i++)
        sum++; /* exact: n > m ? floor((n - m)/2) : 0 */
}
