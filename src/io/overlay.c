/* overlay.c: a sink that collects what an index looks like, and colours for its areas.
 *
 * Which areas touch is read off the map: pairs of neighbouring nodes of different areas, sorted,
 * are lists of neighbours. Areas get colours in the order of their numbers. Each gets the first
 * colour that no neighbour has, beginning with a colour that rotates, so that all colours are used.
 * Eight are enough for clusters, and for nearly everything; where not, two neighbours look alike.
 *
 * A sink cannot report that there was no memory left, so the overlay remembers it.
 */
#include "io/overlay.h"

#include <stdlib.h>
#include <string.h>

/* ---- collecting ---- */

static void overlay_area(cairn_overlay *overlay, const cairn_overlay_item *item)
{
    if (item->node >= overlay->node_count) return;
    size_t size = crn_io_multiply(overlay->node_count, sizeof *overlay->areas);
    if (!overlay->areas) {
        overlay->areas = crn_io_zeros(overlay->context, size);
        overlay->area_level = item->level;
    }
    if (!overlay->areas) {
        overlay->failed = true;
        return;
    }
    if (item->level > overlay->area_level) return;
    if (item->level < overlay->area_level) memset(overlay->areas, 0, size);
    overlay->area_level = item->level;
    overlay->areas[item->node] = item->group % overlay->node_count + 1;
}

static bool overlay_finite(cairn_position p)
{
    return p.x - p.x == 0 && p.y - p.y == 0;
}

static void overlay_mark(cairn_overlay *overlay, const cairn_overlay_item *item)
{
    bool place = item->kind == CAIRN_OVERLAY_NODE;
    cairn_position to = place ? item->from : item->to;
    if (!overlay_finite(item->from) || !overlay_finite(to)) return;
    const size_t each = sizeof *overlay->marks;
    if (overlay->mark_count == overlay->mark_capacity) {
        size_t capacity = overlay->mark_capacity ? 2 * overlay->mark_capacity : 64;
        crn_overlay_mark *marks =
            crn_io_resize(overlay->context, overlay->marks, overlay->mark_capacity * each,
                          crn_io_multiply(capacity, each));
        if (!marks) {
            overlay->failed = true;
            return;
        }
        overlay->marks = marks;
        overlay->mark_capacity = capacity;
    }
    overlay->marks[overlay->mark_count++] =
        (crn_overlay_mark){item->kind, item->level, item->from, to};
    if (item->level < overlay->lowest) overlay->lowest = item->level;
}

static void overlay_item(void *user, const cairn_overlay_item *item)
{
    cairn_overlay *overlay = user;
    if (overlay->failed || (unsigned)item->kind >= CAIRN_OVERLAY_KIND_COUNT) return;
    overlay->counts[item->kind]++;
    if (item->kind == CAIRN_OVERLAY_AREA)
        overlay_area(overlay, item);
    else
        overlay_mark(overlay, item);
}

cairn_status cairn_overlay_create(const cairn_space *space, cairn_overlay **out)
{
    if (!out) return CAIRN_INVALID;
    *out = NULL;
    if (!space) return CAIRN_INVALID;
    cairn_context *context = cairn_space_context(space);
    cairn_overlay *overlay = crn_io_zeros(context, sizeof *overlay);
    if (!overlay) return CAIRN_OUT_OF_MEMORY;
    overlay->context = context;
    overlay->node_count = cairn_space_node_count(space);
    overlay->lowest = UINT32_MAX;
    *out = overlay;
    return CAIRN_OK;
}

void cairn_overlay_destroy(cairn_overlay *overlay)
{
    if (!overlay) return;
    cairn_context *context = overlay->context;
    if (overlay->areas)
        crn_io_resize(context, overlay->areas, overlay->node_count * sizeof *overlay->areas, 0);
    if (overlay->marks)
        crn_io_resize(context, overlay->marks, overlay->mark_capacity * sizeof *overlay->marks, 0);
    crn_io_resize(context, overlay, sizeof *overlay, 0);
}

cairn_overlay_sink cairn_overlay_sink_of(cairn_overlay *overlay)
{
    return (cairn_overlay_sink){.item = overlay_item, .user = overlay};
}

cairn_status cairn_overlay_status(const cairn_overlay *overlay)
{
    if (!overlay) return CAIRN_INVALID;
    return overlay->failed ? CAIRN_OUT_OF_MEMORY : CAIRN_OK;
}

uint64_t cairn_overlay_count(const cairn_overlay *overlay, cairn_overlay_kind kind)
{
    return overlay && (unsigned)kind < CAIRN_OVERLAY_KIND_COUNT ? overlay->counts[kind] : 0;
}

/* ---- colours ---- */

/* Two areas that touch, both ways round. */
typedef struct overlay_pair {
    uint32_t area, other;
} overlay_pair;

