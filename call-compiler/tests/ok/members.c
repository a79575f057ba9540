#include <stddef.h>
#include <stdint.h>

enum { COUNT = 7 };
typedef struct { size_t rows; int columns[3]; } matrix;

static void fill(const matrix *m, unsigned n)
{
    volatile size_t sum = 0;
    uint64_t big = UINT64_MAX;
    int64_t low = INT64_MIN;
    _Bool flag = 1;
#pragma cll fill fill[0] + fill[1]*m->rows*m->columns[n - 1] + fill[2]*n*COUNT + fill[3]*(big + low)*flag
    for (size_t i = 0; i < m->rows; i++)
        sum += i * n + (flag ? big : (uint64_t)low);
#pragma cll end fill
}

int main(void)
{
    matrix m = {5, {1, 2, 3}};
    fill(&m, 2);
#pragma cll report all
    return 0;
}
