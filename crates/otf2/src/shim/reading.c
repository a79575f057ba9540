/* reading.c: opens archives and reads them piece by piece. */
#include "handing.h"

#include <inttypes.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>

static _Thread_local char problem[512];

/* The first one is the cause of those that follow. */
static OTF2_ErrorCode keep_problem(void *user, const char *file, uint64_t line, const char *function, OTF2_ErrorCode code,
                                   const char *format, va_list arguments)
{
    (void)user;
    (void)file;
    (void)line;
    (void)function;
    if (problem[0] == '\0' && code != OTF2_WARNING) {
        int length = snprintf(problem, sizeof problem, "%s: ", OTF2_Error_GetDescription(code));
        if (length > 0 && (size_t)length < sizeof problem) {
            vsnprintf(problem + length, sizeof problem - (size_t)length, format, arguments);
        }
    }
    return code;
}

const char *call_otf2_problem(void)
{
    return problem;
}

void call_otf2_forget_problem(void)
{
    OTF2_Error_RegisterCallback(keep_problem, NULL);
    problem[0] = '\0';
}

/* With pieces of other sizes than it writes libotf2 reads for ever. */
static int has_sizes(OTF2_Reader *archive)
{
    uint64_t of_events = 0;
    uint64_t of_definitions = 0;
    if (OTF2_Reader_GetChunkSize(archive, &of_events, &of_definitions) == OTF2_SUCCESS && of_events >= OTF2_CHUNK_SIZE_MIN &&
        of_events <= OTF2_CHUNK_SIZE_MAX && of_definitions >= OTF2_CHUNK_SIZE_MIN && of_definitions <= OTF2_CHUNK_SIZE_MAX) {
        return 1;
    }
    snprintf(problem, sizeof problem, "its anchor speaks of chunks of %" PRIu64 " and %" PRIu64 " bytes", of_events, of_definitions);
    return 0;
}

call_otf2_reader *call_otf2_reader_open(const char *anchor_file)
{
    call_otf2_reader *reader = calloc(1, sizeof *reader);
    if (reader == NULL) {
        return NULL;
    }
    reader->archive = OTF2_Reader_Open(anchor_file);
    if (reader->archive == NULL || !has_sizes(reader->archive) ||
        OTF2_Reader_SetSerialCollectiveCallbacks(reader->archive) != OTF2_SUCCESS) {
        call_otf2_reader_close(reader);
        return NULL;
    }
    return reader;
}

char *call_otf2_reader_creator(call_otf2_reader *reader)
{
    char *creator = NULL;
    return OTF2_Reader_GetCreator(reader->archive, &creator) == OTF2_SUCCESS ? creator : NULL;
}

void call_otf2_free(char *text)
{
    free(text);
}

static int read_definitions(call_otf2_reader *reader, OTF2_GlobalDefReader *definitions, OTF2_GlobalDefReaderCallbacks *callbacks,
                            uint64_t most)
{
    uint64_t expected = 0;
    uint64_t count = 0;
    /* libotf2 counts on beyond the end of the file, as far as the anchor says. */
    if (OTF2_Reader_GetNumberOfGlobalDefinitions(reader->archive, &expected) != OTF2_SUCCESS || expected > most) {
        snprintf(problem, sizeof problem, "the anchor speaks of %" PRIu64 " definitions, for which there is no room", expected);
        return 1;
    }
    if (OTF2_Reader_RegisterGlobalDefCallbacks(reader->archive, definitions, callbacks, reader) != OTF2_SUCCESS ||
        OTF2_Reader_ReadAllGlobalDefinitions(reader->archive, definitions, &count) != OTF2_SUCCESS) {
        return 1;
    }
    if (count < expected) {
        snprintf(problem, sizeof problem, "%" PRIu64 " of %" PRIu64 " definitions are there", count, expected);
        return 1;
    }
    return 0;
}

int call_otf2_reader_definitions(call_otf2_reader *reader, uint64_t most, call_otf2_sink sink, void *user)
{
    OTF2_GlobalDefReader *definitions = OTF2_Reader_GetGlobalDefReader(reader->archive);
    OTF2_GlobalDefReaderCallbacks *callbacks = call_otf2_definition_callbacks();
    reader->sink = sink;
    reader->user = user;
    int result = definitions == NULL || callbacks == NULL || read_definitions(reader, definitions, callbacks, most);
    OTF2_GlobalDefReaderCallbacks_Delete(callbacks);
    if (definitions != NULL) {
        OTF2_Reader_CloseGlobalDefReader(reader->archive, definitions);
    }
    return result;
}

int call_otf2_reader_select(call_otf2_reader *reader, const uint64_t *locations, uint64_t count)
{
    for (uint64_t at = 0; at < count; at++) {
        if (OTF2_Reader_SelectLocation(reader->archive, locations[at]) != OTF2_SUCCESS) {
            return 1;
        }
    }
    /* Without these files the references of events are global already. */
    OTF2_Reader_OpenDefFiles(reader->archive);
    return OTF2_Reader_OpenEvtFiles(reader->archive) != OTF2_SUCCESS;
}

/* Local definitions say which global references are meant, and how far the clock is off. */
static int read_local_definitions(call_otf2_reader *reader, uint64_t location)
{
    uint64_t count = 0;
    OTF2_DefReader *definitions = OTF2_Reader_GetDefReader(reader->archive, location);
    if (definitions == NULL) {
        call_otf2_forget_problem();
        return 0;
    }
    int result = OTF2_Reader_ReadAllLocalDefinitions(reader->archive, definitions, &count) != OTF2_SUCCESS;
    OTF2_Reader_CloseDefReader(reader->archive, definitions);
    return result;
}

static int register_events(call_otf2_reader *reader, OTF2_EvtReader *events)
{
    OTF2_EvtReaderCallbacks *callbacks = call_otf2_event_callbacks();
    if (callbacks == NULL) {
        return 1;
    }
    int result = OTF2_Reader_RegisterEvtCallbacks(reader->archive, events, callbacks, reader) != OTF2_SUCCESS ||
                 OTF2_EvtReader_ApplyMappingTables(events, true) != OTF2_SUCCESS ||
                 OTF2_EvtReader_ApplyClockOffsets(events, true) != OTF2_SUCCESS;
    OTF2_EvtReaderCallbacks_Delete(callbacks);
    return result;
}

int call_otf2_reader_events(call_otf2_reader *reader, uint64_t location, call_otf2_sink sink, void *user, uint64_t *count)
{
    *count = 0;
    if (read_local_definitions(reader, location)) {
        return 1;
    }
    OTF2_EvtReader *events = OTF2_Reader_GetEvtReader(reader->archive, location);
    if (events == NULL) {
        return 1;
    }
    reader->sink = sink;
    reader->user = user;
    int result = register_events(reader, events) || OTF2_Reader_ReadAllLocalEvents(reader->archive, events, count) != OTF2_SUCCESS;
    OTF2_Reader_CloseEvtReader(reader->archive, events);
    return result;
}

void call_otf2_reader_close(call_otf2_reader *reader)
{
    if (reader->archive != NULL) {
        OTF2_Reader_Close(reader->archive);
    }
    free(reader);
}
