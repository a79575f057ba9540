/* What a judged program is given besides its own text: see probe.c. */
#ifndef CLL_PROBE_H
#define CLL_PROBE_H

#define CLL_PROBE_LEFT __attribute__((cleanup(cll_probe_leave)))

/* Pointers have a value, too. 8 is the class of real types. */
#define CLL_PROBE_NUMBER(x) (double)(__typeof__(__builtin_choose_expr(__builtin_classify_type(x) == 8, 0.0, 0LL)))(x)

int cll_probe_enter(int block, int count, const double *values);
void cll_probe_leave(int *block);
long long cll_probe_value(int index);
long cll_probe_unknown();
long cll_probe_random();
void *cll_probe_buffer(int kind);
void cll_probe_begin(int argc, char **argv, int unknown_from);

#endif
