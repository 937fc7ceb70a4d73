/* dhpa_routes.c: packing the routes of a cluster. See dhpa_routes.h.
 *
 * A plan is made for either kind of answers: what zones there are, and how many bytes all of it
 * takes. The smaller one is written. If that takes too many bytes, paths are, if they take fewer.
 */
#include "hierarchy/dhpa/dhpa_packer.h"
#include "hierarchy/dhpa/dhpa_paths.h"

/* Bytes that zones may take for each node and each pair of nodes; about twice what the graph of
 * HPA* takes, which has more of both than it uses. */
#define ZONES_BUDGET_NODE 56u
#define ZONES_BUDGET_PAIR 17u

crn_packer *crn_packer_open(crn_scratch *memory)
{
    crn_packer *packer = crn_scratch_alloc(memory, sizeof *packer);
    if (!packer) return NULL;
    packer->memory = memory;
    packer->answers = packer->tracks = packer->nodes = NULL;
    packer->capacity = packer->track_capacity = packer->node_capacity = 0;
    return packer;
}

void crn_packer_close(crn_packer *packer)
{
    if (!packer) return;
    crn_scratch_free(packer->memory, packer->answers, packer->capacity * sizeof *packer->answers);
    crn_scratch_free(packer->memory, packer->tracks,
                     packer->track_capacity * sizeof *packer->tracks);
    crn_scratch_free(packer->memory, packer->nodes, packer->node_capacity * sizeof *packer->nodes);
    crn_scratch_free(packer->memory, packer, sizeof *packer);
}

/* ---- nodes along the border ---- */

/* Clockwise from the upper left corner; other cells follow. */
static uint32_t zones_along(crn_area area, uint32_t x, uint32_t y)
{
    uint32_t right = area.width - 1, bottom = area.height - 1;
    if (y == 0) return x;
    if (x == right) return right + y;
    if (y == bottom) return right + bottom + (right - x);
    if (x == 0) return 2 * right + bottom + (bottom - y);
    return 2 * (right + bottom) + y * area.width + x;
}

uint32_t crn_routes_place(const crn_open_routes *open, uint32_t i)
{
    uint32_t width = open->space->grid->width, cell = open->members[i].cell;
    return (cell / width - open->area.top) * open->area.width + cell % width - open->area.left;
}

static uint32_t zones_order(const crn_open_routes *open, uint32_t i)
{
    uint32_t place = crn_routes_place(open, i), width = open->area.width;
    return zones_along(open->area, place % width, place / width);
}

/* A node comes after all that precede it along the border. */
static void zones_number_nodes(crn_packer *packer)
{
    const crn_open_routes *open = packer->open;
    memset(packer->tracks, 0, open->count * sizeof *packer->tracks);
    for (uint32_t i = 0; i < open->count; i++) {
        uint32_t order = zones_order(open, i);
        for (uint32_t k = 0; k < i; k++) {
            bool after = order > zones_order(open, k);
            packer->tracks[after ? i : k]++;
        }
    }
    for (uint32_t i = 0; i < open->count; i++) packer->nodes[packer->tracks[i]] = (uint16_t)i;
}

/* ---- answers ---- */

/* The first node has no answer yet. */
static void zones_clear_first(const crn_packer *packer, zones_plan *plan)
{
    uint16_t *answers = plan->answers;
    for (uint32_t c = 0; c < packer->cells; c++, answers += packer->open->count)
        *answers = ZONES_NONE;
}

static void zones_answer_steps(const crn_packer *packer, zones_plan *plan)
{
    const crn_open_routes *open = packer->open;
    for (uint32_t t = 0; t < open->count; t++) {
        const uint8_t *steps = crn_packer_steps(packer, packer->nodes[t]);
        uint16_t *answers = plan->answers + t;
        if (!t) zones_clear_first(packer, plan);
        uint32_t back = t > 0;
        for (uint32_t c = 0; c < packer->cells; c++, answers += open->count) {
            uint32_t before = *(answers - back), step = steps[c];
            *answers = (uint16_t)(step < CRN_DIRECTIONS ? step : before);
        }
    }
}

static uint32_t zones_next(const crn_packer *packer, uint32_t place, uint32_t direction)
{
    return place +
           (uint32_t)(crn_dx[direction] + crn_dy[direction] * (int32_t)packer->open->area.width);
}

