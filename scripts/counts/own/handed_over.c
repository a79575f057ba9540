/* What jumps, calls by pointers and other pointers hand over, and unsigned numbers below zero. */
struct grid { int rows; unsigned width; double length; };
int sum;
static int bound;

void by_break(int n, int k)
{
    switch (k) {
    case 1:
        n = 5;
        break;
    default:
        sum++;
    }
    for (int i = 0; i < n; i++)
        sum++; /* exact: k == 1 ? 5 : max(0, n) */
}

void past_a_case(int n, int k)
{
    switch (k) {
    case 1:
        n = 5;
    case 2:
        for (int i = 0; i < n; i++)
            sum++; /* exact: k == 1 ? 5 : k == 2 ? max(0, n) : 0 */
    }
}

void out_of_one(int n, int k)
{
    do {
        if (k > 3) {
            n = 5;
            break;
        }
        sum++;
    } while (0);
    for (int i = 0; i < n; i++)
        sum++; /* exact: k > 3 ? 5 : max(0, n) */
}

void to_a_label(int n, int k)
{
    if (k > 3) {
        n = 5;
        goto out;
    }
    sum++; /* exact: k <= 3 */
out:
    for (int i = 0; i < n; i++)
        sum++; /* exact: k > 3 ? 5 : max(0, n) */
}

static void set(int value) { bound = value; }
static void (*hook)(int) = set;

void by_a_hook(int n, int k)
{
    bound = n;
    hook(k);
    for (int i = 0; i < bound; i++)
        sum++; /* exact: max(0, k) */
}

static void make_three(struct grid *grid)
{
    struct grid *same = grid;
    same->rows = 3;
}

void by_another_pointer(struct grid *grid)
{
    make_three(grid);
    for (int i = 0; i < grid->rows; i++)
        sum++; /* exact: 3 */
}

static void of_first(int *list)
{
    for (int i = 0; i < list[0]; i++)
        sum++; /* for changed_before exact: 5 */
}

void changed_before(int *list)
{
    list[0] = 5;
    of_first(list);
}

void behind_a_moved_pointer(int *list)
{
    int *next = list;
    *next++ = 5;
    for (int i = 0; i < list[0]; i++)
        sum++; /* exact: 5 */
}

void below_zero(struct grid *grid, int k)
{
    if (k < grid->width)
        sum++; /* exact: k >= 0 && k < grid->width */
}

void last_of_none(unsigned n)
{
    for (unsigned i = 0; i <= n - 1; i++) {
        sum++; /* exact: n == 0 ? 61 : min(n, 61) */
        if (i >= 60)
            break;
    }
}

void past_zero(unsigned n)
{
    for (unsigned i = n; i > 1; i -= 3) {
        if (i > 1000)
            break;
        sum++; /* exact: floor((n + 1)/3) */
    }
}

static void narrow(char n)
{
    for (int i = 0; i < n; i++)
        sum++; /* for too_large exact: n % 256 < 128 ? n % 256 : 0; n >= 0 */
}

void too_large(int n) { narrow(n); }

void longer_than_whole(struct grid *grid)
{
    for (int i = 0; i < grid->length; i++)
        sum++;
}
