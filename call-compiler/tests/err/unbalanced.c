void work(int n);
int main(void)
{
    int N = 4;
#pragma cll for(N = 1; N < 8; N *= 2)
#pragma cll first first[0]
    work(N);
#pragma cll end second
#pragma cll outer outer[0]
#pragma cll inner inner[0]
    work(N);
#pragma cll end outer
#pragma cll end inner
#pragma cll solve solve[0] + solve[1]*N
    work(N);
#pragma cll end slove
#pragma cll report all
    return 0;
}
#pragma cll end for
void later(void)
{
#pragma cll end for
}
