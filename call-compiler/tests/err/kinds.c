void work(int n);
int main(void)
{
    int N = 4;
#pragma cll parallel OpenMP team procs = 1:32:2
#pragma cll parallel OMP
#pragma cll f PAPI_L1_DCM = f[0]
    work(N);
#pragma cll end f
#pragma cll report all
    return 0;
}
