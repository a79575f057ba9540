/* openmp_there.h: what there is of OpenMP in a program, whatever the runtime was compiled with. */
#ifndef CLL_PROGRAM_OPENMP_THERE_H
#define CLL_PROGRAM_OPENMP_THERE_H

#include <stddef.h>

typedef enum { CLL_NO_OPENMP, CLL_OPENMP_OF_GCC, CLL_OPENMP_OF_LLVM } cll_openmp_kind;

#if defined(__GNUC__) && defined(__ELF__)
extern int omp_get_max_threads(void) __attribute__((weak));
extern void __kmpc_fork_call(void) __attribute__((weak));

/* LLVM's runtime, and Intel's, which is the same, have functions of gcc's as well. */
static inline cll_openmp_kind cll_openmp_runtime(void)
{
    return __kmpc_fork_call != NULL ? CLL_OPENMP_OF_LLVM : omp_get_max_threads != NULL ? CLL_OPENMP_OF_GCC : CLL_NO_OPENMP;
}

/* As many as a parallel region of this thread would have; 0 without OpenMP. */
static inline int cll_openmp_most_threads(void)
{
    return omp_get_max_threads == NULL ? 0 : omp_get_max_threads();
}
#else
static inline int cll_openmp_most_threads(void)
{
    return 0;
}

static inline cll_openmp_kind cll_openmp_runtime(void)
{
    return CLL_NO_OPENMP;
}
#endif

#endif
