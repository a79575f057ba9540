/* Recursion that a `switch` ends, or only seems to end. Where the sizes go below 0 it need not come to an end. */
int sum;

void to_zero(int n)
{
    sum++; /* at-most: n + 2; n >= 0 */
    switch (n) {
    case 0:
        break;
    default:
        to_zero(n - 1);
    }
}

int two_ends(int n)
{
    sum++; /* at-most: n + 2; n >= 0 */
    switch (n) {
    case 0:
    case 1:
        return 1;
    }
    return two_ends(n - 1);
}

int by_two(int n)
{
    sum++; /* at-most: n + 2; n >= 0 */
    switch (n) {
    case 1:
        return 1;
    case 0:
        return 2;
    default:
        return by_two(n - 2) + 1;
    }
}

void one_of_two(int n, int k)
{
    sum++; /* at-most: n > 0 ? n + 2 : 2 */
    switch (k & 1) {
    case 0:
        if (n > 0)
            one_of_two(n - 1, k);
        break;
    case 1:
        if (n > 0)
            one_of_two(n - 1, k + 1);
        break;
    }
}

void falls_through(int n)
{
    sum++; /* at-most: 2 + pow(2, n); n >= 0 */
    if (n <= 0)
        return;
    switch (n & 1) {
    case 0:
        falls_through(n - 1);
    case 1:
        falls_through(n - 1);
    }
}

int leaves_before(int n, int k)
{
    sum++; /* at-most: n + 2 + k; n >= 0; k >= 0 */
    switch (n) {
    case 0:
        if (k > 0)
            break;
        return 1;
    }
    if (n < -k)
        return 2;
    return leaves_before(n - 1, k);
}

int halved(int n)
{
    sum++; /* at-most: log2(n) + 3; n >= 1 */
    switch (n) {
    case 0:
        return 0;
    case 1:
        return 1;
    default:
        return halved(n/2);
    }
}
