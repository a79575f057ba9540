typedef int MPI_Comm;
#define MPI_COMM_WORLD 0

#pragma cll parallel MPI MPI_COMM_WORLD

static int on(MPI_Comm half, int n)
{
    int P = n/(half + 2);
#pragma cll on(half) part part[0] + part[1]*n
    n++;
#pragma cll end part
#pragma cll sync(half) together together[0]*n/P
    n++;
#pragma cll end together
#pragma cll on on[0]*n
    n++;
#pragma cll end on
    return n + P;
}

int main(void)
{
    return on(MPI_COMM_WORLD, 7);
}
