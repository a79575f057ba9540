/* Argument CASE: one wrong use; the run ends with status 2 and a message that tells the use and the cure (cases in misuse.rs). */
#include <call.h>
#include <pub.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const cll_unit unit = {"misuse", "misuse.c", CLL_PUB, 0, 0};

static t_bsp bsp;
static t_bsp part;
static char data[16];

static int is(int argc, char **argv, const char *name)
{
    return argc > 1 && strcmp(argv[1], name) == 0;
}

int main(int argc, char **argv)
{
    int halves[2], all[1], twisted[2], short_ends[1];
    bsplib_saveargs(&argc, &argv);
    if (is(argc, argv, "before-init")) {
        bsp_sync(&bsp);
    } else if (is(argc, argv, "report-before-init")) {
        cll_report(&unit, NULL, NULL);
    } else if (is(argc, argv, "sync-before-init")) {
        cll_sync(&unit, NULL);
    } else if (is(argc, argv, "parameters")) {
        bsplib_init(data, &bsp);
    }
    bsplib_init(BSPLIB_STDPARAMS, &bsp);
    int pid = bsp_pid(&bsp), processors = bsp_nprocs(&bsp);
    halves[0] = processors / 2;
    halves[1] = processors;
    all[0] = processors;
    twisted[0] = processors;
    twisted[1] = 1;
    short_ends[0] = processors - 1;
    if (is(argc, argv, "init-twice")) {
        bsplib_init(BSPLIB_STDPARAMS, &part);
    } else if (is(argc, argv, "send-to-nobody")) {
        bsp_send(&bsp, processors + 1, data, 1);
    } else if (is(argc, argv, "send-below")) {
        bsp_send(&bsp, -1, data, 1);
    } else if (is(argc, argv, "negative-size")) {
        bsp_hpsend(&bsp, 0, data, -5);
    } else if (is(argc, argv, "null-data")) {
        bsp_send(&bsp, 0, NULL, 5);
    } else if (is(argc, argv, "no-such-message")) {
        bsp_getmsg(&bsp, 0);
    } else if (is(argc, argv, "null-message")) {
        bspmsg_size(bsp_findmsg(&bsp, 0, 0));
    } else if (is(argc, argv, "find-from-nobody")) {
        bsp_findmsg(&bsp, processors, 0);
    } else if (is(argc, argv, "negative-count")) {
        bsp_oblsync(&bsp, -1);
    } else if (is(argc, argv, "no-parts")) {
        bsp_partition(&bsp, &part, 0, all);
    } else if (is(argc, argv, "ends-fall")) {
        bsp_partition(&bsp, &part, 2, twisted);
    } else if (is(argc, argv, "ends-short")) {
        bsp_partition(&bsp, &part, 1, short_ends);
    } else if (is(argc, argv, "done-with-all")) {
        bsp_done(&bsp);
    } else if (is(argc, argv, "done-twice")) {
        bsp_partition(&bsp, &part, 1, all);
        bsp_done(&part);
        bsp_done(&part);
    } else if (is(argc, argv, "done-outer")) {
        t_bsp inner;
        bsp_partition(&bsp, &part, 1, all);
        bsp_partition(&part, &inner, 1, all);
        bsp_done(&part);
    } else if (is(argc, argv, "closed-copy")) {
        t_bsp copy;
        bsp_partition(&bsp, &part, 1, all);
        copy = part;
        bsp_done(&part);
        bsp_sync(&copy);
    } else if (is(argc, argv, "sync-outer")) {
        bsp_partition(&bsp, &part, 1, all);
        bsp_sync(&bsp);
    } else if (is(argc, argv, "open-part-at-end")) {
        bsp_partition(&bsp, &part, 1, all);
        bsplib_done();
    } else if (is(argc, argv, "unsent-in-part")) {
        bsp_partition(&bsp, &part, 1, all);
        bsp_send(&part, 0, data, 1);
        bsp_done(&part);
    } else if (is(argc, argv, "unsent-at-end")) {
        bsp_send(&bsp, 0, data, 1);
        bsplib_done();
    } else if (is(argc, argv, "after-done")) {
        bsplib_done();
        bsp_sync(&bsp);
    } else if (is(argc, argv, "report-closed")) {
        bsp_partition(&bsp, &part, 1, all);
        bsp_done(&part);
        cll_report(&unit, &part, NULL);
    } else if (is(argc, argv, "too-many-messages")) {
        bsp_send(&bsp, pid, data, 1);
        bsp_send(&bsp, pid, data, 1);
        bsp_oblsync(&bsp, 1);
    } else if (is(argc, argv, "too-many-later")) {
        /* two messages for processor 0, which waits for the first only */
        if (pid == 1) {
            bsp_send(&bsp, 0, data, 1);
        }
        bsp_oblsync(&bsp, 0);
        bsp_sync(&bsp);
    } else if (is(argc, argv, "never-received")) {
        bsp_partition(&bsp, &part, 1, all);
        if (pid == 1) {
            bsp_send(&part, 0, data, 1);
        }
        bsp_oblsync(&part, 0);
        bsp_done(&part);
    } else if (is(argc, argv, "wait-for-ever")) {
        bsp_oblsync(&bsp, pid == 0 ? 3 : 0);
    } else if (is(argc, argv, "mixed-barriers")) {
        if (pid == 0) {
            bsp_sync(&bsp);
        } else {
            bsp_oblsync(&bsp, 1);
        }
    } else if (is(argc, argv, "left-with-oblsync")) {
        if (pid == 0) {
            bsp_sync(&bsp);
        } else {
            bsp_oblsync(&bsp, 0);
            bsp_oblsync(&bsp, 1);
        }
    } else if (is(argc, argv, "unequal-report")) {
        if (pid == 0) {
            cll_report(&unit, &bsp, NULL);
        } else {
            bsp_sync(&bsp);
        }
    } else if (is(argc, argv, "alone")) {
        bsp_partition(&bsp, &part, 2, halves);
        bsp_oblsync(&part, 1);
    } else {
        fprintf(stderr, "misuse: no such case\n");
        exit(9);
    }
    bsplib_done();
    return 0;
}
