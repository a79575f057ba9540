/* bsplib_messages.c: supersteps, the queue of messages and the sizes of their tags, for numbers of any type. */
#include <limits.h>
#include <stdint.h>
#include <string.h>

#include "../../include/bsp.h"
#include "../base/fail.h"
#include "../bsp/call_sites.h"
#include "bsplib.h"

static ptrdiff_t sent_tag_bytes = 0; /* of messages sent in this superstep; a message that came knows its own */
static ptrdiff_t next_tag_bytes = 0;
static size_t first_message = 0;
static size_t left_bytes_of_queue = 0;
static int is_counted = 0; /* the bytes are counted when somebody asks */

void cll_bsplib_sync_as(const char *call)
{
    cll_machine_sync(cll_bsplib_machine(call), call);
    sent_tag_bytes = next_tag_bytes;
    first_message = 0;
    is_counted = 0;
}

void bsp_sync(void)
{
    cll_call_site_caller = CLL_CALLER;
    cll_bsplib_sync_as("bsp_sync");
}

void cll_bsplib_start_messages(void)
{
    sent_tag_bytes = next_tag_bytes = 0;
    first_message = 0;
    is_counted = 0;
}

/* Numbers of the program, which are of 4 or 8 bytes. -1 has the same bits with a sign and without. */
static void store(void *place, size_t width, ptrdiff_t value, const char *call)
{
    int32_t narrow = (int32_t)(value < INT_MAX ? value : INT_MAX);
    int64_t wide = value;
    if (width == sizeof narrow) {
        memcpy(place, &narrow, sizeof narrow);
    } else if (width == sizeof wide) {
        memcpy(place, &wide, sizeof wide);
    } else {
        cll_fail("%s: numbers are int, unsigned int or size_t: hand over the address of such a variable", call);
    }
}

static ptrdiff_t load(const void *place, size_t width)
{
    int32_t narrow = 0;
    int64_t wide = 0;
    memcpy(width == sizeof narrow ? (void *)&narrow : (void *)&wide, place, width < sizeof wide ? width : sizeof wide);
    return width == sizeof narrow ? narrow : (ptrdiff_t)wide;
}

void cll_bsplib_any_set_tagsize(void *tag_bytes, size_t width)
{
    static const char call[] = "bsp_set_tagsize";
    if (tag_bytes == NULL || (width >= sizeof(int32_t) && load(tag_bytes, width) < 0)) {
        cll_fail("%s: hand over the address of a size that is not negative", call);
    }
    cll_machine *machine = cll_bsplib_machine(call);
    ptrdiff_t before = next_tag_bytes;
    ptrdiff_t wanted = load(tag_bytes, width);
    store(tag_bytes, width, before, call);
    if (wanted > INT32_MAX / 2) {
        cll_fail("%s: a tag cannot have %td bytes", call, wanted);
    }
    next_tag_bytes = wanted;
    cll_machine_set_tag(machine, (int32_t)wanted);
}

static void send_with_tag(ptrdiff_t to, const void *tag, const void *payload, ptrdiff_t size, const char *call)
{
    if (size < 0) {
        cll_fail("%s: a message of %td bytes cannot be sent", call, size);
    }
    cll_machine *machine = cll_bsplib_machine(call);
    if (tag == NULL && sent_tag_bytes > 0) {
        cll_fail("%s: the tag is NULL, but the tags of this superstep have %td bytes", call, sent_tag_bytes);
    }
    cll_machine_send(machine, cll_bsplib_number(to), tag, (int32_t)sent_tag_bytes, payload, (size_t)size, call);
}

void cll_bsplib_any_send(ptrdiff_t to, const void *tag, const void *payload, ptrdiff_t size)
{
    send_with_tag(to, tag, payload, size, "bsp_send");
}

/* Copied as well: the memory that a packet is sent from is not the user's. */
void cll_bsplib_any_hpsend(ptrdiff_t to, const void *tag, const void *payload, ptrdiff_t size)
{
    send_with_tag(to, tag, payload, size, "bsp_hpsend");
}

