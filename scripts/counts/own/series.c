/* Loops that multiply or divide, around loops that run as often as their variable says: geometric series. */
int sum;

void downward(int n)
{
    for (int i = n; i > 0; i /= 2)
        for (int j = 0; j < i; j++)
            sum++; /* rounded: 2*n; n >= 1 */
}

void downward_by_three(int n)
{
    for (int i = n; i > 0; i /= 3)
        for (int j = 0; j < i; j++)
            sum++; /* rounded: 3*n/2; n >= 1 */
}

/* The last element may be as large as n. */
void upward_of_data(int n, const int *a)
{
    for (int i = 1; i <= n; i *= 2)
        for (int j = 0; j < i; j++)
            if (a[j] >= 0)
                sum++; /* at-most: 2*n; n >= 0 */
}

void downward_of_data(int n, const int *a)
{
    for (int i = n; i > 0; i /= 2)
        for (int j = 0; j < i; j++)
            if (a[j] >= 0)
                sum++; /* at-most: 2*n; n >= 0 */
}

/* Down to a variable, or to a part of where it began. */
void down_to_variable(int n, int m)
{
    for (int i = n; i > m; i /= 2)
        sum++; /* rounded: log2(n/m) + 1; m >= 1; n > m */
}

void down_to_part(int n)
{
    for (int i = n; i > n/8; i /= 2)
        sum++; /* rounded: 3; n >= 4 */
}

void up_from_part(int n)
{
    for (int i = n/16 + 1; i < n; i *= 2)
        sum++; /* rounded: 4; n >= 40 */
}

void down_to_row(int n)
{
    for (int i = 1; i < n; i++)
        for (int k = n; k > i; k /= 2)
            sum++; /* rounded: 2*n; n >= 2 */
}
