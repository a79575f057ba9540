/* goto, switch, and loops that are none. */
int sum;

void by_goto(int n)
{
    int i = 0;
again:
    if (i >= n) /* exact: max(0, n) + 1 */
        return;
    sum++; /* exact: max(0, n) */
    i++; /* exact: max(0, n) */
    goto again;
}

void into_a_loop(int n)
{
    int i = 5;
    if (n > 10)
        goto inside;
    for (i = 0; i < n; i++) {
        sum++; /* exact: n > 10 ? n - 6 : max(0, n) */
    inside:
        sum--; /* exact: n > 10 ? n - 5 : max(0, n) */
    }
}

void out_of_two(int n)
{
    for (int i = 0; i < n; i++)
        for (int j = 0; j < n; j++) {
            if (i*j == 6)
                goto out;
            sum++; /* at-most: max(0, n)*max(0, n) */
        }
out:
    sum--; /* exact: 1 */
}

void cases(int n, int which)
{
    switch (which) {
    case 0:
        for (int i = 0; i < n; i++)
            sum++; /* exact: which == 0 ? max(0, n) : 0 */
        break;
    case 1:
        sum++; /* exact: which == 1 ? 1 : 0 */
        /* falls through */
    case 2:
        for (int i = 0; i < n; i++)
            sum--; /* exact: which == 1 || which == 2 ? max(0, n) : 0 */
        break;
    default:
        sum += 2; /* exact: which < 0 || which > 2 ? 1 : 0 */
    }
}

/* break of the switch, continue of the loop. */
void switch_in_loop(int n)
{
    for (int i = 0; i < n; i++) {
        switch (i & 3) {
        case 0:
            continue;
        case 1:
            break;
        default:
            sum++; /* exact: 2*floor(n/4) + max(0, n%4 - 2); n >= 0 */
        }
        sum--; /* exact: n - floor((n + 3)/4); n >= 0 */
    }
}

/* Duff's device: a loop in a switch. */
void device(int n)
{
    if (n <= 0)
        return;
    int turns = (n + 3)/4;
    switch (n%4) {
    case 0:
        do {
            sum++; /* exact: floor(n/4); n >= 0 */
    case 3:
            sum++; /* exact: floor((n + 1)/4); n >= 0 */
    case 2:
            sum++; /* exact: floor((n + 2)/4); n >= 0 */
    case 1:
            sum++; /* exact: floor((n + 3)/4); n >= 0 */
        } while (--turns > 0);
    }
}

void never(int n)
{
    while (0)
        sum++; /* exact: 0 */
    do
        sum++; /* exact: 1 */
    while (0);
    for (; n > 0;) {
        sum--; /* exact: n > 0 ? 1 : 0 */
        break;
    }
}

void forever(int n)
{
    int i = 0;
    for (;;) {
        if (i >= n)
            break;
        i++; /* exact: max(0, n) */
    }
    while (1) {
        if (--i < 0) /* exact: max(0, n) + 1 */
            return;
        sum++; /* exact: max(0, n) */
    }
}

/* A body that is empty, with the work in the header. */
int empty_body(int n)
{
    int i;
    for (i = 0; i < n; i++)
        ;
    while (i-- > 0)
        ;
    sum = i; /* exact: 1 */
    return i;
}

void logical(int n, int m)
{
    for (int i = 0; i < n; i++)
        if (i < m && i%2 == 0) /* exact: max(0, n) */
            sum++; /* exact: floor((max(0, min(n, m)) + 1)/2) */
}

void negated(int n)
{
    for (int i = 0; !(i >= n); i++)
        sum++; /* exact: max(0, n) */
}

void reversed(int n)
{
    for (int i = 0; n > i; i++)
        sum++; /* exact: max(0, n) */
}

void stopped_by_flag(int n)
{
    int going = 1;
    for (int i = 0; going && i < n; i++) {
        sum++; /* exact: max(0, min(n, 4)) */
        if (i == 3)
            going = 0;
    }
}

/* Once the flag falls the inner loop is skipped, the outer one is not. */
void flag_of_outer(int n)
{
    int first = 1;
    for (int i = 0; i < n; i++) {
        if (first)
            for (int j = 0; j < n; j++)
                sum++; /* exact: max(0, n) */
        first = 0; /* exact: max(0, n) */
    }
}

/* A step that is left out now and then. */
void step_behind_continue(int n, int *a)
{
    for (int i = 0; i < n; i++) {
        sum++; /* at-most: max(0, n) */
        if (a[i])
            continue;
        i++;
    }
}

void breaks_off(int n, int m)
{
    for (int i = 0; i < n; i++) {
        sum++; /* at-most: max(0, n) */
        if (i >= m)
            break;
        sum--; /* at-most: max(0, n) */
    }
    for (int i = n; i > 0; i--) {
        sum++; /* at-most: max(0, n) */
        if (i < m)
            return;
    }
}
