/* jump.c: what surrounds the jumping loop: the beginning and the end of a query, and reading the
 * result from the records. See jump.h. */
#include "jump/jump.h"
#include "search/search_check.h"
#include "open/open_check.h"
#include "jump/jump_check.h"

/* Jumps pay up to this many jump points for 1000 sides of walls, where they are few; up to one stop
 * for this many cells; and wherever there are so few ends of jumps, in all four directions. */
#define JUMP_SCATTERED 1740u
#define JUMP_STOPS 16u
#define JUMP_STOPS_IF_FEW 9u
#define JUMP_FEW 12800u

const char *const crn_jump_choices[] = {"auto", "always", NULL};
const char *const crn_jump_vectors[] = {"auto", "off", NULL};

/* A diagonal along lines of the bitmaps: each step goes to a higher or lower bit of the line after
 * or before. */
static crn_glide_axis jump_axis(const crn_bits *usable, const crn_bits *pass, bool up,
                                bool next_line)
{
    uint64_t row = (uint64_t)usable->stride * 8, one = 1;
    uint64_t step = (next_line ? row : 0 - row) + (up ? one : 0 - one);
    return (crn_glide_axis){usable->rows, pass->rows, {step, 2 * step, 3 * step, 4 * step}};
}

static void jump_prepare_glides(crn_jump *jump, bool vectors)
{
    const crn_grid_space *map = jump->map;
    const crn_runs *runs = map->runs;
    for (uint32_t i = 0; i < 4; i++) {
        uint32_t direction = CRN_NE + i;
        bool right = direction == CRN_NE || direction == CRN_SE,
             down = direction == CRN_SE || direction == CRN_SW;
        jump->glide[i] = vectors ? crn_glide_choose(i) : NULL;
        jump->axes[i][0] = jump_axis(&map->usable, &runs->pass[right ? CRN_E : CRN_W], right, down);
        jump->axes[i][1] = jump_axis(&runs->across, &runs->pass[down ? CRN_S : CRN_N], down, right);
    }
}

cairn_status crn_jump_open(cairn_search *search)
{
    crn_jump *jump = crn_scratch_alloc(&search->memory, sizeof *jump);
    if (!jump) return CAIRN_OUT_OF_MEMORY;
    memset(jump, 0, sizeof *jump);
    search->scratch = jump;
    jump->search = search;
    jump->map = crn_grid_space_of(search->space);
    int64_t off = 0;
    crn_parameter(search->planner, "vectors", &off);
    jump_prepare_glides(jump, !off);
    crn_jump_records_open(&jump->records, &search->memory);
    crn_sparse_open(&jump->open, &search->memory);
    return CAIRN_OK;
}

void crn_jump_close(cairn_search *search)
{
    crn_jump *jump = search->scratch;
    if (!jump) return;
    crn_jump_records_close(&jump->records);
    crn_sparse_close(&jump->open);
    crn_scratch_free(&search->memory, jump, sizeof *jump);
}

/* Updates the metrics after each slice, and reports the end on the last one. */
#if defined(CAIRN_CHECKS)
static void jump_check(const crn_jump *jump)
{
    cairn_context *context = jump->search->context;
    uint64_t length = crn_jump_records_length(&jump->records) + CRN_SPARSE_BUCKETS;
    if (jump->search->memory.failed || !crn_check_pays(length, 8 * jump->work)) return;
    CRN_CHECK_RIGHT(context, crn_jump_records_check(&jump->records));
    CRN_CHECK_RIGHT(context, crn_sparse_check(&jump->open));
}
#endif

static cairn_status jump_pause(crn_jump *jump, cairn_status status)
{
    cairn_search *search = jump->search;
#if defined(CAIRN_CHECKS)
    if (status != CAIRN_RUNNING) jump_check(jump);
#endif
    search->metrics = (cairn_metrics){
        .work = jump->work,
        .expanded = jump->expanded,
        .generated = jump->records.count,
        .reopened = jump->reopened,
        .pushes = jump->pushes,
        .peak_bytes =
            sizeof *jump + crn_jump_records_bytes(&jump->records) + crn_sparse_bytes(&jump->open),
    };
    if (status != CAIRN_FOUND) return status;
    search->reached_goal = search->goals[0];
    if (search->traced && !search->subsearch) {
        bool known;
        const crn_jump_record *record =
            crn_jump_records_at(&jump->records, crn_jump_key(&jump->records, jump->goal), &known);
        crn_trace(search, CAIRN_EVENT_END, search->goals[0],
                  crn_jump_is_first(record) ? CAIRN_NO_NODE : crn_jump_node(jump, record->parent),
                  record->g, 0);
    }
    return status;
}

