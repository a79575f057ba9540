/* Bounds and variables that change while the loop runs: what stands in the header is not what counts. */
int sum;

void bound_shrinks(int n)
{
    for (int i = 0; i < n; i++)
        n--; /* exact: floor((n + 1)/2); n >= 0 */
}

void bound_grows(int n)
{
    int bound = n;
    for (int i = 0; i < bound; i += 2)
        bound++; /* exact: max(0, n) */
}

/* Once, and then the bound is gone. */
void bound_cleared(int n)
{
    for (int i = 0; i < n; i++) {
        sum++; /* exact: n > 0 ? 1 : 0 */
        n = 0; /* exact: n > 0 ? 1 : 0 */
    }
}

/* After the loop n is not what it was. */
void bound_changed_between(int n)
{
    for (int i = 0; i < n; i++)
        sum++; /* exact: max(0, n) */
    n = n*2; /* exact: 1 */
    for (int i = 0; i < n; i++)
        sum++; /* exact: max(0, 2*n) | loop exact: max(0, n) */
}

/* The inner loop changes the outer variable: linear, not quadratic. */
void inner_advances(int n)
{
    for (int i = 0; i < n; i++)
        for (; i < n; i++)
            sum++; /* exact: max(0, n) */
}

/* The same variable in both loops. */
void same_variable(int n)
{
    int i;
    for (i = 0; i < n; i++)
        for (i = i; i < n/2; i++)
            sum++; /* exact: floor(n/2); n >= 0 */
}

/* j is not set back: linear in all. */
void not_reset(int n)
{
    int j = 0;
    for (int i = 0; i < n; i++)
        while (j < n) {
            sum++; /* exact: max(0, n) */
            j++; /* exact: max(0, n) */
        }
}

/* Two pointers that meet. */
void two_variables(int n)
{
    for (int i = 0, j = n; i < j; i++, j--)
        sum++; /* exact: floor((n + 1)/2); n >= 0 */
}

void two_variables_apart(int n, int m)
{
    int i = 0, j = 0;
    while (i < n && j < m) {
        sum++; /* exact: max(0, min(n, m)) */
        i++; /* exact: max(0, min(n, m)) */
        j++; /* exact: max(0, min(n, m)) */
    }
    while (i < n)
        i++; /* exact: max(0, n) - max(0, min(n, m)) */
}

void either(int n, int m)
{
    for (int i = 0; i < n || i < m; i++)
        sum++; /* exact: max(0, max(n, m)) */
}

/* The comma's last operand decides, the first is no condition. */
void comma_condition(int n, int m)
{
    for (int i = 0; i < n, i < m; i++)
        sum++; /* exact: max(0, m) */
}

void condition_with_effect(int n)
{
    int i = 0;
    while (i++ < n)
        sum += i; /* exact: max(0, n) */
    sum = i; /* exact: 1 */
}

void shadowed(int n, int m)
{
    for (int i = 0; i < n; i++) {
        int n = m; /* exact: max(0, n) */
        for (int j = 0; j < n; j++)
            sum++; /* exact: max(0, n)*max(0, m) */
    }
}

void shadowed_loop_variable(int n)
{
    for (int i = 0; i < n; i++)
        for (int i = 0; i < 3; i++)
            sum++; /* exact: 3*max(0, n) */
}

/* Reset to a parameter halfway through. */
void rewinds_once(int n)
{
    int again = 1;
    for (int i = 0; i < n; i++) {
        sum++; /* exact: n > 5 ? n + 6 : max(0, n) */
        if (i == 5 && again) {
            again = 0; /* exact: n > 5 ? 1 : 0 */
            i = -1; /* exact: n > 5 ? 1 : 0 */
        }
    }
}

/* The bound is a variable that another statement of the body sets to data. */
void bound_is_data(int *data, int n)
{
    for (int i = 0; i < n; i++) {
        int width = data[i & 1023] & 15; /* exact: max(0, n) */
        for (int j = 0; j < width; j++)
            sum++; /* at-most: 15*max(0, n) */
    }
}

/* min(n, m) by ternary, nested. */
void ternary(int n, int m, int k)
{
    int bound = n < m ? n < k ? n : k : m < k ? m : k;
    for (int i = 0; i < bound; i++)
        sum++; /* exact: max(0, min(n, min(m, k))) */
}

/* Steps back and forth: 2 forward, 1 back. */
void back_and_forth(int n)
{
    int i = 0;
    while (i < n) {
        i += 2; /* exact: max(0, n) */
        i--; /* exact: max(0, n); n >= 0 */
    }
}
