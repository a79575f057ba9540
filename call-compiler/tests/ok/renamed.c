/* Lines that #line renames: several directives on one line, a generated file, numbers at the edge. */
int work(int n);
#line 7 "grammar.y"
static int first(int n)
{
#pragma cll a a[0]*n
    work(n);
#line 9 "grammar.y"
#pragma cll end a
    return n;
}
#line 2147483646 "renamed.c"
int main(void)
{
    int n = first(3);
#line 2
#pragma cll b b[0]*n
#line 2
    work(n);
#line 2
#pragma cll end b
#if 0
#line 100 "never.c"
#endif
#pragma cll report all
    return n;
}
