/* What functions of the file return is a number that loops may end at. */
int sum, width;

static int part_of(int n, int p)
{
    return n/p;
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

static int least_by_branches(int a, int b)
{
    if (a < b)
        return a;
    return b;
}

static int begun(int p, int rank, int n)
{
    return (n + p - rank - 1)/p;
}

static int of_a_global(int n)
{
    return n*width;
}

static int counted(int n)
{
    sum++;
    width++;
    return n + width;
}

static double real_half(int n)
{
    return n;
}

static short narrow(int n)
{
    return n;
}

static unsigned without_sign(int n)
{
    return n - 5;
}

static int kept(int n)
{
    static int last;
    last += n;
    return last;
}

static int *address(int *a, int n)
{
    return a + n;
}

static int through(int *n)
{
    return *n + 1;
}

static int by_a_loop(int n)
{
    int i = 0;
    while (i < n)
        i++;
    return i;
}

static int early(int n)
{
    if (n > 10)
        return 3;
    n++;
    return n;
}

static int most_by_branches(int a, int b)
{
    if (a < b) {
        return b;
    } else {
        return a;
    }
}

static int between(int n, int low, int high)
{
    if (n < low)
        return low;
    if (n > high)
        return high;
    return n;
}

/* Which one of equal values it is does not matter. */
static int same_either_way(int n, int flag)
{
    if (flag)
        return n + 1;
    return 1 + n;
}

/* Not the lesser one: the other way round, or of other values. */
static int first_or_less(int a, int b, int c)
{
    if (a < b)
        return a;
    return c;
}

static int in_a_loop(int a, int b, int n)
{
    if (a < b)
        return a;
    for (int i = 0; i < n; i++) {
        if (i == 3)
            continue;
        return b;
    }
    return 2*b;
}

static int changed_between(int a, int b)
{
    if (a < b)
        return a;
    b = b + 1;
    return b;
}

static int nested(int a, int b, int c)
{
    if (a < b) {
        if (a < c)
            return a;
    }
    return b;
}

static int one_way_only(int a, int b)
{
    if (a < b) {
        sum++;
    } else {
        return b;
    }
    return a;
}

static int always(int n)
{
    if (sizeof(int) > 1)
        return n;
    return 7;
}

static int ended(int a, int b)
{
    if (a < b)
        return a;
    if (b < 0)
        return 0;
    return b;
}

void by_a_quotient(int n, int p)
{
    for (int i = 0; i < part_of(n, p); i++)
        sum += i; /* exact: n//p; n >= 0; p >= 1 */
}

void by_another_order(int n, int p, int rank)
{
    int nloc = begun(p, rank, n);
    for (int i = 0; i < nloc; i++)
        sum += i; /* exact: (n + p - rank - 1)//p; rank >= 0; p > rank; n >= 0 */
}

void by_the_least(int n, int m)
{
    for (int i = least(3, n); i < least(n, m); i++)
        sum += i; /* exact: max(0, min(n, m) - min(3, n)) */
}

void by_branches(int n, int m)
{
    for (int i = 0; i < least_by_branches(n, m); i++)
        sum += i; /* exact: max(0, min(n, m)) */
}

void by_the_most(int n, int m)
{
    for (int i = 0; i < most_by_branches(n, m); i++)
        sum += i; /* exact: max(0, max(n, m)) */
}

void by_both_ends(int n, int m)
{
    for (int i = 0; i < between(n, 2, m + 2); i++)
        sum += i; /* exact: max(2, min(n, m + 2)); m >= 0 */
}

void by_the_same(int n, int flag)
{
    for (int i = 0; i < same_either_way(n, flag); i++)
        sum += i; /* exact: max(0, n + 1) */
}

void by_another_one(int n, int m, int k)
{
    for (int i = 0; i < first_or_less(n, m, k); i++)
        sum += i; /* exact: max(0, n if n < m else k) */
}

void by_one_in_a_loop(int n, int m, int k)
{
    for (int i = 0; i < in_a_loop(n, m, k); i++)
        sum += i; /* exact: max(0, n if n < m else m if k > 0 else 2*m) */
}

void by_one_that_changed(int n, int m)
{
    for (int i = 0; i < changed_between(n, m); i++)
        sum += i; /* exact: max(0, n if n < m else m + 1) */
}

void by_a_nested_one(int n, int m, int k)
{
    for (int i = 0; i < nested(n, m, k); i++)
        sum += i; /* exact: max(0, n if n < m and n < k else m) */
}

void by_one_way(int n, int m)
{
    int k = one_way_only(n, m);
    for (int i = 0; i < k; i++)
        sum += i; /* exact: max(0, min(n, m)) */
}

void by_what_always_holds(int n)
{
    for (int i = 0; i < always(n); i++)
        sum += i; /* exact: max(0, n) */
}

void by_three(int n, int m)
{
    for (int i = 0; i < ended(n, m); i++)
        sum += i; /* exact: max(0, n if n < m else max(0, m)) */
}

void by_a_global_before(int n)
{
    int m = of_a_global(n);
    width = 1000;
    for (int i = 0; i < m; i++)
        sum += i; /* exact: max(0, n*width) */
}

void by_a_global_behind(int n)
{
    width = 7;
    int m = of_a_global(n);
    for (int i = 0; i < m; i++)
        sum += i; /* exact: max(0, 7*n) */
}

/* The name is another variable here. */
void by_a_shadow(int n)
{
    int m;
    {
        int width = 2;
        m = of_a_global(n) + width;
    }
    for (int i = 0; i < m; i++)
        sum += i; /* exact: max(0, n*width + 2) */
}

void by_a_change(int n)
{
    int m = counted(n);
    for (int i = 0; i < m; i++)
        sum += i; /* exact: max(0, n + width + 1) */
}

void by_a_change_twice(int n)
{
    int m = counted(n) + counted(n);
    for (int i = 0; i < m; i++)
        sum += i; /* exact: max(0, 2*n + 2*width + 3) */
}

void by_a_real_one(int n)
{
    int m = real_half(n)/2*2;
    for (int i = 0; i < m; i++)
        sum += i; /* exact: max(0, n) */
}

void by_a_narrow_one(int n)
{
    int m = narrow(n*40000);
    for (int i = 0; i < m; i++)
        sum += i; /* at-most: 32767 */
}

void by_one_without_sign(int n)
{
    for (int i = 0; i < without_sign(n) && i < 1000; i++)
        sum += i; /* exact: min(1000, n - 5 if n >= 5 else 1000) */
}

void by_a_kept_one(int n)
{
    int m = kept(n) - kept(0) + n;
    for (int i = 0; i < m; i++)
        sum += i; /* exact: max(0, n) */
}

void by_a_loop_of_another(int n)
{
    for (int i = 0; i < by_a_loop(n); i++)
        sum += i; /* exact: max(0, n) */
}

void by_an_early_one(int n)
{
    int m = early(n);
    for (int i = 0; i < m; i++)
        sum += i; /* exact: 3 if n > 10 else max(0, n + 1) */
}

void by_an_address(int n)
{
    int m = n;
    for (int i = 0; i < through(&m); i++)
        sum += i; /* exact: max(0, n + 1) */
}

void by_a_changed_argument(int n)
{
    int m = part_of(n, 3);
    n = m;
    for (int i = 0; i < part_of(n, 2); i++)
        sum += i; /* exact: n//3//2; n >= 0 */
}

static void halves(int n)
{
    sum++;
    if (n > 1)
        halves(part_of(n, 2));
}

void by_recursion(int n)
{
    halves(n);
    sum++; /* exact: 1 */
}
