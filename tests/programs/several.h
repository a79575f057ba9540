void cll_clock_advance(unsigned long long nanoseconds);
void other(int n);

static inline void advance(int us)
{
    cll_clock_advance(1000ull * (unsigned)us);
}

static inline void shared(int n)
{
#pragma cll shared shared[0]*n
    advance(1000 * n);
#pragma cll end shared
}
