/* Every block takes exactly the time of its formula: the clock is a counter that only these blocks move. */
void cll_clock_advance(unsigned long long nanoseconds);

static unsigned long long planted(unsigned long long N)
{
    if (N <= 4096) {
        return 5000 + 40 * N + 2 * N * N;
    }
    return 9000 + 70 * N + 5 * N * N;
}

int main(void)
{
    int N = 1;
    double x = 0.5;
#pragma cll for(N = 64; N <= 65536; N += N / 8)
#pragma cll outer outer[0] + outer[1]*N + outer[2]*N*N
    cll_clock_advance(planted((unsigned long long)N));
#pragma cll end outer
    x = N * 0.25;
#pragma cll nest nest[0] + nest[1]*x
    cll_clock_advance(300);
#pragma cll inner inner[0]*N
    cll_clock_advance(7ull * (unsigned long long)N);
#pragma cll end inner
    cll_clock_advance(11);
#pragma cll end nest
#pragma cll end for
#pragma cll report all
    return x < 0;
}
