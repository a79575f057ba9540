/* Pointers to structures within others, and what they stand for as long as nothing on the way to it changes. */
struct inner {
    int n;
    int m;
};

struct outer {
    struct inner first;
    struct inner second;
    struct inner *other;
};

int sum;

void a_member(struct outer *o)
{
    struct inner *p = &o->first;
    for (int i = 0; i < p->n; i++)
        sum++; /* exact: max(0, o->first.n) */
}

void changed_by_both_names(struct outer *o, int k)
{
    struct inner *p = &o->first;
    p->n = k;
    for (int i = 0; i < o->first.n; i++)
        sum++; /* exact: max(0, k) */
    o->first.n = k + 1;
    for (int i = 0; i < p->n; i++)
        sum++; /* exact: max(0, k + 1) */
}

static void set(struct inner *p, int k)
{
    p->n = k;
}

void changed_by_another(struct outer *o, int k)
{
    struct inner *p = &o->first;
    set(p, k);
    for (int i = 0; i < o->first.n; i++)
        sum++; /* unknown */
}

static void run(struct inner *p)
{
    struct inner *q = p;
    for (int i = 0; i < q->m; i++)
        sum++; /* exact: max(0, p->m) | for handed_on exact: max(0, o->second.m) */
}

void handed_on(struct outer *o)
{
    struct inner *p = &o->second;
    run(p);
}

/* It points into the first one still. */
void another_outer(struct outer *o, struct outer *other)
{
    struct inner *p = &o->first;
    struct outer *at = o;
    at = other;
    at->first.n = 7;
    o = other;
    o->first.n = 3;
    for (int i = 0; i < p->n; i++)
        sum++; /* unknown */
}

void another_member(struct outer *o, struct inner *q)
{
    struct inner *p = o->other;
    o->other = q;
    o->other->n = 3;
    for (int i = 0; i < p->n; i++)
        sum++; /* unknown */
}

void moved_on(struct outer *o)
{
    struct inner *p = &o->first;
    p++;
    p->n = 3;
    for (int i = 0; i < o->first.n; i++)
        sum++; /* unknown */
}

void one_of_two(struct outer *o, int k)
{
    struct inner *p = &o->first;
    if (k > sum)
        p = &o->second;
    p->n = 3;
    for (int i = 0; i < o->first.n; i++)
        sum++; /* unknown */
}

/* Sizes in an array. */
void dimensions(const int *size)
{
    for (int i = 0; i < size[0]; i++)
        for (int j = 0; j < size[1]; j++)
            sum++; /* exact: max(0, size[0])*max(0, size[1]) */
}

/* An array that may be none. */
void wanted(double *a, int n)
{
    for (int i = 0; i < n; i++)
        if (a)
            a[i] = 0; /* at-most: max(0, n) */
}
