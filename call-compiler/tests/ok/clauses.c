/* Clauses: C expressions as variables, values taken at the end, statements behind constants. */
struct matrix { long rows; double *values; };
int step(int n);

#define LIMIT 100

static int count(struct matrix *m, int n)
{
    int steps = 0;
#pragma cll solve solve[0] + solve[1]*steps + solve[2]*cells at end(steps) \
        let cells = m->rows * m->rows / 2
    while (n > 1 && steps < LIMIT + m->rows) {
        n = step(n);
        steps++;
        if (n == 3)
            return steps;
    }
#pragma cll end solve
    return steps;
}

int main(void)
{
    double values[4] = {0};
    struct matrix m = {2, values};
    int n = 4;
#pragma cll second second[0]*n + second[1]*m.values[n - 1] at end
    n += count(&m, n);
#pragma cll end second
#pragma cll third third[0] + third[1]*n upsilon third[1] = +1-2 upsilon third[0] = none
    for (int i = 0; i < n; i++)
        values[i % 4] += i;
#pragma cll end third
#pragma cll fourth variables n, m.values[ n - 1 ], cells, P at end(n) let cells = m.rows * m.rows
    n += count(&m, n);
#pragma cll end fourth
#pragma cll fifth fifth[0]*n variables m.rows
    n += count(&m, n);
#pragma cll end fifth
#pragma cll fifth
    n += count(&m, n);
#pragma cll end fifth
#pragma cll report all
    return n;
}
