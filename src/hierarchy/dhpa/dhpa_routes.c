/* dhpa_routes.c: packing the routes of a cluster. See dhpa_routes.h.
 *
 * A plan is made for either kind of answers: what zones there are, and how many bytes all of it
 * takes. The smaller one is written.
 */
#include "hierarchy/dhpa/dhpa_routes.h"

enum {
    ZONES_CELLS = CRN_CLUSTER_SIZE_MAX * CRN_CLUSTER_SIZE_MAX,
    ZONES_BUCKETS = 2 * ZONES_CELLS,
    ZONES_NONE = UINT16_MAX /* an answer: there is no route */
};

typedef struct zones_plan {
    uint16_t *answers; /* by cell and track: a step, or the place of a target in the cluster */
    uint32_t count, none, bits, zone_bits, row_bits, size;
    bool targets;
    bool lost;                     /* some routes lead nowhere */
    uint16_t zones[ZONES_CELLS];   /* by cell; ZONES_NONE = nobody can stand there */
    uint16_t cells[ZONES_CELLS];   /* by zone: the first of its cells */
    uint32_t begin[ZONES_CELLS];   /* by zone: its runs */
    uint16_t list[ZONES_CELLS];    /* targets ... */
    uint16_t numbers[ZONES_CELLS]; /* ... and by place: the number there, plus 1; 0 = it is none */
    uint32_t rows[CRN_CLUSTER_SIZE_MAX];
} zones_plan;

struct crn_packer {
    crn_scratch *memory;
    const crn_open_routes *open;
    uint16_t *answers; /* of both plans */
    size_t capacity;   /* of each of them */
    uint32_t cells;    /* of the cluster */
    uint16_t *tracks;  /* by node: its number along the border */
    size_t track_capacity;
    uint16_t buckets[ZONES_BUCKETS]; /* zones by the hash of their answers, plus 1 */
    uint16_t trail[ZONES_CELLS];
    uint32_t numbers[ZONES_CELLS]; /* of runs */
    uint16_t reached[ZONES_CELLS]; /* by cell: the target of a route */
    zones_plan plans[2];
};

crn_packer *crn_packer_open(crn_scratch *memory)
{
    crn_packer *packer = crn_scratch_alloc(memory, sizeof *packer);
    if (!packer) return NULL;
    packer->memory = memory;
    packer->answers = packer->tracks = NULL;
    packer->capacity = packer->track_capacity = 0;
    return packer;
}

