/* supersteps.h: the record of each superstep, where the program or CALL_SUPERSTEPS asks for it: how long this processor computed,
 * waited and communicated, what went and what came, and from where the superstep was ended. FORMAT.md says what is counted. */
#ifndef CLL_BSP_SUPERSTEPS_H
#define CLL_BSP_SUPERSTEPS_H

#include <stddef.h>
#include <stdint.h>

#include "../../include/call.h"
#include "machine_stack.h"
#include "superstep_records.h"

/* What is known of the superstep that a machine is in. */
typedef struct cll_superstep_account {
    uint64_t *inside_before_ticks; /* inside each experiment that was known at the start: in all supersteps before */
    uint32_t inside_before_count;
    uint32_t inside_before_capacity;
    /* A machine that is opened starts with zeros from here on. */
    uint64_t start_ticks;
    uint64_t computing_ticks; /* known when the synchronisation begins */
    uint64_t waiting_ticks;
    uint64_t transferring_ticks; /* before the synchronisation, without waits */
    uint64_t inner_waiting_ticks; /* before the synchronisation, known with computing_ticks */
    uint64_t recording_before_ticks; /* what all recording had taken at the start */
    uint64_t inner_recording_ticks;  /* what that in parts of the machine has taken since, known with computing_ticks */
    cll_traffic out;
    cll_traffic in;
    cll_superstep_record *record; /* made in this synchronisation, still without its end */
    int32_t machine_number; /* tells machines of the same processors apart */
    int32_t depth;          /* open machines around this one */
    int32_t partner_count;
    unsigned char is_partner[]; /* by number in the machine: has data come from it? */
} cll_superstep_account;

/* Before the processors start: are supersteps to be recorded? Afterwards: from here on they are. */
void cll_supersteps_prepare(void);
void cll_supersteps_start(void);

/* The section of the program ends now: its supersteps are reported where CALL_PROFILE asks for it. */
void cll_supersteps_end_program(cll_kind kind, void *caller);

/* Reports, if the program has no reports of its own: was that so? Set before main by what reports; NULL without constructors. */
extern int (*cll_superstep_report)(cll_kind kind, void *caller);

/* The account of a machine that has been opened; NULL if supersteps are not recorded. */
cll_superstep_account *cll_superstep_open(const cll_machine *machine);

/* The supersteps of the machine are not recorded. */
void cll_superstep_forget(cll_machine *machine);

/* The supersteps of the innermost machine begin here, and those of the machines around it are the library's own. */
void cll_superstep_begin_program(void);

/* Steps of a synchronisation: it begins, all messages are here, all data is here, it is over. The function counts what a packet of
 * puts carries. */
void cll_superstep_enter(cll_machine *machine, void (*count_puts)(cll_packet *packet, cll_traffic *traffic));
void cll_superstep_count_inbox(cll_machine *machine);
void cll_superstep_end(cll_machine *machine);
void cll_superstep_leave(cll_machine *machine, const char *call);

/* The machine ends within a superstep. */
void cll_superstep_close(cll_machine *machine, const char *call);

/* Times of waiting within the superstep, whatever is waited for. */
uint64_t cll_superstep_wait_begins(const cll_machine *machine);
void cll_superstep_wait_ends(const cll_machine *machine, uint64_t begin_ticks);

/* Around what moves data within the superstep: that time is communication, but for the waits in it. */
void cll_superstep_transfer_begins(const cll_machine *machine);
void cll_superstep_transfer_ends(const cll_machine *machine);

/* In a barrier: what a test has planted. */
void cll_superstep_wait_as_planted(const cll_machine *machine);

/* Where data of that processor of the machine is counted; NULL: nowhere, since it is this processor or nothing is recorded. */
cll_traffic *cll_superstep_outgoing(const cll_machine *machine, int to);
cll_traffic *cll_superstep_incoming(const cll_machine *machine, int from);

/* Around a report, which belongs to no superstep: the supersteps that are open are recorded so far, and go on afterwards.
 * `caller`: the return address of the report's call. */
void cll_supersteps_enter_report(void *caller);
void cll_supersteps_leave_report(void);
int cll_supersteps_are_wanted(void);

#endif
