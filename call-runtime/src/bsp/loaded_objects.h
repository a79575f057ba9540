/* loaded_objects.h: the executable and its shared objects, as their files have them. */
#ifndef CLL_LOADED_OBJECTS_H
#define CLL_LOADED_OBJECTS_H

#if defined(__linux__) && defined(__ELF__)
#include <link.h>
#include <stddef.h>
#include <stdint.h>

/* Stays for ever, as what is found in its file is used by address. */
typedef struct cll_object {
    struct cll_object *next;
    char *path;     /* empty: the executable */
    uintptr_t base; /* added to the addresses of its file */
    uintptr_t part; /* of it, in which an address was found first */
    size_t part_bytes;
    const unsigned char *bytes; /* NULL: it cannot be read */
    size_t size_bytes;
} cll_object;

/* A part of the file; `bytes` is NULL where it does not fit into the file. */
typedef struct {
    const char *name;
    const unsigned char *bytes;
    size_t size_bytes;
    uint32_t kind;
    uint32_t link;
    int is_compressed;
} cll_section;

/* The object that holds the address, NULL: none does, or there is no memory. */
const cll_object *cll_object_at(uintptr_t address);

/* Without the folders. */
const char *cll_object_file(const cll_object *object);

/* 0: it is no file of this computer's format. */
size_t cll_object_section_count(const cll_object *object);
cll_section cll_object_section(const cll_object *object, size_t number);
#endif

#endif
