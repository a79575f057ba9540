/* bsplib_modern.c: the newer dialect of bsp.h, whose numbers have no sign. */
#include <limits.h>
#include <stdint.h>

#include "../base/fail.h"
#include "bsplib_messages.h"

#define CLL_BSP_MODERN 1
#include "../../include/bsp.h"

/* A number beyond those that a processor can have is none of the machine. */
static int as_number(unsigned int number)
{
    return number <= INT_MAX ? (int)number : -1;
}

/* What was meant to be negative. */
static void check_sizes(size_t offset, size_t size, const char *call)
{
    if (offset > SIZE_MAX / 4 || size > SIZE_MAX / 4) {
        cll_fail("%s: %zu bytes at offset %zu: no memory is as large", call, size, offset);
    }
}

void bsp_begin(unsigned int most_processors)
{
    cll_bsplib_begin(most_processors <= INT_MAX ? (int)most_processors : INT_MAX);
}

void bsp_vabort(const char *format, va_list arguments)
{
    cll_fail_as_told(format, arguments);
}

unsigned int bsp_nprocs(void)
{
    return (unsigned int)cll_bsplib_processors();
}

unsigned int bsp_pid(void)
{
    return (unsigned int)cll_machine_processor(cll_bsplib_machine("bsp_pid"));
}

void bsp_push_reg(const void *address, size_t size)
{
    static const char call[] = "bsp_push_reg";
    check_sizes(0, size, call);
    cll_machine_register(cll_bsplib_machine(call), (void *)(uintptr_t)address, size, call);
}

void bsp_put(unsigned int to, const void *source, void *destination, size_t offset, size_t size)
{
    static const char call[] = "bsp_put";
    check_sizes(offset, size, call);
    cll_machine_put(cll_bsplib_machine(call), as_number(to), source, destination, offset, size, 0, call);
}

void bsp_hpput(unsigned int to, const void *source, void *destination, size_t offset, size_t size)
{
    static const char call[] = "bsp_hpput";
    check_sizes(offset, size, call);
    cll_machine_put(cll_bsplib_machine(call), as_number(to), source, destination, offset, size, 1, call);
}

void bsp_get(unsigned int from, const void *source, size_t offset, void *destination, size_t size)
{
    static const char call[] = "bsp_get";
    check_sizes(offset, size, call);
    cll_machine_get(cll_bsplib_machine(call), as_number(from), source, offset, destination, size, 0, call);
}

void bsp_hpget(unsigned int from, const void *source, size_t offset, void *destination, size_t size)
{
    static const char call[] = "bsp_hpget";
    check_sizes(offset, size, call);
    cll_machine_get(cll_bsplib_machine(call), as_number(from), source, offset, destination, size, 1, call);
}

void bsp_direct_get(unsigned int from, const void *source, size_t offset, void *destination, size_t size)
{
    static const char call[] = "bsp_direct_get";
    check_sizes(offset, size, call);
    cll_machine_direct_get(cll_bsplib_machine(call), as_number(from), source, offset, destination, size, call);
}

void bsp_set_tagsize(size_t *tag_bytes)
{
    if (tag_bytes == NULL) {
        cll_fail("bsp_set_tagsize: hand over the address of a size");
    }
    *tag_bytes = cll_bsplib_set_tag(*tag_bytes);
}

void bsp_send(unsigned int to, const void *tag, const void *payload, size_t size)
{
    cll_bsplib_send_message(as_number(to), tag, payload, size, "bsp_send");
}

/* Copied as well: the memory that a packet is sent from is not the user's. */
void bsp_hpsend(unsigned int to, const void *tag, const void *payload, size_t size)
{
    cll_bsplib_send_message(as_number(to), tag, payload, size, "bsp_hpsend");
}

void bsp_qsize(unsigned int *messages, size_t *bytes)
{
    size_t left_bytes_in_all;
    size_t count = cll_bsplib_queue(&left_bytes_in_all);
    if (messages == NULL) {
        cll_fail("bsp_qsize: the place for the number of messages is NULL");
    }
    *messages = count < UINT_MAX ? (unsigned int)count : UINT_MAX;
    if (bytes != NULL) {
        *bytes = left_bytes_in_all;
    }
}

void bsp_get_tag(size_t *status, void *tag)
{
    static const char call[] = "bsp_get_tag";
    cll_message *message = cll_bsplib_first(call);
    if (status == NULL) {
        cll_fail("%s: the place for the status is NULL", call);
    }
    *status = message == NULL ? (size_t)-1 : (size_t)message->size_bytes;
    if (message != NULL) {
        cll_bsplib_copy_tag(message, tag);
    }
}

void bsp_move(void *payload, size_t most_bytes)
{
    cll_bsplib_move_payload(payload, most_bytes);
}

size_t bsp_hpmove(void **tag, void **payload)
{
    const cll_message *message = cll_bsplib_take(tag, payload);
    return message == NULL ? (size_t)-1 : (size_t)message->size_bytes;
}
