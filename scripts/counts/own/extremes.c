/* Bounds that are the lesser or the greater one of two values. */
#define LEAST(a, b) ((a) < (b) ? (a) : (b))
#define GREATEST(a, b) ((a) > (b) ? (a) : (b))
#define HALO (2)
int sum;

void inner_points(int n, int first, int last)
{
    for (int i = GREATEST(first, HALO); i <= LEAST(n - HALO - 1, last); i++)
        sum += i; /* exact: max(0, min(n - 3, last) - max(first, 2) + 1) */
}

void own_part(int n, int part, int rank)
{
    int end = LEAST(n, (rank + 1)*part);
    for (int i = rank*part; i < end; i++)
        sum += i; /* exact: max(0, min(n, (rank + 1)*part) - rank*part) */
}

void strips_of_eight(int n)
{
    for (int i = 0; i < n; i += 8)
        for (int j = i; j < LEAST(i + 8, n); j++)
            sum += j; /* exact: max(0, n) */
}

void cut_off(int n, int most)
{
    if (n > most)
        n = most;
    for (int i = 0; i < n; i++)
        sum += i; /* exact: max(0, min(n, most)) */
}

void lifted(int n, int least)
{
    int m = n;
    if (m < least) {
        m = least;
    }
    while (m-- > 0)
        sum += m; /* exact: max(0, max(n, least)) */
}

/* The wrong way round: the other one is taken. */
void the_greater_of_both(int n, int m)
{
    int end = n < m ? m : n;
    for (int i = 0; i < end; i++)
        sum += i; /* exact: max(0, max(n, m)) */
}

/* Compared is something else than what is taken. */
void chosen_by_another(int n, int m, int k)
{
    int end = n < k ? m : n;
    for (int i = 0; i < end; i++)
        sum += i; /* exact: max(0, m if n < k else n) */
}

void nearly_compared(int n, int m)
{
    int end = n < m + 3 ? n : m;
    for (int i = 0; i < end; i++)
        sum += i; /* exact: max(0, n if n < m + 3 else m) */
}

void one_apart(int n, int m)
{
    int end = n <= m - 1 ? n : m;
    for (int i = 0; i < end; i++)
        sum += i; /* exact: max(0, min(n, m)) */
}

void least_of_three(int a, int b, int c)
{
    for (int i = 0; i < LEAST(a, LEAST(b, c)); i++)
        sum += i; /* exact: max(0, min(a, b, c)) */
}

void clamped(int n, int low, int high)
{
    int m = GREATEST(low, LEAST(n, high));
    for (int i = 0; i < m; i++)
        sum += i; /* exact: max(0, max(low, min(n, high))) */
}

void rows_of_a_band(int n, int width)
{
    for (int i = 0; i < n; i++)
        for (int j = GREATEST(0, i - width); j <= LEAST(n - 1, i + width); j++)
            sum += j; /* exact: sum([max(0, min(n - 1, i + width) - max(0, i - width) + 1) for i in range(max(0, n))]) */
}

void both_moved(int n, int m)
{
    int k = LEAST(n, m), l = GREATEST(n, m);
    for (int i = k; i < l; i++)
        sum += i; /* exact: max(0, max(n, m) - min(n, m)) */
    for (int i = 0; i < k + l; i++)
        sum -= i; /* exact: max(0, n + m) */
}

/* The comparison counts on. */
void taken_twice(int n, int m)
{
    int at = 0;
    int end = at++ < n ? at : m;
    for (int i = 0; i < end; i++)
        sum += i; /* exact: 1 if 0 < n else max(0, m) */
}

/* Below 0 a number without a sign is a large one. */
void mixed(unsigned n, int m)
{
    unsigned end = m < n ? m : n;
    for (unsigned i = 0; i < end && i < 100000; i++)
        sum += i; /* exact: min(n, m if m >= 0 else m + 4294967296, 100000) */
}

static int least(int a, int b)
{
    return a < b ? a : b;
}

void by_a_function(int n, int m)
{
    int end = least(n, m);
    for (int i = 0; i < end; i++)
        sum += i; /* exact: max(0, min(n, m)) */
}

static void repeat(int times)
{
    for (int i = 0; i < times; i++)
        sum += i;
}

/* Names inside are those of the caller. */
void handed_on(int n, int m)
{
    repeat(LEAST(n, m));
    repeat(GREATEST(n, 3));
    sum++; /* exact: 1 */
}

void lesser_remainder(int n, int m)
{
    for (int i = 0; i < n; i++) {
        int end = LEAST(m, n - i);
        for (int j = 0; j < end; j++)
            sum += j; /* exact: sum([max(0, min(m, n - i)) for i in range(max(0, n))]) */
    }
}

void changed_in_between(int n, int m)
{
    if (n > m) {
        m++;
        n = m;
    }
    for (int i = 0; i < n; i++)
        sum += i; /* exact: max(0, m + 1 if n > m else n) */
}

void changed_otherwise(int n, int m)
{
    int k = n;
    if (n > m)
        k = m;
    else
        m = 5;
    for (int i = 0; i < k + m; i++)
        sum += i; /* exact: max(0, 2*m if n > m else n + 5) */
}

/* More cells than both. */
void whole(int n, int m)
{
    for (int i = LEAST(n, m); i <= GREATEST(n, m); i++)
        for (int j = LEAST(n, m); j <= i; j++)
            sum += j; /* exact: (abs(n - m) + 1)*(abs(n - m) + 2)/2 */
}
