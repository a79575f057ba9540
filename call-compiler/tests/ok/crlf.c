int main(void)
{
    int N = 3;
#pragma cll f f[0] + \
    f[1]*N
    N++;
#pragma cll end f
#pragma cll report all
    return 0; /* é */
}