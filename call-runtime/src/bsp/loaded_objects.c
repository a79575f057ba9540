/* loaded_objects.c: finds the object of an address and maps its file. What does not fit into the file is left alone. */
#include "loaded_objects.h"

#if defined(__linux__) && defined(__ELF__)
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "../base/shared.h"
#include "../base/thread.h"

typedef struct {
    uintptr_t address;
    uintptr_t base;
    const char *path;
    uintptr_t part;
    size_t part_bytes;
} object_search;

typedef struct mapped_file {
    struct mapped_file *next;
    dev_t device;
    ino_t number;
    const unsigned char *bytes;
    size_t size_bytes;
} mapped_file;

static cll_object *loaded_objects = NULL;

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
            search->part = start;
            search->part_bytes = (size_t)part->p_memsz;
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

/* NULL: it cannot be mapped. */
static const mapped_file *map_file(int file, const struct stat *status)
{
    mapped_file **first = (mapped_file **)cll_shared(CLL_SHARED_FILES);
    for (const mapped_file *known = *first; known != NULL; known = known->next) {
        if (known->device == status->st_dev && known->number == status->st_ino) {
            return known;
        }
    }
    void *bytes = mmap(NULL, (size_t)status->st_size, PROT_READ, MAP_PRIVATE, file, 0);
    mapped_file *made = bytes == MAP_FAILED ? NULL : calloc(1, sizeof *made);
    if (made != NULL) {
        made->device = status->st_dev;
        made->number = status->st_ino;
        made->bytes = bytes;
        made->size_bytes = (size_t)status->st_size;
        made->next = *first;
        *first = made;
    }
    return made;
}

static void map_object(cll_object *object)
{
    struct stat status;
    int file = open(*object->path == '\0' ? "/proc/self/exe" : object->path, O_RDONLY | O_CLOEXEC);
    if (file < 0) {
        file = open_original(object->path);
    }
    if (file < 0) {
        return;
    }
    const mapped_file *mapped = fstat(file, &status) == 0 && status.st_size > 0 ? map_file(file, &status) : NULL;
    if (mapped != NULL) {
        object->bytes = mapped->bytes;
        object->size_bytes = mapped->size_bytes;
    }
    close(file);
}

/* Where processors are simulated there may be thousands of objects, none of which is ever replaced by another one. */
static const cll_object *known_object_at(uintptr_t address)
{
#ifdef CLL_SMPI
    for (const cll_object *known = loaded_objects; known != NULL; known = known->next) {
        if (address - known->part < known->part_bytes) {
            return known;
        }
    }
#else
    (void)address;
#endif
    return NULL;
}

const cll_object *cll_object_at(uintptr_t address)
{
    object_search search = {address, 0, NULL, 0, 0};
    const cll_object *found = known_object_at(address);
    if (found != NULL || !dl_iterate_phdr(holds_address, &search)) {
        return found;
    }
    for (const cll_object *known = loaded_objects; known != NULL; known = known->next) {
        if (known->base == search.base && strcmp(known->path, search.path) == 0) {
            return known;
        }
    }
    cll_object *made = calloc(1, sizeof *made);
    char *path = malloc(strlen(search.path) + 1);
    if (made == NULL || path == NULL) {
        free(made);
        free(path);
        return NULL;
    }
    strcpy(path, search.path);
    made->path = path;
    made->base = search.base;
    made->part = search.part;
    made->part_bytes = search.part_bytes;
    made->next = loaded_objects;
    loaded_objects = made;
    map_object(made);
    return made;
}

const char *cll_object_file(const cll_object *object)
{
    const char *file = file_of_path(object->path);
    return *file == '\0' ? "program" : file;
}

static int is_inside_file(size_t file_bytes, uint64_t offset, uint64_t count)
{
    return offset <= file_bytes && count <= file_bytes - offset;
}

static const ElfW(Shdr) *sections_of(const cll_object *object)
{
    const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)(const void *)object->bytes;
    return (const ElfW(Shdr) *)(const void *)(object->bytes + head->e_shoff);
}

size_t cll_object_section_count(const cll_object *object)
{
    const ElfW(Ehdr) *head = (const ElfW(Ehdr) *)(const void *)object->bytes;
    if (object->bytes == NULL || !is_inside_file(object->size_bytes, 0, sizeof *head) || memcmp(head->e_ident, ELFMAG, SELFMAG) != 0 ||
        head->e_shentsize != sizeof(ElfW(Shdr)) || head->e_shoff % sizeof(uintptr_t) != 0 ||
        !is_inside_file(object->size_bytes, head->e_shoff, (uint64_t)head->e_shnum * sizeof(ElfW(Shdr)))) {
        return 0;
    }
    return head->e_shnum;
}

static const char *section_name(const cll_object *object, size_t count, uint32_t place)
{
    size_t number = ((const ElfW(Ehdr) *)(const void *)object->bytes)->e_shstrndx;
    if (number >= count) {
        return "";
    }
    const ElfW(Shdr) *names = &sections_of(object)[number];
    if (!is_inside_file(object->size_bytes, names->sh_offset, names->sh_size) || place >= names->sh_size ||
        object->bytes[names->sh_offset + names->sh_size - 1] != '\0') {
        return "";
    }
    return (const char *)object->bytes + names->sh_offset + place;
}

cll_section cll_object_section(const cll_object *object, size_t number)
{
    const ElfW(Shdr) *its = &sections_of(object)[number];
    cll_section found = {"", NULL, 0, its->sh_type, its->sh_link, 0};
    found.name = section_name(object, cll_object_section_count(object), its->sh_name);
    found.is_compressed = (its->sh_flags & SHF_COMPRESSED) != 0;
    if (its->sh_type != SHT_NOBITS && is_inside_file(object->size_bytes, its->sh_offset, its->sh_size)) {
        found.bytes = object->bytes + its->sh_offset;
        found.size_bytes = (size_t)its->sh_size;
    }
    return found;
}
#endif
