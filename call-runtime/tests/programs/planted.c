/* CALL_TRACE=summary CALL_SAVE=1e-9: between two measurements, somebody plants links to `target` under the names that come next; with an
 * argument, a link to that under the name of the unfinished file itself, whose name becomes `taken`: with `taken` before the report. */
#include <call.h>
#include <glob.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

static const cll_block blocks[] = {{NULL, 3, 9}};
static const cll_experiment step = {"step", NULL, 0, NULL, 0, 1, blocks};
static const cll_experiment *const experiments[] = {&step};
static const cll_unit unit = {"planted", "planted.c", CLL_SEQUENTIAL, 1, experiments};

CLL_REGISTER(unit);

static void measure(void)
{
    cll_begin(&step, NULL);
    usleep(10);
    cll_end(&step);
}

int main(int argc, char **argv)
{
    glob_t found;
    char name[4096];
    measure();
    if (glob("*.unfinished.*.dat", 0, NULL, &found) != 0) {
        fprintf(stderr, "planted: no file yet\n");
        return 1;
    }
    if (argc > 1 && (rename(found.gl_pathv[0], "taken") != 0 || symlink(argv[1], found.gl_pathv[0]) != 0)) {
        perror("planted");
        return 1;
    }
    snprintf(name, sizeof name, "%s.new", found.gl_pathv[0]);
    if (symlink("target", name) != 0 || symlink("target", "planted.call.0.dat") != 0 || symlink("target", "planted.call.1.dat.new") != 0) {
        perror("planted");
        return 1;
    }
    globfree(&found);
    if (argc == 1 || strcmp(argv[1], "taken") != 0) {
        measure();
    }
    cll_report(&unit, NULL, NULL);
    return 0;
}
