/* mapped.c: writes an archive as Score-P does: numbers of each process's own, which its local definitions map to global ones, clocks that are
 * off by what local definitions say, MPI_Init as an operation that makes a communicator, a clock with an origin, a second thread with a group and
 * communicator of OpenMP, counters with each event, parameters, properties of paradigms and nodes. Two processes: 0 sends after 300 ticks, 50 of
 * which it was in a barrier of its threads, to 1, which has waited since 100 and has a clock that is 1000 ahead. The folder is the argument. */
#include <otf2/otf2.h>

#include <stdio.h>

enum { ORIGIN = 50000, AHEAD = 1000 };

/* Beside those of processes, which are their numbers. */
enum { THREAD = 65536 };

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

/* Cycles and misses, before each event. */
static void count(OTF2_EvtWriter *to, uint64_t ticks)
{
    const OTF2_Type types[] = {OTF2_TYPE_UINT64, OTF2_TYPE_UINT64};
    const OTF2_MetricValue values[] = {{.unsigned_int = ticks}, {.unsigned_int = 3}};
    check(OTF2_EvtWriter_Metric(to, NULL, ticks, 0, 2, types, values));
}

static void write_thread(OTF2_Archive *archive)
{
    OTF2_EvtWriter *to = OTF2_Archive_GetEvtWriter(archive, THREAD);
    check(OTF2_EvtWriter_ThreadTeamBegin(to, NULL, ORIGIN + 60, 1));
    check(OTF2_EvtWriter_Enter(to, NULL, ORIGIN + 100, 2));
    check(OTF2_EvtWriter_Leave(to, NULL, ORIGIN + 250, 2));
    check(OTF2_EvtWriter_ThreadTeamEnd(to, NULL, ORIGIN + 250, 1));
    check(OTF2_Archive_CloseEvtWriter(archive, to));
}

/* Both call their regions 0: MPI_Init, 1: MPI_Send or MPI_Recv, 2: the barrier, 3: main. */
static void write_events(OTF2_Archive *archive, uint64_t process)
{
    uint64_t start = ORIGIN + process * AHEAD;
    OTF2_EvtWriter *to = OTF2_Archive_GetEvtWriter(archive, process);
    count(to, start);
    check(OTF2_EvtWriter_Enter(to, NULL, start, 0));
    check(OTF2_EvtWriter_MpiCollectiveBegin(to, NULL, start + 1));
    check(OTF2_EvtWriter_MpiCollectiveEnd(to, NULL, start + 9, OTF2_COLLECTIVE_OP_CREATE_HANDLE, 0, OTF2_COLLECTIVE_ROOT_NONE, 0, 0));
    check(OTF2_EvtWriter_Leave(to, NULL, start + 10, 0));
    check(OTF2_EvtWriter_Enter(to, NULL, start + 50, 3));
    check(OTF2_EvtWriter_ParameterInt(to, NULL, start + 50, 0, 17));
    if (process == 0) {
        check(OTF2_EvtWriter_ThreadFork(to, NULL, start + 60, OTF2_PARADIGM_OPENMP, 2));
        check(OTF2_EvtWriter_ThreadTeamBegin(to, NULL, start + 60, 1));
        count(to, start + 200);
        check(OTF2_EvtWriter_Enter(to, NULL, start + 200, 2));
        check(OTF2_EvtWriter_Leave(to, NULL, start + 250, 2));
        check(OTF2_EvtWriter_ThreadTeamEnd(to, NULL, start + 250, 1));
        check(OTF2_EvtWriter_ThreadJoin(to, NULL, start + 250, OTF2_PARADIGM_OPENMP));
    }
    check(OTF2_EvtWriter_Enter(to, NULL, start + (process == 0 ? 300 : 100), 1));
    if (process == 0) {
        check(OTF2_EvtWriter_MpiSend(to, NULL, start + 300, 1, 0, 7, 64));
    } else {
        check(OTF2_EvtWriter_MpiRecv(to, NULL, start + 310, 0, 0, 7, 64));
    }
    check(OTF2_EvtWriter_Leave(to, NULL, start + 320, 1));
    check(OTF2_EvtWriter_Leave(to, NULL, start + 330, 3));
    check(OTF2_Archive_CloseEvtWriter(archive, to));
}

