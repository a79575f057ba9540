/* bsp_level1.h: the collective functions of the Oxford BSP Toolset, its "level 1 library", on top of bsp.h.
 *
 * All processors call them alike, between bsp_begin and bsp_end. Each ends one superstep or two, as if it were written with bsp_put and
 * bsp_sync: what was put and got before is there afterwards, and messages that have not been read are gone.
 * The machine's parameters (bsp_s, bsp_l, bsp_g, bsp_nhalf), which Oxford's library read from a file, are left out: `llac machine probe`
 * measures them.
 */
#ifndef CLL_BSP_LEVEL1_H
#define CLL_BSP_LEVEL1_H

#include "bsp.h"

/* In the linker's eyes the functions have names of their own, so a program may bring another BSP library. */
#define bsp_bcast cll_bsplib_bcast
#define bsp_gather cll_bsplib_gather
#define bsp_scatter cll_bsplib_scatter
#define bsp_fold cll_bsplib_fold
#define bsp_scan cll_bsplib_scan
#define bsp_all cll_bsplib_all
#define bsp_any cll_bsplib_any
#define bsp_all_prefix cll_bsplib_all_prefix
#define bsp_any_prefix cll_bsplib_any_prefix
#define bsp_constantI cll_bsplib_constantI
#define bsp_sumI cll_bsplib_sumI
#define bsp_sumR cll_bsplib_sumR
#define bsp_sumD cll_bsplib_sumD
#define bsp_sumI_prefix cll_bsplib_sumI_prefix
#define bsp_sumR_prefix cll_bsplib_sumR_prefix
#define bsp_sumD_prefix cll_bsplib_sumD_prefix
#define bsp_productI cll_bsplib_productI
#define bsp_productR cll_bsplib_productR
#define bsp_productD cll_bsplib_productD
#define bsp_productI_prefix cll_bsplib_productI_prefix
#define bsp_productR_prefix cll_bsplib_productR_prefix
#define bsp_productD_prefix cll_bsplib_productD_prefix
#define bsp_minI cll_bsplib_minI
#define bsp_minR cll_bsplib_minR
#define bsp_minD cll_bsplib_minD
#define bsp_minI_prefix cll_bsplib_minI_prefix
#define bsp_minR_prefix cll_bsplib_minR_prefix
#define bsp_minD_prefix cll_bsplib_minD_prefix
#define bsp_maxI cll_bsplib_maxI
#define bsp_maxR cll_bsplib_maxR
#define bsp_maxD cll_bsplib_maxD
#define bsp_maxI_prefix cll_bsplib_maxI_prefix
#define bsp_maxR_prefix cll_bsplib_maxR_prefix
#define bsp_maxD_prefix cll_bsplib_maxD_prefix
#define bsp_sortI cll_bsplib_sortI
#define bsp_sortR cll_bsplib_sortR
#define bsp_sortD cll_bsplib_sortD
#define bsp_sortC cll_bsplib_sortC

#ifdef __cplusplus
extern "C" {
#endif

/* `size` bytes of `source` on processor `root` go to `destination`, which is registered, on all processors. */
void bsp_bcast(int root, const void *source, void *destination, int size);

/* `size` bytes of each processor go to `destination`, which is registered, on processor `root`, one behind the other in the order of the
 * processors. */
void bsp_gather(int root, const void *source, void *destination, int size);

/* Each processor gets `size` bytes of `source`, which is registered, on processor `root`: processor 0 the first ones, and so on. */
void bsp_scatter(int root, const void *source, void *destination, int size);

/* Sets `*result`, of `*size` bytes, to what comes of `left` and `right`; associative. Its places never overlap. */
typedef void (*cll_bsp_operator)(void *result, void *left, void *right, int *size);

/* On all processors: `size` bytes of processor 0, 1, ... combined in this order. */
void bsp_fold(cll_bsp_operator combine, const void *source, void *result, int size);

/* The same up to and with this processor. */
void bsp_scan(cll_bsp_operator combine, const void *source, void *result, int size);

/* Whether the number is not 0 on all processors, on any, on those up to and with this one; whether it is the same on all. */
int bsp_all(int number);
int bsp_any(int number);
int bsp_all_prefix(int number);
int bsp_any_prefix(int number);
int bsp_constantI(int number);

/* Of the numbers of all processors, and of those up to and with this one. */
int bsp_sumI(int number);
float bsp_sumR(float number);
double bsp_sumD(double number);
int bsp_sumI_prefix(int number);
float bsp_sumR_prefix(float number);
double bsp_sumD_prefix(double number);
int bsp_productI(int number);
float bsp_productR(float number);
double bsp_productD(double number);
int bsp_productI_prefix(int number);
float bsp_productR_prefix(float number);
double bsp_productD_prefix(double number);
int bsp_minI(int number);
float bsp_minR(float number);
double bsp_minD(double number);
int bsp_minI_prefix(int number);
float bsp_minR_prefix(float number);
double bsp_minD_prefix(double number);
int bsp_maxI(int number);
float bsp_maxR(float number);
double bsp_maxD(double number);
int bsp_maxI_prefix(int number);
float bsp_maxR_prefix(float number);
double bsp_maxD_prefix(double number);

/* The number that this processor has when the numbers of all processors are sorted, the least on processor 0. */
int bsp_sortI(int number);
float bsp_sortR(float number);
double bsp_sortD(double number);
char bsp_sortC(char number);

#ifdef __cplusplus
}
#endif

#endif
