/* pub.h: BSP programs in the manner of the Paderborn University BSP library (PUB).
 *
 * A BSP machine is a set of processors, numbered from 0, with supersteps of its own. Messages sent in a superstep can be read in the
 * next one. A machine can be partitioned into smaller ones, which are used until bsp_done. A wrong use ends the run with a message.
 */
#ifndef CLL_PUB_H
#define CLL_PUB_H

#ifdef __cplusplus
extern "C" {
#endif

/* A BSP machine. Declare it by value and hand over its address; a copy stands for the same machine. */
typedef struct {
    void *machine;
} t_bsp;

/* A message that has arrived. */
typedef struct t_bspmsg t_bspmsg;

/* The parameters of bsplib_init: there is only the standard. */
#define BSPLIB_STDPARAMS ((const void *)0)

/* Hands over the command line; call it first in main. It may take arguments of its own out of it one day. */
void bsplib_saveargs(int *argc, char ***argv);

/* Starts the processors: from here on each of them executes the program. `*bsp` becomes the machine of all.
 * Their number comes from mpirun or, on one computer, from the environment variable CALL_PROCESSORS. */
void bsplib_init(const void *parameters, t_bsp *bsp);

/* Waits for all processors and closes the machine of all; the parts must have been closed before.
 * Every processor has to call it; each of them then goes on alone to the end of main. */
void bsplib_done(void);

/* Number of processors of the machine. */
int bsp_nprocs(const t_bsp *bsp);

/* Number of this processor in the machine: 0 ... bsp_nprocs - 1. */
int bsp_pid(const t_bsp *bsp);

/* Ends the superstep on all processors of the machine: waits for all, then all messages of the superstep are there.
 * Messages of the superstep before are gone. */
void bsp_sync(t_bsp *bsp);

/* Ends the superstep of this processor as soon as `messages` messages of this superstep have arrived, without waiting for anyone else.
 * It must be the exact number of messages that the others (and itself) send to this processor in the superstep. */
void bsp_oblsync(t_bsp *bsp, int messages);

/* Sends `size` bytes to processor `to`, to be read after the superstep; the data is copied at the call.
 * One may send to oneself, and a message may be empty. */
void bsp_send(t_bsp *bsp, int to, const void *data, int size);

/* The same for data that stays unchanged until the end of the superstep, which then need not be copied at the call. */
void bsp_hpsend(t_bsp *bsp, int to, const void *data, int size);

/* Number of messages of the last superstep. */
int bsp_nmsgs(const t_bsp *bsp);

/* Message number `index` of the last superstep, counted from 0; ordered by sender, then as they were sent.
 * It is there until the next bsp_sync or bsp_oblsync of the machine. */
t_bspmsg *bsp_getmsg(const t_bsp *bsp, int index);

/* Message number `index`, counted from 0, among those from processor `from`; NULL if there is none.
 * It is there until the next bsp_sync or bsp_oblsync of the machine. */
t_bspmsg *bsp_findmsg(const t_bsp *bsp, int from, int index);

/* The bytes of a message, aligned for every type. The receiver may change them.
 * They are gone after the next bsp_sync or bsp_oblsync of the machine. */
void *bspmsg_data(t_bspmsg *message);

/* Number of bytes of a message. */
int bspmsg_size(const t_bspmsg *message);

/* Processor that sent a message. */
int bspmsg_src(const t_bspmsg *message);

/* Divides the machine into `parts` machines; `*part` becomes the one that this processor belongs to. No communication.
 * Part i gets the processors ends[i-1] ... ends[i] - 1, so `ends` increases and its last entry is bsp_nprocs. */
void bsp_partition(t_bsp *bsp, t_bsp *part, int parts, const int *ends);

/* Closes a part, the innermost one that is open; the machine it is a part of is in use again. No communication. */
void bsp_done(t_bsp *part);

#ifdef __cplusplus
}
#endif

#endif
