/* Argument SUPERSTEPS: messages of changing sizes up to 1 MiB in every superstep; the memory in use does not grow after the first 200
 * supersteps. Says `reuse ok`. */
#include <pub.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define LARGEST 1048576

static long resident_kib(void)
{
    char line[256];
    long kib = -1;
    FILE *file = fopen("/proc/self/status", "r");
    while (file != NULL && fgets(line, sizeof line, file) != NULL) {
        if (strncmp(line, "VmRSS:", 6) == 0) {
            kib = atol(line + 6);
        }
    }
    if (file != NULL) {
        fclose(file);
    }
    return kib;
}

int main(int argc, char **argv)
{
    static char data[LARGEST];
    t_bsp bsp;
    bsplib_saveargs(&argc, &argv);
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int supersteps = argc > 1 ? atoi(argv[1]) : 400;
    int pid = bsp_pid(&bsp), processors = bsp_nprocs(&bsp);
    long early_kib = 0;
    memset(data, pid, sizeof data);
    for (int superstep = 0; superstep < supersteps; superstep++) {
        /* Each processor has its own sequence, so large and small blocks lie beside each other in every order. */
        int size = (int)((unsigned)(superstep + 1) * 2654435761u * (unsigned)(pid + 1) % LARGEST);
        if (superstep < 8) {
            size = LARGEST; /* the peak comes early */
        }
        for (int to = 0; to < processors; to++) {
            bsp_send(&bsp, to, data, to == (pid + superstep) % processors ? size : size % 1000);
        }
        if (superstep % 2 == 0) {
            bsp_sync(&bsp);
        } else {
            bsp_oblsync(&bsp, processors);
        }
        for (int from = 0; from < processors; from++) {
            t_bspmsg *message = bsp_getmsg(&bsp, from);
            const char *bytes = bspmsg_data(message);
            if (bspmsg_size(message) > 0 && (bytes[0] != from || bytes[bspmsg_size(message) - 1] != from)) {
                fprintf(stderr, "reuse: wrong bytes from %d in superstep %d\n", from, superstep);
                exit(1);
            }
        }
        if (superstep == 200) {
            early_kib = resident_kib();
        }
    }
    /* Gaps may move by a message or two. */
    if (resident_kib() > early_kib + 8 * 1024) {
        fprintf(stderr, "reuse: %ld KiB after 200 supersteps, %ld KiB at the end\n", early_kib, resident_kib());
        exit(1);
    }
    bsplib_done();
    if (pid == 0) {
        printf("reuse ok\n");
    }
    return 0;
}