/* The target of a cell: that of the next one if it lies in the right direction, else that one. */
static uint32_t zones_target(const crn_packer *packer, uint32_t place, uint32_t step)
{
    uint32_t width = packer->open->area.width, next = zones_next(packer, place, step),
             target = packer->reached[next];
    crn_leg leg = crn_leg_to((int32_t)(target % width) - (int32_t)(place % width),
                             (int32_t)(target / width) - (int32_t)(place / width));
    return leg.direction == step ? target : next;
}

/* Those of the cells from one along the route to a node. */
static void zones_trace(crn_packer *packer, const uint8_t *steps, uint32_t place)
{
    uint32_t count = 0;
    for (; packer->reached[place] == ZONES_NONE; place = zones_next(packer, place, steps[place]))
        packer->trail[count++] = (uint16_t)place;
    while (count--) {
        place = packer->trail[count];
        packer->reached[place] = (uint16_t)zones_target(packer, place, steps[place]);
    }
}

static void zones_answer_targets(crn_packer *packer, zones_plan *plan)
{
    const crn_open_routes *open = packer->open;
    for (uint32_t t = 0; t < open->count; t++) {
        uint32_t i = packer->nodes[t], own = crn_routes_place(open, i);
        const uint8_t *steps = crn_packer_steps(packer, i);
        uint16_t *answers = plan->answers + t;
        uint32_t back = t > 0;
        if (!t) zones_clear_first(packer, plan);
        memset(packer->reached, 0xff, packer->cells * sizeof *packer->reached);
        packer->reached[own] = (uint16_t)own;
        for (uint32_t c = 0; c < packer->cells; c++, answers += open->count) {
            uint32_t answer = *(answers - back);
            if (steps[c] < CRN_DIRECTIONS) {
                if (packer->reached[c] == ZONES_NONE) zones_trace(packer, steps, c);
                answer = packer->reached[c] == own ? ZONES_NODE : packer->reached[c];
            }
            *answers = (uint16_t)answer;
        }
    }
}

/* ---- zones ---- */

static uint32_t zones_hash(const uint16_t *answers, uint32_t count)
{
    uint64_t hash = 0;
    for (uint32_t i = 0; i < count; i++) hash = (hash ^ answers[i]) * UINT64_C(0x9e3779b97f4a7c15);
    return (uint32_t)(hash >> 32);
}

/* The zone of a cell, which may be the first one of it. */
static uint32_t zones_find(crn_packer *packer, zones_plan *plan, uint32_t cell, uint32_t mask)
{
    uint32_t count = packer->open->count;
    const uint16_t *answers = plan->answers + (size_t)cell * count;
    uint32_t at = zones_hash(answers, count) & mask;
    for (; packer->buckets[at]; at = (at + 1) & mask) {
        uint32_t zone = packer->buckets[at] - 1u, first = plan->cells[zone];
        const uint16_t *other = plan->answers + (size_t)first * count;
        if (packer->pocket[cell] == packer->pocket[first] &&
            !memcmp(answers, other, count * sizeof *answers))
            return zone;
    }
    packer->buckets[at] = (uint16_t)(plan->count + 1);
    plan->cells[plan->count] = (uint16_t)cell;
    return plan->count++;
}

/* Where nobody can stand, the zone is that of the cell before it in the row, or of the first. */
static void zones_fill(const crn_packer *packer, zones_plan *plan)
{
    uint32_t width = packer->open->area.width;
    for (uint16_t *row = plan->zones; row < plan->zones + packer->cells; row += width) {
        uint32_t first = 0;
        while (first < width && row[first] == ZONES_NONE) first++;
        uint16_t last = first < width ? row[first] : 0;
        for (uint32_t x = 0; x < width; x++) {
            if (row[x] == ZONES_NONE) row[x] = last;
            last = row[x];
        }
    }
}

/* The first nodes that nobody asks for have the answer of the next one, if there is one. */
static void zones_fill_answers(uint16_t *answers, uint32_t count)
{
    uint32_t first = 0;
    while (first < count && answers[first] == ZONES_NONE) first++;
    for (uint32_t i = 0; i < first; i++) answers[i] = first < count ? answers[first] : 0;
}

/* Puts zones in the order of their pockets. */
static void zones_sort(const crn_packer *packer, zones_plan *plan)
{
    uint32_t begin = 0, pockets = crn_max_u32(packer->pockets, 1);
    memset(plan->ends, 0, pockets * sizeof *plan->ends);
    for (uint32_t z = 0; z < plan->count; z++) plan->ends[packer->pocket[plan->cells[z]]]++;
    for (uint32_t p = 0; p < pockets; p++) {
        uint32_t zones = plan->ends[p];
        plan->ends[p] = (uint16_t)begin;
        begin += zones;
    }
    for (uint32_t z = 0; z < plan->count; z++)
        plan->order[plan->ends[packer->pocket[plan->cells[z]]]++] = (uint16_t)z;
}

