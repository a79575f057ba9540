/* events.c: the events of an archive as records. */
#include "handing.h"

/* The attributes that are texts, of an event that may have others. */
static void take_attributes(call_otf2_record *record, const OTF2_AttributeList *attributes)
{
    uint32_t count = OTF2_AttributeList_GetNumberOfElements(attributes);
    for (uint32_t at = 0; at < count && record->attribute_count < CALL_OTF2_MOST_ATTRIBUTES; at++) {
        OTF2_AttributeRef reference;
        OTF2_Type type;
        OTF2_AttributeValue value;
        if (OTF2_AttributeList_GetAttributeByIndex(attributes, at, &reference, &type, &value) == OTF2_SUCCESS &&
            type == OTF2_TYPE_STRING) {
            call_otf2_attribute *taken = &record->attributes[record->attribute_count++];
            taken->reference = reference;
            taken->text = value.stringRef;
        }
    }
}

#define HAPPEN(of_kind, ...) \
    call_otf2_record record = {.kind = of_kind, .location = location, .ticks = ticks, .numbers = {__VA_ARGS__}}; \
    (void)position; \
    take_attributes(&record, attributes); \
    return call_otf2_hand(user, &record)

/* What all callbacks of events begin with. */
#define OF_EVENT \
    OTF2_LocationRef location, OTF2_TimeStamp ticks, uint64_t position, void *user, OTF2_AttributeList *attributes

static OTF2_CallbackCode take_enter(OF_EVENT, OTF2_RegionRef region)
{
    HAPPEN(CALL_OTF2_ENTER, region);
}

static OTF2_CallbackCode take_leave(OF_EVENT, OTF2_RegionRef region)
{
    HAPPEN(CALL_OTF2_LEAVE, region);
}

static OTF2_CallbackCode take_send(OF_EVENT, uint32_t receiver, OTF2_CommRef communicator, uint32_t tag, uint64_t bytes)
{
    HAPPEN(CALL_OTF2_SEND, receiver, communicator, tag, bytes);
}

static OTF2_CallbackCode take_send_request(OF_EVENT, uint32_t receiver, OTF2_CommRef communicator, uint32_t tag, uint64_t bytes,
                                           uint64_t request)
{
    HAPPEN(CALL_OTF2_SEND_REQUEST, receiver, communicator, tag, bytes, request);
}

static OTF2_CallbackCode take_send_complete(OF_EVENT, uint64_t request)
{
    HAPPEN(CALL_OTF2_SEND_COMPLETE, request);
}

static OTF2_CallbackCode take_receive(OF_EVENT, uint32_t sender, OTF2_CommRef communicator, uint32_t tag, uint64_t bytes)
{
    HAPPEN(CALL_OTF2_RECEIVE, sender, communicator, tag, bytes);
}

static OTF2_CallbackCode take_receive_request(OF_EVENT, uint64_t request)
{
    HAPPEN(CALL_OTF2_RECEIVE_REQUEST, request);
}

static OTF2_CallbackCode take_receive_complete(OF_EVENT, uint32_t sender, OTF2_CommRef communicator, uint32_t tag, uint64_t bytes,
                                               uint64_t request)
{
    HAPPEN(CALL_OTF2_RECEIVE_COMPLETE, sender, communicator, tag, bytes, request);
}

static OTF2_CallbackCode take_cancelled(OF_EVENT, uint64_t request)
{
    HAPPEN(CALL_OTF2_CANCELLED, request);
}

static OTF2_CallbackCode take_collective_begin(OF_EVENT)
{
    HAPPEN(CALL_OTF2_COLLECTIVE_BEGIN, 0);
}

static OTF2_CallbackCode take_collective_end(OF_EVENT, OTF2_CollectiveOp operation, OTF2_CommRef communicator, uint32_t root,
                                             uint64_t sent_bytes, uint64_t received_bytes)
{
    HAPPEN(CALL_OTF2_COLLECTIVE_END, operation, communicator, root, sent_bytes, received_bytes);
}