void crn_packer_close(crn_packer *packer)
{
    if (!packer) return;
    crn_scratch_free(packer->memory, packer->answers, packer->capacity * sizeof *packer->answers);
    crn_scratch_free(packer->memory, packer->tracks,
                     packer->track_capacity * sizeof *packer->tracks);
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

/* The place of a node in its cluster. */
static uint32_t zones_place(const crn_open_routes *open, uint32_t i)
{
    uint32_t width = open->space->grid->width, cell = open->members[i].cell;
    return (cell / width - open->area.top) * open->area.width + cell % width - open->area.left;
}

static uint32_t zones_order(const crn_open_routes *open, uint32_t i)
{
    uint32_t place = zones_place(open, i), width = open->area.width;
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
}

/* ---- answers ---- */

/* Steps. A node's own cell has the answer of another node, if that is one. */
static void zones_answer_steps(const crn_packer *packer, zones_plan *plan)
{
    const crn_open_routes *open = packer->open;
    for (uint32_t i = 0; i < open->count; i++) {
        const uint8_t *steps = open->steps + (size_t)i * packer->cells;
        uint16_t *answers = plan->answers + packer->tracks[i];
        for (uint32_t c = 0; c < packer->cells; c++, answers += open->count)
            *answers = steps[c] == CRN_ROUTE_NONE ? ZONES_NONE : steps[c];
    }
    for (uint32_t i = 0; i < open->count; i++) {
        uint16_t *own = plan->answers + (size_t)zones_place(open, i) * open->count;
        uint32_t track = packer->tracks[i], beside = track ? track - 1 : open->count - 1;
        own[track] = beside == track || own[beside] == ZONES_NONE ? 0 : own[beside];
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

/* Those of the cells from one along the route to the i-th node. */
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
    for (uint32_t i = 0; i < open->count; i++) {
        const uint8_t *steps = open->steps + (size_t)i * packer->cells;
        uint16_t *answers = plan->answers + packer->tracks[i];
        uint32_t own = zones_place(open, i);
        memset(packer->reached, 0xff, packer->cells * sizeof *packer->reached);
        packer->reached[own] = (uint16_t)own;
        for (uint32_t c = 0; c < packer->cells; c++, answers += open->count) {
            if (steps[c] != CRN_ROUTE_NONE) zones_trace(packer, steps, c);
            *answers = packer->reached[c];
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
        uint32_t zone = packer->buckets[at] - 1u;
        const uint16_t *other = plan->answers + (size_t)plan->cells[zone] * count;
        if (!memcmp(answers, other, count * sizeof *answers)) return zone;
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

static void zones_divide(crn_packer *packer, zones_plan *plan)
{
    crn_area area = packer->open->area;
    uint32_t mask = (UINT32_C(2) << crn_bits_below(packer->cells)) - 1;
    memset(packer->buckets, 0, (mask + 1) * sizeof *packer->buckets);
    plan->count = 0;
    for (uint32_t c = 0; c < packer->cells; c++) {
        uint32_t x = area.left + c % area.width, y = area.top + c / area.width;
        bool usable = crn_bit(&packer->open->space->usable, (int32_t)x, (int32_t)y);
        plan->zones[c] = usable ? (uint16_t)zones_find(packer, plan, c, mask) : ZONES_NONE;
    }
    zones_fill(packer, plan);
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

/* What answers there are, and how many bits one takes. */
static void zones_number_answers(const crn_packer *packer, zones_plan *plan)
{
    plan->none = plan->targets ? 0 : CRN_DIRECTIONS;
    plan->lost = false;
    if (plan->targets) memset(plan->numbers, 0, packer->cells * sizeof *plan->numbers);
    for (uint32_t z = 0; z < plan->count; z++) {
        const uint16_t *answers = zones_answers(packer, plan, z);
        for (uint32_t i = 0; i < packer->open->count; i++) {
            if (answers[i] == ZONES_NONE) {
                plan->lost = true;
            } else if (plan->targets && !plan->numbers[answers[i]]) {
                plan->list[plan->none] = answers[i];
                plan->numbers[answers[i]] = (uint16_t)++plan->none;
            }
        }
    }
    plan->bits = crn_bits_below(plan->none + plan->lost);
}

/* An earlier row with the same zones; the row itself if there is none. */
static uint32_t zones_same_row(const crn_packer *packer, const zones_plan *plan, uint32_t y)
{
    uint32_t width = packer->open->area.width, k = 0;
    size_t size = width * sizeof *plan->zones;
    while (k < y && memcmp(plan->zones + k * width, plan->zones + y * width, size)) k++;
    return k;
}

/* Where the runs of all zones and rows begin; returns where they end. */
static uint32_t zones_place_runs(const crn_packer *packer, zones_plan *plan)
{
    uint32_t at = 0, count = packer->open->count, width = packer->open->area.width;
    for (uint32_t z = 0; z < plan->count; z++) {
        plan->begin[z] = at;
        at += zones_bytes(count + plan->bits * zones_runs(zones_answers(packer, plan, z), count));
    }
    plan->zone_bits = crn_bits_below(at);
    for (uint32_t y = 0; y < packer->open->area.height; y++) {
        uint32_t same = zones_same_row(packer, plan, y),
                 runs = zones_runs(plan->zones + (size_t)y * width, width);
        plan->rows[y] = same < y ? plan->rows[same] : at;
        if (same == y) at += zones_bytes(width + plan->zone_bits * runs);
    }
    plan->row_bits = crn_bits_below(at);
    return at;
}

/* In bytes: the lists before the runs. */
static uint32_t zones_lists(const crn_packer *packer, const zones_plan *plan)
{
    uint32_t count = packer->open->count, targets = plan->targets ? plan->none : 0;
    return zones_bytes(packer->open->area.height * plan->row_bits + targets * CRN_TARGET_BITS +
                       count * crn_bits_below(count));
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
    plan->size = (uint32_t)sizeof(crn_routes) + zones_place_runs(packer, plan) + CRN_ROUTES_SLACK;
    plan->size += zones_lists(packer, plan);
}

/* ---- writing ---- */

static void zones_put(uint8_t *bytes, uint32_t at, uint32_t number)
{
    uint64_t bits = (uint64_t)number << at % 8;
    for (bytes += at / 8; bits; bits >>= 8) *bytes++ |= (uint8_t)bits;
}

static void zones_put_runs(uint8_t *bytes, const uint32_t *numbers, uint32_t count, uint32_t width)
{
    uint32_t at = count + width;
    zones_put(bytes, count, numbers[0]);
    for (uint32_t i = 1; i < count; i++) {
        if (numbers[i] == numbers[i - 1]) continue;
        zones_put(bytes, i, 1);
        zones_put(bytes, at, numbers[i]);
        at += width;
    }
}

static void zones_put_lists(const crn_packer *packer, const zones_plan *plan, crn_routes *out)
{
    uint32_t count = packer->open->count, width = crn_bits_below(count), at = 0,
             columns = packer->open->area.width;
    for (uint32_t y = 0; y < packer->open->area.height; y++, at += plan->row_bits)
        zones_put(out->bytes, at, plan->rows[y]);
    if (plan->targets) out->targets = (uint16_t)at;
    for (uint32_t i = 0; plan->targets && i < plan->none; i++, at += CRN_TARGET_BITS)
        zones_put(out->bytes, at, plan->list[i] / columns * 64 + plan->list[i] % columns);
    at = out->records * 8u - count * width;
    for (uint32_t i = 0; i < count; i++, at += width) zones_put(out->bytes, at, packer->tracks[i]);
}

/* The runs of a zone: what is written of an answer is its number. */
static void zones_put_zone(crn_packer *packer, const zones_plan *plan, uint32_t zone,
                           uint8_t *bytes)
{
    const uint16_t *answers = zones_answers(packer, plan, zone);
    for (uint32_t i = 0; i < packer->open->count; i++) {
        uint32_t answer = answers[i];
        if (answer == ZONES_NONE) {
            answer = plan->none;
        } else if (plan->targets) {
            answer = plan->numbers[answer] - 1u;
        }
        packer->numbers[i] = answer;
    }
    zones_put_runs(bytes + plan->begin[zone], packer->numbers, packer->open->count, plan->bits);
}

static void zones_put_row(crn_packer *packer, const zones_plan *plan, uint32_t y, uint8_t *bytes)
{
    uint32_t width = packer->open->area.width;
    const uint16_t *zones = plan->zones + (size_t)y * width;
    for (uint32_t x = 0; x < width; x++) packer->numbers[x] = plan->begin[zones[x]];
    zones_put_runs(bytes + plan->rows[y], packer->numbers, width, plan->zone_bits);
}

static void zones_write(crn_packer *packer, const zones_plan *plan, crn_routes *out)
{
    const crn_open_routes *open = packer->open;
    memset(out, 0, plan->size);
    *out = (crn_routes){.size = plan->size,
                        .nodes = (uint16_t)open->count,
                        .none = (uint16_t)plan->none,
                        .records = (uint16_t)zones_lists(packer, plan),
                        .width = (uint8_t)open->area.width,
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
}

static bool zones_reserve(crn_packer *packer)
{
    size_t count = packer->open->count;
    void *answers = packer->answers, *tracks = packer->tracks;
    bool ok = crn_scratch_grow(packer->memory, &answers, &packer->capacity,
                               2 * count * packer->cells, sizeof *packer->answers) &&
              crn_scratch_grow(packer->memory, &tracks, &packer->track_capacity, count,
                               sizeof *packer->tracks);
    packer->answers = answers;
    packer->tracks = tracks;
    return ok;
}

crn_routes *crn_routes_pack(crn_packer *packer, const crn_open_routes *open)
{
    packer->open = open;
    packer->cells = open->area.width * open->area.height;
    if (!zones_reserve(packer)) return NULL;
    zones_number_nodes(packer);
    zones_make(packer, &packer->plans[0], false);
    zones_make(packer, &packer->plans[1], true);
    const zones_plan *plan = &packer->plans[packer->plans[1].size <= packer->plans[0].size];
    crn_routes *out = crn_alloc(packer->memory->context, plan->size);
    if (out) zones_write(packer, plan, out);
    return out;
}

/* ---- unpacking ---- */

static uint8_t zones_step(const crn_reader *reader, const crn_open_routes *open, uint32_t place,
                          uint32_t track)
{
    uint32_t x = place % open->area.width, y = place / open->area.width;
    bool usable = crn_bit(&open->space->usable, (int32_t)(open->area.left + x),
                          (int32_t)(open->area.top + y));
    return usable ? (uint8_t)crn_step_at(reader, x, y, track) : CRN_ROUTE_NONE;
}

void crn_routes_unpack(const crn_routes *routes, const crn_open_routes *open)
{
    crn_reader reader = crn_routes_reader(routes);
    uint32_t cells = open->area.width * open->area.height;
    for (uint32_t i = 0; i < open->count; i++) {
        uint8_t *steps = open->steps + (size_t)i * cells;
        uint32_t track = crn_track_of(&reader, i);
        for (uint32_t c = 0; c < cells; c++) steps[c] = zones_step(&reader, open, c, track);
        steps[zones_place(open, i)] = CRN_ROUTE_HERE;
    }
}
