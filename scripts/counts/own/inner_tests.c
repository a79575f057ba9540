/* Loops that are ended by a test in their body, and some that only seem to be. */
int sum, flag;

void first(int n)
{
    int i = 0;
    while (1) {
        sum++; /* exact: n + 1; n >= 0 */
        if (i >= n)
            break; /* exact: 1; n >= 0 */
        sum++; /* exact: n; n >= 0 */
        i++;
    }
}

void last(int n)
{
    int i = 0;
    for (;;) {
        for (int k = 0; k < i; k++)
            sum++; /* exact: n*(n - 1)/2; n >= 1 */
        if (++i == n)
            break;
    }
}

void in_the_middle(int n, int m)
{
    int i = 3;
    for (; ; i += 2) {
        int twice = 2*i;
        sum += twice; /* exact: floor((n - 2)/2) + 1; n >= 3 */
        if (i < n)
            sum++; /* exact: floor((n - 2)/2); n >= 3 */
        else
            return;
        for (int k = 0; k < m; k++)
            sum++; /* exact: m*(floor((n - 2)/2)); n >= 3; m >= 0 */
    }
}

void behind(int n)
{
    int i = 0;
    do {
        if (i >= n)
            break;
        i++;
    } while (1);
    for (int k = 0; k < i; k++)
        sum++; /* exact: n; n >= 0 */
}

void leaves_with_another_value(int n)
{
    int i = 0;
    while (1) {
        if (i >= n) {
            i = 3;
            break;
        }
        i++;
    }
    for (int k = 0; k < i; k++)
        sum++; /* exact: 3 */
}

void halved(unsigned n)
{
    for (;;) {
        if (n <= 1)
            break;
        sum++; /* rounded: log2(n); n >= 2 */
        n /= 2;
    }
}

void searched(int n, const int *a, int key)
{
    int low = 0, high = n;
    for (;;) {
        if (low >= high)
            break;
        int middle = (low + high)/2;
        sum++; /* rounded: log2(n); n >= 4 */
        if (a[middle] < key)
            low = middle + 1;
        else
            high = middle;
    }
}

/* Data may end it before. */
void two_tests(int n, const int *a)
{
    int i = 0;
    while (1) {
        if (a[i] == 3) {
            sum++; /* at-most: 1 */
            break;
        }
        if (i >= n) {
            sum++; /* at-most: 1 */
            return;
        }
        sum++; /* at-most: n > 0 ? n : 0 */
        i++;
    }
    flag++; /* at-most: 1 */
}

void condition_beside(int n, const int *a, int d)
{
    int steps = 0;
    while (a[d & 63]) {
        sum++; /* at-most: n > 0 ? n + 1 : 1 */
        d = d*5 + 1;
        if (++steps > n)
            break;
    }
}

/* With a step that is passed over, a variable end, a test that is passed over, a step that is data, a way out that is none. */
void passed_over(int n, const int *a)
{
    int i = 0, rounds = 0;
    while (1) {
        if (i >= n || rounds > 500)
            break;
        rounds++;
        sum++; /* at-most: 501 */
        if (a[i] == 2)
            continue;
        i++;
    }
}

void moving_end(int n)
{
    int i = 0;
    while (1) {
        if (i >= n)
            break;
        sum++; /* at-most: n > 0 ? n : 0 */
        n--;
        i++;
    }
}

void end_that_goes_along(int n)
{
    int i = 0;
    while (1) {
        if (i >= n || i > 300)
            break;
        sum++; /* at-most: 301 */
        n++;
        i++;
    }
}

void test_that_is_passed_over(int n, const int *a)
{
    int i = 0;
    for (;;) {
        i++;
        sum++; /* unknown */
        if (a[i & 31] % 3 == 1 && i < 200)
            continue;
        if (i >= n)
            break;
    }
}

void step_by_data(int n, const int *a)
{
    int i = 0;
    while (1) {
        if (i >= n)
            break;
        sum++; /* unknown */
        i += (a[i] & 3) + 1;
    }
}

void wrong_way(int n)
{
    int i = n;
    while (1) {
        if (i < n || sum > 1000)
            break;
        sum++; /* unknown */
        i++;
    }
    sum = 0;
}

/* The branch is entered from elsewhere. */
void entered(int n, int m)
{
    int i = 0;
    if (m > 3)
        goto in;
    while (1) {
        if (i >= n) {
        in:
            sum++; /* at-most: 1 */
            break;
        }
        i++;
    }
}

void of_a_switch(int n, int m)
{
    int i = 0;
    while (1) {
        switch (m) {
        case 1:
            break;
        default:
            sum++; /* at-most: n > 0 ? n + 1 : 1 */
        }
        if (i++ >= n)
            break;
    }
}

void of_an_inner_loop(int n, int m)
{
    int i = 0;
    while (1) {
        int k = 0;
        while (1) {
            if (k == m)
                break; /* exact: n; m >= 0; n >= 1 */
            sum++; /* exact: n*m; m >= 0; n >= 1 */
            k++;
        }
        i++;
        if (i == n)
            break;
    }
}