static void zones_divide(crn_packer *packer, zones_plan *plan)
{
    uint32_t mask = (UINT32_C(2) << crn_bits_below(packer->cells)) - 1, count = packer->open->count;
    memset(packer->buckets, 0, (mask + 1) * sizeof *packer->buckets);
    plan->count = 0;
    for (uint32_t c = 0; c < packer->cells; c++) {
        uint16_t *answers = plan->answers + (size_t)c * count;
        bool usable = packer->pocket[c] != ZONES_NONE;
        if (usable && *answers == ZONES_NONE) zones_fill_answers(answers, count);
        plan->zones[c] = usable ? (uint16_t)zones_find(packer, plan, c, mask) : ZONES_NONE;
    }
    zones_fill(packer, plan);
    zones_sort(packer, plan);
}

/* ---- sizes ---- */

static uint32_t zones_runs(const uint16_t *numbers, uint32_t count)
{
    uint32_t runs = 1;
    for (uint32_t i = 1; i < count; i++) runs += numbers[i] != numbers[i - 1];
    return runs;
}

static uint32_t zones_bytes(uint32_t bits)
{
    return (bits + 7) / 8;
}

static const uint16_t *zones_answers(const crn_packer *packer, const zones_plan *plan,
                                     uint32_t zone)
{
    return plan->answers + (size_t)plan->cells[zone] * packer->open->count;
}

/* Lists targets that are not the node itself. */
static void zones_list_targets(const crn_packer *packer, zones_plan *plan)
{
    memset(plan->numbers, 0, packer->cells * sizeof *plan->numbers);
    for (uint32_t z = 0; z < plan->count; z++) {
        const uint16_t *answers = zones_answers(packer, plan, z);
        for (uint32_t i = 0; i < packer->open->count; i++) {
            if (answers[i] == ZONES_NODE || plan->numbers[answers[i]]) continue;
            plan->list[plan->listed++] = answers[i];
            plan->numbers[answers[i]] = (uint16_t)plan->listed;
        }
    }
}

/* The highest step of all, from which on none have numbers. */
static uint32_t zones_steps(const crn_packer *packer, const zones_plan *plan)
{
    uint32_t most = 0;
    for (uint32_t z = 0; z < plan->count; z++) {
        const uint16_t *answers = zones_answers(packer, plan, z);
        for (uint32_t i = 0; i < packer->open->count; i++) most = crn_max_u32(most, answers[i]);
    }
    return most + 1;
}

/* What answers there are, and how many bits one takes. */
static void zones_number_answers(const crn_packer *packer, zones_plan *plan)
{
    plan->listed = 0;
    if (plan->targets) zones_list_targets(packer, plan);
    plan->bits = crn_bits_below(plan->targets ? plan->listed + 1 : zones_steps(packer, plan));
}

/* An earlier row with the same zones; the row itself if there is none. */
static uint32_t zones_same_row(const crn_packer *packer, const zones_plan *plan, uint32_t y)
{
    uint32_t width = packer->open->area.width, k = 0;
    size_t size = width * sizeof *plan->zones;
    while (k < y && memcmp(plan->zones + k * width, plan->zones + y * width, size)) k++;
    return k;
}

/* Where the runs of all zones begin, or their entries; returns where they end. */
static uint32_t zones_place_zones(const crn_packer *packer, zones_plan *plan)
{
    uint32_t count = packer->open->count, at = 0, entries = 0,
             entry_bits = crn_bits_below(count) + plan->bits;
    for (uint32_t i = 0; i < plan->count; i++) {
        uint32_t z = plan->order[i], runs = zones_runs(zones_answers(packer, plan, z), count);
        plan->begin[z] = at;
        plan->entries[z] = entries;
        at += zones_bytes(count + plan->bits * runs);
        entries += runs;
    }
    bool smaller =
        entry_bits && zones_bytes(entries * entry_bits) <= at && count <= CRN_ENTRY_NODES;
    plan->entry_bits = smaller ? entry_bits : 0;
    plan->zone_bits = crn_bits_below(smaller ? entries : at);
    for (uint32_t z = 0; z < plan->count && smaller; z++) plan->begin[z] = plan->entries[z];
    return smaller ? zones_bytes(entries * entry_bits) : at;
}

