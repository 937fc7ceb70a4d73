/* recording.c: a trace sink that remembers, for each node of the space, when it was first expanded,
 * what g and h it had last, and whether it is a sub-goal or lies on a line that was drawn to one.
 * Events of abstract levels concern other nodes and are ignored. A new source begins a new
 * recording.
 *
 * Memory is proportional to the search: nodes lie in pages, which are allocated when the first of
 * their nodes is seen. A sink cannot report that there was no memory left, so the recording
 * remembers it.
 */
#include "io/recording.h"

#include <string.h>

#define RECORDING_PAGE_BYTES (CRN_RECORDED_PAGE * sizeof(crn_recorded))

static void recording_clear(cairn_recording *recording)
{
    for (uint32_t i = 0; i < recording->page_count; i++)
        if (recording->pages[i]) memset(recording->pages[i], 0, RECORDING_PAGE_BYTES);
    recording->last_order = 0;
    recording->expanded = 0;
    recording->begun = false;
    recording->failed = false;
}

/* NULL, and the recording has failed, if the page cannot be had. */
static crn_recorded *recording_touch(cairn_recording *recording, cairn_node node)
{
    crn_recorded **page = &recording->pages[node / CRN_RECORDED_PAGE];
    if (!*page) *page = crn_io_zeros(recording->context, RECORDING_PAGE_BYTES);
    if (*page) return &(*page)[node % CRN_RECORDED_PAGE];
    recording->failed = true;
    return NULL;
}

static void recording_note(cairn_recording *recording, const cairn_event *event)
{
    crn_recorded *node = recording_touch(recording, event->node);
    if (!node) return;
    if (!node->order) node->order = CRN_SEEN;
    if (event->kind == CAIRN_EVENT_EXPAND && node->order == CRN_SEEN)
        node->order = ++recording->last_order;
    node->g = event->g;
    node->h = event->h;
}

/* A sub-goal stays one when a line is drawn over it. */
static void recording_mark(cairn_recording *recording, cairn_node at, uint32_t mark)
{
    crn_recorded *node = recording_touch(recording, at);
    if (node && node->mark < mark) node->mark = mark;
}

static void recording_event(void *user, const cairn_event *event)
{
    cairn_recording *recording = user;
    bool abstract = event->level & ~CAIRN_LEVEL_BACKWARD;
    if (abstract || event->node >= recording->node_count) return;
    switch (event->kind) {
    case CAIRN_EVENT_SOURCE:
        /* A search from several starts names them one after the other. */
        if (recording->begun) recording_clear(recording);
        recording_note(recording, event);
        return;
    case CAIRN_EVENT_DESTINATION: return;
    case CAIRN_EVENT_SEGMENT:
        recording->begun = true;
        recording_mark(recording, event->node, CRN_RECORDED_SEGMENT);
        return;
    case CAIRN_EVENT_SUBGOAL:
        recording->begun = true;
        recording_mark(recording, event->node, CRN_RECORDED_SUBGOAL);
        return;
    case CAIRN_EVENT_EXPAND: recording->expanded++; break;
    case CAIRN_EVENT_GENERATE:
    case CAIRN_EVENT_UPDATE:
    case CAIRN_EVENT_REOPEN: break;
    default: recording->begun = true; return;
    }
    recording->begun = true;
    recording_note(recording, event);
}

cairn_status cairn_recording_create(const cairn_space *space, cairn_recording **out)
{
    if (!out) return CAIRN_INVALID;
    *out = NULL;
    if (!space) return CAIRN_INVALID;
    cairn_context *context = cairn_space_context(space);
    uint32_t nodes = cairn_space_node_count(space);
    uint32_t count = nodes / CRN_RECORDED_PAGE + 1;

    cairn_recording *recording = crn_io_resize(context, NULL, 0, sizeof *recording);
    crn_recorded **pages = recording ? crn_io_zeros(context, count * sizeof *pages) : NULL;
    if (!pages) {
        if (recording) crn_io_resize(context, recording, sizeof *recording, 0);
        return CAIRN_OUT_OF_MEMORY;
    }
    *recording = (cairn_recording){
        .context = context, .node_count = nodes, .page_count = count, .pages = pages};
    *out = recording;
    return CAIRN_OK;
}

void cairn_recording_destroy(cairn_recording *recording)
{
    if (!recording) return;
    cairn_context *context = recording->context;
    for (uint32_t i = 0; i < recording->page_count; i++)
        if (recording->pages[i])
            crn_io_resize(context, recording->pages[i], RECORDING_PAGE_BYTES, 0);
    crn_io_resize(context, recording->pages, recording->page_count * sizeof *recording->pages, 0);
    crn_io_resize(context, recording, sizeof *recording, 0);
}

cairn_trace_sink cairn_recording_sink(cairn_recording *recording)
{
    return (cairn_trace_sink){.event = recording_event, .user = recording};
}

cairn_status cairn_recording_status(const cairn_recording *recording)
{
    if (!recording) return CAIRN_INVALID;
    return recording->failed ? CAIRN_OUT_OF_MEMORY : CAIRN_OK;
}

uint64_t cairn_recording_expanded(const cairn_recording *recording)
{
    return recording ? recording->expanded : 0;
}

/* ---- what nodes are coloured by ---- */

const char *cairn_colouring_name(cairn_colouring by)
{
    static const char *const names[CAIRN_COLOUR_COUNT] = {"order", "g", "h", "f", "none"};
    return (unsigned)by < CAIRN_COLOUR_COUNT ? names[by] : "?";
}

static bool recording_value(const crn_recorded *node, cairn_colouring by, uint64_t *out)
{
    if (!node->order || node->order == CRN_SEEN) return false;
    switch (by) {
    case CAIRN_COLOUR_ORDER: *out = node->order; return true;
    case CAIRN_COLOUR_G: *out = node->g; return true;
    case CAIRN_COLOUR_H: *out = node->h; return true;
    case CAIRN_COLOUR_F: *out = (uint64_t)node->g + node->h; return true;
    default: return false;
    }
}

bool cairn_recording_value(const cairn_recording *recording, cairn_colouring by, cairn_node node,
                           uint64_t *out)
{
    if (!recording || node >= recording->node_count) return false;
    const crn_recorded *recorded = crn_recorded_at(recording, node);
    return recorded && recording_value(recorded, by, out);
}

cairn_range cairn_recording_range(const cairn_recording *recording, cairn_colouring by)
{
    cairn_range range = {UINT64_MAX, 0};
    for (uint32_t i = 0; recording && i < recording->page_count; i++) {
        const crn_recorded *page = recording->pages[i];
        for (uint32_t k = 0; page && k < CRN_RECORDED_PAGE; k++) {
            uint64_t value;
            if (!recording_value(&page[k], by, &value)) continue;
            if (value < range.least) range.least = value;
            if (value > range.most) range.most = value;
        }
    }
    return range.least > range.most ? (cairn_range){0, 0} : range;
}
