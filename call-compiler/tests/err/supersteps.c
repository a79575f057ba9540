void work(int n);
int main(void)
{
    int n = 4;
#pragma cll parallel MPI MPI_COMM_WORLD supersteps procs = 1:4 supersteps
#pragma cll f f[0] + f[1]*n
    work(n);
#pragma cll end f
#pragma cll report all
    return 0;
}