/* Where small obstacles are strewn over open ground, a jump passes many jump points that lead
 * nowhere, and canonical A* step by step is faster. Two numbers tell such ground from other maps:
 * jump points for each side of a wall (obstacles' size: 1.0 to 1.3 in game maps, rooms and caves,
 * 1.6 among pseudo-RTS obstacles, 1.2 to 1.9 at random, the smallest where 35 % are blocked), and
 * the share of jump points among the cells of the four directions (how short runs are: 1 to 16 %,
 * in caves and rooms 8 cells wide; 26 % pseudo-RTS, 2 to 41 % at random, 30 % in mazes two cells
 * wide, 60 % one cell wide). Time of jumps as a multiple of that of steps, on 512×512 to 2048×2048
 * cells: 0.02 to 0.9 where size + 1.5 · share is at most 1.67 (mazes two cells wide), 1.1 to 2.6
 * where it is at least 1.81 (30 % blocked at random, pseudo-RTS, mazes one cell wide). Both are
 * those of the cells that are no stops.
 *
 * Borders of ground of other costs are expanded step by step, which takes jumps about twice the
 * time that it takes A*: they pay as long as few cells are stops.
 *
 * On small maps jumps pay all the same, as their records stay in the cache: 0.5 to 0.9 with up to
 * 3,200 cells that end a jump in a direction, or 4 times as many with a table, or 20 times as many
 * where ground differs and A* is slower, too. */
static bool jump_is_scattered(const crn_grid_space *map, bool table)
{
    const crn_runs *runs = map->runs;
    uint64_t stops = runs->stops, cells = runs->cells, ends = 4 * cells - runs->passed;
    bool few = ends <= (uint64_t)JUMP_FEW * (!map->uniform ? 20 : table ? 4 : 1);
    if (stops * (few ? JUMP_STOPS_IF_FEW : JUMP_STOPS) > cells) return true;
    if (few || !runs->walls) return false;
    /* Links may leave blocked cells, which are stops and end no jump. */
    uint64_t points = ends > 4 * stops ? ends - 4 * stops : 0, calm = cells - stops;
    uint64_t size = points * 1000 / runs->walls * cells / calm, share = points * 250 / calm;
    return size + share * 3 / 2 > JUMP_SCATTERED;
}

/* Does each step cost the same, or depend only on the ground that it leads to, and are there stops
 * where steps are not allowed? (Where steps on one ground are too coarse for jumps, every cell must
 * be a stop.) */
static bool jump_fits(const crn_grid_space *map)
{
    bool climbs = map->profile.gradient && map->grid->elevation;
    return map->uniform ||
           ((map->grid->terrain || map->grid->layer || map->steep) && !map->size.dips && !climbs);
}

bool crn_jump_suits(const cairn_planner *planner)
{
    const crn_grid_space *map = crn_grid_space_of(planner->space);
    return jump_fits(map) && !jump_is_scattered(map, planner->index != NULL);
}

/* Can this query be answered by jumps in this world? */
bool crn_jump_handles(const cairn_search *search)
{
    const crn_jump *jump = search->scratch;
    int64_t choice = CRN_JUMP_AUTO;
    crn_parameter(search->planner, "jumps", &choice);
    const cairn_query *query = &search->query;
    return jump_fits(jump->map) && search->goal_count == 1 && !query->estimate &&
           (choice == CRN_JUMP_ALWAYS ||
            !jump_is_scattered(jump->map, search->planner->index != NULL));
}

cairn_status crn_jump_begin(cairn_search *search, const struct crn_jump_table *table,
                            const struct crn_jump_boxes *boxes)
{
    crn_jump *jump = search->scratch;
    const crn_grid_space *map = jump->map;
    const cairn_query *query = &search->query;
    jump->table = table;
    jump->boxes = boxes;
    jump->straight = map->step[CRN_N];
    jump->diagonal = map->step[CRN_NE];
    jump->least = jump->straight;
    jump->shortcut = 2 * jump->straight - jump->diagonal;
    jump->stops = map->runs->stops > 0;
    jump->narrows = jump->stops || boxes;
    jump->varied = !map->uniform;
    /* where there are no stops, the search stays on the ground of its start */
    if (jump->varied) crn_jump_learn_ground(jump, query->from);
    jump->from = crn_jump_place_of(jump, query->from);
    jump->goal = crn_jump_place_of(jump, search->goals[0]);
    jump->goal_x = jump->goal & 0xffff;
    jump->goal_y = jump->goal >> 16;
    jump->box.gate_count = 0;
    if (CRN_UNLIKELY(map->links.shortcut_count)) crn_jump_open_gates(jump);
    jump->bound = query->max_cost ? (uint64_t)query->max_cost + 1 : (uint64_t)CAIRN_COST_MAX + 1;
    jump->goal_found = jump->overflowed = jump->is_pending = jump->linking = false;
    jump->work = jump->expanded = jump->reopened = 0;
    jump->pushes = 1;
    jump->loop = crn_jump_choose(jump);

    if (!crn_jump_records_reset(&jump->records)) return CAIRN_OUT_OF_MEMORY;
    uint64_t h = crn_jump_estimate(jump, jump->from & 0xffff, jump->from >> 16);
    crn_sparse_reset(&jump->open, crn_highest_bit(jump->least * 45 / 128 + 1), h);
    uint64_t key = crn_jump_key(&jump->records, jump->from);
    bool known;
    crn_jump_record *record = crn_jump_records_at(&jump->records, key, &known);
    *record = (crn_jump_record){key | CRN_NO_ARRIVAL, 0, jump->from};
    jump->records.count = 1;
    crn_sparse_push(&jump->open, h, jump->from, 0);
    crn_search_announce(search, h);
    if (search->memory.failed) return jump_pause(jump, CAIRN_OUT_OF_MEMORY);
    return jump_pause(jump, jump->from == jump->goal ? CAIRN_FOUND : CAIRN_RUNNING);
}

