static int twice(int n)
{
    return 2*n;
}
int main(void)
{
    int i, n = 4, s = 0;
#pragma cll a a[0] + a[1]*n upsilon a[1] = +1-2 upsilon a[0] = +2
    for (i = 0; i < n; i++)
        s += twice(i);
#pragma cll end a
#pragma cll b b[0] + b[1]*n upsilon b[1] = +1-2, +9-12
    for (i = 0; i < n; i++)
        s += twice(i);
#pragma cll end b
#pragma cll c c[0] upsilon c[0] = +1
    while (s % 7 > n*n*n % 5)
        s = s ^ n;
#pragma cll end c
#pragma cll d d[0] upsilon d[0] = +1
    s += n;
#pragma cll end d
#pragma cll d
    s += n;
#pragma cll end d
#pragma cll report all
    return s;
}