static void write_local_definitions(OTF2_Archive *archive, uint64_t process)
{
    OTF2_DefWriter *to = OTF2_Archive_GetDefWriter(archive, process);
    const uint64_t regions[] = {5, 6 + process % THREAD, 8, 9};
    OTF2_IdMap *map = OTF2_IdMap_CreateFromUint64Array(4, regions, false);
    check(OTF2_DefWriter_WriteMappingTable(to, OTF2_MAPPING_REGION, map));
    OTF2_IdMap_Free(map);
    const uint64_t communicator[] = {3, 5};
    map = OTF2_IdMap_CreateFromUint64Array(2, communicator, false);
    check(OTF2_DefWriter_WriteMappingTable(to, OTF2_MAPPING_COMM, map));
    OTF2_IdMap_Free(map);
    int64_t offset = -(int64_t)(process % THREAD * AHEAD);
    check(OTF2_DefWriter_WriteClockOffset(to, ORIGIN, offset, 0.0));
    check(OTF2_DefWriter_WriteClockOffset(to, ORIGIN + 10000, offset, 0.0));
    check(OTF2_Archive_CloseDefWriter(archive, to));
}

static void write_definitions(OTF2_Archive *archive)
{
    static const char *const texts[] = {"",      "machine",       "MPI_Init",  "MPI_Send",       "MPI_Recv", "!$omp implicit barrier @a.c:9", "main",
                                        "MPI",   "Master thread", "MPI Rank",  "MPI_COMM_WORLD", "a.c",      "PAPI_TOT_CYC",                  "#",
                                        "level", "COMM_TEMPLATE", "Comm ${id}"};
    enum { MPI = 7, MASTER, RANK, WORLD, SOURCE, CYCLES, UNIT, LEVEL, TEMPLATE, TEMPLATE_VALUE };
    OTF2_GlobalDefWriter *to = OTF2_Archive_GetGlobalDefWriter(archive);
    check(OTF2_GlobalDefWriter_WriteClockProperties(to, 1000000, ORIGIN, 400, OTF2_UNDEFINED_TIMESTAMP));
    for (OTF2_StringRef text = 0; text < sizeof texts / sizeof *texts; text++) {
        check(OTF2_GlobalDefWriter_WriteString(to, text, texts[text]));
    }
    check(OTF2_GlobalDefWriter_WriteParadigm(to, OTF2_PARADIGM_MPI, MPI, OTF2_PARADIGM_CLASS_PROCESS));
    OTF2_AttributeValue template = {.stringRef = TEMPLATE_VALUE};
    check(OTF2_GlobalDefWriter_WriteParadigmProperty(to, OTF2_PARADIGM_MPI, OTF2_PARADIGM_PROPERTY_COMM_NAME_TEMPLATE, OTF2_TYPE_STRING, template));
    check(OTF2_GlobalDefWriter_WriteSystemTreeNode(to, 0, 1, 1, OTF2_UNDEFINED_SYSTEM_TREE_NODE));
    check(OTF2_GlobalDefWriter_WriteSystemTreeNodeProperty(to, 0, TEMPLATE, OTF2_TYPE_STRING, template));
    check(OTF2_GlobalDefWriter_WriteSystemTreeNodeDomain(to, 0, OTF2_SYSTEM_TREE_DOMAIN_SHARED_MEMORY));
    for (uint64_t process = 0; process < 2; process++) {
        check(OTF2_GlobalDefWriter_WriteLocationGroup(to, (uint32_t)process, RANK, OTF2_LOCATION_GROUP_TYPE_PROCESS, 0,
                                                      OTF2_UNDEFINED_LOCATION_GROUP));
        check(OTF2_GlobalDefWriter_WriteLocation(to, process, MASTER, OTF2_LOCATION_TYPE_CPU_THREAD, process == 0 ? 18 : 11, (uint32_t)process));
    }
    check(OTF2_GlobalDefWriter_WriteLocation(to, THREAD, MASTER, OTF2_LOCATION_TYPE_CPU_THREAD, 4, 0));
    for (OTF2_RegionRef region = 5; region < 8; region++) {
        check(OTF2_GlobalDefWriter_WriteRegion(to, region, region - 3, region - 3, 0, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_MPI,
                                               OTF2_REGION_FLAG_NONE, MPI, 0, 0));
    }
    check(OTF2_GlobalDefWriter_WriteRegion(to, 8, 5, 5, 0, OTF2_REGION_ROLE_IMPLICIT_BARRIER, OTF2_PARADIGM_OPENMP, OTF2_REGION_FLAG_NONE, SOURCE, 9,
                                           9));
    check(OTF2_GlobalDefWriter_WriteRegion(to, 9, 6, 6, 0, OTF2_REGION_ROLE_FUNCTION, OTF2_PARADIGM_COMPILER, OTF2_REGION_FLAG_NONE, SOURCE, 3, 20));
    const uint64_t members[] = {0, 1}, threads[] = {0, THREAD};
    check(OTF2_GlobalDefWriter_WriteGroup(to, 3, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE, 2, threads));
    check(OTF2_GlobalDefWriter_WriteGroup(to, 4, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_OPENMP, OTF2_GROUP_FLAG_NONE, 2, members));
    check(OTF2_GlobalDefWriter_WriteGroup(to, 0, 0, OTF2_GROUP_TYPE_COMM_LOCATIONS, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2, members));
    check(OTF2_GlobalDefWriter_WriteGroup(to, 1, 0, OTF2_GROUP_TYPE_COMM_GROUP, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 2, members));
    check(OTF2_GlobalDefWriter_WriteGroup(to, 2, 0, OTF2_GROUP_TYPE_COMM_SELF, OTF2_PARADIGM_MPI, OTF2_GROUP_FLAG_NONE, 0, NULL));
    check(OTF2_GlobalDefWriter_WriteComm(to, 3, WORLD, 1, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    check(OTF2_GlobalDefWriter_WriteComm(to, 4, 0, 2, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    check(OTF2_GlobalDefWriter_WriteComm(to, 5, 0, 4, OTF2_UNDEFINED_COMM, OTF2_COMM_FLAG_NONE));
    check(OTF2_GlobalDefWriter_WriteParameter(to, 0, LEVEL, OTF2_PARAMETER_TYPE_INT64));
    for (OTF2_MetricMemberRef member = 0; member < 2; member++) {
        check(OTF2_GlobalDefWriter_WriteMetricMember(to, member, CYCLES, 0, OTF2_METRIC_TYPE_PAPI, OTF2_METRIC_ACCUMULATED_START, OTF2_TYPE_UINT64,
                                                     OTF2_BASE_DECIMAL, 0, UNIT));
    }
    const OTF2_MetricMemberRef counters[] = {0, 1};
    check(OTF2_GlobalDefWriter_WriteMetricClass(to, 0, 2, counters, OTF2_METRIC_SYNCHRONOUS_STRICT, OTF2_RECORDER_KIND_CPU));
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
    write_thread(archive);
    check(OTF2_Archive_CloseEvtFiles(archive));
    check(OTF2_Archive_OpenDefFiles(archive));
    write_local_definitions(archive, 0);
    write_local_definitions(archive, 1);
    write_local_definitions(archive, THREAD);
    check(OTF2_Archive_CloseDefFiles(archive));
    write_definitions(archive);
    check(OTF2_Archive_Close(archive));
    return failures != 0;
}
