/* MPI: each measurement says which communicator it runs on. */
typedef int MPI_Comm;
extern MPI_Comm world, half;
void work(int n);

int main(void)
{
    int n = 3;
#pragma cll parallel MPI world procs = 1:8:2
#pragma cll a a[0] + a[1]*n/P
    work(n);
#pragma cll end a
#pragma cll sync b b[0]
    work(n);
#pragma cll end b
#pragma cll sync(half) c c[0]*log(P)
    work(n);
#pragma cll end c
#pragma cll report all
    return 0;
}
