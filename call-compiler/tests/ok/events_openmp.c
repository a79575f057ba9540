/* What threads do together is to be recorded. */
void work(int n);

void all(int n)
{
#pragma cll parallel OpenMP events
#pragma cll step step[0] + step[1]*n
    work(n);
#pragma cll end step
#pragma cll report all
}
