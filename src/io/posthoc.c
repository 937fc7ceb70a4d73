/* posthoc.c: traces for the Posthoc visualiser, search-trace format 1.4.0.
 *
 * The document is YAML: a head that says how an event is drawn (a square of its type's colour),
 * then a list of events, one a line. It is written in chunks while the search runs, so that memory
 * stays small however long the search is. Costs are formatted from integers, and nothing depends on
 * the locale. A failure (a full disk, no memory) is remembered and reported at the end, since a
 * sink cannot report it.
 */
#include "io/output.h"

#include <math.h>

#define POSTHOC_CHUNK 60000u

/* Ends a file that was written, or drops it. A pointer, so that programs that write no files do
 * not link to what does. */
typedef cairn_status posthoc_end(crn_io_output *output, bool keep, cairn_error *error);

struct cairn_posthoc {
    cairn_context *context;
    cairn_space *space;
    cairn_writer writer;
    crn_io_output output; /* behind the writer if it is a file of ours */
    posthoc_end *end;     /* ends that file; NULL = there is none */
    crn_io_buffer text;   /* not written yet */
    cairn_status status;  /* of the writer */
    bool any;             /* an event was written */
    uint32_t straight;    /* units a straight step */
    cairn_position low;   /* graphs: what becomes (0, 0) ... */
    double spacing;       /* ... and what becomes 1; 0 = there are no positions */
    uint32_t columns;     /* of waypoints without positions */
};

static const char posthoc_head[] = "version: 1.4.0\n"
                                   "views:\n"
                                   "  main:\n"
                                   "    - $: rect\n"
                                   "      x: ${{ $.x }}\n"
                                   "      y: ${{ $.y }}\n"
                                   "      width: 1\n"
                                   "      height: 1\n"
                                   "      fill: ${{ color[$.type] }}\n"
                                   "pivot:\n"
                                   "  x: ${{ $.x + 0.5 }}\n"
                                   "  y: ${{ $.y + 0.5 }}\n"
                                   "  scale: 1\n"
                                   "events:";

/* ---- where things lie ---- */

static void posthoc_fit_nodes(cairn_posthoc *posthoc)
{
    const cairn_space *space = posthoc->space;
    uint32_t count = cairn_space_node_count(space);
    posthoc->columns = (uint32_t)sqrt((double)count) + 1;
    if (!cairn_space_has_positions(space)) return;
    cairn_position low, high;
    crn_io_box(space, &low, &high);
    double side = high.x - low.x > high.y - low.y ? high.x - low.x : high.y - low.y;
    posthoc->low = low;
    posthoc->spacing = side > 0 ? side / posthoc->columns : 1;
}

/* The upper left corner of the node's square. */
static cairn_position posthoc_place(const cairn_posthoc *posthoc, cairn_node node)
{
    const cairn_grid *grid = cairn_space_grid(posthoc->space);
    if (grid) {
        cairn_cell cell = cairn_grid_cell(grid, node);
        if (cairn_grid_layout(grid) != CAIRN_LAYOUT_HEX) return (cairn_position){cell.x, cell.y, 0};
        return (cairn_position){cell.x + (cell.y & 1 ? 0.5 : 0), cell.y * CRN_IO_HEX_ROW, 0};
    }
    if (posthoc->spacing == 0)
        return (cairn_position){node % posthoc->columns, (double)(node / posthoc->columns), 0};
    cairn_position p = cairn_space_position(posthoc->space, node);
    return (cairn_position){(p.x - posthoc->low.x) / posthoc->spacing,
                            (p.y - posthoc->low.y) / posthoc->spacing, 0};
}

/* ---- events ---- */

static const char *posthoc_type(cairn_event_kind kind)
{
    switch (kind) {
    case CAIRN_EVENT_SOURCE: return "source";
    case CAIRN_EVENT_DESTINATION: return "destination";
    case CAIRN_EVENT_GENERATE: return "generating";
    case CAIRN_EVENT_UPDATE:
    case CAIRN_EVENT_REOPEN: return "updating";
    case CAIRN_EVENT_EXPAND: return "expanding";
    case CAIRN_EVENT_CLOSE: return "closing";
    case CAIRN_EVENT_END: return "end";
    case CAIRN_EVENT_PASS: return "passing";
    case CAIRN_EVENT_SEGMENT: return "segment";
    case CAIRN_EVENT_SUBGOAL: return "subgoal";
    case CAIRN_EVENT_FORGET: return "forgetting";
    default: return NULL;
    }
}

static void posthoc_flush(cairn_posthoc *posthoc)
{
    crn_io_buffer *text = &posthoc->text;
    if (!posthoc->status && !text->failed && text->size)
        posthoc->status = posthoc->writer.write(posthoc->writer.user, text->data, text->size);
    text->size = 0;
}

/* Empty if it is not known. */
static void posthoc_cost(cairn_posthoc *posthoc, const char *name, bool known, uint64_t cost)
{
    uint64_t unit = posthoc->straight;
    crn_io_print(&posthoc->text, ", %s: ", name);
    if (known) crn_io_put_milli(&posthoc->text, (int64_t)((cost * 1000 + unit / 2) / unit));
}

