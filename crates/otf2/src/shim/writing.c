/* writing.c: an archive made of events and definitions, one by one. */
#include "records.h"

#include <stdbool.h>
#include <stdlib.h>

#include <otf2/otf2.h>

enum { EVENT_CHUNK_BYTES = 1 << 20, DEFINITION_CHUNK_BYTES = 4 << 20 };

struct call_otf2_writer {
    OTF2_Archive *archive;
    OTF2_AttributeList *attributes;
    OTF2_EvtWriter *events; /* of the location that they are written of */
    uint64_t location;
    uint64_t *locations; /* those that have had events */
    size_t location_count;
    size_t location_capacity;
    OTF2_GlobalDefWriter *definitions; /* once the events are written */
};

static OTF2_FlushType flush_always(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool is_final)
{
    (void)user;
    (void)type;
    (void)location;
    (void)caller;
    (void)is_final;
    return OTF2_FLUSH;
}

/* Without the function that would tell when a flush is over, it is no event. */
static const OTF2_FlushCallbacks flush_callbacks = {flush_always, NULL};

static void give_up(call_otf2_writer *writer)
{
    if (writer->archive != NULL) {
        OTF2_Archive_Close(writer->archive);
    }
    if (writer->attributes != NULL) {
        OTF2_AttributeList_Delete(writer->attributes);
    }
    free(writer->locations);
    free(writer);
}