/* A path that was dropped says little about the goal: the place it led to may be passed by another
 * one, without a record. Where that matters, A* knows. */
cairn_status crn_jump_step(cairn_search *search, uint64_t work)
{
    crn_jump *jump = search->scratch;
    cairn_status status = jump_pause(jump, jump->loop(jump, work));
    return status == CAIRN_COST_OVERFLOW ? crn_search_delegate(search) : status;
}

/* ---- reading the records ---- */

CRN_INLINE const crn_jump_record *jump_look(const crn_jump *jump, uint32_t place)
{
    bool known;
    const crn_jump_record *record =
        crn_jump_records_at(&jump->records, crn_jump_key(&jump->records, place), &known);
    return known ? record : NULL;
}

/* A node on the path may have become cheaper after the record was written, so the legs are added
 * up. */
cairn_cost crn_jump_cost_to(const cairn_search *search, cairn_node node)
{
    const crn_jump *jump = search->scratch;
    const crn_jump_record *record = jump_look(jump, crn_jump_place_of(jump, node));
    if (!record) return CAIRN_NO_COST;
    uint64_t cost = 0;
    for (; !crn_jump_is_first(record); record = jump_look(jump, record->parent)) {
        cost += crn_jump_leg_cost(jump, record);
    }
    return crn_saturate(cost);
}

/* From the turn to the record and from the parent to the turn, both backwards. */
static cairn_status jump_walk_back(cairn_search *search, const crn_jump *jump, crn_jump_leg leg,
                                   uint32_t parent)
{
    cairn_cell straight = {leg.level ? leg.back.x : 0, leg.level ? 0 : leg.back.y};
    cairn_status status = CAIRN_OK;
    if (leg.straight)
        status = crn_path_walk(search, crn_jump_node(jump, leg.turn), straight, leg.straight);
    if (status != CAIRN_OK || !leg.diagonal) return status;
    return crn_path_walk(search, crn_jump_node(jump, parent), leg.back, leg.diagonal);
}

cairn_status crn_jump_path_to(cairn_search *search, cairn_node node)
{
    const crn_jump *jump = search->scratch;
    const crn_jump_record *record = jump_look(jump, crn_jump_place_of(jump, node));
    crn_path_start(search);
    cairn_status status = crn_path_add(search, node);
    for (; status == CAIRN_OK && !crn_jump_is_first(record);
         record = jump_look(jump, record->parent)) {
        status = crn_jump_is_linked(record)
                     ? crn_path_add(search, crn_jump_node(jump, record->parent))
                     : jump_walk_back(search, jump, crn_jump_leg_to(record), record->parent);
    }
    uint64_t cost = search->straight * jump->straight + search->diagonal * jump->diagonal;
    cairn_cost total =
        jump->varied ? crn_jump_cost_to(search, node) : crn_saturate(cost + search->linked);
    if (status == CAIRN_OK) crn_path_finish(search, total);
    return status;
}

/* 256 records are one unit of work. All must be in one table. */
bool crn_jump_closest(cairn_search *search, uint64_t work, bool first)
{
    enum { PIECE = 256 };
    crn_jump *jump = search->scratch;
    uint32_t length = crn_jump_records_length(&jump->records);
    for (; work && !crn_jump_records_move(&jump->records, PIECE); work--) {
    }
    if (first) {
        jump->closest_at = 0;
        crn_closest_begin(search);
    }
    for (; work && jump->closest_at < length; work--) {
        for (uint32_t i = 0; i < PIECE && jump->closest_at < length; i++, jump->closest_at++) {
            const crn_jump_record *record = &jump->records.table[jump->closest_at];
            if (!crn_jump_records_own(&jump->records, record) || !(record->key & CRN_JUMP_CLOSED))
                continue;
            crn_closest_consider(search, crn_jump_node(jump, crn_jump_place(record)), record->g);
        }
    }
    return jump->closest_at >= length;
}

cairn_status crn_jump_reached(const cairn_search *search, cairn_visit *visit, void *user)
{
    const crn_jump *jump = search->scratch;
    for (cairn_node node = 0; node < search->space->node_count; node++) {
        if (jump_look(jump, crn_jump_place_of(jump, node)))
            visit(user, node, crn_jump_cost_to(search, node));
    }
    return CAIRN_OK;
}
