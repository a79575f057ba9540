void work(int n);
int main(void)
{
    int n = 4;
#pragma cll a a[0] + a[1]*n upsilon a[1] = 3
    work(n);
#pragma cll end a
#pragma cll b b[0] + b[1]*n upsilon b[7] = +1 upsilon b[1] = +5-3
    work(n);
#pragma cll end b
#pragma cll c upsilon c[0] = +1
    work(n);
#pragma cll end c
#pragma cll d d[0] + d[1]*n upsilon d[1] = +1 upsilon d[1] = none
    work(n);
#pragma cll end d
#pragma cll report all
    return 0;
}
