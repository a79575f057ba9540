/* Loops over tiles, and those inside of a tile: whether both together come to each value once. */
#include <stddef.h>
#define MIN(x, y) ((x) < (y) ? (x) : (y))
int sum;

void tiles(int n, int b)
{
    for (int i = 0; i < n; i += b)
        for (int j = i; j < MIN(n, i + b); j++)
            sum += j; /* exact: max(0, n); b >= 1 */
}

void tiles_of_a_square(int n, int m, int b)
{
    for (int i = 1; i < n; i += b)
        for (int j = 0; j < m; j += b)
            for (int k = i; k < i + b && k < n; k++)
                for (int l = 0; l < MIN(b, m - j); l++)
                    sum += l; /* exact: max(0, n - 1)*max(0, m); b >= 1 */
}

void tiles_of_a_number(int n, int m)
{
    for (int i = m; i <= n; i += 8)
        for (int j = i; j < MIN(n + 1, i + 8); j++)
            sum += j; /* exact: max(0, n - m + 1) */
}

void unsigned_tiles(size_t n, int b)
{
    for (size_t i = 0; i < n; i += b)
        for (size_t j = i; j < MIN(n, i + b); j++)
            sum++; /* exact: n; b >= 1; n >= 0 */
}

void what_is_read_of_them(int n, int b)
{
    for (int i = 0; i < n; i += b)
        for (int j = i; j < MIN(n, i + b); j++)
            for (int k = 0; k < j; k++)
                sum += k; /* exact: max(0, n)*max(0, n - 1)//2; b >= 1 */
}

void whole_tiles(int n)
{
    for (int i = 0; i < n; i += 8)
        for (int j = i; j < i + 8; j++)
            sum += j; /* exact: 8*((max(0, n) + 7)//8) */
}

void another_end(int n, int m)
{
    for (int i = 0; i < n; i += 8)
        for (int j = i; j < MIN(m, i + 8); j++)
            sum += j; /* exact: max(0, min(m, 8*((max(0, n) + 7)//8))) */
}

void one_value_twice(int n)
{
    for (int i = 0; i < n; i += 8)
        for (int j = i; j < MIN(n, i + 9); j++)
            sum += j; /* exact: max(0, n) + max(0, (n - 1)//8) */
}

void one_value_never(int n)
{
    for (int i = 0; i < n; i += 8)
        for (int j = i + 1; j < MIN(n, i + 8); j++)
            sum += j; /* exact: max(0, n) - (max(0, n) + 7)//8 */
}

void first_tile_only(int n)
{
    for (int i = 0; i < n; i += 8)
        for (int j = i; j < MIN(n, i + 8); j++)
            if (i < 8)
                sum += j; /* exact: max(0, min(n, 8)) */
}

void rows_of_a_tile(int n)
{
    for (int i = 0; i < n; i += 8)
        for (int k = 0; k < i; k++)
            for (int j = i; j < MIN(n, i + 8); j++)
                sum += j; /* exact: 32*(max(0, n)//8)*((max(0, n)//8) - 1) + 8*(max(0, n) - 8*(max(0, n)//8))*(max(0, n)//8) */
}

void read_from_the_begin_of_its_tile(int n)
{
    for (int i = 0; i < n; i += 8)
        for (int j = 0; j < MIN(8, n - i); j++)
            for (int k = 0; k < j; k++)
                sum += k; /* exact: 28*(max(0, n)//8) + (max(0, n) - 8*(max(0, n)//8))*((max(0, n) - 8*(max(0, n)//8)) - 1)//2 */
}
