/* What C leaves open proves nothing: an array without elements, which a driver may ask for. */
int sum;

void rows_and_columns(int rows, int columns)
{
    int table[rows][columns];
    for (int i = 0; i < columns; i++)
        table[0][i] = i; /* exact: columns; columns >= 0 */
    for (int i = 1; i < rows; i++)
        sum += table[i - 1][0]; /* exact: rows - 1; rows >= 1 */
}

/* A `;` that is nothing, and one that is the body of a loop. */
int semicolons(int n)
{
    if (n > 3) { sum++; sum += n; };
    for (int i = 0; i < n; i++)
        ; /* exact: n; n >= 0 */
    return sum; /* exact: 1 */
}

/* Beyond the array stands the bound. */
struct branches { int of[10]; int count; };

void all_branches(struct branches *b)
{
    for (int i = 0; i < b->count; i++) {
        b->of[i] = 0;
        sum++; /* exact: b->count; b->count >= 0 */
    }
}
