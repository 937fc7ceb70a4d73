/* identity.c: the hash of a space: what an index was built for.
 *
 * Numbers enter in a fixed order, as words: width and height, bits of the cells row by row, then
 * planes, links in their order, and the profile. A plane counts only if a value in it is not zero,
 * because whether there is memory for it depends on earlier edits. Origin and cell size change no
 * path, so they do not change the hash.
 */
#include "store/sections.h"
#include "world/graph.h"
#include "world/grid.h"

static uint64_t identity_open(uint64_t hash, const cairn_grid *grid)
{
    uint8_t row[CAIRN_GRID_MAX / 8];
    for (uint32_t y = 0; y < grid->height; y++) {
        crn_grid_pack_row(grid, y, row);
        hash = crn_hash_bytes(hash, row, crn_grid_row_bytes(grid->width));
    }
    return hash;
}

static uint64_t identity_plane(uint64_t hash, const uint8_t *plane, size_t cells)
{
    bool used = crn_plane_used(plane, cells);
    hash = crn_hash_word(hash, used);
    return used ? crn_hash_bytes(hash, plane, cells) : hash;
}

/* Four heights a word, the first in the low bits. */
static uint64_t identity_elevation(uint64_t hash, const int16_t *plane, size_t cells)
{
    bool used = plane && crn_plane_used(plane, cells * sizeof *plane);
    hash = crn_hash_word(hash, used);
    for (size_t i = 0; used && i < cells;) {
        uint64_t word = 0;
        for (uint32_t shift = 0; shift < 64 && i < cells; shift += 16)
            word |= (uint64_t)(uint16_t)plane[i++] << shift;
        hash = crn_hash_word(hash, word);
    }
    return hash;
}

static uint64_t identity_links(uint64_t hash, const cairn_grid *grid)
{
    uint32_t count = cairn_grid_link_count(grid);
    hash = crn_hash_word(hash, count);
    for (uint32_t i = 0; i < count; i++) {
        cairn_link link = cairn_grid_link_at(grid, i);
        hash = crn_hash_word(hash, (uint64_t)link.from << 32 | link.to);
        hash = crn_hash_word(hash, (uint64_t)link.id << 32 | link.cost);
        hash = crn_hash_word(hash, link.kind);
    }
    return hash;
}

/* Whole multiples, then the 256ths beyond them, which count only if there are any: so the hash of a
 * profile of whole multiples is what it was when there were no others. */
static uint64_t identity_terrain(uint64_t hash, const uint16_t *costs)
{
    uint8_t whole[256], parts[256];
    bool used = crn_terrain_split(costs, whole, parts);
    hash = crn_hash_bytes(hash, whole, sizeof whole);
    return used ? crn_hash_bytes(hash, parts, sizeof parts) : hash;
}

static uint64_t identity_profile(uint64_t hash, const cairn_profile *profile)
{
    uint64_t words[CRN_PROFILE_WORDS];
    crn_profile_words(profile, words);
    for (uint32_t i = 0; i < CRN_PROFILE_WORDS; i++) hash = crn_hash_word(hash, words[i]);
    return identity_terrain(hash, profile->terrain_cost);
}

uint64_t crn_grid_hash(const cairn_space *space, uint64_t hash)
{
    const cairn_grid *grid = cairn_space_grid(space);
    size_t cells = (size_t)grid->width * grid->height;
    hash = crn_hash_word(hash, (uint64_t)grid->width << 32 | grid->height);
    hash = crn_hash_word(hash, (uint64_t)cairn_grid_layout(grid));
    hash = identity_open(hash, grid);
    hash = identity_plane(hash, grid->terrain, cells);
    hash = identity_plane(hash, grid->layer, cells);
    hash = identity_elevation(hash, grid->elevation, cells);
    hash = identity_links(hash, grid);
    return identity_profile(hash, cairn_space_profile(space));
}

uint64_t crn_graph_hash(const cairn_space *space, uint64_t hash)
{
    const cairn_graph *graph = cairn_space_graph(space);
    hash = crn_hash_word(hash, (uint64_t)graph->node_count << 32 | graph->edge_count);
    for (uint32_t n = 0; n < graph->node_count; n++)
        hash = crn_hash_word(hash, graph->offsets[n + 1]);
    for (uint32_t i = 0; i < graph->edge_count; i++)
        hash = crn_hash_word(hash, (uint64_t)graph->edges[i].node << 32 | graph->edges[i].cost);
    for (uint32_t n = 0; graph->disabled && n < graph->node_count; n++) {
        if (graph->disabled[n]) hash = crn_hash_word(hash, n);
    }
    hash = crn_hash_word(hash, graph->positions != NULL);
    for (uint32_t n = 0; graph->positions && n < graph->node_count; n++) {
        hash = crn_hash_word(hash, crn_double_bits(graph->positions[n].x));
        hash = crn_hash_word(hash, crn_double_bits(graph->positions[n].y));
    }
    /* Flat graphs keep the hash that they had before there were heights. */
    for (uint32_t n = 0; graph->tall && n < graph->node_count; n++)
        hash = crn_hash_word(hash, crn_double_bits(graph->positions[n].z));
    return hash;
}

/* Of a space that knows nothing better: who can be stood on, where, and what leads where. */
static uint64_t identity_any(const cairn_space *space, uint64_t hash)
{
    enum { BATCH = 16 };
    cairn_edge edges[BATCH];
    hash = crn_hash_word(hash, space->node_count);
    for (cairn_node node = 0; node < space->node_count; node++) {
        cairn_position at = cairn_space_position(space, node);
        hash = crn_hash_word(hash, cairn_space_usable(space, node));
        hash = crn_hash_word(hash, crn_double_bits(at.x));
        hash = crn_hash_word(hash, crn_double_bits(at.y));
        hash = crn_hash_word(hash, crn_double_bits(at.z));
        for (uint32_t first = 0, count = BATCH; count == BATCH; first += count) {
            count = cairn_space_expand(space, node, first, edges, BATCH);
            for (uint32_t i = 0; i < count; i++)
                hash = crn_hash_word(hash, (uint64_t)edges[i].node << 32 | edges[i].cost);
        }
    }
    return hash;
}

uint64_t cairn_space_hash(const cairn_space *space)
{
    cairn_scale scale = cairn_space_scale(space);
    uint64_t hash = crn_hash_word(crn_hash_begin(0), (uint64_t)cairn_space_world(space));
    hash = crn_hash_word(hash, (uint64_t)scale.straight << 32 | scale.diagonal);
    hash = space->functions->hash ? space->functions->hash(space, hash) : identity_any(space, hash);
    return crn_hash_end(hash);
}