call_otf2_writer *call_otf2_writer_open(const char *folder, const char *name, const char *creator)
{
    call_otf2_writer *writer = calloc(1, sizeof *writer);
    if (writer == NULL) {
        return NULL;
    }
    writer->attributes = OTF2_AttributeList_New();
    writer->archive = OTF2_Archive_Open(folder, name, OTF2_FILEMODE_WRITE, EVENT_CHUNK_BYTES, DEFINITION_CHUNK_BYTES,
                                        OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    if (writer->attributes == NULL || writer->archive == NULL ||
        OTF2_Archive_SetFlushCallbacks(writer->archive, &flush_callbacks, NULL) != OTF2_SUCCESS ||
        OTF2_Archive_SetSerialCollectiveCallbacks(writer->archive) != OTF2_SUCCESS ||
        OTF2_Archive_SetCreator(writer->archive, creator) != OTF2_SUCCESS ||
        OTF2_Archive_OpenEvtFiles(writer->archive) != OTF2_SUCCESS) {
        give_up(writer);
        return NULL;
    }
    return writer;
}

static int finish_location(call_otf2_writer *writer)
{
    OTF2_EvtWriter *events = writer->events;
    writer->events = NULL;
    return events != NULL && OTF2_Archive_CloseEvtWriter(writer->archive, events) != OTF2_SUCCESS;
}

static int begin_location(call_otf2_writer *writer, uint64_t location)
{
    if (writer->events != NULL && writer->location == location) {
        return 0;
    }
    if (finish_location(writer)) {
        return 1;
    }
    if (writer->location_count == writer->location_capacity) {
        size_t capacity = 2 * writer->location_capacity + 8;
        uint64_t *locations = realloc(writer->locations, capacity * sizeof *locations);
        if (locations == NULL) {
            return 1;
        }
        writer->locations = locations;
        writer->location_capacity = capacity;
    }
    writer->locations[writer->location_count++] = location;
    writer->location = location;
    writer->events = OTF2_Archive_GetEvtWriter(writer->archive, location);
    return writer->events == NULL;
}

/* Readers look for local definitions of each location; there are none, as all references are global. */
static int begin_definitions(call_otf2_writer *writer)
{
    if (writer->definitions != NULL) {
        return 0;
    }
    if (finish_location(writer) || OTF2_Archive_CloseEvtFiles(writer->archive) != OTF2_SUCCESS ||
        OTF2_Archive_OpenDefFiles(writer->archive) != OTF2_SUCCESS) {
        return 1;
    }
    for (size_t at = 0; at < writer->location_count; at++) {
        OTF2_DefWriter *local = OTF2_Archive_GetDefWriter(writer->archive, writer->locations[at]);
        if (local == NULL || OTF2_Archive_CloseDefWriter(writer->archive, local) != OTF2_SUCCESS) {
            return 1;
        }
    }
    if (OTF2_Archive_CloseDefFiles(writer->archive) != OTF2_SUCCESS) {
        return 1;
    }
    writer->definitions = OTF2_Archive_GetGlobalDefWriter(writer->archive);
    return writer->definitions == NULL;
}

/* Text 0 is the empty one; the tree of machines is a root with all processes. */
static OTF2_ErrorCode write_definition(OTF2_GlobalDefWriter *to, const call_otf2_record *record)
{
    const uint64_t *its = record->numbers;
    const OTF2_StringRef name = (OTF2_StringRef)its[1];
    switch (record->kind) {
    case CALL_OTF2_CLOCK:
        return OTF2_GlobalDefWriter_WriteClockProperties(to, its[0], its[1], its[2], OTF2_UNDEFINED_TIMESTAMP);
    case CALL_OTF2_TEXT:
        return OTF2_GlobalDefWriter_WriteString(to, (OTF2_StringRef)its[0], record->text);
    case CALL_OTF2_ATTRIBUTE:
        return OTF2_GlobalDefWriter_WriteAttribute(to, (OTF2_AttributeRef)its[0], name, 0, OTF2_TYPE_STRING);
    case CALL_OTF2_MACHINE:
        return OTF2_GlobalDefWriter_WriteSystemTreeNode(to, (OTF2_SystemTreeNodeRef)its[0], name, (OTF2_StringRef)its[2],
                                                        OTF2_UNDEFINED_SYSTEM_TREE_NODE);
    case CALL_OTF2_PARADIGM:
        return OTF2_GlobalDefWriter_WriteParadigm(to, (OTF2_Paradigm)its[0], name, OTF2_PARADIGM_CLASS_PROCESS);
    case CALL_OTF2_LOCATION_GROUP:
        return OTF2_GlobalDefWriter_WriteLocationGroup(to, (OTF2_LocationGroupRef)its[0], name, (OTF2_LocationGroupType)its[2], 0,
                                                       OTF2_UNDEFINED_LOCATION_GROUP);
    case CALL_OTF2_LOCATION:
        return OTF2_GlobalDefWriter_WriteLocation(to, its[0], name, (OTF2_LocationType)its[2], its[3], (OTF2_LocationGroupRef)its[4]);
    case CALL_OTF2_REGION:
        return OTF2_GlobalDefWriter_WriteRegion(to, (OTF2_RegionRef)its[0], name, name, (OTF2_StringRef)its[2], (OTF2_RegionRole)its[3],
                                                (OTF2_Paradigm)its[4], OTF2_REGION_FLAG_NONE, (OTF2_StringRef)its[5], (uint32_t)its[6],
                                                (uint32_t)its[6]);
    case CALL_OTF2_GROUP:
        return OTF2_GlobalDefWriter_WriteGroup(to, (OTF2_GroupRef)its[0], name, (OTF2_GroupType)its[2], (OTF2_Paradigm)its[3],
                                               (OTF2_GroupFlag)its[4], (uint32_t)record->member_count, record->members);
    case CALL_OTF2_COMMUNICATOR:
        return OTF2_GlobalDefWriter_WriteComm(to, (OTF2_CommRef)its[0], name, (OTF2_GroupRef)its[2], OTF2_UNDEFINED_COMM,
                                              OTF2_COMM_FLAG_NONE);
    case CALL_OTF2_WINDOW:
        return OTF2_GlobalDefWriter_WriteRmaWin(to, (OTF2_RmaWinRef)its[0], name, (OTF2_CommRef)its[2], OTF2_RMA_WIN_FLAG_NONE);
    case CALL_OTF2_PARAMETER:
        return OTF2_GlobalDefWriter_WriteParameter(to, (OTF2_ParameterRef)its[0], name, OTF2_PARAMETER_TYPE_STRING);
    default:
        return OTF2_ERROR_INVALID_ARGUMENT;
    }
}

/* What accumulates has a type; the others go one way. */
static OTF2_ErrorCode write_access(OTF2_EvtWriter *to, OTF2_AttributeList *with, uint64_t ticks, const uint64_t *its)
{
    const uint32_t remote = (uint32_t)its[0];
    const OTF2_RmaWinRef window = (OTF2_RmaWinRef)its[1];
    const uint64_t sent_bytes = its[3], received_bytes = its[4];
    if (its[2] != 0 || (sent_bytes > 0 && received_bytes > 0)) {
        const OTF2_RmaAtomicType type = received_bytes > 0 ? OTF2_RMA_ATOMIC_TYPE_FETCH_AND_ACCUMULATE : OTF2_RMA_ATOMIC_TYPE_ACCUMULATE;
        return OTF2_EvtWriter_RmaAtomic(to, with, ticks, window, remote, type, sent_bytes, received_bytes, 0);
    }
    if (received_bytes > 0) {
        return OTF2_EvtWriter_RmaGet(to, with, ticks, window, remote, received_bytes, 0);
    }
    return OTF2_EvtWriter_RmaPut(to, with, ticks, window, remote, sent_bytes, 0);
}

static OTF2_ErrorCode write_event(OTF2_EvtWriter *to, OTF2_AttributeList *with, const call_otf2_record *record)
{
    const uint64_t *its = record->numbers;
    const uint64_t ticks = record->ticks;
    const uint32_t partner = (uint32_t)its[0], communicator = (uint32_t)its[1], tag_or_root = (uint32_t)its[2];
    const OTF2_RmaWinRef window = (OTF2_RmaWinRef)its[1];
    switch (record->kind) {
    case CALL_OTF2_ENTER:
        return OTF2_EvtWriter_Enter(to, with, ticks, (OTF2_RegionRef)its[0]);
    case CALL_OTF2_LEAVE:
        return OTF2_EvtWriter_Leave(to, with, ticks, (OTF2_RegionRef)its[0]);
    case CALL_OTF2_SEND:
        return OTF2_EvtWriter_MpiSend(to, with, ticks, partner, communicator, tag_or_root, its[3]);
    case CALL_OTF2_SEND_REQUEST:
        return OTF2_EvtWriter_MpiIsend(to, with, ticks, partner, communicator, tag_or_root, its[3], its[4]);
    case CALL_OTF2_SEND_COMPLETE:
        return OTF2_EvtWriter_MpiIsendComplete(to, with, ticks, its[0]);
    case CALL_OTF2_RECEIVE:
        return OTF2_EvtWriter_MpiRecv(to, with, ticks, partner, communicator, tag_or_root, its[3]);
    case CALL_OTF2_RECEIVE_REQUEST:
        return OTF2_EvtWriter_MpiIrecvRequest(to, with, ticks, its[0]);
    case CALL_OTF2_RECEIVE_COMPLETE:
        return OTF2_EvtWriter_MpiIrecv(to, with, ticks, partner, communicator, tag_or_root, its[3], its[4]);
    case CALL_OTF2_CANCELLED:
        return OTF2_EvtWriter_MpiRequestCancelled(to, with, ticks, its[0]);
    case CALL_OTF2_COLLECTIVE_BEGIN:
        return OTF2_EvtWriter_MpiCollectiveBegin(to, with, ticks);
    case CALL_OTF2_COLLECTIVE_END:
        return OTF2_EvtWriter_MpiCollectiveEnd(to, with, ticks, (OTF2_CollectiveOp)its[0], communicator, tag_or_root, its[3], its[4]);
    case CALL_OTF2_COLLECTIVE_REQUEST:
        return OTF2_EvtWriter_NonBlockingCollectiveRequest(to, with, ticks, its[0]);
    case CALL_OTF2_COLLECTIVE_COMPLETE:
        return OTF2_EvtWriter_NonBlockingCollectiveComplete(to, with, ticks, (OTF2_CollectiveOp)its[0], communicator, tag_or_root, its[3],
                                                            its[4], its[5]);
    case CALL_OTF2_PROGRAM_BEGIN:
        return OTF2_EvtWriter_ProgramBegin(to, with, ticks, (OTF2_StringRef)its[0], 0, NULL);
    case CALL_OTF2_PROGRAM_END:
        return OTF2_EvtWriter_ProgramEnd(to, with, ticks, OTF2_UNDEFINED_INT64);
    case CALL_OTF2_PARAMETER_TEXT:
        return OTF2_EvtWriter_ParameterString(to, with, ticks, (OTF2_ParameterRef)its[0], (OTF2_StringRef)its[1]);
    case CALL_OTF2_REMOTE_ACCESS:
        return write_access(to, with, ticks, its);
    case CALL_OTF2_GROUP_SYNC:
        return OTF2_EvtWriter_RmaGroupSync(to, with, ticks, OTF2_RMA_SYNC_LEVEL_PROCESS, window, (OTF2_GroupRef)its[0]);
    case CALL_OTF2_LOCK:
        return OTF2_EvtWriter_RmaAcquireLock(to, with, ticks, window, partner, 0, its[2] != 0 ? OTF2_LOCK_SHARED : OTF2_LOCK_EXCLUSIVE);
    case CALL_OTF2_UNLOCK:
        return OTF2_EvtWriter_RmaReleaseLock(to, with, ticks, window, partner, 0);
    default:
        return OTF2_ERROR_INVALID_ARGUMENT;
    }
}

int call_otf2_writer_begin(call_otf2_writer *writer, uint64_t location)
{
    return begin_location(writer, location);
}

int call_otf2_writer_write(call_otf2_writer *writer, const call_otf2_record *record)
{
    if (record->kind < CALL_OTF2_FIRST_EVENT) {
        return begin_definitions(writer) || write_definition(writer->definitions, record) != OTF2_SUCCESS;
    }
    if (begin_location(writer, record->location)) {
        return 1;
    }
    OTF2_AttributeList_RemoveAllAttributes(writer->attributes);
    for (uint32_t at = 0; at < record->attribute_count; at++) {
        const call_otf2_attribute *attribute = &record->attributes[at];
        if (OTF2_AttributeList_AddStringRef(writer->attributes, (OTF2_AttributeRef)attribute->reference,
                                            (OTF2_StringRef)attribute->text) != OTF2_SUCCESS) {
            return 1;
        }
    }
    return write_event(writer->events, writer->attributes, record) != OTF2_SUCCESS;
}

int call_otf2_writer_close(call_otf2_writer *writer)
{
    int result = begin_definitions(writer) || OTF2_Archive_CloseGlobalDefWriter(writer->archive, writer->definitions) != OTF2_SUCCESS;
    OTF2_Archive *archive = writer->archive;
    writer->archive = NULL;
    result |= OTF2_Archive_Close(archive) != OTF2_SUCCESS;
    give_up(writer);
    return result;
}
