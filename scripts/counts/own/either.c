/* Loops that go on while one of several variables is not at its end: each way through them steps one that is before it, or seems to. */
int sum;

void merged(int n, int m, const int *a, const int *b, int *c)
{
    int i = 0, j = 0, k = 0;
    while (i < n || j < m) {
        sum++; /* exact: n + m; n >= 0; m >= 0 */
        if (j >= m || (i < n && a[i] <= b[j]))
            c[k++] = a[i++]; /* exact: n; n >= 0; m >= 0 */
        else
            c[k++] = b[j++]; /* exact: m; n >= 0; m >= 0 */
    }
}

void merged_from(int i, int n, int j, int m, const int *a, const int *b, int *c)
{
    int k = 0;
    while (i < n || j < m) {
        sum++; /* exact: n - i + m - j; n >= i; m >= j */
        c[k++] = i >= n || (j < m && a[i & 63] > b[j & 63]) ? b[j++ & 63] : a[i++ & 63];
    }
}

void added(int n, int m, const int *a, const int *b)
{
    int i = n - 1, j = m - 1;
    while (i >= 0 || j >= 0) {
        sum++; /* at-most: (n > 0 ? n : 0) + (m > 0 ? m : 0) */
        if (i >= 0)
            sum += a[i--]; /* at-most: n > 0 ? n : 0 */
        if (j >= 0)
            sum += b[j--]; /* at-most: m > 0 ? m : 0 */
    }
}

void of_three(int n, int m, int l, const int *a)
{
    int i = 0, j = 0, k = 0;
    for (;;) {
        sum++; /* exact: n + m + l + 1; n >= 0; m >= 0; l >= 0 */
        if (i >= n && j >= m && k >= l)
            break;
        if (i != n && (j == m || a[i] > 0))
            i++;
        else if (j != m)
            j++;
        else
            k++;
    }
}

void of_unsigned(unsigned n, unsigned m, const int *a)
{
    unsigned i = 0, j = 0;
    while (i < n || j < m) {
        sum++; /* exact: n + m */
        if (j == m || (i < n && a[i & 63] > 1))
            i++;
        else
            j++;
    }
}

void leaves(int n, int m, const int *a)
{
    int i = 0, j = 0;
    while (i < n || j < m) {
        sum++; /* at-most: (n > 0 ? n : 0) + (m > 0 ? m : 0) */
        if (a[i & 63] == 3)
            return;
        if (i < n)
            i++;
        else
            j++;
    }
}

/* One may pass its end; the test of a way is late by one, or has moved it; a signed one below 0 is above an unsigned one. */
void passes(int n, int m, const int *a)
{
    int i = 0, j = 0, rounds = 0;
    while ((i < n || j < m) && rounds < 300) {
        sum++; /* at-most: 300 */
        rounds++;
        if (a[i & 31] == 2)
            i++;
        else
            j++;
    }
}

void passes_by_one(int n, int m)
{
    int i = 0, j = 0;
    while (i < n || j < m) {
        sum++; /* unknown */
        if (i <= n)
            i++;
        else
            j++;
    }
}

void moved_by_the_test(int n, int m)
{
    int i = 0, j = 0;
    while (i < n || j < m) {
        sum++; /* unknown */
        if (i++ >= n)
            j++;
    }
}

void stays(int n, int m, const int *a)
{
    int i = 0, j = 0, rounds = 0;
    while ((i < n || j < m) && rounds < 300) {
        sum++; /* at-most: 300 */
        rounds++;
        if (i < n)
            i++;
        else if (a[j & 31] == 1)
            j++;
    }
}

void mixed(int i, unsigned n, int m)
{
    int j = 0;
    while (i < n || j < m) {
        sum++; /* unknown */
        if (i < n)
            i++;
        else
            j++;
    }
}

void mixed_in_the_test(int i, unsigned n, int m)
{
    int j = 0;
    while (i < n || j < m) {
        sum++; /* unknown */
        if (j < m)
            j++;
        else
            i++;
    }
}

void end_that_goes_along(int n, int m)
{
    int i = 0, j = 0;
    while (i < n || j < m) {
        sum++; /* unknown */
        if (i < n)
            i++;
        else {
            j++;
            if (n < 20)
                n++;
        }
    }
}
