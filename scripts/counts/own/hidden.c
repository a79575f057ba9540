/* Changes that the name at hand does not show. */
#pragma GCC diagnostic ignored "-Wtype-limits"

struct pair {
    int n, m;
};
union word {
    int i;
    short s[2];
};
typedef unsigned char byte;

int sum;
int left = 12;
byte small;

static void pong(int n);
static void ping(int n)
{
    if (n > 0)
        pong(n - 1);
}
static void pong(int n)
{
    left--;
    ping(n);
}

/* Two functions that call each other change a global variable. */
void circle(void)
{
    left = 12;
    for (int i = 0; i < left; i++) {
        ping(1);
        sum++; /* exact: 6 */
    }
}

/* Wraps at 256. */
void narrow_global(int n)
{
    int turns = 0;
    for (small = 0; small < n; small++) {
        sum++; /* exact: n < 256 ? max(0, n) : 400 */
        if (++turns == 400)
            break;
    }
}

/* Never below 0. */
void unsigned_parameter(unsigned n)
{
    int turns = 0;
    for (; n >= 0; n--) {
        sum++; /* exact: 50 */
        if (++turns == 50)
            return;
    }
}

void array_size(int n)
{
    if (n < 1)
        return;
    int k = n;
    char array[k++];
    array[0] = 1;
    for (int i = 0; i < k; i++)
        sum += array[0]; /* exact: n < 1 ? 0 : n + 1 */
}

void copied(struct pair *p)
{
    struct pair other = {3, 4};
    *p = other;
    for (int i = 0; i < p->n; i++)
        sum++; /* exact: 3 */
}

void member_of_union(int n)
{
    union word word;
    word.i = n;
    word.s[0] = 3;
    word.s[1] = 0;
    for (int i = 0; i < word.i; i++)
        sum++; /* exact: 3 */
}

void behind_and(int n, int m)
{
    n && (m = 9);
    for (int i = 0; i < m; i++)
        sum++; /* exact: n == 0 ? max(0, m) : 9 */
}
