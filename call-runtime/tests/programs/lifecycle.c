/* 3 processors, argument CASE: processor 1 ends in an unusual way while the others wait; the run ends with the status and the
 * message of the case (cases in machine.rs), and no process stays behind. */
#include <pub.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

int main(int argc, char **argv)
{
    t_bsp bsp;
    signal(SIGINT, SIG_DFL); /* jobs in the background inherit that it is ignored */
    bsplib_saveargs(&argc, &argv);
    printf("before\n"); /* once, though it may be in a buffer at the fork */
    const char *how = argc > 1 ? argv[1] : "";
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int pid = bsp_pid(&bsp);
    if (pid == 1) {
        if (strcmp(how, "crash") == 0) {
            signal(SIGSEGV, SIG_DFL);
            raise(SIGSEGV);
        } else if (strcmp(how, "exit-0") == 0) {
            exit(0);
        } else if (strcmp(how, "exit-7") == 0) {
            exit(7);
        } else if (strcmp(how, "abort") == 0) {
            signal(SIGABRT, SIG_DFL);
            abort();
        }
    }
    if (strcmp(how, "all-exit-5") == 0) {
        if (pid == 0) {
            usleep(50000);
            printf("processor 0 says why\n");
        }
        exit(5);
    }
    if (strcmp(how, "hang") == 0) {
        if (pid == 0) {
            printf("ready\n");
            fflush(stdout);
        }
        pause();
    }
    bsp_sync(&bsp);
    bsplib_done();
    if (strcmp(how, "late-3") == 0) {
        return pid == 1 ? 3 : 0;
    }
    if (strcmp(how, "late-crash") == 0 && pid == 1) {
        signal(SIGKILL, SIG_DFL);
        raise(SIGKILL);
    }
    if (pid == 0) {
        printf("after\n");
    }
    return 0;
}
