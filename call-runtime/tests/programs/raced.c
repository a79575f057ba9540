/* While the trace is written, somebody makes a file of its name; with an argument, in a file system that has no links. */
#include <call.h>
#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <sys/syscall.h>
#include <unistd.h>

static const cll_block blocks[] = {{NULL, 3, 9}};
static const cll_experiment step = {"step", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&step};
static const cll_unit unit = {"raced", "raced.c", CLL_SEQUENTIAL, 1, experiments};

CLL_REGISTER(unit);

/* In the place of the library's, for the runtime as well. */
ssize_t write(int file, const void *bytes, size_t count)
{
    static int has_come = 0;
    if (!has_come && access("raced.call.0.dat.new", F_OK) == 0) {
        has_come = 1;
        FILE *of_another = fopen("raced.call.0.dat", "wx");
        if (of_another == NULL || fputs("precious\n", of_another) < 0 || fclose(of_another) != 0) {
            perror("raced");
        }
    }
    return (ssize_t)syscall(SYS_write, file, bytes, count);
}

static int has_links = 1;

int link(const char *from, const char *to)
{
    if (!has_links) {
        errno = EPERM;
        return -1;
    }
    return (int)syscall(SYS_linkat, AT_FDCWD, from, AT_FDCWD, to, 0);
}

int main(int argc, char **argv)
{
    (void)argv;
    has_links = argc == 1;
    cll_begin(&step, NULL);
    cll_end(&step);
    cll_report(&unit, NULL, NULL);
    return 0;
}
