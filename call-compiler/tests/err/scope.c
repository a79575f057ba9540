typedef double real;
struct point { int n; };
extern struct point origin;
void work(int n);
int main(int argc, char **argv)
{
    int size = 4;
    real a[3] = {0};
    double _Complex z = 0;
    {
        int hidden = size;
        work(hidden);
    }
#pragma cll f f[0] + f[1]*sise + f[2]*argv + f[3]*a + f[4]*origin + f[5]*real + f[6]*z + f[7]*work + f[8]*hidden
    work((int)a[0] + argc);
#pragma cll end f
#pragma cll g g[0]*origin.n*a[1]*argc
    work(size);
#pragma cll end g
#pragma cll h h[0]*time_s
    work(size);
#pragma cll end h
#pragma cll report f, gg
    return z != 0;
}