static OTF2_CallbackCode take_collective_request(OF_EVENT, uint64_t request)
{
    HAPPEN(CALL_OTF2_COLLECTIVE_REQUEST, request);
}

static OTF2_CallbackCode take_collective_complete(OF_EVENT, OTF2_CollectiveOp operation, OTF2_CommRef communicator, uint32_t root,
                                                  uint64_t sent_bytes, uint64_t received_bytes, uint64_t request)
{
    HAPPEN(CALL_OTF2_COLLECTIVE_COMPLETE, operation, communicator, root, sent_bytes, received_bytes, request);
}

static OTF2_CallbackCode take_window_collective(OF_EVENT, OTF2_CollectiveOp operation, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window,
                                                uint32_t root, uint64_t sent_bytes, uint64_t received_bytes)
{
    (void)level;
    HAPPEN(CALL_OTF2_WINDOW_COLLECTIVE, operation, window, root, sent_bytes, received_bytes);
}

static OTF2_CallbackCode take_program_begin(OF_EVENT, OTF2_StringRef name, uint32_t argument_count, const OTF2_StringRef *arguments)
{
    (void)argument_count;
    (void)arguments;
    HAPPEN(CALL_OTF2_PROGRAM_BEGIN, name);
}

static OTF2_CallbackCode take_program_end(OF_EVENT, int64_t status)
{
    (void)status;
    HAPPEN(CALL_OTF2_PROGRAM_END, 0);
}

static OTF2_CallbackCode take_buffer_flush(OF_EVENT, OTF2_TimeStamp end_ticks)
{
    HAPPEN(CALL_OTF2_BUFFER_FLUSH, end_ticks);
}

static OTF2_CallbackCode take_recording(OF_EVENT, OTF2_MeasurementMode mode)
{
    HAPPEN(CALL_OTF2_RECORDING, mode);
}

static OTF2_CallbackCode take_context_enter(OF_EVENT, OTF2_CallingContextRef context, uint32_t distance)
{
    (void)distance;
    HAPPEN(CALL_OTF2_CALLING_CONTEXT, context);
}

static OTF2_CallbackCode take_context_leave(OF_EVENT, OTF2_CallingContextRef context)
{
    HAPPEN(CALL_OTF2_CALLING_CONTEXT, context);
}

static OTF2_CallbackCode take_counters(OF_EVENT, OTF2_MetricRef counters, uint8_t count, const OTF2_Type *types,
                                       const OTF2_MetricValue *values)
{
    (void)counters;
    (void)types;
    (void)values;
    HAPPEN(CALL_OTF2_COUNTERS, count);
}

static OTF2_CallbackCode take_parameter_text(OF_EVENT, OTF2_ParameterRef parameter, OTF2_StringRef text)
{
    HAPPEN(CALL_OTF2_PARAMETER_TEXT, parameter, text);
}

static OTF2_CallbackCode take_put(OF_EVENT, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t matching)
{
    (void)matching;
    HAPPEN(CALL_OTF2_REMOTE_ACCESS, remote, window, 0, bytes, 0);
}

static OTF2_CallbackCode take_get(OF_EVENT, OTF2_RmaWinRef window, uint32_t remote, uint64_t bytes, uint64_t matching)
{
    (void)matching;
    HAPPEN(CALL_OTF2_REMOTE_ACCESS, remote, window, 0, 0, bytes);
}

static OTF2_CallbackCode take_atomic(OF_EVENT, OTF2_RmaWinRef window, uint32_t remote, OTF2_RmaAtomicType type, uint64_t sent_bytes,
                                     uint64_t received_bytes, uint64_t matching)
{
    (void)type;
    (void)matching;
    HAPPEN(CALL_OTF2_REMOTE_ACCESS, remote, window, 1, sent_bytes, received_bytes);
}

