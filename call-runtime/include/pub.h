/* pub.h: BSP programs in the manner of the Paderborn University BSP library (PUB).
 *
 * A BSP machine is a set of processors, numbered from 0, with supersteps of its own. Messages sent in a superstep can be read in the
 * next one. A machine can be partitioned into smaller ones, which are used until bsp_done. A wrong use ends the run with a message.
 *
 * No copy of the library survives. Programs and papers show the types, bsplib_saveargs, bsplib_init, bsplib_done, bsp_nprocs,
 * bsp_pid, bsp_sync, bsp_oblsync, bsp_send, bsp_hpsend, bsp_nmsgs, bsp_getmsg, bsp_findmsg, bspmsg_data, bspmsg_size, bspmsg_src,
 * bsp_partition and bsp_done; the manual of PUB 7 shows bsp_migrate_dup and bsp_migrate_done. Of bsp_dup, bsp_push_reg, bsp_pop_reg,
 * bsp_put, bsp_hpput, bsp_get, bsp_hpget, bsp_gsend, bsp_createmsg, bsp_sendmsg, bsp_bcast, bsp_reduce and bsp_scan only the names are
 * known: their parameters here are ours. Its authors' paper says that collectives are non-blocking and on any subset of the processors;
 * bsp_gbcast, bsp_greduce and bsp_gscan are such, and their names are ours, too.
 */
#ifndef CLL_PUB_H
#define CLL_PUB_H

#ifdef CLL_BSP_H
#error "a source file uses pub.h or bsp.h: both libraries have functions of the same names"
#endif

/* In the linker's eyes the functions have names of their own, so a program may bring another BSP library. */
#define bsplib_saveargs cll_pub_saveargs
#define bsplib_init cll_pub_init
#define bsp_nprocs cll_pub_nprocs
#define bsp_pid cll_pub_pid
#define bsp_send cll_pub_send
#define bsp_hpsend cll_pub_hpsend
#define bsp_nmsgs cll_pub_nmsgs
#define bsp_getmsg cll_pub_getmsg
#define bsp_findmsg cll_pub_findmsg
#define bspmsg_data cll_pub_message_data
#define bspmsg_size cll_pub_message_size
#define bspmsg_src cll_pub_message_source
#define bsp_partition cll_pub_partition
#define bsp_dup cll_pub_dup
#define bsp_push_reg cll_pub_push_reg
#define bsp_pop_reg cll_pub_pop_reg
#define bsp_put cll_pub_put
#define bsp_hpput cll_pub_hpput
#define bsp_get cll_pub_get
#define bsp_hpget cll_pub_hpget
#define bsp_gsend cll_pub_gsend
#define bsp_createmsg cll_pub_createmsg
#define bsp_sendmsg cll_pub_sendmsg
#define bsp_bcast cll_pub_bcast
#define bsp_reduce cll_pub_reduce
#define bsp_scan cll_pub_scan
#define bsp_gbcast cll_pub_gbcast
#define bsp_greduce cll_pub_greduce
#define bsp_gscan cll_pub_gscan
#define bsp_migrate_dup cll_pub_migrate_dup
#define bsp_migrate_done cll_pub_migrate_done

/* What ends a superstep is a macro that tells where it is called, for the record of supersteps, and then calls the function. The name
 * alone is the function. */
#if defined(__GNUC__) && !defined(CLL_DISABLE) && !defined(CLL_RUNTIME)
#define CLL_BSP_TELLS_PLACES 1
#define CLL_BSP_QUOTED(text) #text
#define CLL_BSP_QUOTE(text) CLL_BSP_QUOTED(text)
#define CLL_BSP_LINKS_AS(name) __asm__(CLL_BSP_QUOTE(__USER_LABEL_PREFIX__) name)
#else
#define CLL_BSP_LINKS_AS(name)
#define bsplib_done cll_pub_done
#define bsp_sync cll_pub_sync
#define bsp_oblsync cll_pub_oblsync
#define bsp_done cll_pub_close
#endif

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
void bsplib_done(void) CLL_BSP_LINKS_AS("cll_pub_done");

/* Number of processors of the machine. */
int bsp_nprocs(const t_bsp *bsp);

/* Number of this processor in the machine: 0 ... bsp_nprocs - 1. */
int bsp_pid(const t_bsp *bsp);

/* Ends the superstep on all processors of the machine: waits for all, then all messages of the superstep are there.
 * Messages of the superstep before are gone. */
void bsp_sync(t_bsp *bsp) CLL_BSP_LINKS_AS("cll_pub_sync");

/* Ends the superstep of this processor as soon as `messages` messages of this superstep have arrived, without waiting for anyone else.
 * It must be the exact number of messages that the others (and itself) send to this processor in the superstep. A run in which all
 * processors wait for something that nobody sends ends with a message that says who waits for what. */
void bsp_oblsync(t_bsp *bsp, int messages) CLL_BSP_LINKS_AS("cll_pub_oblsync");

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

