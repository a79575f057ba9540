/* Loops in which each iteration takes something away, whichever way it takes, and what follows them. */
int sum;

void merged(int n, int m, const int *a, const int *b, int *c)
{
    int i = 0, j = 0, k = 0;
    while (i < n && j < m) {
        sum++; /* at-most: (n > 0 ? n : 0) + (m > 0 ? m : 0) */
        if (a[i] <= b[j])
            c[k++] = a[i++]; /* at-most: (n > 0 ? n : 0) + (m > 0 ? m : 0) */
        else
            c[k++] = b[j++];
    }
    while (i < n)
        c[k++] = a[i++]; /* at-most: n > 0 ? n : 0 */
    for (; j < m; j++)
        c[k++] = b[j]; /* at-most: m > 0 ? m : 0 */
}

void chosen(int n, int m, const int *a, const int *b, int *c)
{
    int i = 0, j = 0, k = 0;
    while (i < n && j < m) {
        sum++; /* at-most: (n > 0 ? n : 0) + (m > 0 ? m : 0) */
        c[k++] = a[i] <= b[j] ? a[i++] : b[j++];
    }
}

void common(int n, int m, const int *a, const int *b)
{
    int i = 0, j = 0;
    for (;;) {
        if (i >= n || j >= m)
            break;
        sum++; /* at-most: (n > 0 ? n : 0) + (m > 0 ? m : 0) */
        if (a[i] < b[j])
            i++;
        else if (a[i] > b[j])
            j++;
        else {
            i++;
            j++;
        }
    }
}

void between(int n, const int *a, int wanted)
{
    int low = 0, high = n - 1;
    while (low < high) {
        int both = a[low] + a[high];
        sum++; /* at-most: n > 0 ? n : 0 */
        if (both == wanted)
            return;
        if (both < wanted)
            low++;
        else
            high--;
    }
}

void unsigned_between(unsigned low, unsigned high, const int *a)
{
    while (low < high) {
        sum++; /* at-most: high > low ? high - low : 0 */
        if (a[low & 63] > a[high & 63])
            low++;
        else
            high--;
    }
}

/* Below 0 is far above. */
void unsigned_wraps(unsigned low, unsigned high, const int *a)
{
    int rounds = 0;
    while (low < high && rounds < 300) {
        sum++; /* at-most: 300 */
        rounds++;
        if (a[low & 63] > a[high & 63])
            low++;
        else
            high -= 2;
    }
}

void each_way(int n, const int *a)
{
    int i = 0;
    while (i < n) {
        if (a[i] == 1) {
            i++;
            continue;
        }
        sum++; /* at-most: n > 0 ? n : 0 */
        i++;
    }
}

void each_way_known(int n, int m)
{
    int i = 0;
    while (i < n) {
        sum++; /* exact: n; n >= 0 */
        if (m > 3) {
            i++;
            continue;
        }
        for (int k = 0; k < i; k++)
            sum++; /* at-most: n > 0 ? n*(n - 1)/2 : 0 */
        i++;
    }
}

void faster(int n, const int *a)
{
    int i = 0;
    while (i < n) {
        sum++; /* at-most: n > 0 ? n : 0 */
        if (a[i] == 1)
            i += 1;
        else
            i += 3;
    }
}

/* One way goes back, another one stays. */
void back(int n, const int *a)
{
    int i = 0, rounds = 0;
    while (i < n && rounds < 400) {
        sum++; /* at-most: 400 */
        rounds++;
        if (a[i & 31] == 2)
            i--;
        else
            i++;
        if (i < 0)
            return;
    }
}

void stays(int n, const int *a)
{
    int i = 0, j = 0, rounds = 0;
    while (i < n && j < n && rounds < 400) {
        sum++; /* at-most: 400 */
        rounds++;
        if (a[i] == 2)
            i++;
        else if (a[i] == 1)
            j++;
    }
}

/* The rest of what a search left. */
void rest(int n, const int *a)
{
    int i;
    for (i = 0; i < n; i++)
        if (a[i] == 3)
            break;
    for (; i < n; i++)
        sum++; /* at-most: n > 0 ? n : 0 */
}

void rest_of_another(int n, const int *a)
{
    int i;
    for (i = 5; i < n; i++)
        if (a[i] == 3)
            break;
    if (a[0] == 2)
        i = 0;
    for (; i < n; i++)
        sum++; /* at-most: n > 0 ? n : 0 */
}

void rest_downwards(int n, const int *a)
{
    int i = n;
    while (i > 0 && a[i] != 2)
        i--;
    while (i-- > 0)
        sum++; /* at-most: n > 0 ? n : 0 */
}

static void back_to(int *i)
{
    *i = -20;
}

void rest_behind_a_call(int n, const int *a)
{
    int i;
    for (i = 0; i < n; i++)
        if (a[i] == 3)
            break;
    back_to(&i);
    for (; i < n; i++)
        sum++; /* at-most: n > -20 ? n + 20 : 0 */
}

void rest_by_a_pointer(int n, const int *a)
{
    int i, *to = &i;
    for (i = 0; i < n; i++)
        if (a[i] == 3)
            break;
    *to -= 9;
    for (; i < n; i++)
        sum++; /* at-most: n > 0 ? n + 9 : 9 */
}

void rest_of_pointers(int n, const int *a)
{
    const int *p = a, *end = a + n;
    while (p < end && *p == 1)
        p++;
    for (; p < end; p++)
        sum++; /* at-most: n > 0 ? n : 0 */
}

void rest_with_another_step(int n, const int *a)
{
    int i = 0;
    while (i < n && a[i] != 2)
        i++;
    while (i < n) {
        sum++; /* at-most: n > 0 ? n : 0 */
        for (int k = 0; k < i; k++)
            sum++; /* at-most: n > 0 ? n*n : 0 */
        i += 2;
    }
}

void of_an_outer_loop(int n, const int *a)
{
    int i = 0;
    for (int k = 0; k < n; k++) {
        while (i < n && a[i & 31] != 2) {
            sum++; /* unknown */
            i++;
        }
        i = a[k & 31];
    }
}

void sorted(int *a, int *t, int first, int last)
{
    if (last - first < 2)
        return;
    int middle = first + (last - first)/2, i = first, j = middle, k = first;
    sorted(a, t, first, middle);
    sorted(a, t, middle, last);
    while (i < middle && j < last) {
        sum++; /* at-most: last - first > 1 ? (last - first)*(log2(last - first) + 1) : 0 */
        t[k++] = a[i] <= a[j] ? a[i++] : a[j++];
    }
    while (i < middle)
        t[k++] = a[i++];
    while (j < last)
        t[k++] = a[j++];
    for (k = first; k < last; k++)
        a[k] = t[k];
}