typedef struct overlay_pairs {
    cairn_context *context;
    overlay_pair *items;
    size_t count, capacity;
    bool failed;
} overlay_pairs;

static void overlay_put_pair(overlay_pairs *pairs, uint32_t area, uint32_t other)
{
    if (!area || !other || area == other || pairs->failed) return;
    if (pairs->count + 2 > pairs->capacity) {
        size_t capacity = pairs->capacity ? 2 * pairs->capacity : 256;
        overlay_pair *items =
            crn_io_resize(pairs->context, pairs->items, pairs->capacity * sizeof *items,
                          crn_io_multiply(capacity, sizeof *items));
        if (!items) {
            pairs->failed = true;
            return;
        }
        pairs->items = items;
        pairs->capacity = capacity;
    }
    pairs->items[pairs->count++] = (overlay_pair){area, other};
    pairs->items[pairs->count++] = (overlay_pair){other, area};
}

/* Nodes that an edge joins touch. */
static void overlay_pair_edges(const cairn_overlay *overlay, const cairn_space *space,
                               cairn_node node, overlay_pairs *pairs)
{
    enum { BATCH = 16 };
    cairn_edge edges[BATCH];
    for (uint32_t first = 0, count = BATCH; count == BATCH; first += count) {
        count = cairn_space_expand(space, node, first, edges, BATCH);
        for (uint32_t i = 0; i < count; i++)
            overlay_put_pair(pairs, overlay->areas[node], overlay->areas[edges[i].node]);
    }
}

/* Cells that share a side or a corner touch; waypoints that are joined. */
static void overlay_find_pairs(const cairn_overlay *overlay, const cairn_space *space,
                               overlay_pairs *pairs)
{
    const cairn_grid *grid = cairn_space_grid(space);
    const uint32_t *areas = overlay->areas;
    uint32_t width = grid ? cairn_grid_width(grid) : 0;
    for (cairn_node node = 0; node < overlay->node_count; node++) {
        if (!areas[node]) continue;
        if (!grid) {
            overlay_pair_edges(overlay, space, node, pairs);
            continue;
        }
        bool left = node % width > 0, right = node % width + 1 < width;
        if (right) overlay_put_pair(pairs, areas[node], areas[node + 1]);
        if (overlay->node_count - node <= width) continue;
        const uint32_t *below = areas + node + width;
        overlay_put_pair(pairs, areas[node], below[0]);
        if (right) overlay_put_pair(pairs, areas[node], below[1]);
        if (left) overlay_put_pair(pairs, areas[node], below[-1]);
    }
}

static int overlay_compare(const void *a, const void *b)
{
    const overlay_pair *p = a, *q = b;
    if (p->area != q->area) return p->area < q->area ? -1 : 1;
    return p->other < q->other ? -1 : p->other > q->other;
}

/* Each area, in order, gets a colour that none of its neighbours has. */
static void overlay_choose(const cairn_overlay *overlay, const overlay_pairs *pairs,
                           crn_area_colours *out)
{
    uint32_t turn = 0;
    memset(out->of, CRN_NO_AREA, out->count);
    for (cairn_node node = 0; node < overlay->node_count; node++) out->of[overlay->areas[node]] = 0;
    size_t at = 0;
    for (uint32_t area = 1; area < out->count; area++) {
        uint32_t taken = 0;
        for (; at < pairs->count && pairs->items[at].area == area; at++)
            if (pairs->items[at].other < area) taken |= 1u << out->of[pairs->items[at].other];
        if (out->of[area] == CRN_NO_AREA) continue;
        uint32_t colour = turn++ % CRN_AREA_COLOURS;
        for (uint32_t i = 0; i < CRN_AREA_COLOURS && taken >> colour & 1; i++)
            colour = (colour + 1) % CRN_AREA_COLOURS;
        out->of[area] = (uint8_t)colour;
    }
}

bool crn_overlay_colour(const cairn_overlay *overlay, const cairn_space *space,
                        crn_area_colours *out)
{
    *out = (crn_area_colours){0};
    if (!overlay || !overlay->areas) return true;
    overlay_pairs pairs = {.context = overlay->context};
    overlay_find_pairs(overlay, space, &pairs);
    if (pairs.count) qsort(pairs.items, pairs.count, sizeof *pairs.items, overlay_compare);
    out->count = (size_t)overlay->node_count + 1;
    out->of = pairs.failed ? NULL : crn_io_resize(overlay->context, NULL, 0, out->count);
    if (out->of) overlay_choose(overlay, &pairs, out);
    if (pairs.items)
        crn_io_resize(overlay->context, pairs.items, pairs.capacity * sizeof *pairs.items, 0);
    return out->of != NULL;
}

void crn_overlay_uncolour(const cairn_overlay *overlay, crn_area_colours *colours)
{
    if (colours->of) crn_io_resize(overlay->context, colours->of, colours->count, 0);
    *colours = (crn_area_colours){0};
}
