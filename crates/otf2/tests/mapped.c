/* mapped.c: writes an archive as Score-P does: numbers of each process's own, which its local definitions map to global ones, clocks that are
 * off by what local definitions say, MPI_Init as an operation that makes a communicator, a clock with an origin. Two processes: 0 sends after
 * 300 ticks to 1, which has waited since 100 and has a clock that is 1000 ahead. The folder is the argument. */
#include <otf2/otf2.h>

#include <stdio.h>

enum { ORIGIN = 50000, AHEAD = 1000 };

static int failures = 0;

static void check(OTF2_ErrorCode code)
{
    failures += code != OTF2_SUCCESS;
}

static OTF2_FlushType flush(void *user, OTF2_FileType type, OTF2_LocationRef location, void *caller, bool is_final)
{
    (void)user;
    (void)type;
    (void)location;
    (void)caller;
    (void)is_final;
    return OTF2_FLUSH;
}

/* Both call their regions 0: MPI_Init, 1: MPI_Send or MPI_Recv. */
static void write_events(OTF2_Archive *archive, uint64_t process)
{
    uint64_t start = ORIGIN + process * AHEAD;
    OTF2_EvtWriter *to = OTF2_Archive_GetEvtWriter(archive, process);
    check(OTF2_EvtWriter_Enter(to, NULL, start, 0));
    check(OTF2_EvtWriter_MpiCollectiveBegin(to, NULL, start + 1));
    check(OTF2_EvtWriter_MpiCollectiveEnd(to, NULL, start + 9, OTF2_COLLECTIVE_OP_CREATE_HANDLE, 0, OTF2_COLLECTIVE_ROOT_NONE, 0, 0));
    check(OTF2_EvtWriter_Leave(to, NULL, start + 10, 0));
    check(OTF2_EvtWriter_Enter(to, NULL, start + (process == 0 ? 300 : 100), 1));
    if (process == 0) {
        check(OTF2_EvtWriter_MpiSend(to, NULL, start + 300, 1, 0, 7, 64));
    } else {
        check(OTF2_EvtWriter_MpiRecv(to, NULL, start + 310, 0, 0, 7, 64));
    }
    check(OTF2_EvtWriter_Leave(to, NULL, start + 320, 1));
    check(OTF2_Archive_CloseEvtWriter(archive, to));
}

static void write_local_definitions(OTF2_Archive *archive, uint64_t process)
{
    OTF2_DefWriter *to = OTF2_Archive_GetDefWriter(archive, process);
    const uint64_t regions[] = {5, 6 + process};
    OTF2_IdMap *map = OTF2_IdMap_CreateFromUint64Array(2, regions, false);
    check(OTF2_DefWriter_WriteMappingTable(to, OTF2_MAPPING_REGION, map));
    OTF2_IdMap_Free(map);
    const uint64_t communicator[] = {3};
    map = OTF2_IdMap_CreateFromUint64Array(1, communicator, false);
    check(OTF2_DefWriter_WriteMappingTable(to, OTF2_MAPPING_COMM, map));
    OTF2_IdMap_Free(map);
    int64_t offset = -(int64_t)(process * AHEAD);
    check(OTF2_DefWriter_WriteClockOffset(to, ORIGIN, offset, 0.0));
    check(OTF2_DefWriter_WriteClockOffset(to, ORIGIN + 10000, offset, 0.0));
    check(OTF2_Archive_CloseDefWriter(archive, to));
}

static void write_definitions(OTF2_Archive *archive)
{
    static const char *const texts[] = {"", "machine", "MPI_Init", "MPI_Send", "MPI_Recv", "MPI", "Master thread", "MPI Rank", "MPI_COMM_WORLD"};
    OTF2_GlobalDefWriter *to = OTF2_Archive_GetGlobalDefWriter(archive);
    check(OTF2_GlobalDefWriter_WriteClockProperties(to, 1000000, ORIGIN, 400, OTF2_UNDEFINED_TIMESTAMP));
    for (OTF2_StringRef text = 0; text < sizeof texts / sizeof *texts; text++) {
        check(OTF2_GlobalDefWriter_WriteString(to, text, texts[text]));
    }
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(to, 0, 1, 1, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    for (uint64_t process = 0; process < 2; process++) {
        check(OTF2_GlobalDefWriter_WriteLocationGroup(to, (uint32_t)process, 7, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                      OTF2_UNDEFINED_LOCATION_GROUP));
        check(OTF2_GlobalDefWriter_WriteLocation(to, process, 6, OTF2_LOCATION_TYPE_CPU_THREAD, 7, (uint32_t)process));
    }
    for (OTF2_RegionRef region = 5; region < 8; region++) {
        check(OTF2_GlobalDefWriter_WriteRegion(to, region, region - 3, region - 3, 0, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI,
                                               OTF2_REGION_FLAG_NONE, 5, 0, 0));
    }
    const uint64_t members[] = {0, 1};
    check(OTF2_GlobalDefWriter_WriteGroup(to, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2, members));
    check(OTF2_GlobalDefWriter_WriteGroup(to, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2, members));
    check(OTF2_GlobalDefWriter_WriteGroup(to, 2, 0, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 0, NULL));
    check(OTF2_GlobalDefWriter_WriteComm(to, 3, 8, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    check(OTF2_GlobalDefWriter_WriteComm(to, 4, 0, 2, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    check(OTF2_Archive_CloseGlobalDefWriter(archive, to));
}

int main(int argc, char **argv)
{
    static const OTF2_FlushCallbacks callbacks = {flush, NULL};
    if (argc != 2) {
        return 2;
    }
    OTF2_Archive *archive = OTF2_Archive_Open(argv[1], "traces", OTF2_FILEMODE_WRITE, OTF2_CHUNK_SIZE_EVENTS_DEFAULT,
                                              OTF2_CHUNK_SIZE_DEFINITIONS_DEFAULT, OTF2_SUBSTRATE_POSIX, OTF2_COMPRESSION_NONE);
    check(OTF2_Archive_SetFlushCallbacks(archive, &callbacks, NULL));
    check(OTF2_Archive_SetSerialCollectiveCallbacks(archive));
    check(OTF2_Archive_OpenEvtFiles(archive));
    write_events(archive, 0);
    write_events(archive, 1);
    check(OTF2_Archive_CloseEvtFiles(archive));
    check(OTF2_Archive_OpenDefFiles(archive));
    write_local_definitions(archive, 0);
    write_local_definitions(archive, 1);
    check(OTF2_Archive_CloseDefFiles(archive));
    write_definitions(archive);
    check(OTF2_Archive_Close(archive));
    return failures != 0;
}
