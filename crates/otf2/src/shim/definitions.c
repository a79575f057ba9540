/* definitions.c: the definitions of an archive as records. */
#include "handing.h"

/* NUMBERS are those of the record, in their order. */
#define DEFINE(of_kind, ...) \
    const call_otf2_record record = {.kind = of_kind, .numbers = {__VA_ARGS__}}; \
    return call_otf2_hand(user, &record)

static OTF2_CallbackCode take_clock(void *user, uint64_t frequency, uint64_t origin, uint64_t length, uint64_t date)
{
    (void)date;
    DEFINE(CALL_OTF2_CLOCK, frequency, origin, length);
}

static OTF2_CallbackCode take_text(void *user, OTF2_StringRef self, const char *text)
{
    const call_otf2_record record = {.kind = CALL_OTF2_TEXT, .numbers = {self}, .text = text};
    return call_otf2_hand(user, &record);
}

static OTF2_CallbackCode take_attribute(void *user, OTF2_AttributeRef self, OTF2_StringRef name, OTF2_StringRef description, OTF2_Type type)
{
    (void)description;
    if (type != OTF2_TYPE_STRING) {
        return OTF2_CALLBACK_SUCCESS;
    }
    DEFINE(CALL_OTF2_ATTRIBUTE, self, name);
}

static OTF2_CallbackCode take_location_group(void *user, OTF2_LocationGroupRef self, OTF2_StringRef name, OTF2_LocationGroupType type,
                                             OTF2_SystemTreeNodeRef parent, OTF2_LocationGroupRef creator)
{
    (void)parent;
    (void)creator;
    DEFINE(CALL_OTF2_LOCATION_GROUP, self, name, type);
}

static OTF2_CallbackCode take_location(void *user, OTF2_LocationRef self, OTF2_StringRef name, OTF2_LocationType type, uint64_t events,
                                       OTF2_LocationGroupRef group)
{
    DEFINE(CALL_OTF2_LOCATION, self, name, type, events, group);
}

static OTF2_CallbackCode take_region(void *user, OTF2_RegionRef self, OTF2_StringRef name, OTF2_StringRef canonical_name,
                                     OTF2_StringRef description, OTF2_RegionRole role, OTF2_Paradigm paradigm, OTF2_RegionFlag flags,
                                     OTF2_StringRef source_file, uint32_t first_line, uint32_t last_line)
{
    (void)canonical_name;
    (void)flags;
    (void)last_line;
    DEFINE(CALL_OTF2_REGION, self, name, description, role, paradigm, source_file, first_line);
}

static OTF2_CallbackCode take_group(void *user, OTF2_GroupRef self, OTF2_StringRef name, OTF2_GroupType type, OTF2_Paradigm paradigm,
                                    OTF2_GroupFlag flags, uint32_t member_count, const uint64_t *members)
{
    const call_otf2_record record = {.kind = CALL_OTF2_GROUP,
                                     .numbers = {self, name, type, paradigm, flags},
                                     .members = members,
                                     .member_count = member_count};
    return call_otf2_hand(user, &record);
}

static OTF2_CallbackCode take_communicator(void *user, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group, OTF2_CommRef parent,
                                           OTF2_CommFlag flags)
{
    (void)parent;
    (void)flags;
    DEFINE(CALL_OTF2_COMMUNICATOR, self, name, group);
}

static OTF2_CallbackCode take_intercommunicator(void *user, OTF2_CommRef self, OTF2_StringRef name, OTF2_GroupRef group,
                                                OTF2_GroupRef other, OTF2_CommRef common, OTF2_CommFlag flags)
{
    (void)common;
    (void)flags;
    DEFINE(CALL_OTF2_INTERCOMMUNICATOR, self, name, group, other);
}

static OTF2_CallbackCode take_window(void *user, OTF2_RmaWinRef self, OTF2_StringRef name, OTF2_CommRef communicator, OTF2_RmaWinFlag flags)
{
    (void)flags;
    DEFINE(CALL_OTF2_WINDOW, self, name, communicator);
}

static OTF2_CallbackCode take_parameter(void *user, OTF2_ParameterRef self, OTF2_StringRef name, OTF2_ParameterType type)
{
    if (type != OTF2_PARAMETER_TYPE_STRING) {
        return OTF2_CALLBACK_SUCCESS;
    }
    DEFINE(CALL_OTF2_PARAMETER, self, name);
}

OTF2_GlobalDefReaderCallbacks *call_otf2_definition_callbacks(void)
{
    OTF2_GlobalDefReaderCallbacks *callbacks = OTF2_GlobalDefReaderCallbacks_New();
    if (callbacks != NULL) {
        OTF2_GlobalDefReaderCallbacks_SetClockPropertiesCallback(callbacks, take_clock);
        OTF2_GlobalDefReaderCallbacks_SetStringCallback(callbacks, take_text);
        OTF2_GlobalDefReaderCallbacks_SetAttributeCallback(callbacks, take_attribute);
        OTF2_GlobalDefReaderCallbacks_SetLocationGroupCallback(callbacks, take_location_group);
        OTF2_GlobalDefReaderCallbacks_SetLocationCallback(callbacks, take_location);
        OTF2_GlobalDefReaderCallbacks_SetRegionCallback(callbacks, take_region);
        OTF2_GlobalDefReaderCallbacks_SetGroupCallback(callbacks, take_group);
        OTF2_GlobalDefReaderCallbacks_SetCommCallback(callbacks, take_communicator);
        OTF2_GlobalDefReaderCallbacks_SetInterCommCallback(callbacks, take_intercommunicator);
        OTF2_GlobalDefReaderCallbacks_SetRmaWinCallback(callbacks, take_window);
        OTF2_GlobalDefReaderCallbacks_SetParameterCallback(callbacks, take_parameter);
    }
    return callbacks;
}
