/* host.h: what the header of a trace says of the machine, the compiler and the command. */
#ifndef CLL_HOST_H
#define CLL_HOST_H

typedef struct {
    char command[4096];
    char date[32];
    char host[256];
    char system[512];
    char cpu[256];
    char caches[128];
    long cores;
    const char *compiler;
    const char *flags;
} cll_host;

void cll_host_look(cll_host *host);

#define CLL_HOST_NAME_BYTES 256

/* Fit for the name of a file. */
const char *cll_host_name(void);

/* One word for the whole run, the same in all its processes as far as can be known. */
const char *cll_host_run(void);

/* The name of the executable without its folder. */
const char *cll_host_program(void);

/* A process that the program has forked is a run of its own. */
void cll_host_start_run_anew(void);

/* Keeps the command line for the header; without it the operating system is asked. */
void cll_host_save_arguments(int count, char *const *arguments);

#endif