static size_t bytes_of_queue(const cll_machine *machine, size_t count)
{
    if (!is_counted) {
        is_counted = 1;
        left_bytes_of_queue = 0;
        for (size_t index = first_message; index < count; index++) {
            left_bytes_of_queue += (size_t)cll_machine_message(machine, index)->size_bytes;
        }
    }
    return left_bytes_of_queue;
}

/* BSPlib asks for both places; MulticoreBSP, whose numbers have no sign, does without the second. */
void cll_bsplib_any_qsize(void *messages, size_t messages_width, int is_modern, void *bytes, size_t bytes_width)
{
    static const char call[] = "bsp_qsize";
    const cll_machine *machine = cll_bsplib_machine(call);
    size_t count = cll_machine_message_count(machine);
    if (messages == NULL) {
        cll_fail("%s: the place for the number of messages is NULL", call);
    }
    if (bytes == NULL && !is_modern) {
        cll_fail("%s: the place for the number of bytes is NULL: give the address of an int", call);
    }
    store(messages, messages_width, (ptrdiff_t)(count - first_message), call);
    if (bytes != NULL) {
        store(bytes, bytes_width, (ptrdiff_t)bytes_of_queue(machine, count), call);
    }
}

/* The first message of the queue; NULL if it is empty. */
static cll_message *first_of_queue(const char *call)
{
    const cll_machine *machine = cll_bsplib_machine(call);
    return first_message < cll_machine_message_count(machine) ? cll_machine_message(machine, first_message) : NULL;
}

static void remove_first(const cll_message *message)
{
    first_message++;
    left_bytes_of_queue -= is_counted ? (size_t)message->size_bytes : 0;
}

void cll_bsplib_any_get_tag(void *status, size_t width, void *tag)
{
    static const char call[] = "bsp_get_tag";
    cll_message *message = first_of_queue(call);
    if (status == NULL) {
        cll_fail("%s: the place for the status is NULL", call);
    }
    store(status, width, message == NULL ? -1 : (ptrdiff_t)message->size_bytes, call);
    if (message == NULL || message->tag_bytes == 0) {
        return;
    }
    if (tag == NULL) {
        cll_fail("%s: the place for a tag of %d bytes is NULL", call, message->tag_bytes);
    }
    memcpy(tag, cll_message_tag(message), (size_t)message->tag_bytes);
}

void cll_bsplib_any_move(void *payload, ptrdiff_t most_bytes)
{
    static const char call[] = "bsp_move";
    if (most_bytes < 0) {
        cll_fail("%s: %td bytes cannot be copied", call, most_bytes);
    }
    const cll_message *message = first_of_queue(call);
    if (message == NULL) {
        cll_fail("%s: processor %d has no message left: the last superstep brought %zu", call,
                 cll_machine_processor(cll_bsplib_machine(call)), cll_machine_message_count(cll_bsplib_machine(call)));
    }
    size_t count = (uint64_t)most_bytes < message->size_bytes ? (size_t)most_bytes : (size_t)message->size_bytes;
    if (count > 0) {
        if (payload == NULL) {
            cll_fail("%s: the place for %zu bytes is NULL", call, count);
        }
        if (count == 8) {
            memcpy(payload, message + 1, 8); /* without a call */
        } else {
            memcpy(payload, message + 1, count);
        }
    }
    remove_first(message);
}

ptrdiff_t cll_bsplib_any_hpmove(void **tag, void **payload)
{
    static const char call[] = "bsp_hpmove";
    cll_message *message = first_of_queue(call);
    if (tag == NULL || payload == NULL) {
        cll_fail("%s: hand over the addresses of two pointers", call);
    }
    if (message == NULL) {
        return -1;
    }
    *tag = cll_message_tag(message);
    *payload = message + 1;
    remove_first(message);
    return (ptrdiff_t)message->size_bytes;
}
