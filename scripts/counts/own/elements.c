/* Addresses of elements. The answers are not told here: what is said of them is judged. */
struct v { int n; int *data; int few[32]; };
int sum, all[4096];

void between(int *a, int n)
{
    for (int *p = &a[0]; p < &a[n]; p++)
        sum++;
}

void down(int *a, int n)
{
    for (int *p = &a[n - 1]; p >= a; p--)
        sum++;
}

void of_global(int n)
{
    for (int *p = all, *end = &all[n & 1023]; p != end; ++p)
        sum++;
}

void of_file(int n)
{
    for (int *p = &all[0]; p < &all[n]; p += 2)
        sum++;
}

static void run(int *from, int *to)
{
    while (from != to) {
        sum++;
        from++;
    }
}

void called(int *a, int n)
{
    if (n >= 0)
        run(&a[1], &a[n + 1]);
}

void rows(int n)
{
    int t[30][40];
    for (int (*row)[40] = &t[0]; row < &t[n & 15]; row++)
        for (int *p = &(*row)[0]; p < &(*row)[7]; p++)
            sum++;
}

void cast(int *a, int n)
{
    for (char *p = (char *)&a[0]; p < (char *)&a[n]; p++)
        sum++;
}

void of_doubles(int *a, int n)
{
    double *d = (double *)a;
    for (double *p = &d[0]; p < &d[n]; p++)
        sum++;
}

void of_both(int *a, int n)
{
    double *d = (double *)a;
    for (int *p = &a[0]; p < (int *)&d[n]; p++)
        sum++;
}

void member(struct v *v, int n)
{
    for (int *p = &v->few[0]; p < &v->few[n & 15]; p++)
        sum++;
}

void recursive(int *a, int n)
{
    sum++;
    if (n > 0)
        recursive(&a[1], n - 1);
}

void recursive_ends(int *a, int *end)
{
    sum++;
    if (a < end)
        recursive_ends(&a[1], end);
}
