/* recording.c: a trace sink that remembers, for each node of the space, when it was first
 * expanded and what g and h it had last. Events of abstract layers are about other
 * nodes and are passed over. A new source begins a new recording.
 */
#include "io/recording.h"

#include <string.h>

static void recording_clear(cairn_recording *recording)
{
    memset(recording->nodes, 0, recording->node_count * sizeof(crn_recorded));
    recording->last_order = 0;
    recording->expanded = 0;
}

static void recording_event(void *user, const cairn_event *event)
{
    cairn_recording *recording = user;
    if (event->layer != 0 || event->node >= recording->node_count) return;
    crn_recorded *node = &recording->nodes[event->node];
    switch (event->kind) {
    case CAIRN_EVENT_SOURCE:
        /* A search from several starts names them one after the other. */
        if (recording->expanded) recording_clear(recording);
        break;
    case CAIRN_EVENT_EXPAND:
        recording->expanded++;
        if (!node->order || node->order == CRN_SEEN) node->order = ++recording->last_order;
        break;
    case CAIRN_EVENT_GENERATE:
    case CAIRN_EVENT_UPDATE:
    case CAIRN_EVENT_REOPEN: break;
    default: return;
    }
    if (!node->order) node->order = CRN_SEEN;
    node->g = event->g;
    node->h = event->h;
}

cairn_status cairn_recording_create(const cairn_space *space, cairn_recording **out)
{
    if (!out) return CAIRN_INVALID;
    *out = NULL;
    if (!space) return CAIRN_INVALID;
    cairn_context *context = cairn_space_context(space);
    uint32_t count = cairn_space_node_count(space);
    size_t size = crn_io_multiply(count, sizeof(crn_recorded));

    cairn_recording *recording = crn_io_resize(context, NULL, 0, sizeof *recording);
    crn_recorded *nodes = recording ? crn_io_zeros(context, size) : NULL;
    if (!nodes) {
        if (recording) crn_io_resize(context, recording, sizeof *recording, 0);
        return CAIRN_OUT_OF_MEMORY;
    }
    *recording = (cairn_recording){.context = context, .node_count = count, .nodes = nodes};
    *out = recording;
    return CAIRN_OK;
}

void cairn_recording_destroy(cairn_recording *recording)
{
    if (!recording) return;
    cairn_context *context = recording->context;
    crn_io_resize(context, recording->nodes, recording->node_count * sizeof(crn_recorded), 0);
    crn_io_resize(context, recording, sizeof *recording, 0);
}

cairn_trace_sink cairn_recording_sink(cairn_recording *recording)
{
    return (cairn_trace_sink){.event = recording_event, .user = recording};
}

uint64_t cairn_recording_expanded(const cairn_recording *recording)
{
    return recording ? recording->expanded : 0;
}

uint32_t cairn_recording_order(const cairn_recording *recording, cairn_node node)
{
    if (!recording || node >= recording->node_count) return 0;
    uint32_t order = recording->nodes[node].order;
    return order == CRN_SEEN ? 0 : order;
}

uint32_t cairn_recording_last(const cairn_recording *recording)
{
    return recording ? recording->last_order : 0;
}
