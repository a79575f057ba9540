/* host.c: finds out the machine, the compiler and the command line. */
#include "host.h"

#include <errno.h> /* program_invocation_short_name */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/utsname.h>
#include <time.h>
#include <unistd.h>

#include "../../include/call_compiler.h"

static char saved_command[sizeof((cll_host *)0)->command];

/* Appends one argument, in quotes if a shell would not read it back as one word. */
static void append_argument(char *command, size_t capacity, const char *argument)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789@%+=:,./-_^";
    size_t used = strlen(command);
    int quoted = *argument == '\0' || strspn(argument, plain) != strlen(argument);
    if (used > 0 && used + 1 < capacity) {
        command[used++] = ' ';
    }
    if (quoted && used + 1 < capacity) {
        command[used++] = '\'';
    }
    for (; *argument != '\0' && used + 5 < capacity; argument++) {
        if (*argument == '\'') {
            memcpy(command + used, "'\\''", 4);
            used += 4;
        } else {
            command[used++] = *argument;
        }
    }
    if (quoted && used + 1 < capacity) {
        command[used++] = '\'';
    }
    command[used] = '\0';
}

void cll_host_save_arguments(int count, char *const *arguments)
{
    saved_command[0] = '\0';
    for (int argument = 0; argument < count && arguments[argument] != NULL; argument++) {
        append_argument(saved_command, sizeof saved_command, arguments[argument]);
    }
}

static void find_command(char *command, size_t capacity)
{
    char words[4096];
    command[0] = '\0';
    FILE *file = fopen("/proc/self/cmdline", "rb");
    if (file != NULL) {
        size_t length = fread(words, 1, sizeof words - 1, file);
        fclose(file);
        words[length] = '\0';
        for (size_t at = 0; at < length; at += strlen(words + at) + 1) {
            append_argument(command, capacity, words + at);
        }
    }
    if (command[0] == '\0') {
        snprintf(command, capacity, "unknown");
    }
}

/* Value of a line `key : value` of /proc/cpuinfo. */
static int find_cpu_line(FILE *file, const char *key, char *value, size_t capacity)
{
    char line[512];
    size_t key_length = strlen(key);
    rewind(file);
    while (fgets(line, sizeof line, file) != NULL) {
        const char *after = line + key_length;
        if (strncmp(line, key, key_length) != 0) {
            continue;
        }
        after += strspn(after, " \t");
        if (*after != ':') {
            continue;
        }
        after += 1 + strspn(after + 1, " \t");
        snprintf(value, capacity, "%.*s", (int)strcspn(after, "\n"), after);
        if (value[0] != '\0') {
            return 1;
        }
    }
    return 0;
}

static void find_cpu(char *cpu, size_t capacity)
{
    /* x86; ARM boards; POWER; MIPS and RISC-V */
    static const char *const keys[] = {"model name", "Model", "Hardware", "cpu", "cpu model", "uarch"};
    snprintf(cpu, capacity, "unknown");
    FILE *file = fopen("/proc/cpuinfo", "r");
    if (file == NULL) {
        return;
    }
    for (size_t key = 0; key < sizeof keys / sizeof *keys; key++) {
        if (find_cpu_line(file, keys[key], cpu, capacity)) {
            break;
        }
    }
    fclose(file);
}

/* Text of a file of the kernel without the end of its line, empty if there is none. */
static void read_word(const char *path, char *word, size_t capacity)
{
    FILE *file = fopen(path, "r");
    word[0] = '\0';
    if (file == NULL) {
        return;
    }
    if (fgets(word, (int)capacity, file) == NULL) {
        word[0] = '\0';
    }
    word[strcspn(word, "\n")] = '\0';
    fclose(file);
}

/* Bytes of the caches of the first processor that hold data, in the order of their levels. Linux lists them that way. */
static void find_caches(char *caches, size_t capacity)
{
    caches[0] = '\0';
    for (int index = 0; index < 16; index++) {
        char path[96], type[32], size[32], *unit;
        size_t used = strlen(caches);
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/type", index);
        read_word(path, type, sizeof type);
        snprintf(path, sizeof path, "/sys/devices/system/cpu/cpu0/cache/index%d/size", index);
        read_word(path, size, sizeof size);
        if (type[0] == '\0') {
            return;
        }
        unsigned long long bytes = strtoull(size, &unit, 10);
        bytes <<= *unit == 'K' ? 10 : *unit == 'M' ? 20 : 0;
        if (bytes > 0 && strcmp(type, "Instruction") != 0) {
            snprintf(caches + used, capacity - used, "%s%llu", used > 0 ? " " : "", bytes);
        }
    }
}

