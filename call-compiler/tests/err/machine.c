#include <pub.h>
void work(t_bsp *machine);
int main(void)
{
    t_bsp bsp;
    int count = 2;
#pragma cll parallel PUB bsp procs = 4:2
#pragma cll parallel MPI = MPI_COMM_WORLD
#pragma cll parallel PUB bsp procs = 1:8:2
#pragma cll sync f f[0]
    work(&bsp);
#pragma cll end f
#pragma cll sync(nowhere) g g[0]
    work(&bsp);
#pragma cll end g
#pragma cll sync(count) h h[0]
    work(&bsp);
#pragma cll end h
#pragma cll sync(= bsp) i i[0]
    work(&bsp);
#pragma cll end i
#pragma cll report all
    return count;
}