/* The same of rows. The last runs are followed by as many bytes as are read with their bits; if
 * there is only one zone, its number has no bits and is read behind them. */
static uint32_t zones_place_rows(const crn_packer *packer, zones_plan *plan, uint32_t at)
{
    uint32_t width = packer->open->area.width, last = 0;
    for (uint32_t y = 0; y < packer->open->area.height; y++) {
        uint32_t same = zones_same_row(packer, plan, y),
                 runs = zones_runs(plan->zones + (size_t)y * width, width);
        plan->rows[y] = same < y ? plan->rows[same] : at;
        if (same < y) continue;
        last = at;
        at += zones_bytes(width + plan->zone_bits * runs);
    }
    plan->row_bits = crn_bits_below(at);
    return crn_max_u32(at, last + crn_max_u32(8 - CRN_ROUTES_SLACK, width / 8 + 1));
}

/* In bytes: the lists before the runs. */
static uint32_t zones_lists(const crn_packer *packer, const zones_plan *plan)
{
    uint32_t count = packer->open->count, bits = packer->open->area.height * plan->row_bits;
    return zones_bytes(bits + plan->listed * CRN_TARGET_BITS + count * crn_bits_below(count));
}

static void zones_make(crn_packer *packer, zones_plan *plan, bool targets)
{
    plan->targets = targets;
    plan->answers = packer->answers + (targets ? packer->open->count * packer->cells : 0);
    if (targets) {
        zones_answer_targets(packer, plan);
    } else {
        zones_answer_steps(packer, plan);
    }
    zones_divide(packer, plan);
    zones_number_answers(packer, plan);
    uint32_t runs = zones_place_rows(packer, plan, zones_place_zones(packer, plan));
    plan->size = (uint32_t)sizeof(crn_routes) + zones_lists(packer, plan) + runs + CRN_ROUTES_SLACK;
    plan->size += crn_pockets_size(packer->pockets, packer->open->count, plan->zone_bits);
}

/* ---- paths ---- */

/* How many bytes zones may take before there are paths instead. In clusters that the border of the
 * map cuts off, where searching is less work, it is three fourths. Where ground differs, and all
 * clusters of a map tend to have large zones, it is half of it. */
static uint32_t zones_budget(const crn_packer *packer)
{
    const crn_open_routes *open = packer->open;
    uint32_t count = open->count, pairs = count * count;
    for (uint32_t i = 0; i < count && packer->pockets; i++) {
        const uint8_t *steps = crn_packer_steps(packer, i);
        for (uint32_t k = 0; k < count; k++)
            pairs -= steps[crn_routes_place(open, k)] == CRN_ROUTE_NONE;
    }
    uint32_t bytes = ZONES_BUDGET_NODE * count + ZONES_BUDGET_PAIR * pairs;
    bool whole = open->area.width == open->area.height;
    return !open->space->uniform ? bytes / 2 : whole ? bytes : bytes / 4 * 3;
}

/* Makes each pocket a zone; returns how many bytes the rows take. */
static uint32_t zones_place_pockets(const crn_packer *packer, zones_plan *plan)
{
    plan->count = packer->pockets;
    plan->zone_bits = crn_bits_below(plan->count);
    for (uint32_t c = packer->cells; c--;) {
        uint16_t pocket = plan->zones[c] = packer->pocket[c];
        if (pocket != ZONES_NONE) plan->cells[pocket] = (uint16_t)c;
    }
    for (uint32_t z = 0; z < plan->count; z++) plan->begin[z] = z;
    zones_fill(packer, plan);
    zones_sort(packer, plan);
    return zones_place_rows(packer, plan, 0);
}

/* In bytes: the lists before the paths. */
static uint32_t zones_path_lists(const crn_packer *packer, const zones_plan *plan)
{
    return zones_bytes(packer->open->area.height * plan->row_bits);
}

static void zones_make_paths(const crn_packer *packer, zones_plan *plan)
{
    uint32_t paths = crn_paths_size(packer->open, &plan->entry_bits);
    plan->row_bits = plan->zone_bits = 0;
    plan->listed = packer->pockets ? zones_place_pockets(packer, plan) : 0;
    plan->size = paths;
    if (paths == UINT32_MAX) return;
    plan->size += (uint32_t)sizeof(crn_routes) + zones_path_lists(packer, plan) + plan->listed +
                  CRN_ROUTES_SLACK +
                  crn_pockets_size(packer->pockets, packer->open->count, plan->zone_bits);
}

