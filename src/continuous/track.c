/* track.c: the path that an agent keeps. See track.h. */
#include "continuous/track.h"

/* ---- differences in bytes ---- */

static uint64_t track_difference(cairn_node from, cairn_node to)
{
    return to >= from ? (uint64_t)(to - from) << 1 : (uint64_t)(from - to) << 1 | 1;
}

/* Writes a difference, or counts its bytes if `out` is NULL. */
static uint32_t track_write(uint64_t difference, uint8_t *out)
{
    uint32_t count = 0;
    for (;; difference >>= 7) {
        bool more = difference > 127;
        if (out) out[count] = (uint8_t)((difference & 127) | (more ? 128u : 0u));
        count++;
        if (!more) return count;
    }
}

/* The point after `node`; moves the offset behind it. */
static cairn_node track_read(const crn_track *track, cairn_node node, uint32_t *offset)
{
    uint64_t difference = 0;
    for (uint32_t shift = 0;; shift += 7) {
        uint8_t byte = track->bytes[(*offset)++];
        difference |= (uint64_t)(byte & 127) << shift;
        if (byte < 128) break;
    }
    cairn_node distance = (cairn_node)(difference >> 1);
    return difference & 1 ? node - distance : node + distance;
}

static uint32_t track_write_all(const cairn_path *path, uint8_t *out)
{
    uint32_t size = 0;
    cairn_node last = 0;
    for (uint32_t i = 0; i < path->count; i++) {
        size += track_write(track_difference(last, path->nodes[i]), out ? out + size : NULL);
        last = path->nodes[i];
    }
    return size;
}

/* ---- life ---- */

/* Room for `need` items. Little more than needed: many agents keep a path. */
static bool track_reserve(cairn_context *context, void **items, uint32_t *capacity, uint32_t need,
                          size_t size)
{
    if (need <= *capacity) return true;
    uint32_t wanted = need + need / 8;
    void *grown = crn_realloc(context, *items, *capacity * size, crn_mul_size(wanted, size));
    if (!grown) return false;
    *items = grown;
    *capacity = wanted;
    return true;
}

cairn_status crn_track_copy(crn_track *track, cairn_context *context, const cairn_path *path)
{
    void *bytes = track->bytes, *links = track->links;
    uint32_t size = track_write_all(path, NULL);
    track->count = 0;
    bool room = track_reserve(context, &bytes, &track->capacity, size, 1);
    track->bytes = bytes;
    room = room && track_reserve(context, &links, &track->link_capacity, path->link_count,
                                 sizeof *track->links);
    track->links = links;
    if (!room) return CAIRN_OUT_OF_MEMORY;
    track->size = track_write_all(path, track->bytes);
    if (path->link_count) memcpy(track->links, path->links, path->link_count * sizeof *path->links);
    track->link_count = path->link_count;
    track->any_angle = path->any_angle;
    track->count = path->count;
    return CAIRN_OK;
}

void crn_track_free(crn_track *track, cairn_context *context)
{
    crn_free(context, track->bytes, track->capacity);
    crn_free(context, track->links, track->link_capacity * sizeof *track->links);
    *track = (crn_track){0};
}

#if defined(CAIRN_CHECKS)
/* Does a difference end before the bytes do? */
static bool track_ends(const crn_track *track, uint32_t offset)
{
    while (offset < track->size && track->bytes[offset] > 127) offset++;
    return offset < track->size;
}

const char *crn_track_check(const crn_track *track, const cairn_space *space)
{
    cairn_node node = 0;
    uint32_t offset = 0;
    if (track->size > track->capacity || track->link_count > track->link_capacity)
        return "a kept path is larger than its memory";
    for (uint32_t i = 0; i < track->count; i++) {
        if (!track_ends(track, offset)) return "a kept path ends too early";
        node = track_read(track, node, &offset);
        if (node >= cairn_space_node_count(space)) return "a kept path leaves the world";
    }
    if (offset != track->size) return "a kept path has bytes behind its end";
    for (uint32_t i = 0; i < track->link_count; i++) {
        if (track->links[i].at + 1 >= track->count ||
            (i && track->links[i].at <= track->links[i - 1].at))
            return "the links of a kept path are not in order";
    }
    return NULL;
}
#endif

size_t crn_track_bytes(const crn_track *track)
{
    return track->capacity + track->link_capacity * sizeof *track->links;
}

/* ---- places ---- */

/* Goes on to the next point, unless the end is reached. */
static void track_next_point(const crn_track *track, crn_track_place *place)
{
    place->from = place->to;
    place->to = CAIRN_NO_NODE;
    place->segment++;
    if (place->segment + 1 < track->count)
        place->to = track_read(track, place->from, &place->offset);
    while (place->link < track->link_count && track->links[place->link].at < place->segment)
        place->link++;
}

crn_track_place crn_track_begin(const crn_track *track)
{
    crn_track_place place = {.segment = UINT32_MAX};
    place.to = track_read(track, 0, &place.offset);
    place.node = place.to;
    while (place.to == place.node) track_next_point(track, &place);
    return place;
}

/* The node after `node` on the line from one point to the next. */
static cairn_node track_between(const crn_track *track, const cairn_space *space,
                                const crn_track_place *place)
{
    cairn_node ends[2] = {place->from, place->to};
    cairn_path line = {.nodes = ends, .count = 2, .any_angle = track->any_angle};
    cairn_path_iterator iterator = {.space = space, .path = &line, .next = place->node};
    cairn_path_next(&iterator);
    return iterator.next;
}

bool crn_track_peek(const crn_track *track, const cairn_space *space, const crn_track_place *place,
                    crn_stride *out)
{
    bool linked = place->link < track->link_count && track->links[place->link].at == place->segment;
    bool whole = linked || !cairn_space_grid(space) || (track->any_angle && track->whole_lines);
    out->to = place->to;
    out->link = linked ? &track->links[place->link] : NULL;
    if (place->to == CAIRN_NO_NODE) return false;
    if (!whole) out->to = track_between(track, space, place);
    return out->to != CAIRN_NO_NODE;
}

void crn_track_advance(const crn_track *track, crn_track_place *place, cairn_node to)
{
    place->node = to;
    while (place->to == to) track_next_point(track, place);
}

uint32_t crn_track_ahead(const crn_track *track, const crn_track_place *place, cairn_node *out,
                         uint32_t capacity)
{
    crn_track_place at = *place;
    uint32_t count = 1;
    if (capacity) out[0] = place->node;
    for (; at.to != CAIRN_NO_NODE; track_next_point(track, &at), count++)
        if (count < capacity) out[count] = at.to;
    return count;
}
