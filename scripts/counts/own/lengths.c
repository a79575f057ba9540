/* Arrays whose length variables say, whose sizes are no constants, and what divisions leave over. */

long fill(int n)
{
    int a[n];
    long c = 0;
    for (unsigned i = 0; i < sizeof(a)/sizeof(a[0]); i++) {
        a[i] = 1;
        c++; /* exact: n */
    }
    return c;
}

long over_row(int n, int (*a)[n])
{
    long c = 0;
    for (unsigned i = 0; i < sizeof *a/sizeof **a; i++)
        c++; /* exact: n */
    return c;
}

long rows(int n, int a[n][n])
{
    long c = 0;
    for (unsigned i = 0; i < sizeof(a[0])/sizeof(int); i++)
        c++; /* exact: n */
    return c;
}

long of_type(int n)
{
    long c = 0;
    for (unsigned i = 0; i < sizeof(int[n])/sizeof(int); i++)
        c++; /* exact: n */
    return c;
}

long rest(int n, int b)
{
    long c = 0;
    for (int k = n/b*b; k < n; k++)
        c++; /* exact: n - n/b*b if n > n/b*b else 0 */
    return c;
}

long blocks(int n, int b)
{
    long c = 0;
    for (int i = 0; i < n/b; i++)
        for (int k = 0; k < b; k++)
            c++; /* unknown */
    for (int k = n - n%b; k < n; k++) {
    }
    for (int k = n/b*b; k < n; k++) {
    }
    return c;
}
