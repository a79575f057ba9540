/* openmp_tool.h: what LLVM's runtime of OpenMP tells a tool. */
#ifndef CLL_EVENTS_OPENMP_TOOL_H
#define CLL_EVENTS_OPENMP_TOOL_H

/* Whether it tells which team runs each parallel region. */
int cll_openmp_tells_regions(void);

#endif
