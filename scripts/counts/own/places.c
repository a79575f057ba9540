/* Bounds that are no parameters: members, globals, elements, what pointers point at; and what changes them unseen. */
struct grid {
    int rows;
    int columns;
    double *cells;
};

struct matrix {
    int n;
    int *starts;
    int *columns;
    double *values;
};

int sum;
int size;
static int hidden;
int *outside;

void members(struct grid *grid)
{
    for (int i = 0; i < grid->rows; i++)
        for (int j = 0; j < grid->columns; j++)
            sum++; /* exact: max(0, grid->rows)*max(0, grid->columns) */
}

void members_by_value(struct grid grid)
{
    for (int i = 0; i < grid.rows; i++)
        sum++; /* exact: max(0, grid.rows) */
}

void member_changes(struct grid *grid)
{
    for (int i = 0; i < grid->rows; i++)
        grid->rows--; /* exact: floor((grid->rows + 1)/2); grid->rows >= 0 */
}

/* Both are the same place where the caller says so; here they are not. */
void two_grids(struct grid *from, struct grid *to)
{
    for (int i = 0; i < from->rows; i++)
        to->rows = 0; /* exact: max(0, from->rows) */
}

void same_grid(int n)
{
    struct grid grid = {n, n, 0};
    two_grids(&grid, &grid); /* exact: 1 */
    for (int i = 0; i < grid.rows; i++)
        sum++; /* exact: 0 */
}

void global(void)
{
    for (int i = 0; i < size; i++)
        sum++; /* exact: max(0, size) */
}

void global_set(int n)
{
    size = n/2; /* exact: 1 */
    for (int i = 0; i < size; i++)
        sum++; /* exact: n > 0 ? floor(n/2) : 0 */
}

/* The callee sets the global that is the bound. */
static void reset(void)
{
    size = 3;
}

void global_changed_in_callee(int n)
{
    size = n; /* exact: 1 */
    for (int i = 0; i < size; i++) {
        reset(); /* exact: n > 0 ? 3 : 0 */
        sum++; /* exact: n > 0 ? 3 : 0 */
    }
}

static void set_hidden(int n)
{
    hidden = n;
}

void hidden_bound(int n)
{
    set_hidden(n + 1); /* exact: 1 */
    for (int i = 0; i < hidden; i++)
        sum++; /* exact: max(0, n + 1) */
}

/* n is changed by a pointer to it. */
void through_pointer(int n)
{
    int *place = &n;
    for (int i = 0; i < n; i++) {
        *place = 2;
        sum++; /* exact: n <= 0 ? 0 : n == 1 ? 2 : 2 */
    }
}

/* The address is kept in a global; the callee changes the bound by it. */
static void cut(void)
{
    *outside = 1;
}

void through_global_pointer(int n)
{
    outside = &n;
    for (int i = 0; i < n; i++) {
        cut(); /* exact: n > 0 ? 1 : 0 */
        sum++; /* exact: n > 0 ? 1 : 0 */
    }
}

void pointed_at(int *count)
{
    for (int i = 0; i < *count; i++)
        sum++; /* exact: max(0, *count) */
}

/* Stores through one pointer may change the other's bound; from a driver they are apart. */
void stores_beside(int *count, int *data)
{
    for (int i = 0; i < *count; i++)
        data[i & 1023] = 0; /* exact: max(0, *count) */
}

/* Rows by where they begin: as many as there are in all only if the starts rise. */
void rows(struct matrix *matrix)
{
    for (int i = 0; i < matrix->n && i < 200; i++)
        for (int k = matrix->starts[i]; k < matrix->starts[i + 1]; k++)
            sum += matrix->columns[k & 1023]; /* where the starts rise */
}

void rows_of_width(int n, const int *starts)
{
    for (int i = 0; i < n; i++) {
        int begin = starts[i & 1023];
        for (int k = begin; k < begin + 4; k++)
            sum++; /* exact: 4*max(0, n) */
    }
}

void elements(void)
{
    int bounds[3] = {2, 3, 5};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < bounds[i]; j++)
            sum++; /* exact: 10 */
}

void text(const char *text)
{
    for (const char *at = text; *at; at++)
        sum++; /* unknown */
}

void pointers(const int *data, int n)
{
    if (n > 1000)
        n = 1000;
    for (const int *at = data; at < data + n; at += 2)
        sum++; /* exact: floor((min(n, 1000) + 1)/2); n >= 0 */
}
