/* Calls: arguments that depend on loop variables, below zero, in callees that change what the caller sees. */
int sum;
int limit;

static void work(int n)
{
    for (int i = 0; i < n; i++)
        sum++; /* exact: max(0, n) | for calls exact: 2*max(0, n) | for triangle_of_calls exact: n*(n - 1)/2; n >= 0 | for descending_arguments exact: n >= 3 ? (n - 3)*(n - 2)/2 : 0 | for negative_arguments exact: 0; n >= 0 | for argument_with_effect exact: max(0, n)*(max(0, n) - 1)/2 | for in_condition exact: max(0, n) + 1; n >= 0 */
}

void calls(int n)
{
    work(n); /* exact: 1 */
    work(n); /* exact: 1 */
}

void triangle_of_calls(int n)
{
    for (int i = 0; i < n; i++)
        work(i); /* exact: max(0, n) */
}

/* i - 3 is negative for the first three. */
void descending_arguments(int n)
{
    for (int i = 0; i < n; i++)
        work(i - 2); /* exact: max(0, n) */
}

void negative_arguments(int n)
{
    for (int i = 0; i < n; i++)
        work(i - n); /* exact: max(0, n) */
}

void argument_with_effect(int n)
{
    while (n > 0)
        work(--n); /* exact: max(0, n) */
}

static int smaller(int i, int n)
{
    work(1); /* exact: 1 */
    return i < n; /* exact: 1 */
}

/* The call in the condition runs once more than the body. */
void in_condition(int n)
{
    for (int i = 0; smaller(i, n); i++)
        sum++; /* exact: max(0, n) */
}

static int doubled(int n)
{
    return 2*n; /* for returned exact: max(0, 2*n) + 1 */
}

void returned(int n)
{
    for (int i = 0; i < doubled(n); i++)
        sum++; /* exact: max(0, 2*n) */
}

/* Changes the bound of its callers. */
static void shrink(void)
{
    limit--; /* exact: 1 */
}

void bound_changed_in_callee(int n)
{
    limit = n; /* exact: 1 */
    for (int i = 0; i < limit; i++)
        shrink(); /* exact: floor((n + 1)/2); n >= 0 */
}

static void advance(int *place)
{
    *place += 1;
}

void variable_changed_in_callee(int n)
{
    for (int i = 0; i < n; i++) {
        sum++; /* exact: floor((n + 1)/2); n >= 0 */
        advance(&i); /* exact: floor((n + 1)/2); n >= 0 */
    }
}

/* Named like a variable of the caller, counts another thing. */
static void other(int m, int n)
{
    for (int i = 0; i < n; i++)
        sum++; /* exact: max(0, n) | for swapped exact: max(0, n) */
    for (int i = 0; i < m; i++)
        sum++; /* exact: max(0, m) | for swapped exact: max(0, m) */
}

void swapped(int n, int m)
{
    other(m, n); /* exact: 1 */
}

/* Only one of two callees runs. */
void one_of_two(int n, int which)
{
    if (which)
        work(n); /* exact: which ? 1 : 0 */
    else
        other(n, n); /* exact: which ? 0 : 1 */
}

/* A pointer to a function hides who is called. */
static void apply(void (*function)(int), int n)
{
    for (int i = 0; i < n; i++)
        function(i); /* for applied exact: max(0, n) */
}

void applied(int n)
{
    apply(work, n); /* exact: 1 */
}

/* Static variables keep what earlier calls left: the second call does nothing. */
static void first_time_only(int n)
{
    static int done;
    for (; done < n; done++)
        sum++; /* for memory exact: max(0, n) */
}

void memory(int n)
{
    first_time_only(n); /* exact: 1 */
    first_time_only(n); /* exact: 1 */
}

/* Loops of calls within loops of calls, the argument again a triangle. */
static void row(int n)
{
    for (int i = 1; i <= n; i++)
        work(i); /* exact: max(0, n) | for pyramid exact: n*(n - 1)/2; n >= 0 */
}

void pyramid(int n)
{
    for (int i = 0; i < n; i++)
        row(i); /* exact: max(0, n) */
}
