/* memory.h: puts and gets: memory of other processors is written and read at the end of the superstep. */
#ifndef CLL_BSP_MEMORY_H
#define CLL_BSP_MEMORY_H

#include "machine_stack.h"
#include "superstep_records.h"

/* Memory that others may put to and get from; changes take effect at the next synchronisation. */
void cll_machine_register(cll_machine *machine, void *address, size_t size_bytes, const char *call);
void cll_machine_unregister(cll_machine *machine, const void *address, const char *call);
void cll_machine_put(cll_machine *machine, int to, const void *source, const void *destination, size_t offset, size_t count,
                     int is_unbuffered, const char *call);
void cll_machine_get(cll_machine *machine, int from, const void *source, size_t offset, void *destination, size_t count,
                     int is_unbuffered, const char *call);
/* Returns with the data, as it is when the other processor waits next. */
void cll_machine_direct_get(cll_machine *machine, int from, const void *source, size_t offset, void *destination, size_t count,
                            const char *call);

/* The second half of a synchronisation, after all packets have come: gets are answered, then written, then puts. */
void cll_machine_access_memory(cll_machine *machine, const char *call);
void cll_machine_count_puts(cll_packet *packet, cll_traffic *traffic);

/* Answers the requests of other processors for data at once, those that can be answered in this superstep. */
void cll_machine_answer_direct_gets(cll_machine *machine);
int cll_machine_takes_direct_get(cll_packet *packet);

#endif
