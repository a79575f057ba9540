/* line_names.c: reads the lists of folders and files. */
#include "line_names.h"

#include <stdio.h>
#include <string.h>

/* An entry of the lists of folders and files. */
typedef struct {
    const char *name;
    uint64_t folder;
} line_name;

static const char *text_at(const cll_line_section *section, uint64_t offset)
{
    return offset < section->size_bytes ? section->bytes + offset : "";
}

/* DWARF 5 says in which form each field of an entry is. */
static line_name take_entry(cll_line_reader *reader, const cll_line_texts *texts, size_t offset_bytes, cll_line_reader formats, uint64_t format_count)
{
    enum { CONTENT_PATH = 1, CONTENT_FOLDER = 2 };
    enum { DATA2 = 0x05, DATA4 = 0x06, DATA8 = 0x07, STRING = 0x08, BLOCK = 0x09, DATA1 = 0x0b, STRP = 0x0e, UDATA = 0x0f, DATA16 = 0x1e, LINE_STRP = 0x1f };
    line_name found = {"", 0};
    for (uint64_t number = 0; number < format_count && !reader->is_wrong; number++) {
        uint64_t content = cll_line_natural(&formats);
        uint64_t value = 0;
        const char *text = "";
        switch (cll_line_natural(&formats)) {
        case STRING:
            text = cll_line_text(reader);
            break;
        case LINE_STRP:
            text = text_at(&texts->line, cll_line_number(reader, offset_bytes));
            break;
        case STRP:
            text = text_at(&texts->debug, cll_line_number(reader, offset_bytes));
            break;
        case UDATA:
            value = cll_line_natural(reader);
            break;
        case DATA1:
            value = cll_line_number(reader, 1);
            break;
        case DATA2:
            value = cll_line_number(reader, 2);
            break;
        case DATA4:
            value = cll_line_number(reader, 4);
            break;
        case DATA8:
            value = cll_line_number(reader, 8);
            break;
        case DATA16:
            cll_line_number(reader, 16);
            break;
        case BLOCK:
            cll_line_number(reader, (size_t)cll_line_natural(reader));
            break;
        default:
            reader->is_wrong = 1;
        }
        found.name = content == CONTENT_PATH ? text : found.name;
        found.folder = content == CONTENT_FOLDER ? value : found.folder;
    }
    return found;
}

/* The wanted entry of a list, and its first one; leaves the reader behind the list. */
static line_name take_list(cll_line_reader *reader, const cll_line_texts *texts, size_t offset_bytes, uint64_t wanted, line_name *first)
{
    line_name found = {"", 0};
    uint64_t format_count = cll_line_number(reader, 1);
    cll_line_reader formats = *reader;
    for (uint64_t number = 0; number < 2 * format_count; number++) {
        cll_line_natural(reader);
    }
    uint64_t count = cll_line_natural(reader);
    for (uint64_t number = 0; number < count && format_count > 0 && !reader->is_wrong; number++) {
        line_name entry = take_entry(reader, texts, offset_bytes, formats, format_count);
        *first = number == 0 ? entry : *first;
        found = number == wanted ? entry : found;
    }
    return found;
}

/* Folder and name; an empty folder is that in which the compiler ran. */
static int name_in_5(const cll_line_texts *texts, const cll_line_unit *unit, uint64_t wanted, line_name *file, const char **folder)
{
    cll_line_reader reader = {unit->names, unit->program, 0};
    line_name here = {"", 0};
    line_name first = {"", 0};
    take_list(&reader, texts, unit->offset_bytes, 0, &here);
    *file = take_list(&reader, texts, unit->offset_bytes, wanted, &first);
    cll_line_reader again = {unit->names, unit->program, 0};
    *folder = take_list(&again, texts, unit->offset_bytes, file->folder, &first).name;
    *folder = file->folder == 0 || strcmp(*folder, here.name) == 0 ? "" : *folder;
    return !reader.is_wrong && !again.is_wrong && *file->name != '\0';
}

/* Both count from 1; folder 0 is that in which the compiler ran. */
static int name_before_5(const cll_line_unit *unit, uint64_t wanted, line_name *file, const char **folder)
{
    cll_line_reader reader = {unit->names, unit->program, 0};
    while (!reader.is_wrong && *cll_line_text(&reader) != '\0') {
    }
    int is_found = 0;
    for (uint64_t number = 1; number <= wanted && !reader.is_wrong; number++) {
        file->name = cll_line_text(&reader);
        file->folder = cll_line_natural(&reader);
        cll_line_natural(&reader);
        cll_line_natural(&reader);
        is_found = number == wanted && *file->name != '\0';
        reader.is_wrong |= *file->name == '\0';
    }
    cll_line_reader folders = {unit->names, unit->program, 0};
    *folder = "";
    for (uint64_t number = 1; number <= file->folder && is_found && !folders.is_wrong; number++) {
        *folder = cll_line_text(&folders);
        folders.is_wrong |= **folder == '\0';
    }
    return is_found && !folders.is_wrong;
}

int cll_line_file_name(const cll_line_unit *unit, const cll_line_texts *texts, uint64_t number, char *name, size_t capacity)
{
    line_name file = {"", 0};
    const char *folder = "";
    if (unit->version == 5 ? !name_in_5(texts, unit, number, &file, &folder) : !name_before_5(unit, number, &file, &folder)) {
        return 0;
    }
    int has_folder = *file.name != '/' && *folder != '\0';
    int length = snprintf(name, capacity, "%s%s%s", has_folder ? folder : "", has_folder ? "/" : "", file.name);
    return length > 0 && (size_t)length < capacity;
}
