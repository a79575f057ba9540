void work(int n);
#pragma cll file file[0]
int N = 4;
#pragma cll end file
int main(void)
{
    int x = 1 +
#pragma cll middle middle[0]
        2;
#pragma cll end middle
    if (x)
#pragma cll more more[0]
        work(1);
    work(2);
#pragma cll end more
    while (x--) {
#pragma cll crossing crossing[0]
        work(N);
    }
#pragma cll end crossing
#pragma cll for(N = 1; N < 3; N++)
    {
        work(N);
#pragma cll end for
    }
#pragma cll report all
    return 0;
}
