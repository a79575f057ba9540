/* libgomp_regions.h: what gcc's runtime of OpenMP is called for, seen on the way. */
#ifndef CLL_LIBGOMP_REGIONS_H
#define CLL_LIBGOMP_REGIONS_H

/* Whether the parallel regions of the program come past here; asked in OpenMP programs only, it opens one with this thread alone. */
int cll_libgomp_regions_are_seen(void);

#endif
