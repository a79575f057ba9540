/* Each superstep is to be recorded. The machine has a member of the clause's name, and functions that end supersteps stand in
 * expressions. */
#include <pub.h>

struct machines { t_bsp *supersteps; };
void exchange(struct machines *all, int n);

#pragma cll parallel PUB all->supersteps supersteps procs = 1:4

void exchange(struct machines *all, int n)
{
#pragma cll sync shift shift[0] + shift[1]*n
    for (int step = 0; step < n; bsp_sync(all->supersteps), step++)
        n > 3 ? bsp_sync(all->supersteps) : bsp_oblsync(all->supersteps, 0);
#pragma cll end shift
}

int main(void)
{
    void (*sync)(t_bsp *) = bsp_sync;
#pragma cll report all
    return sync != &bsp_sync;
}
