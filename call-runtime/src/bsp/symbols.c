/* symbols.c: reads the symbol tables of the executable and of its shared objects from their files, since the dynamic linker knows
 * neither static functions nor those of an executable. */
#include "symbols.h"

#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#if defined(__linux__) && defined(__ELF__)
#include <fcntl.h>
#include <link.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/thread.h"

/* A function, relative to where its object was loaded. */
typedef struct {
    uintptr_t address;
    uintptr_t size;
    const char *name; /* in the mapped file */
} function_symbol;

typedef struct loaded_object {
    struct loaded_object *next;
    char *path;     /* empty: the executable */
    uintptr_t base; /* added to the addresses of its file */
    function_symbol *symbols;
    size_t count;
} loaded_object;

typedef struct {
    uintptr_t address;
    uintptr_t base;
    const char *path;
} object_search;

static loaded_object *loaded_objects = NULL;

static int holds_address(struct dl_phdr_info *info, size_t size, void *context)
{
    object_search *search = context;
    (void)size;
    for (int index = 0; index < info->dlpi_phnum; index++) {
        const ElfW(Phdr) *part = &info->dlpi_phdr[index];
        uintptr_t start = (uintptr_t)info->dlpi_addr + (uintptr_t)part->p_vaddr;
        if (part->p_type == PT_LOAD && search->address >= start && search->address - start < part->p_memsz) {
            search->base = (uintptr_t)info->dlpi_addr;
            search->path = info->dlpi_name;
            return 1;
        }
    }
    return 0;
}

static const char *file_of_path(const char *path)
{
    const char *slash = strrchr(path, '/');
    return slash == NULL ? path : slash + 1;
}

#ifdef CLL_SMPI
/* SMPI loads copies PROGRAM_PID_NUMBER.so of the program, and removes their files. The program stands in the command line. */
static int open_original(const char *copy)
{
    static char words[65536];
    int file = open("/proc/self/cmdline", O_RDONLY | O_CLOEXEC);
    ssize_t count = file < 0 ? -1 : read(file, words, sizeof words - 1);
    if (file >= 0) {
        close(file);
    }
    for (ssize_t at = 0; at < count; at += (ssize_t)strlen(words + at) + 1) {
        const char *name = file_of_path(words + at);
        size_t length = strlen(name);
        if (length > 0 && strncmp(file_of_path(copy), name, length) == 0 && file_of_path(copy)[length] == '_') {
            return open(words + at, O_RDONLY | O_CLOEXEC);
        }
    }
    return -1;
}
#else
static int open_original(const char *copy)
{
    (void)copy;
    return -1;
}
#endif

/* NULL if it cannot be; stays mapped, as the names stand in it. */
static const unsigned char *map_object(const char *path, size_t *size_bytes)
{
    struct stat status;
    int file = open(*path == '\0' ? "/proc/self/exe" : path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        file = open_original(path);
    }
    if (file < 0) {
        return NULL;
    }
    void *mapped = MAP_FAILED;
    if (fstat(file, &status) == 0 && status.st_size > 0) {
        *size_bytes = (size_t)status.st_size;
        mapped = mmap(NULL, *size_bytes, PROT_READ, MAP_PRIVATE, file, 0);
    }
    close(file);
    return mapped == MAP_FAILED ? NULL : mapped;
}

static int is_inside_file(size_t file_bytes, uint64_t offset, uint64_t count)
{
    return offset <= file_bytes && count <= file_bytes - offset;
}

static int by_symbol_address(const void *left, const void *right)
{
    uintptr_t a = ((const function_symbol *)left)->address;
    uintptr_t b = ((const function_symbol *)right)->address;
    return (a > b) - (a < b);
}

static void take_symbols(loaded_object *object, const ElfW(Sym) *symbols, size_t count, const char *names, size_t names_bytes)
{
    object->symbols = calloc(count + 1, sizeof *object->symbols);
    for (size_t index = 0; object->symbols != NULL && index < count; index++) {
        const ElfW(Sym) *symbol = &symbols[index];
        /* The kind of a symbol is in the same bits for 32 and 64. */
        if (ELF64_ST_TYPE(symbol->st_info) == STT_FUNC && symbol->st_shndx != SHN_UNDEF && symbol->st_name < names_bytes) {
            function_symbol *made = &object->symbols[object->count++];
            made->address = (uintptr_t)symbol->st_value;
            made->size = (uintptr_t)symbol->st_size;
            made->name = names + symbol->st_name;
        }
    }
    if (object->symbols != NULL) {
        qsort(object->symbols, object->count, sizeof *object->symbols, by_symbol_address);
    }
}