void cll_host_look(cll_host *host)
{
    struct utsname name;
    struct tm utc;
    time_t now = time(NULL);
    memset(host, 0, sizeof *host);
    if (saved_command[0] != '\0') {
        memcpy(host->command, saved_command, sizeof host->command);
    } else {
        find_command(host->command, sizeof host->command);
    }
    if (gmtime_r(&now, &utc) == NULL || strftime(host->date, sizeof host->date, "%Y-%m-%dT%H:%M:%SZ", &utc) == 0) {
        snprintf(host->date, sizeof host->date, "unknown");
    }
    if (uname(&name) == 0) {
        snprintf(host->host, sizeof host->host, "%.255s", name.nodename);
        snprintf(host->system, sizeof host->system, "%.127s %.127s %.127s", name.sysname, name.release, name.machine);
    } else {
        snprintf(host->host, sizeof host->host, "unknown");
        snprintf(host->system, sizeof host->system, "unknown");
    }
    find_cpu(host->cpu, sizeof host->cpu);
    find_caches(host->caches, sizeof host->caches);
    host->cores = sysconf(_SC_NPROCESSORS_ONLN);
    host->compiler = CLL_COMPILER;
    host->flags = CLL_COMPILER_FLAGS;
}

/* Other characters than letters, digits, dots and hyphens become hyphens. */
static void append_word(char *word, size_t capacity, const char *text)
{
    static const char plain[] = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789.-";
    size_t used = strlen(word);
    for (; *text != '\0' && used + 1 < capacity; text++) {
        word[used++] = strchr(plain, *text) == NULL ? '-' : *text;
    }
    word[used] = '\0';
}

const char *cll_host_name(void)
{
    static char name[CLL_HOST_NAME_BYTES];
    struct utsname system;
    if (name[0] == '\0') {
        append_word(name, sizeof name, uname(&system) == 0 ? system.nodename : "unknown");
    }
    return name;
}

/* When a process was started, in ticks since the computer was; 0 where the system does not tell. Numbers of processes come again. */
static unsigned long long start_of_process(long process)
{
    enum { FIELDS_BEHIND_NAME = 20 };
    char path[48], line[1024];
    snprintf(path, sizeof path, "/proc/%ld/stat", process);
    read_word(path, line, sizeof line);
    const char *at = strrchr(line, ')');
    for (int field = 0; at != NULL && field < FIELDS_BEHIND_NAME; field++) {
        at = strchr(at + 1, ' ');
    }
    return at == NULL ? 0 : strtoull(at, NULL, 10);
}

/* What the launchers of MPI programs tell all processes alike: PMIx its name space, Slurm job and step; Hydra nothing, but the processes
 * of a computer have one parent. */
static void find_run(char *run, size_t capacity)
{
    static const char *const names[][2] = {{"PMIX_NAMESPACE", NULL}, {"SLURM_JOB_ID", "SLURM_STEP_ID"}};
    char number[64];
    for (size_t at = 0; at < sizeof names / sizeof *names; at++) {
        const char *name = getenv(names[at][0]);
        const char *part = names[at][1] == NULL ? NULL : getenv(names[at][1]);
        if (name != NULL && *name != '\0' && (names[at][1] == NULL || part != NULL)) {
            append_word(run, capacity, name);
            append_word(run, capacity, part == NULL ? "" : ".");
            append_word(run, capacity, part == NULL ? "" : part);
            return;
        }
    }
    long process = (long)(getenv("PMI_RANK") != NULL ? getppid() : getpid());
    snprintf(number, sizeof number, ".%ld.%llu", process, start_of_process(process));
    append_word(run, capacity, cll_host_name());
    append_word(run, capacity, number);
}

static char run_word[512];

#if defined(__GLIBC__)
/* SimGrid's program takes that which it simulates as its first argument. */
static const char *simulated_program(void)
{
    static char words[4096];
    FILE *file = fopen("/proc/self/cmdline", "rb");
    if (file == NULL) {
        return NULL;
    }
    size_t length = fread(words, 1, sizeof words - 1, file);
    fclose(file);
    words[length] = '\0';
    size_t first = strlen(words) + 1;
    if (first >= length) {
        return NULL;
    }
    const char *slash = strrchr(words + first, '/');
    const char *name = slash == NULL ? words + first : slash + 1;
    return *name == '\0' ? NULL : name;
}
#endif

const char *cll_host_program(void)
{
#if defined(__GLIBC__)
    const char *simulated =
        strcmp(program_invocation_short_name, "smpimain") == 0 ? simulated_program() : NULL;
    return simulated == NULL ? program_invocation_short_name : simulated;
#elif defined(__APPLE__)
    return getprogname();
#else
    return "program";
#endif
}

const char *cll_host_run(void)
{
    if (run_word[0] == '\0') {
        find_run(run_word, sizeof run_word);
    }
    return run_word;
}

void cll_host_start_run_anew(void)
{
    char number[32];
    snprintf(number, sizeof number, ".%ld", (long)getpid());
    append_word(run_word, sizeof run_word, number);
}

/* Before processors are forked, so that they agree. */
#if defined(__GNUC__)
__attribute__((constructor)) static void name_run(void)
{
    cll_host_run();
}
#endif
