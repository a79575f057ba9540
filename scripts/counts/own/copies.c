/* Structures that are copied as a whole: members of the copy have the values that those of the other one had then. */
struct inner {
    int k;
};

struct grid {
    int n;
    int m;
    struct inner inner;
};

int sum;

/* The copy stays as it is. */
void source_changes(struct grid *p, int k)
{
    struct grid copy = *p;
    p->n = k;
    for (int i = 0; i < copy.n; i++)
        sum++; /* exact: max(0, p->n) */
    for (int i = 0; i < p->n; i++)
        sum++; /* exact: max(0, k) */
}

/* So does what was copied. */
void copy_changes(struct grid *p, int k)
{
    struct grid first = *p, copy = first;
    copy.n = k;
    for (int i = 0; i < first.n; i++)
        sum++; /* exact: max(0, p->n) */
    for (int i = 0; i < copy.n; i++)
        sum++; /* exact: max(0, k) */
    for (int i = 0; i < copy.m; i++)
        sum++; /* exact: max(0, p->m) */
}

void changed_before(struct grid *p, int k)
{
    p->n = k;
    struct grid copy = *p;
    p->n = 7;
    for (int i = 0; i < copy.n; i++)
        sum++; /* exact: max(0, k) */
}

/* The other one is copied where k is large. */
void in_a_branch(struct grid *p, struct grid *q, int k)
{
    struct grid copy = *p;
    if (k > 3)
        copy = *q;
    for (int i = 0; i < copy.n; i++)
        sum++; /* exact: k > 3 ? max(0, q->n) : max(0, p->n) */
}

/* The last copy has one less than what is counted up. */
void in_a_loop(struct grid *p, int k)
{
    struct grid copy;
    copy.n = 0;
    for (int j = 0; j < k; j++) {
        copy = *p;
        p->n = j;
    }
    for (int i = 0; i < copy.n; i++)
        sum++; /* exact: k <= 0 ? 0 : k == 1 ? max(0, p->n) : k - 2 */
}

void structures_within(struct grid *p, int k)
{
    struct grid copy = *p;
    struct inner inner = {k};
    copy.inner = inner;
    struct grid last = copy;
    for (int i = 0; i < copy.inner.k; i++)
        sum++; /* exact: max(0, k) */
    for (int i = 0; i < last.m; i++)
        sum++; /* exact: max(0, p->m) */
}

static void set(struct grid *to, int n)
{
    to->n = n;
}

void address_is_handed_over(struct grid *p, int k)
{
    struct grid copy = *p;
    set(&copy, k);
    for (int i = 0; i < copy.n; i++)
        sum++; /* exact: max(0, k) */
    for (int i = 0; i < p->n; i++)
        sum++; /* exact: max(0, p->n) */
}

void address_is_kept(struct grid *p, int k)
{
    struct grid copy = *p;
    struct grid *other = &copy;
    other->n = k;
    for (int i = 0; i < copy.n; i++)
        sum++; /* exact: max(0, k) */
}

void copied_back(struct grid *p, int k)
{
    struct grid copy = *p;
    copy.n = k;
    *p = copy;
    copy.n = 3;
    for (int i = 0; i < p->n; i++)
        sum++; /* exact: max(0, k) */
    for (int i = 0; i < copy.m; i++)
        sum++; /* exact: max(0, p->m) */
}

/* Names that are not there when the function begins. */
void constants(int n)
{
    enum { rows = 5, columns };
    double line[columns];
    for (int i = 0; i < rows * n; i++)
        line[i % columns] = sum; /* exact: max(0, 5*n) */
    for (unsigned i = 0; i < sizeof(line); i++)
        sum++; /* exact: 48 */
}
