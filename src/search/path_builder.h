/* path_builder.h: a path that is built piece by piece, as hierarchies and SGA* do.
 *
 * The path is a list of nodes, one step apart, from the start on. Pieces are appended at its end,
 * and may be trimmed there. The search is over when the path is complete, or long enough for the
 * piece that was asked for. Rays may smooth it first. The functions of a crn_algorithm that only
 * read the result are the same for all of them and are defined here.
 *
 * Some queries are not supported: several goals, limits of cost and a user's estimate. They are
 * delegated to A* (crn_builder_handles). Where an algorithm needs paths that can be walked back, so
 * are those in worlds with links or one-way steps (crn_builder_handles_undirected).
 */
#ifndef CRN_PATH_BUILDER_H
#define CRN_PATH_BUILDER_H

#include "path/rays.h"
#include "search/subsearch.h"

/* The parameter `smooth`: not at all, by rays of any length, or by rays in a box. */
enum { CRN_SMOOTH_NONE, CRN_SMOOTH_RAYS, CRN_SMOOTH_BOX };
extern const char *const crn_smooth_choices[];

/* For crn_sort: edges by the nodes that they lead to. */
bool crn_edge_before(const void *a, const void *b);

#define CRN_BUILDER_BOX 16u /* cells: the default reach of rays in a box */

/* What is done with a path before it is returned. */
typedef enum crn_builder_stage {
    CRN_BUILDER_GROWS, /* steps are still appended */
    CRN_BUILDER_PARTS, /* the next link on it is looked for, ... */
    CRN_BUILDER_RAYS,  /* ... and the part before it smoothed */
    CRN_BUILDER_LINKS, /* links that are cheaper than steps are looked for */
    CRN_BUILDER_READY
} crn_builder_stage;

typedef struct crn_builder {
    cairn_search *search;
    cairn_node *nodes; /* one step apart */
    cairn_cost *costs; /* from the start */
    size_t count, node_capacity, cost_capacity;
    int64_t offset[CRN_DIRECTIONS]; /* grids: of the node one step away */
    /* bytes in use before a piece was smoothed, which makes it shorter */
    size_t most;
    crn_rays rays;
    bool given;   /* a piece of it has been returned */
    bool roams;   /* it passes nodes again: the first place of one counts, unless it is the end */
    bool linked;  /* a link may be a part of it */
    bool follows; /* one is, among the nodes that are checked */
    crn_builder_stage stage;
    uint32_t looked; /* nodes tested as the end of a partial path */
    /* A path with links is smoothed between them: where the part that is being smoothed begins, and
     * behind its end. */
    uint32_t part, part_end;
    uint32_t box; /* how far rays go */
    /* Nodes whose steps were compared with links, and what that saved, which the costs of the
     * others do not have yet. */
    uint32_t checked;
    cairn_cost saved;
} crn_builder;

void crn_builder_open(crn_builder *builder, cairn_search *search);
void crn_builder_close(crn_builder *builder);
/* Bytes in use, or when a piece was smoothed, if that was more. */
size_t crn_builder_bytes(const crn_builder *builder);

/* Memory for this many nodes in all. */
cairn_status crn_builder_reserve(crn_builder *builder, size_t count);

/* Begins again at a node; the next piece begins where this one ends. */
cairn_status crn_builder_begin(crn_builder *builder, cairn_node from);
void crn_builder_next(crn_builder *builder);

/* Appends the path that a subsearch on level 0 found, from the end of the path to a node. */
cairn_status crn_builder_append(crn_builder *builder, const crn_subsearch *subsearch,
                                cairn_node to);

/* Append one step to a neighbour, or along a link. The second one is given its cost. */
cairn_status crn_builder_step(crn_builder *builder, cairn_node to);
cairn_status crn_builder_put(crn_builder *builder, cairn_node to, cairn_cost step);

/* Appends steps that a list holds from the last to the first, with their costs from some start on.
 * One more entry follows them: where the path ends now. */
cairn_status crn_builder_put_back(crn_builder *builder, const cairn_edge *steps, uint32_t count);

/* Grids: appends steps in these directions (grid_space.h), which must be legal. */
cairn_status crn_builder_walk(crn_builder *builder, const uint8_t *directions, uint32_t count);

CRN_INLINE cairn_node crn_builder_end(const crn_builder *builder)
{
    return builder->nodes[builder->count - 1];
}

/* Subsearches and rays may see no links. Where a link is cheaper than a step to one of the nodes
 * from the given one (at least 1) on, it is used instead, as everywhere. */
void crn_builder_use_links(crn_builder *builder, size_t first);

/* For steps that no search has found: tells the sink of the path from a place on, where it turns
 * and where it ends, as a piece of its own. */
void crn_builder_tell(crn_builder *builder, size_t first);

/* Trims the path to at most `count` nodes, but leaves at least one step after `from` (an earlier
 * count). */
void crn_builder_trim(crn_builder *builder, size_t from, size_t count);

/* Is the piece long enough? Always false if the whole path is asked for. */
CRN_INLINE bool crn_builder_suffices(const crn_builder *builder)
{
    uint32_t piece = builder->search->query.piece;
    return piece && builder->count > piece;
}

/* Smooths the path so far by rays, a node for each unit of work, and makes it ready to be returned;
 * grids only. Returns CAIRN_RUNNING, CAIRN_OK when it is done, or CAIRN_OUT_OF_MEMORY. `box` as for
 * cairn_smooth_rays. */
cairn_status crn_builder_smooth_begin(crn_builder *builder, uint32_t box);
cairn_status crn_builder_smooth_step(crn_builder *builder, uint64_t *work);

/* ---- for descriptors: the path must be the first member of the search's scratch ---- */

/* .handles: one goal, no limit of cost, no user's estimate. The second one: and there are no links,
 * and all steps can be walked back. */
bool crn_builder_handles(const cairn_search *search);
bool crn_builder_handles_undirected(const cairn_search *search);

/* Ends the search: the piece is ready and ends at the path's end. `last`: that is the goal. Sets
 * what the search must know, and tells the sink. Returns CAIRN_FOUND. */
cairn_status crn_builder_found(cairn_search *search, bool last);

/* The same when it is long enough, or complete. If the parameter `smooth` asks for rays (and `box`,
 * if there is one, says how far they go), or a long path must be compared with links, returns
 * CAIRN_RUNNING, and crn_builder_smooth_step must follow. `smoothed`: that is done. */
cairn_status crn_builder_deliver(cairn_search *search, bool last, bool smoothed);

cairn_status crn_builder_path_to(cairn_search *search, cairn_node node);
cairn_cost crn_builder_cost_to(const cairn_search *search, cairn_node node);
bool crn_builder_closest(cairn_search *search, uint64_t work, bool first);
cairn_status crn_builder_reached(const cairn_search *search, cairn_visit *visit, void *user);

#define CRN_BUILDER_FUNCTIONS \
    .path_to = crn_builder_path_to, .cost_to = crn_builder_cost_to, \
    .closest = crn_builder_closest, .reached = crn_builder_reached

#endif
