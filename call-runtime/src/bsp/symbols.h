/* symbols.h: names of functions at addresses of this process. */
#ifndef CLL_SYMBOLS_H
#define CLL_SYMBOLS_H

#include <stddef.h>

/* Writes the name of the function that holds the address; static functions have one, too, unless the program was stripped. Else
 * `FILE+0xOFFSET`, or the address. */
void cll_symbol_name(const void *address, char *name, size_t capacity);

#endif
