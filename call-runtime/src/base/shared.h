/* shared.h: what the simulated processors of a process have together, each of which has its own copy of all variables otherwise. Elsewhere it
 * is a variable as all others. */
#ifndef CLL_SHARED_H
#define CLL_SHARED_H

typedef enum { CLL_SHARED_FILES, CLL_SHARED_SYMBOLS, CLL_SHARED_LINES, CLL_SHARED_COUNT } cll_shared_list;

/* Where the list begins; NULL at first. What is in it stays, and is used as the other lists of call sites are: by one thread at a time. */
void **cll_shared(cll_shared_list list);

#endif
