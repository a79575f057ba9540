void work(int n);
int main(void)
{
    int n = 4;
    if (n == 3)
        goto inside;
#pragma cll entered entered[0]
    work(n);
inside:
    work(n);
#pragma cll end entered
    switch (n) {
    case 1:
#pragma cll labels labels[0]
        work(1);
    case 2:
        work(2);
#pragma cll end labels
    }
#pragma cll twice twice[0]
    work(n);
#pragma cll end twice
    work(n);
#pragma cll end twice
#pragma cll early early[0]
    if (n) {
#pragma cll end early
        work(n);
    }
    if (n)
#pragma cll end early
        return 1;
#pragma cll end early
#pragma omp parallel for
#pragma cll behind behind[0]
    for (int i = 0; i < n; i++)
        work(i);
#pragma cll end behind
#pragma cll report all
    return 0;
}
void other(int n)
{
#pragma cll split split[0]*n
}
void another(void)
{
#pragma cll end split
}