/* `*copy` becomes a machine of the same processors with messages and supersteps of its own, to be closed with bsp_done like a part.
 * No communication. */
void bsp_dup(t_bsp *bsp, t_bsp *copy);

/* Closes a part, the innermost one that is open; the machine it is a part of is in use again. No communication. */
void bsp_done(t_bsp *part) CLL_BSP_LINKS_AS("cll_pub_close");

/* Lets the others put to and get from `size` bytes at `address`, after the next bsp_sync. All processors register in the same order
 * what they will call by the addresses that each has given; NULL or 0 bytes: there is nothing on this processor. An address may be
 * registered again: the newest registration counts. Registrations of a machine end with it. */
void bsp_push_reg(t_bsp *bsp, void *address, int size);

/* Takes back the newest registration of the address, after the next bsp_sync; in the same order on all processors. */
void bsp_pop_reg(t_bsp *bsp, void *address);

/* Copies `size` bytes to what processor `to` registered with `destination`, from `offset` on, at the end of the superstep. The
 * source is copied at the call; of bsp_hpput it must stay unchanged until the end of the superstep. */
void bsp_put(t_bsp *bsp, int to, const void *source, void *destination, int offset, int size);
void bsp_hpput(t_bsp *bsp, int to, const void *source, void *destination, int offset, int size);

/* Copies `size` bytes, as they are at the end of the superstep before any put, from what processor `from` registered with `source`.
 * Of bsp_hpget both places must be left alone until the end of the superstep. */
void bsp_get(t_bsp *bsp, int from, const void *source, int offset, void *destination, int size);
void bsp_hpget(t_bsp *bsp, int from, const void *source, int offset, void *destination, int size);

/* The same message to each of `count` processors. */
void bsp_gsend(t_bsp *bsp, int count, const int *to, const void *data, int size);

/* A message of `size` bytes, zero at first, to be written at bspmsg_data and sent with bsp_sendmsg: so it is not copied. Until then
 * its bspmsg_src is -1. It may be sent in a later superstep, but by this machine. */
t_bspmsg *bsp_createmsg(t_bsp *bsp, int size);

/* Sends it, once, and takes it: from the call on the sender leaves it alone. */
void bsp_sendmsg(t_bsp *bsp, int to, t_bspmsg *message);

/* Sets `*result` to what comes of `left` and `right`, `size` bytes each; associative. Its places never overlap. */
typedef void (*t_bspop)(void *result, const void *left, const void *right, int size);

/* The functions below are called by all processors of the machine, and return with the result; the superstep goes on. */

/* `size` bytes of processor `root` to all. */
void bsp_bcast(t_bsp *bsp, int root, void *data, int size);

/* On all processors: data of processor 0, 1, ... combined in this order. */
void bsp_reduce(t_bsp *bsp, t_bspop combine, const void *data, void *result, int size);

/* The same up to and with this processor. */
void bsp_scan(t_bsp *bsp, t_bspop combine, const void *data, void *result, int size);

/* The same for `count` processors of the machine, which all call it with the same list; the others go on without it. The call takes the
 * data and returns at once, the result is there after the next bsp_sync or bsp_oblsync of the machine. Data is combined in the order of
 * the list. Of several in a superstep any two processors call those that both take part in, in the same order. */
void bsp_gbcast(t_bsp *bsp, int count, const int *processors, int root, void *data, int size);
void bsp_greduce(t_bsp *bsp, int count, const int *processors, t_bspop combine, const void *data, void *result, int size);
void bsp_gscan(t_bsp *bsp, int count, const int *processors, t_bspop combine, const void *data, void *result, int size);

/* Executes the function as so many virtual processors on each processor of the machine, on a machine of all of them, and returns when
 * those of this processor have returned; those of processor i have the numbers i times their count and so on. Until then the machine
 * itself is not to be used. They share the memory of their process, global variables too, and take turns: the next one goes on when one
 * waits. PUB moved them between computers when that was allowed; here they stay, whatever `may_migrate` is. Their supersteps are not
 * recorded, and reports come afterwards. */
void bsp_migrate_dup(t_bsp *bsp, int virtual_processors, void (*execute)(t_bsp *bsp, void *parameter), void *parameter, int may_migrate);

/* Closes the machine of the virtual processors: the last thing that each of them does. */
void bsp_migrate_done(t_bsp *bsp);

#ifdef CLL_BSP_TELLS_PLACES
void cll_at(const char *file, int line, const char *function);
#define bsplib_done(...) (cll_at(__FILE__, __LINE__, __func__), bsplib_done(__VA_ARGS__))
#define bsp_sync(...) (cll_at(__FILE__, __LINE__, __func__), bsp_sync(__VA_ARGS__))
#define bsp_oblsync(...) (cll_at(__FILE__, __LINE__, __func__), bsp_oblsync(__VA_ARGS__))
#define bsp_done(...) (cll_at(__FILE__, __LINE__, __func__), bsp_done(__VA_ARGS__))
#endif

#ifdef __cplusplus
}
#endif

#endif
