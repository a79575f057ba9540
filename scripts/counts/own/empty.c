/* Loops whose bodies are empty in some way: each iteration tests the condition and goes a step. What it changes stands behind. */

int sum;

void counted_by_braces(int n)
{
    for (int i = 0; i < n; i++) {
        int j;
        for (j = 0; j < n; sum++, j++) {
        }
        sum += j; /* exact: n if n > 0 else 0 */
    }
}

int search(int n, int m, const int *a)
{
    int hits = 0;
    for (int i = 0; i < n; i++) {
        int j;
        for (j = 0; j < m && a[j & 255] != i; j++) { }
        hits += j < m; /* exact: n if n > 0 else 0 */
    }
    return hits;
}

int nested_braces(int n)
{
    int i;
    for (i = 0; i < n; i++) {{ }}
    while (i > 0) { /* nothing */ ; ; i--; } /* exact: n if n > 0 else 0 */
    return i;
}

int declarations_only(int n, int m)
{
    int c = 0;
    for (int i = 0; i < n; i++)
        for (int j = 0; j < m; c += j, j++) { int unused; static int kept = 0; }
    return c; /* exact: 1 */
}

int with_label(int n)
{
    int i = 0;
    while (i++ < n) { next: ; }
    if (i < 0)
        goto next; /* unknown */
    return i;
}

int until(int n, const int *a)
{
    int c = 0;
    for (int i = 0; i < n; i++) {
        int j = 0;
        do { } while (a[j++ & 255] != i && j < n);
        c += j; /* exact: n if n > 0 else 0 */
    }
    return c;
}

/* The condition calls what is counted: once more than there are iterations. */
static int below(int i, int n)
{
    return i < n; /* for calling at-most: n + 1 if n >= 0 else 1 */
}

int calling(int n)
{
    int i = 0;
    while (i < n && below(i, n)) { i++; }
    for (i = 0; i < n && below(i, n); i++) { }
    return i;
}

int chains(const int *next, int n)
{
    int c = 0;
    for (int i = 0; i < n; i++) {
        int k = i & 255;
        for (; next[k] > k && k < 255; k++) {}
        c += k; /* exact: n if n > 0 else 0 */
    }
    return c;
}