static void posthoc_coordinate(cairn_posthoc *posthoc, const char *name, double value)
{
    crn_io_print(&posthoc->text, ", %s: ", name);
    crn_io_put_double(&posthoc->text, value);
}

static void posthoc_event(void *user, const cairn_event *event)
{
    cairn_posthoc *posthoc = user;
    crn_io_buffer *text = &posthoc->text;
    const char *type = posthoc_type(event->kind);
    bool abstract = event->level & ~CAIRN_LEVEL_BACKWARD;
    if (!type || abstract || posthoc->status || text->failed) return;
    crn_io_print(text, "%s  - { type: %s, id: %u, pId: ", posthoc->any ? "" : "\n", type,
                 event->node);
    posthoc->any = true;
    if (event->parent != CAIRN_NO_NODE) crn_io_print(text, "%u", event->parent);
    cairn_position place = posthoc_place(posthoc, event->node);
    posthoc_coordinate(posthoc, "x", place.x);
    posthoc_coordinate(posthoc, "y", place.y);
    bool g = event->g != CAIRN_NO_COST, h = event->h != CAIRN_NO_COST;
    posthoc_cost(posthoc, "f", g && h, (uint64_t)event->g + event->h);
    posthoc_cost(posthoc, "g", g, event->g);
    posthoc_cost(posthoc, "h", h, event->h);
    crn_io_print(text, " }\n");
    if (text->size >= POSTHOC_CHUNK) posthoc_flush(posthoc);
}

/* ---- the object ---- */

static cairn_posthoc *posthoc_make(const cairn_space *space)
{
    cairn_context *context = cairn_space_context(space);
    cairn_posthoc *posthoc = crn_io_zeros(context, sizeof *posthoc);
    if (!posthoc) return NULL;
    posthoc->context = context;
    posthoc->space = cairn_space_keep(space);
    posthoc->text.context = context;
    posthoc->straight = cairn_space_scale(space).straight;
    if (!posthoc->straight) posthoc->straight = 1;
    if (!cairn_space_grid(space)) posthoc_fit_nodes(posthoc);
    crn_io_put(&posthoc->text, posthoc_head, sizeof posthoc_head - 1);
    return posthoc;
}

static void posthoc_free(cairn_posthoc *posthoc)
{
    cairn_space *space = posthoc->space;
    crn_io_discard(&posthoc->text);
    crn_io_resize(posthoc->context, posthoc, sizeof *posthoc, 0);
    cairn_space_destroy(space); /* lets go of it */
}

cairn_status cairn_posthoc_create(const cairn_space *space, const cairn_writer *writer,
                                  cairn_posthoc **out)
{
    if (!out) return CAIRN_INVALID;
    *out = NULL;
    if (!space || !writer || !writer->write) return CAIRN_INVALID;
    cairn_posthoc *posthoc = posthoc_make(space);
    if (!posthoc) return CAIRN_OUT_OF_MEMORY;
    posthoc->writer = *writer;
    *out = posthoc;
    return CAIRN_OK;
}

static cairn_status posthoc_end_file(crn_io_output *output, bool keep, cairn_error *error)
{
    if (keep) return crn_io_output_close(output, error);
    crn_io_output_drop(output);
    return CAIRN_OK;
}

cairn_status cairn_posthoc_open(const cairn_space *space, const char *name, cairn_posthoc **out,
                                cairn_error *error)
{
    if (!out) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no place for the result");
    *out = NULL;
    if (!space || !name)
        return crn_io_fail(error, CAIRN_INVALID, 0, "space and name must be given");
    cairn_posthoc *posthoc = posthoc_make(space);
    if (!posthoc) return crn_io_no_memory(error);
    cairn_status status = crn_io_output_open(&posthoc->output, name, error);
    if (status) {
        posthoc_free(posthoc);
        return status;
    }
    posthoc->writer = (cairn_writer){crn_io_output_write, &posthoc->output};
    posthoc->end = posthoc_end_file;
    *out = posthoc;
    return CAIRN_OK;
}

cairn_trace_sink cairn_posthoc_sink(cairn_posthoc *posthoc)
{
    return (cairn_trace_sink){.event = posthoc_event, .user = posthoc};
}

cairn_status cairn_posthoc_finish(cairn_posthoc *posthoc, cairn_error *error)
{
    if (!posthoc) return crn_io_fail(error, CAIRN_INVALID, 0, "there is no trace");
    if (!posthoc->any) crn_io_print(&posthoc->text, " []\n");
    posthoc_flush(posthoc);
    cairn_status status = posthoc->text.failed ? CAIRN_OUT_OF_MEMORY : posthoc->status;
    if (status)
        crn_io_fail(error, status, 0, "the trace cannot be written: %s", cairn_status_text(status));
    if (posthoc->end) {
        cairn_status ended =
            posthoc->end(&posthoc->output, !status || posthoc->output.fault, error);
        if (ended) status = ended;
    }
    posthoc_free(posthoc);
    return status;
}
