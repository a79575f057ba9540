/* Nests whose inner bounds depend on outer variables. Polynomials that hold for n >= 0 need not hold below, and empty rows count 0. */
int sum;

void triangle(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i; j++)
            sum += j; /* exact: n*(n - 1)/2; n >= 0 */
}

void triangle_with_diagonal(int n)
{
    for (int i = 1; i <= n; i++) {
        sum++; /* exact: max(0, n) */
        for (int j = i; j <= n; j++)
            sum += j; /* exact: n*(n + 1)/2; n >= 0 */
    }
}

/* Rows of the upper half are empty: from j = 2*i on. */
void half_empty(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 2*i; j < n; j++)
            sum += j; /* exact: floor((n + 1)/2)*(n + 1 - floor((n + 1)/2)); n >= 0 */
}

/* The first rows are empty: bounded below by -3. */
void late_rows(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 3; j < i; j++)
            sum += j; /* exact: max(0, n - 3)*max(0, n - 4)/2 */
}

void tetrahedron(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j <= i; j++)
            for (int k = i; k > j; k--)
                sum += k; /* exact: (n*n*n - n)/6; n >= 0 */
}

/* Inner bound n - i may be negative where m > n. */
void trapezoid(int n, int m)
{
    for (int i = 0; i < m; i++)
        for (int j = 0; j < n - i; j++)
            sum += j; /* exact: m*n - m*(m - 1)/2; n >= m && m >= 0 */
}

/* Inner begin depends on a variable that stands still: its loop is empty for small m only. */
void strip(int n, int m)
{
    for (int i = 0; i < n; i++) {
        for (int j = m; j < 10; j++)
            sum++; /* exact: max(0, n)*max(0, 10 - m) */
        sum--; /* exact: max(0, n) */
    }
}

/* Both ends move: a band of constant width. */
void band(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = i - 2; j <= i + 2; j++)
            if (j >= 0 && j < n) /* exact: 5*max(0, n) */
                sum++; /* exact: 5*n - 6; n >= 2 */
}

void squares(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < i*i; j++)
            sum++; /* exact: (n - 1)*n*(2*n - 1)/6; n >= 0 */
}
