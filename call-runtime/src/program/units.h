/* units.h: the translated files of the program, and what they say together. */
#ifndef CLL_UNITS_H
#define CLL_UNITS_H

#include <stddef.h>

#include "../../include/call.h"

int cll_units_have(const cll_unit *unit);

/* Does nothing for a unit that is there; fails if it contradicts another one. */
void cll_units_add(cll_registration *registration);

/* Adds a unit that has not registered itself. */
void cll_units_know(const cll_unit *unit);

/* The one that was registered first, of those that say a kind if there are such; NULL if there is none. */
const cll_unit *cll_units_first(void);

/* Descriptions of experiments in all units. */
int cll_units_count(void);

/* What compiled the units, or their flags: those that differ, between semicolons, in the order of registration. `otherwise`: of units that
 * do not say it. */
void cll_units_compilers(char *text, size_t capacity, const char *otherwise);
void cll_units_flags(char *text, size_t capacity, const char *otherwise);

/* Does one of the units ask for a record of each superstep? */
int cll_units_want_supersteps(void);

/* Or of the calls of MPI? */
int cll_units_want_events(void);

/* All experiments of all units. */
void cll_units_visit(void (*visit)(const cll_experiment *experiment));

/* An experiment as one unit describes it; the descriptions of one name are one experiment of the trace. */
typedef struct {
    const cll_experiment *experiment;
    const cll_unit *unit;
    int first; /* number of the first description of that name */
} cll_description;

/* The descriptions of all units in the order of registration, to be freed. */
cll_description *cll_units_describe(int *count);

/* The source file of a block. */
const char *cll_description_file(const cll_description *description, int block);

#endif
