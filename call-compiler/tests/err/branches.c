int work(int n);
int main(void)
{
    int n = 3, m = 2;
    if (n)
#pragma cll report all
    work(2);
    if (n)
#pragma cll dangling dangling[0]
        if (m) work(1);
#pragma cll end dangling
        else work(2);
    if (n)
#pragma cll inner inner[0]
        while (m)
#pragma cll end inner
            work(1);
    if (n)
#pragma cll for(n = 1; n < 3; n++)
        while (m)
#pragma cll end for
            work(1);
    return 0;
}
