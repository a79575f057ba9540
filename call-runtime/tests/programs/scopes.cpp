// C++11, CALL_CLOCK=counting: experiments that scopes begin and end, whatever leaves them.
#include <call.hpp>

#include <call.hpp>
#include <stdexcept>

CLL_PROGRAM("scopes", CLL_SEQUENTIAL);
CLL_EXPERIMENT(outer, "outer[0] + outer[1]*n", "n");
CLL_EXPERIMENT(inner, "inner[0]");
CLL_EXPERIMENT(thrown, "thrown[0]*n", "n");
CLL_EXPERIMENT(cleaned, "cleaned[0]", "a", "b", "c", "d", "e", "f", "g", "h");

extern "C" void cll_clock_advance(unsigned long long nanoseconds);

#ifdef CLL_DISABLE
static void pass(unsigned long long) {}
#else
static void pass(unsigned long long nanoseconds) { cll_clock_advance(nanoseconds); }
#endif

static int leaves(unsigned n)
{
    CLL_SCOPE(outer, n);
    pass(1000 * n);
    if (n > 1) {
        return 1;
    }
    CLL_SCOPE(inner);
    pass(7);
    return 0;
}

static void throws(long n)
{
    CLL_SCOPE(thrown, n);
    CLL_SCOPE(inner);
    pass(11);
    if (n > 1) {
        throw std::runtime_error("the work is not done");
    }
    pass(2);
}

// Its scope is left in order, while an exception passes.
struct cleaner {
    ~cleaner()
    {
        CLL_SCOPE(cleaned, 1, 2u, 3L, 4.5, 5.5f, '\6', 7, 8);
        pass(5);
    }
};

int main()
{
    int status = leaves(1) + leaves(3) - 1;
    for (long n = 1; n < 4; n++) {
        CLL_SCOPE(outer, n);
        try {
            cleaner its;
            throws(n);
        } catch (const std::exception &) {
            pass(100);
        }
        CLL_SCOPE_END(outer);
        pass(50000);
        CLL_SCOPE_END(outer); // has ended: nothing
    }
    CLL_REPORT();
    return status;
}