/* The table of that kind; returns whether there is one. What does not fit into the file is left alone. */
static int read_table(loaded_object *object, const unsigned char *bytes, size_t file_bytes, uint32_t kind)
{
    const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)(const void *)bytes;
    if (!is_inside_file(file_bytes, 0, sizeof *head) || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_shentsize != sizeof(ElfW(Shdr)) || head->e_shoff % sizeof(uintptr_t) != 0 ||
        !is_inside_file(file_bytes, head->e_shoff, (uint64_t)head->e_shnum * sizeof(ElfW(Shdr)))) {
        return 0;
    }
    const ElfW(Shdr) *sections = (const ElfW(Shdr) *)(const void *)(bytes + head->e_shoff);
    for (size_t index = 0; index < head->e_shnum; index++) {
        const ElfW(Shdr) *table = &sections[index];
        if (table->sh_type != kind || table->sh_link >= head->e_shnum || table->sh_offset % sizeof(uintptr_t) != 0) {
            continue;
        }
        const ElfW(Shdr) *names = &sections[table->sh_link];
        if (is_inside_file(file_bytes, table->sh_offset, table->sh_size) && is_inside_file(file_bytes, names->sh_offset, names->sh_size) &&
            names->sh_size > 0 && bytes[names->sh_offset + names->sh_size - 1] == '\0') {
            take_symbols(object, (const ElfW(Sym) *)(const void *)(bytes + table->sh_offset),
                         (size_t)(table->sh_size / sizeof(ElfW(Sym))), (const char *)(bytes + names->sh_offset),
                         (size_t)names->sh_size);
            return object->count > 0;
        }
    }
    return 0;
}

/* NULL without memory. */
static const loaded_object *object_of(const object_search *search)
{
    for (const loaded_object *known = loaded_objects; known != NULL; known = known->next) {
        if (known->base == search->base && strcmp(known->path, search->path) == 0) {
            return known;
        }
    }
    loaded_object *made = calloc(1, sizeof *made);
    char *path = malloc(strlen(search->path) + 1);
    if (made == NULL || path == NULL) {
        free(made);
        free(path);
        return NULL;
    }
    strcpy(path, search->path);
    made->path = path;
    made->base = search->base;
    made->next = loaded_objects;
    loaded_objects = made;
    size_t file_bytes = 0;
    const unsigned char *bytes = map_object(path, &file_bytes);
    if (bytes != NULL && !read_table(made, bytes, file_bytes, SHT_SYMTAB)) {
        read_table(made, bytes, file_bytes, SHT_DYNSYM);
    }
    return made;
}

static const function_symbol *symbol_at(const loaded_object *object, uintptr_t address)
{
    size_t low = 0;
    size_t high = object->count;
    while (low < high) { /* the last one that does not begin behind the address */
        size_t middle = low + (high - low) / 2;
        if (object->symbols[middle].address <= address) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    const function_symbol *found = low == 0 ? NULL : &object->symbols[low - 1];
    return found == NULL || address - found->address >= found->size ? NULL : found;
}

/* Returns whether the address lies in an object. */
static int name_by_file(uintptr_t address, char *name, size_t capacity)
{
    object_search search = {address, 0, NULL};
    if (!dl_iterate_phdr(holds_address, &search)) {
        return 0;
    }
    const loaded_object *object = object_of(&search);
    const function_symbol *found = object == NULL ? NULL : symbol_at(object, address - search.base);
    if (found != NULL) {
        snprintf(name, capacity, "%s", found->name);
    } else {
        const char *file = file_of_path(search.path);
        snprintf(name, capacity, "%s+%#llx", *file == '\0' ? "program" : file, (unsigned long long)(address - search.base));
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