/* ---- writing ---- */

static void zones_put_runs(uint8_t *bytes, const uint32_t *numbers, uint32_t count, uint32_t width)
{
    uint32_t at = count + width;
    crn_routes_put(bytes, count, numbers[0]);
    for (uint32_t i = 1; i < count; i++) {
        if (numbers[i] == numbers[i - 1]) continue;
        crn_routes_put(bytes, i, 1);
        crn_routes_put(bytes, at, numbers[i]);
        at += width;
    }
}

/* The same as entries, from one on. */
static void zones_put_entries(uint8_t *bytes, const uint32_t *numbers, uint32_t count,
                              const zones_plan *plan, uint32_t entry)
{
    uint32_t at = entry * plan->entry_bits;
    for (uint32_t i = 0; i < count; i++) {
        if (i + 1 < count && numbers[i] == numbers[i + 1]) continue;
        crn_routes_put(bytes, at, i << plan->bits | numbers[i]);
        at += plan->entry_bits;
    }
}

static void zones_put_lists(const crn_packer *packer, const zones_plan *plan, crn_routes *out)
{
    uint32_t count = packer->open->count, width = crn_bits_below(count), at = 0,
             columns = packer->open->area.width;
    for (uint32_t y = 0; y < packer->open->area.height; y++, at += plan->row_bits)
        crn_routes_put(out->bytes, at, plan->rows[y]);
    for (uint32_t i = 0; i < plan->listed; i++, at += CRN_TARGET_BITS)
        crn_routes_put(out->bytes, at,
                       crn_target_place(plan->list[i] % columns, plan->list[i] / columns));
    at = out->records * 8u - count * width;
    for (uint32_t i = 0; i < count; i++, at += width)
        crn_routes_put(out->bytes, at, packer->tracks[i]);
}

/* The runs of a zone: what is written of an answer is its number. */
static void zones_put_zone(crn_packer *packer, const zones_plan *plan, uint32_t zone,
                           uint8_t *bytes)
{
    const uint16_t *answers = zones_answers(packer, plan, zone);
    for (uint32_t i = 0; i < packer->open->count; i++) {
        uint32_t answer = answers[i];
        if (plan->targets) answer = answer == ZONES_NODE ? 0 : plan->numbers[answer];
        packer->numbers[i] = answer;
    }
    if (plan->entry_bits) {
        zones_put_entries(bytes, packer->numbers, packer->open->count, plan, plan->begin[zone]);
    } else {
        zones_put_runs(bytes + plan->begin[zone], packer->numbers, packer->open->count, plan->bits);
    }
}

static void zones_put_row(crn_packer *packer, const zones_plan *plan, uint32_t y, uint8_t *bytes)
{
    uint32_t width = packer->open->area.width;
    const uint16_t *zones = plan->zones + (size_t)y * width;
    for (uint32_t x = 0; x < width; x++) packer->numbers[x] = plan->begin[zones[x]];
    zones_put_runs(bytes + plan->rows[y], packer->numbers, width, plan->zone_bits);
}

static void zones_put_pockets(const crn_packer *packer, const zones_plan *plan, uint8_t *bytes)
{
    const crn_open_routes *open = packer->open;
    uint32_t at = 0;
    for (uint32_t p = 1; p < packer->pockets; p++, at += plan->zone_bits)
        crn_routes_put(bytes, at, plan->begin[plan->order[plan->ends[p - 1]]]);
    for (uint32_t p = 0; p < packer->pockets; p++) {
        const uint8_t *step = open->steps + plan->cells[plan->order[plan->ends[p] - 1]];
        for (uint32_t i = 0; i < open->count; i++, step += packer->cells)
            crn_routes_put(bytes, at++, *step != CRN_ROUTE_NONE);
    }
}

static void zones_write(crn_packer *packer, const zones_plan *plan, crn_routes *out)
{
    const crn_open_routes *open = packer->open;
    memset(out, 0, plan->size);
    *out = (crn_routes){.size = plan->size,
                        .nodes = (uint16_t)open->count,
                        .pockets = (uint16_t)packer->pockets,
                        .records = (uint16_t)zones_lists(packer, plan),
                        .entry_bits = (uint8_t)plan->entry_bits,
                        .width = (uint8_t)open->area.width,
                        .height = plan->targets ? (uint8_t)open->area.height : 0,
                        .row_bits = (uint8_t)plan->row_bits,
                        .zone_bits = (uint8_t)plan->zone_bits,
                        .answer_bits = (uint8_t)plan->bits};
    uint8_t *runs = out->bytes + out->records;
    zones_put_lists(packer, plan, out);
    for (uint32_t z = 0; z < plan->count; z++) zones_put_zone(packer, plan, z, runs);
    for (uint32_t y = 0; y < open->area.height; y++) {
        /* those of rows with the same zones are the same bits */
        zones_put_row(packer, plan, y, runs);
    }
    zones_put_pockets(packer, plan, (uint8_t *)out + crn_pockets_begin(out));
}

