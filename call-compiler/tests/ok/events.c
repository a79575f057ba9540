/* The calls of MPI are to be recorded; the communicator has the name of the clause. */
typedef int MPI_Comm;
extern MPI_Comm events;

void work(int n);

void all(int n)
{
#pragma cll parallel MPI events events procs = 1:4
#pragma cll step step[0] + step[1]*n
    work(n);
#pragma cll end step
#pragma cll report all
}
