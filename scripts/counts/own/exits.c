/* Ways out before the bound: what follows runs less often than the loop's bound says. */
int sum;

void break_at_constant(int n)
{
    for (int i = 0; i < n; i++) {
        sum++; /* exact: max(0, min(n, 8)) */
        if (i == 7) /* exact: max(0, min(n, 8)) */
            break;
        sum--; /* exact: max(0, min(n, 7)) */
    }
}

void break_at_parameter(int n, int m)
{
    for (int i = 0; i < n; i++) {
        if (i >= m)
            break;
        sum++; /* exact: max(0, min(n, m)) */
    }
}

/* The break ends the inner loop only. */
void break_inner(int n)
{
    for (int i = 0; i < n; i++) {
        for (int j = 0; j < n; j++) {
            if (j > i)
                break;
            sum++; /* exact: n*(n + 1)/2; n >= 0 */
        }
        sum--; /* exact: max(0, n) */
    }
}

void found(int *data, int n)
{
    int i;
    for (i = 0; i < n; i++)
        if (data[i & 1023] > 3) /* at-most: max(0, n) */
            break;
    for (; i < n; i++)
        sum++; /* at-most: max(0, n) */
}

int early_return(int *data, int n)
{
    for (int i = 0; i < n; i++)
        if (data[i & 1023] == 9)
            return i; /* at-most: 1 */
    sum++; /* at-most: 1 */
    return -1;
}

/* Guard before the loop: not n, where n is large. */
void guarded(int n)
{
    if (n > 12)
        return;
    for (int i = 0; i < n; i++)
        sum++; /* exact: n > 12 ? 0 : max(0, n) */
}

void continued(int n)
{
    for (int i = 0; i < n; i++) {
        if (i%2)
            continue;
        sum++; /* exact: floor((n + 1)/2); n >= 0 */
    }
}

void continued_triangle(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (j < i)
                continue;
            sum++; /* exact: n*(n + 1)/2; n >= 0 */
        }
}

/* continue in a do-while goes to the test, not to the top. */
void continued_do(int n)
{
    int i = 0;
    do {
        i++; /* exact: max(1, n) */
        if (i > 0)
            continue;
        sum++; /* exact: 0 */
    } while (i < n);
}

/* continue in a while skips what makes it end, so it was moved first. */
void continued_while(int n)
{
    int i = 0;
    while (i < n) {
        i++; /* exact: max(0, n) */
        if (i > 5)
            continue;
        sum++; /* exact: max(0, min(n, 5)) */
    }
}

/* A bound that is data. */
void data_dependent(int *data, int n)
{
    for (int i = 0; i < n; i++)
        if (data[i & 1023]) /* exact: max(0, n) */
            for (int j = 0; j < n; j++)
                sum++; /* at-most: max(0, n)*max(0, n) */
}

/* Of both arms one runs: neither runs n times. */
void both_arms(int n)
{
    for (int i = 0; i < n; i++)
        if (i < 4)
            sum++; /* exact: max(0, min(n, 4)) */
        else
            sum--; /* exact: max(0, n - 4) */
}

/* Never equal for even n. */
void once(int n)
{
    for (int i = 0; i < n; i++)
        if (2*i == n)
            sum++; /* at-most: 1 */
}

void unreachable(int n)
{
    for (int i = 0; i < n; i++) {
        sum++; /* exact: max(0, min(1, n)) */
        return;
        sum--; /* exact: 0 */
    }
}
