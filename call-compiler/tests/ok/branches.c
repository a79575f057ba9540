/* Branches and loops without braces, before and behind directives; a macro that is a branch once and a statement once. */
#define BEGIN _Pragma("cll mixed mixed[0]")
#define END _Pragma("cll end mixed")
int work(int n);

static int commas(int n, int *p)
{
#pragma cll list list[0]*n
    if (n)
        return *p = work(n), n - 1;
    if (n > 2) { work(1); }
#pragma cll end list
    if (n) work(1);
#pragma cll plain plain[0]*n
    for (int i = 0; i < n; i++) if (i == 3) return work(i);
#pragma cll end plain
    if (n) work(1);
    else if (n > 1) work(2);
#pragma cll last last[0]*n
    while (n > 7) n--;
#pragma cll end last
    return 0;
}

int main(void)
{
    int n = 3, m = 0;
    if (n)
#pragma cll branch branch[0]*n
        work(n);
#pragma cll end branch
    else
#pragma cll other other[0]*n
        work(n + 1);
#pragma cll end other
    BEGIN work(2); END
    while (n) BEGIN n--; END
#pragma cll report all
    return commas(n, &m);
}