static OTF2_CallbackCode take_group_sync(OF_EVENT, OTF2_RmaSyncLevel level, OTF2_RmaWinRef window, OTF2_GroupRef group)
{
    (void)level;
    HAPPEN(CALL_OTF2_GROUP_SYNC, group, window);
}

static OTF2_CallbackCode take_lock(OF_EVENT, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock, OTF2_LockType type)
{
    (void)lock;
    HAPPEN(CALL_OTF2_LOCK, remote, window, type == OTF2_LOCK_SHARED);
}

static OTF2_CallbackCode take_unlock(OF_EVENT, OTF2_RmaWinRef window, uint32_t remote, uint64_t lock)
{
    (void)lock;
    HAPPEN(CALL_OTF2_UNLOCK, remote, window);
}

OTF2_EvtReaderCallbacks *call_otf2_event_callbacks(void)
{
    OTF2_EvtReaderCallbacks *callbacks = OTF2_EvtReaderCallbacks_New();
    if (callbacks != NULL) {
        OTF2_EvtReaderCallbacks_SetEnterCallback(callbacks, take_enter);
        OTF2_EvtReaderCallbacks_SetLeaveCallback(callbacks, take_leave);
        OTF2_EvtReaderCallbacks_SetMpiSendCallback(callbacks, take_send);
        OTF2_EvtReaderCallbacks_SetMpiIsendCallback(callbacks, take_send_request);
        OTF2_EvtReaderCallbacks_SetMpiIsendCompleteCallback(callbacks, take_send_complete);
        OTF2_EvtReaderCallbacks_SetMpiRecvCallback(callbacks, take_receive);
        OTF2_EvtReaderCallbacks_SetMpiIrecvRequestCallback(callbacks, take_receive_request);
        OTF2_EvtReaderCallbacks_SetMpiIrecvCallback(callbacks, take_receive_complete);
        OTF2_EvtReaderCallbacks_SetMpiRequestCancelledCallback(callbacks, take_cancelled);
        OTF2_EvtReaderCallbacks_SetMpiCollectiveBeginCallback(callbacks, take_collective_begin);
        OTF2_EvtReaderCallbacks_SetMpiCollectiveEndCallback(callbacks, take_collective_end);
        OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveRequestCallback(callbacks, take_collective_request);
        OTF2_EvtReaderCallbacks_SetNonBlockingCollectiveCompleteCallback(callbacks, take_collective_complete);
        OTF2_EvtReaderCallbacks_SetRmaCollectiveEndCallback(callbacks, take_window_collective);
        OTF2_EvtReaderCallbacks_SetProgramBeginCallback(callbacks, take_program_begin);
        OTF2_EvtReaderCallbacks_SetProgramEndCallback(callbacks, take_program_end);
        OTF2_EvtReaderCallbacks_SetBufferFlushCallback(callbacks, take_buffer_flush);
        OTF2_EvtReaderCallbacks_SetMeasurementOnOffCallback(callbacks, take_recording);
        OTF2_EvtReaderCallbacks_SetCallingContextEnterCallback(callbacks, take_context_enter);
        OTF2_EvtReaderCallbacks_SetCallingContextLeaveCallback(callbacks, take_context_leave);
        OTF2_EvtReaderCallbacks_SetMetricCallback(callbacks, take_counters);
        OTF2_EvtReaderCallbacks_SetParameterStringCallback(callbacks, take_parameter_text);
        OTF2_EvtReaderCallbacks_SetRmaPutCallback(callbacks, take_put);
        OTF2_EvtReaderCallbacks_SetRmaGetCallback(callbacks, take_get);
        OTF2_EvtReaderCallbacks_SetRmaAtomicCallback(callbacks, take_atomic);
        OTF2_EvtReaderCallbacks_SetRmaGroupSyncCallback(callbacks, take_group_sync);
        OTF2_EvtReaderCallbacks_SetRmaAcquireLockCallback(callbacks, take_lock);
        OTF2_EvtReaderCallbacks_SetRmaReleaseLockCallback(callbacks, take_unlock);
    }
    return callbacks;
}
