/* symbols.c: reads the symbol tables of the executable and of its shared objects from their files, since the dynamic linker knows
 * neither static functions nor those of an executable. */
#include "symbols.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__linux__) && defined(__ELF__)
#include "../base/shared.h"
#include "loaded_objects.h"

/* A function, relative to where its object was loaded. */
typedef struct {
    uintptr_t address;
    uintptr_t size;
    const char *name; /* in the mapped file */
} function_symbol;

typedef struct symbol_table {
    struct symbol_table *next;
    const cll_object *object;
    function_symbol *symbols;
    size_t count;
} symbol_table;

static int by_symbol_address(const void *left, const void *right)
{
    uintptr_t a = ((const function_symbol *)left)->address;
    uintptr_t b = ((const function_symbol *)right)->address;
    return (a > b) - (a < b);
}

static void take_symbols(symbol_table *table, const ElfW(Sym) *symbols, size_t count, const char *names, size_t names_bytes)
{
    table->symbols = calloc(count + 1, sizeof *table->symbols);
    for (size_t index = 0; table->symbols != NULL && index < count; index++) {
        const ElfW(Sym) *symbol = &symbols[index];
        /* The kind of a symbol is in the same bits for 32 and 64. */
        if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF && symbol->st_name < names_bytes) {
            function_symbol *made = &table->symbols[table->count++];
            made->address = (uintptr_t)symbol->st_value;
            made->size = (uintptr_t)symbol->st_size;
            made->name = names + symbol->st_name;
        }
    }
    if (table->symbols != NULL) {
        qsort(table->symbols, table->count, sizeof *table->symbols, by_symbol_address);
    }
}

/* Those of this kind; returns whether there are any. */
static int read_symbols(symbol_table *table, uint32_t kind)
{
    size_t count = cll_object_section_count(table->object);
    for (size_t number = 0; number < count; number++) {
        cll_section its = cll_object_section(table->object, number);
        if (its.kind != kind || its.link >= count || its.bytes == NULL || (uintptr_t)its.bytes % sizeof(uintptr_t) != 0) {
            continue;
        }
        cll_section names = cll_object_section(table->object, its.link);
        if (names.size_bytes > 0 && names.bytes[names.size_bytes - 1] == '\0') {
            take_symbols(table, (const ElfW(Sym) *)(const void *)its.bytes, its.size_bytes / sizeof(ElfW(Sym)), (const char *)names.bytes,
                         names.size_bytes);
            return table->count > 0;
        }
    }
    return 0;
}

/* NULL without memory. */
static const symbol_table *symbols_of(const cll_object *object)
{
    symbol_table **first = (symbol_table **)cll_shared(CLL_SHARED_SYMBOLS);
    for (const symbol_table *known = *first; known != NULL; known = known->next) {
        if (known->object->bytes == object->bytes) {
            return known;
        }
    }
    symbol_table *made = calloc(1, sizeof *made);
    if (made != NULL) {
        made->object = object;
        made->next = *first;
        *first = made;
        if (!read_symbols(made, SHT_SYMTAB)) {
            read_symbols(made, SHT_DYNSYM);
        }
    }
    return made;
}

static const function_symbol *symbol_at(const symbol_table *table, uintptr_t address)
{
    size_t low = 0;
    size_t high = table->count;
    while (low < high) { /* the last one that does not begin behind the address */
        size_t middle = low + (high - low) / 2;
        if (table->symbols[middle].address <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const function_symbol *found = low == 0 ? NULL : &table->symbols[low - 1];
    return found == NULL || address - found->address >= found->size ? NULL : found;
}

/* Returns whether the address lies in an object. */
static int name_by_file(uintptr_t address, char *name, size_t capacity)
{
    const cll_object *object = cll_object_at(address);
    if (object == NULL) {
        return 0;
    }
    const symbol_table *table = symbols_of(object);
    const function_symbol *found = table == NULL ? NULL : symbol_at(table, address - object->base);
    if (found != NULL) {
        snprintf(name, capacity, "%s", found->name);
    } else {
        snprintf(name, capacity, "%s+%#llx", cll_object_file(object), (unsigned long long)(address - object->base));
    }
    return 1;
}
#elif defined(__APPLE__)
#include <dlfcn.h>

static int name_by_file(uintptr_t address, char *name, size_t capacity)
{
    Dl_info found;
    if (dladdr((const void *)address, &found) == 0 || found.dli_sname == NULL) {
        return 0;
    }
    snprintf(name, capacity, "%s", found.dli_sname);
    return 1;
}
#else
static int name_by_file(uintptr_t address, char *name, size_t capacity)
{
    (void)address;
    (void)name;
    (void)capacity;
    return 0;
}
#endif

void cll_symbol_name(const void *address, char *name, size_t capacity)
{
    if (name_by_file((uintptr_t)address, name, capacity)) {
        return;
    }
    snprintf(name, capacity, "%#llx", (unsigned long long)(uintptr_t)address);
}