static void zones_write_paths(crn_packer *packer, const zones_plan *plan, crn_routes *out)
{
    const crn_open_routes *open = packer->open;
    uint32_t lists = zones_path_lists(packer, plan);
    memset(out, 0, plan->size);
    *out = (crn_routes){.size = plan->size,
                        .nodes = (uint16_t)open->count,
                        .pockets = (uint16_t)packer->pockets,
                        .records = (uint16_t)(lists + plan->listed),
                        .entry_bits = (uint8_t)plan->entry_bits,
                        .width = (uint8_t)open->area.width,
                        .height = (uint8_t)open->area.height,
                        .row_bits = (uint8_t)plan->row_bits,
                        .zone_bits = (uint8_t)plan->zone_bits,
                        .answer_bits = CRN_PATHS};
    for (uint32_t y = 0; y < open->area.height && packer->pockets; y++) {
        crn_routes_put(out->bytes, y * plan->row_bits, plan->rows[y]);
        zones_put_row(packer, plan, y, out->bytes + lists);
    }
    crn_paths_put(open, plan->entry_bits, out->bytes + out->records);
    zones_put_pockets(packer, plan, (uint8_t *)out + crn_pockets_begin(out));
}

static bool zones_reserve(crn_packer *packer)
{
    size_t count = packer->open->count;
    void *answers = packer->answers, *tracks = packer->tracks, *nodes = packer->nodes;
    bool ok = crn_scratch_grow(packer->memory, &answers, &packer->capacity,
                               2 * count * packer->cells, sizeof *packer->answers) &&
              crn_scratch_grow(packer->memory, &tracks, &packer->track_capacity, count,
                               sizeof *packer->tracks) &&
              crn_scratch_grow(packer->memory, &nodes, &packer->node_capacity, count,
                               sizeof *packer->nodes);
    packer->answers = answers;
    packer->tracks = tracks;
    packer->nodes = nodes;
    return ok;
}

crn_routes *crn_routes_pack(crn_packer *packer, const crn_open_routes *open)
{
    packer->open = open;
    packer->cells = open->area.width * open->area.height;
    if (!zones_reserve(packer)) return NULL;
    zones_number_nodes(packer);
    crn_packer_find_pockets(packer);
    zones_make(packer, &packer->plans[0], false);
    zones_make(packer, &packer->plans[1], true);
    bool targets = packer->plans[1].size <= packer->plans[0].size, paths = false;
    zones_plan *plan = &packer->plans[targets], *other = &packer->plans[!targets];
    if (plan->size > zones_budget(packer) && open->count <= CRN_PATH_NODES) {
        zones_make_paths(packer, other);
        paths = other->size < plan->size;
    }
    if (paths) plan = other;
    crn_routes *out = crn_alloc(packer->memory->context, plan->size);
    if (out) (paths ? zones_write_paths : zones_write)(packer, plan, out);
    return out;
}

/* ---- reading ---- */

void crn_routes_unpack(const crn_routes *routes, const crn_open_routes *open)
{
    crn_reader reader = crn_routes_reader(routes);
    uint32_t width = open->area.width, cells = width * open->area.height;
    for (uint32_t i = 0; i < open->count; i++) {
        uint32_t own = crn_routes_place(open, i);
        crn_route_end end = {crn_track_of(&reader, i), crn_target_place(own % width, own / width)};
        uint8_t *steps = open->steps + (size_t)i * cells;
        for (uint32_t c = 0; c < cells; c++) {
            uint32_t x = c % width, y = c / width;
            bool usable = crn_bit(&open->space->usable, (int32_t)(open->area.left + x),
                                  (int32_t)(open->area.top + y));
            bool leads = usable && crn_reaches(crn_reach_at(routes, x, y), i);
            steps[c] = leads ? (uint8_t)crn_step_at(&reader, x, y, end) : CRN_ROUTE_NONE;
        }
        steps[own] = CRN_ROUTE_HERE;
    }
}
