// call.hpp: measurements that a scope of C++ begins and ends (C++11 or newer; docs/by-hand.md).
//
//     CLL_SCOPE(adds, n);        from here to the end of the block; a value for each variable, as CLL_BEGIN takes them
//     CLL_SCOPE_END(adds);       ends it before that
//
// A block that an exception leaves has not done its work: its measurement has no row, and is counted as abandoned.
#ifndef CLL_CALL_HPP
#define CLL_CALL_HPP

#ifdef __GNUC__
#pragma GCC system_header
#endif

#include "call.h"

#ifdef CLL_DISABLE

#define CLL_SCOPE(...) static_assert(true, "")
#define CLL_SCOPE_END(its_experiment) ((void)0)

#else

#include <exception>

namespace cll {

// How many exceptions are on their way. Before C++17 the language tells whether any is.
inline int exceptions_under_way() noexcept
{
#ifdef __cpp_lib_uncaught_exceptions
    return std::uncaught_exceptions();
#else
    return std::uncaught_exception() ? 1 : 0;
#endif
}

// A measurement, which begins with the object and ends with it. It belongs to its block and thread: no copies, no moves.
class scope {
public:
    // `values`: one for each variable, or null.
    scope(const cll_experiment &experiment, const double *values)
        : open_(&experiment), exceptions_before_(exceptions_under_way())
    {
        cll_begin_reals(open_, values);
    }

    ~scope()
    {
        if (open_ != nullptr && exceptions_under_way() > exceptions_before_) {
            cll_abandon(open_);
        } else {
            end();
        }
    }

    // Ends the measurement; once it has ended, does nothing.
    void end()
    {
        if (open_ != nullptr) {
            cll_end(open_);
            open_ = nullptr;
        }
    }

    scope(const scope &) = delete;
    scope &operator=(const scope &) = delete;

private:
    const cll_experiment *open_;
    int exceptions_before_;
};

}

#define CLL_SCOPE(...)                                                                                                    \
    CLL_PICK(__VA_ARGS__, CLL_SCOPE_WITH, CLL_SCOPE_WITH, CLL_SCOPE_WITH, CLL_SCOPE_WITH, CLL_SCOPE_WITH, CLL_SCOPE_WITH, \
             CLL_SCOPE_WITH, CLL_SCOPE_WITH, CLL_SCOPE_ALONE, 0)(__VA_ARGS__)

#define CLL_SCOPE_ALONE(its_name)                                                              \
    CLL_ASSERT(CLL_LENGTH(cll_variables_##its_name) == 1, #its_name ": values are missing"); \
    cll::scope cll_scope_of_##its_name(cll_experiment_##its_name, nullptr)

#define CLL_SCOPE_WITH(its_name, ...)                                                             \
    const double cll_values_of_##its_name[] = {CLL_EACH(CLL_REAL_VALUE, __VA_ARGS__)};            \
    CLL_ASSERT(CLL_LENGTH(cll_variables_##its_name) - 1 == CLL_LENGTH(cll_values_of_##its_name), \
               #its_name ": as many values as variables");                                        \
    cll::scope cll_scope_of_##its_name(cll_experiment_##its_name, cll_values_of_##its_name)

#define CLL_SCOPE_END(its_experiment) cll_scope_of_##its_experiment.end()

#endif

#endif
