/* bsplib_messages.c: supersteps, the queue of messages and the sizes of their tags. */
#include "bsplib_messages.h"

#include <limits.h>
#include <string.h>

#include "../../include/bsp.h"
#include "../base/fail.h"
#include "../bsp/call_sites.h"
#include "bsplib.h"

static size_t sent_tag_bytes = 0; /* of messages sent in this superstep; a message that came knows its own */
static size_t next_tag_bytes = 0;
static size_t first_message = 0;
static size_t left_bytes_of_queue = 0;
static int is_counted = 0; /* the bytes are counted when somebody asks */

void bsp_sync(void)
{
    static const char call[] = "bsp_sync";
    cll_call_site_caller = CLL_CALLER;
    cll_machine_sync(cll_bsplib_machine(call), call);
    sent_tag_bytes = next_tag_bytes;
    first_message = 0;
    is_counted = 0;
}

size_t cll_bsplib_set_tag(size_t tag_bytes)
{
    static const char call[] = "bsp_set_tagsize";
    cll_machine *machine = cll_bsplib_machine(call);
    size_t before = next_tag_bytes;
    if (tag_bytes > INT32_MAX / 2) {
        cll_fail("%s: a tag cannot have %zu bytes", call, tag_bytes);
    }
    next_tag_bytes = tag_bytes;
    cll_machine_set_tag(machine, (int32_t)tag_bytes);
    return before;
}

void cll_bsplib_send_message(int to, const void *tag, const void *payload, size_t size, const char *call)
{
    cll_machine *machine = cll_bsplib_machine(call);
    if (tag == NULL && sent_tag_bytes > 0) {
        cll_fail("%s: the tag is NULL, but the tags of this superstep have %zu bytes", call, sent_tag_bytes);
    }
    cll_machine_send(machine, to, tag, (int32_t)sent_tag_bytes, payload, size, call);
}

size_t cll_bsplib_queue(size_t *bytes)
{
    const cll_machine *machine = cll_bsplib_machine("bsp_qsize");
    size_t count = cll_machine_message_count(machine);
    if (bytes == NULL) {
        return count - first_message;
    }
    if (!is_counted) {
        is_counted = 1;
        left_bytes_of_queue = 0;
        for (size_t index = first_message; index < count; index++) {
            left_bytes_of_queue += (size_t)cll_machine_message(machine, index)->size_bytes;
        }
    }
    *bytes = left_bytes_of_queue;
    return count - first_message;
}

cll_message *cll_bsplib_first(const char *call)
{
    const cll_machine *machine = cll_bsplib_machine(call);
    return first_message < cll_machine_message_count(machine) ? cll_machine_message(machine, first_message) : NULL;
}

static void remove_first(const cll_message *message)
{
    first_message++;
    left_bytes_of_queue -= is_counted ? (size_t)message->size_bytes : 0;
}

void cll_bsplib_copy_tag(cll_message *message, void *tag)
{
    if (message->tag_bytes == 0) {
        return;
    }
    if (tag == NULL) {
        cll_fail("bsp_get_tag: the place for a tag of %d bytes is NULL", message->tag_bytes);
    }
    memcpy(tag, cll_message_tag(message), (size_t)message->tag_bytes);
}

void cll_bsplib_move_payload(void *payload, size_t most_bytes)
{
    static const char call[] = "bsp_move";
    const cll_message *message = cll_bsplib_first(call);
    if (message == NULL) {
        cll_fail("%s: processor %d has no message left: the last superstep brought %zu", call,
                 cll_machine_processor(cll_bsplib_machine(call)), cll_machine_message_count(cll_bsplib_machine(call)));
    }
    size_t count = most_bytes < message->size_bytes ? most_bytes : (size_t)message->size_bytes;
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

cll_message *cll_bsplib_take(void **tag, void **payload)
{
    static const char call[] = "bsp_hpmove";
    cll_message *message = cll_bsplib_first(call);
    if (tag == NULL || payload == NULL) {
        cll_fail("%s: hand over the addresses of two pointers", call);
    }
    if (message != NULL) {
        *tag = cll_message_tag(message);
        *payload = message + 1;
        remove_first(message);
    }
    return message;
}

static int as_int(size_t count)
{
    return count < INT_MAX ? (int)count : INT_MAX;
}

void bsp_set_tagsize(int *tag_bytes)
{
    if (tag_bytes == NULL || *tag_bytes < 0) {
        cll_fail("bsp_set_tagsize: hand over the address of a size that is not negative");
    }
    *tag_bytes = (int)cll_bsplib_set_tag((size_t)*tag_bytes);
}

void bsp_send(int to, const void *tag, const void *payload, int size)
{
    static const char call[] = "bsp_send";
    if (size < 0) {
        cll_fail("%s: a message of %d bytes cannot be sent", call, size);
    }
    cll_bsplib_send_message(to, tag, payload, (size_t)size, call);
}

void bsp_qsize(int *messages, int *bytes)
{
    size_t left_bytes_in_all = 0;
    int count = as_int(cll_bsplib_queue(bytes == NULL ? NULL : &left_bytes_in_all));
    if (messages == NULL) {
        cll_fail("bsp_qsize: the place for the number of messages is NULL");
    }
    *messages = count;
    if (bytes != NULL) {
        *bytes = as_int(left_bytes_in_all);
    }
}

void bsp_get_tag(int *status, void *tag)
{
    static const char call[] = "bsp_get_tag";
    cll_message *message = cll_bsplib_first(call);
    if (status == NULL) {
        cll_fail("%s: the place for the status is NULL", call);
    }
    *status = message == NULL ? -1 : as_int((size_t)message->size_bytes);
    if (message != NULL) {
        cll_bsplib_copy_tag(message, tag);
    }
}

void bsp_move(void *payload, int most_bytes)
{
    if (most_bytes < 0) {
        cll_fail("bsp_move: %d bytes cannot be copied", most_bytes);
    }
    cll_bsplib_move_payload(payload, (size_t)most_bytes);
}

int bsp_hpmove(void **tag, void **payload)
{
    const cll_message *message = cll_bsplib_take(tag, payload);
    return message == NULL ? -1 : as_int((size_t)message->size_bytes);
}
