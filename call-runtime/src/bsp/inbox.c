/* inbox.c: keeps the packets of a superstep and an index of the messages inside them. */
#include "inbox.h"

#include <stdint.h>
#include <stdlib.h>

#include "../base/fail.h"

/* Where a message was found last: as a rule the next one asked for is there, too. */
static const cll_packet *last_found = NULL;

void cll_inbox_clear(cll_inbox *inbox)
{
    last_found = NULL;
    while (inbox->first != NULL) {
        cll_packet *packet = inbox->first;
        inbox->first = packet->next;
        cll_transport_release(packet);
    }
    inbox->last = NULL;
    inbox->message_count = 0;
}

void cll_inbox_add(cll_inbox *inbox, cll_packet *packet)
{
    packet->next = NULL;
    if (inbox->first == NULL) {
        inbox->first = packet;
    } else {
        inbox->last->next = packet;
    }
    inbox->last = packet;
    inbox->message_count += packet->message_count;
}

static cll_packet *merge(cll_packet *left, cll_packet *right)
{
    cll_packet *first = NULL;
    cll_packet **link = &first;
    while (left != NULL && right != NULL) {
        cll_packet **smaller = right->source < left->source ? &right : &left; /* equal: left, which keeps the order */
        *link = *smaller;
        link = &(*smaller)->next;
        *smaller = *link;
    }
    *link = left != NULL ? left : right;
    return first;
}

/* Stable merge sort by source: runs[k] holds 2^k packets, older ones in higher k. */
static cll_packet *sorted(cll_packet *packets)
{
    cll_packet *runs[64] = {NULL};
    cll_packet *result = NULL;
    while (packets != NULL) {
        cll_packet *run = packets;
        size_t level = 0;
        packets = packets->next;
        run->next = NULL;
        while (runs[level] != NULL) {
            run = merge(runs[level], run);
            runs[level++] = NULL;
        }
        runs[level] = run;
    }
    for (size_t level = 0; level < sizeof runs / sizeof *runs; level++) {
        if (runs[level] != NULL) {
            result = merge(runs[level], result);
        }
    }
    return result;
}

void cll_inbox_sort(cll_inbox *inbox, const char *call)
{
    if (inbox->message_count > inbox->capacity) {
        size_t capacity = 2 * inbox->message_count;
        cll_message **messages = realloc(inbox->messages, capacity * sizeof *messages);
        if (messages == NULL) {
            cll_fail("%s: no memory for an index of %zu messages", call, inbox->message_count);
        }
        inbox->messages = messages;
        inbox->capacity = capacity;
    }
    size_t index = 0;
    inbox->first = sorted(inbox->first);
    for (cll_packet *packet = inbox->first; packet != NULL; packet = packet->next) {
        unsigned char *at = cll_packet_payload(packet);
        const unsigned char *end = at + packet->payload_bytes;
        inbox->last = packet;
        while (at < end) {
            cll_message *message = (cll_message *)(void *)at;
            inbox->messages[index++] = message;
            at += cll_message_span_bytes(message);
        }
    }
}

cll_message *cll_inbox_find(const cll_inbox *inbox, int source, size_t index)
{
    size_t low = 0;
    size_t high = inbox->message_count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (inbox->messages[middle]->source < source) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    if (index >= inbox->message_count - low || inbox->messages[low + index]->source != source) {
        return NULL;
    }
    return inbox->messages[low + index];
}

static int is_in_packet(const cll_message *message, const cll_packet *packet)
{
    uintptr_t payload = (uintptr_t)(packet + 1);
    return (uintptr_t)message - payload < packet->payload_bytes;
}

int cll_inbox_has(const cll_inbox *inbox, const cll_message *message)
{
    if (last_found != NULL && is_in_packet(message, last_found)) {
        return 1;
    }
    for (const cll_packet *packet = inbox->first; packet != NULL; packet = packet->next) {
        if (is_in_packet(message, packet)) {
            last_found = packet;
            return 1;
        }
    }
    return 0;
}
