/* board.c: what the generators share: areas, obstacles that can be passed on all sides, spanning
 * trees, and the pass that connects everything that is open.
 */
#include "generate/generate.h"

/* ---- areas ---- */

void crn_board_fill(crn_board *board, crn_board_area area, uint8_t open)
{
    uint32_t right = crn_min_u32(area.right, board->width),
             bottom = crn_min_u32(area.bottom, board->height);
    for (uint32_t y = area.top; area.left < right && y < bottom; y++)
        memset(&board->open[crn_board_at(board, area.left, y)], open, right - area.left);
}

uint32_t crn_board_obstacle(crn_board *board, crn_board_area area, uint32_t margin, bool round)
{
    if (area.left < margin || area.top < margin || area.right + margin > board->width ||
        area.bottom + margin > board->height)
        return 0;
    for (uint32_t y = area.top - margin; y < area.bottom + margin; y++) {
        const uint8_t *row = &board->open[crn_board_at(board, 0, y)];
        for (uint32_t x = area.left - margin; x < area.right + margin; x++)
            if (!row[x]) return 0;
    }
    crn_board_fill(board, area, 0);
    uint32_t wide = area.right - area.left, high = area.bottom - area.top;
    if (!round || wide < 3 || high < 3) return wide * high;
    board->open[crn_board_at(board, area.left, area.top)] = 1;
    board->open[crn_board_at(board, area.right - 1, area.top)] = 1;
    board->open[crn_board_at(board, area.left, area.bottom - 1)] = 1;
    board->open[crn_board_at(board, area.right - 1, area.bottom - 1)] = 1;
    return wide * high - 4;
}

/* ---- spanning trees ---- */

/* Wilson's algorithm (1996): from a place that is not in the tree yet, walk at random until the
 * tree is met; the walk without its loops joins the tree. Every spanning tree has the same
 * probability. A place remembers in which direction it was left the last time. These directions are
 * the walk without its loops, so that no stack is needed however long it gets. */
enum { TREE_IN = 4, TREE_LEFT_BY = 8 /* times the direction: east, south, west, north */ };

typedef struct tree_place {
    uint32_t x, y;
} tree_place;

/* The place in that direction; the same one if there is none. */
static tree_place tree_step(tree_place at, uint32_t direction, uint32_t columns, uint32_t rows)
{
    if (direction == 0 && at.x + 1 < columns) at.x++;
    if (direction == 1 && at.y + 1 < rows) at.y++;
    if (direction == 2 && at.x > 0) at.x--;
    if (direction == 3 && at.y > 0) at.y--;
    return at;
}

static void tree_walk(crn_board *board, tree_place at, uint32_t columns, uint32_t rows,
                      uint8_t *places)
{
    for (;;) {
        uint8_t *place = &places[(size_t)at.y * columns + at.x];
        if (*place & TREE_IN) return;
        uint32_t direction = crn_rng_below(&board->rng, 4);
        tree_place next = tree_step(at, direction, columns, rows);
        if (next.x == at.x && next.y == at.y) continue;
        *place = (uint8_t)(direction * TREE_LEFT_BY);
        at = next;
    }
}

/* Follows the walk once more and makes it part of the tree. */
static void tree_join(tree_place at, uint32_t columns, uint32_t rows, uint8_t *places)
{
    for (;;) {
        uint8_t *place = &places[(size_t)at.y * columns + at.x];
        if (*place & TREE_IN) return;
        uint32_t direction = *place / TREE_LEFT_BY;
        *place |= TREE_IN;
        at = tree_step(at, direction, columns, rows);
        if (direction >= 2) place = &places[(size_t)at.y * columns + at.x];
        *place |= direction & 1 ? CRN_LINK_SOUTH : CRN_LINK_EAST;
    }
}

cairn_status crn_tree_grow(crn_board *board, uint32_t columns, uint32_t rows, uint8_t **links)
{
    *links = crn_alloc_zero(board->context, crn_mul_size(columns, rows));
    if (!*links) return CAIRN_OUT_OF_MEMORY;
    uint32_t x = crn_rng_below(&board->rng, columns), y = crn_rng_below(&board->rng, rows);
    (*links)[(size_t)y * columns + x] = TREE_IN;
    for (y = 0; y < rows; y++) {
        for (x = 0; x < columns; x++) {
            tree_walk(board, (tree_place){x, y}, columns, rows, *links);
            tree_join((tree_place){x, y}, columns, rows, *links);
        }
    }
    return CAIRN_OK;
}

/* ---- one region ---- */

/* The cells in the order they are met, and how far the work on each of them is. */
typedef struct board_wave {
    crn_board *board;
    uint32_t *queue;
    uint8_t *state;
    size_t tail;
} board_wave;

/* Blocked cells are new until the wave reaches them by a step; the direction back is added. Open
 * cells are found, then counted, then joined, a component at a time. */
enum { WAVE_NEW, WAVE_FOUND, WAVE_SIZED, WAVE_JOINED, WAVE_STEP };

/* The neighbours on the board, and the direction back from each. */
static uint32_t board_neighbours(const crn_board *board, uint32_t at, uint32_t next[4],
                                 uint8_t back[4])
{
    uint32_t x = at % board->width, y = at / board->width, count = 0;
    if (x + 1 < board->width) next[count] = at + 1, back[count++] = 2;
    if (y + 1 < board->height) next[count] = at + board->width, back[count++] = 3;
    if (x > 0) next[count] = at - 1, back[count++] = 0;
    if (y > 0) next[count] = at - board->width, back[count++] = 1;
    return count;
}

/* Appends the whole component of an open cell to the queue and gives it a state; returns its
 * size. */
static size_t board_flood(board_wave *wave, uint32_t start, uint8_t state)
{
    size_t first = wave->tail;
    wave->state[start] = state;
    wave->queue[wave->tail++] = start;
    for (size_t i = first; i < wave->tail; i++) {
        uint32_t next[4];
        uint8_t back[4];
        uint32_t count = board_neighbours(wave->board, wave->queue[i], next, back);
        for (uint32_t k = 0; k < count; k++) {
            if (!wave->board->open[next[k]] || wave->state[next[k]] == state) continue;
            wave->state[next[k]] = state;
            wave->queue[wave->tail++] = next[k];
        }
    }
    return wave->tail - first;
}

/* A cell of the largest region. */
static uint32_t board_largest(board_wave *wave)
{
    crn_board *board = wave->board;
    uint32_t cells = board->width * board->height, best = CAIRN_NO_NODE;
    size_t best_size = 0;
    for (uint32_t cell = 0; cell < cells; cell++) {
        if (!board->open[cell] || wave->state[cell] == WAVE_FOUND) continue;
        wave->tail = 0;
        size_t size = board_flood(wave, cell, WAVE_FOUND);
        if (size > best_size) best = cell, best_size = size;
    }
    if (best == CAIRN_NO_NODE) {
        best = board->height / 2 * board->width + board->width / 2;
        board->open[best] = 1;
    }
    return best;
}

/* Fills the small components that are not joined yet; returns how many cells the others have. */
static size_t board_fill_small(board_wave *wave, uint32_t least)
{
    crn_board *board = wave->board;
    uint32_t cells = board->width * board->height;
    size_t joined = wave->tail, rest = 0;
    for (uint32_t cell = 0; cell < cells; cell++) {
        if (wave->state[cell] != WAVE_FOUND) continue;
        size_t size = board_flood(wave, cell, WAVE_SIZED);
        if (size >= least) {
            rest += size;
        } else {
            for (size_t i = joined; i < wave->tail; i++) {
                board->open[wave->queue[i]] = 0;
                wave->state[wave->queue[i]] = WAVE_NEW;
            }
        }
        wave->tail = joined;
    }
    return rest;
}

/* Opens the path by which the wave came to this cell. */
static void board_tunnel(board_wave *wave, uint32_t at)
{
    crn_board *board = wave->board;
    while (!board->open[at]) {
        uint8_t back = (uint8_t)(wave->state[at] - WAVE_STEP);
        board->open[at] = 1;
        wave->state[at] = WAVE_JOINED;
        switch (back) {
        case 0: at += 1; break;
        case 1: at += board->width; break;
        case 2: at -= 1; break;
        default: at -= board->width; break;
        }
    }
}

/* The wave starts from what is joined and goes through the rock; where it meets another component
 * it digs a tunnel. */
static void board_join(board_wave *wave, size_t rest)
{
    for (size_t head = 0; rest; head++) {
        uint32_t next[4], at = wave->queue[head];
        uint8_t back[4];
        uint32_t count = board_neighbours(wave->board, at, next, back);
        for (uint32_t k = 0; k < count; k++) {
            if (wave->state[next[k]] >= WAVE_JOINED) continue;
            if (wave->board->open[next[k]]) {
                board_tunnel(wave, at);
                rest -= board_flood(wave, next[k], WAVE_JOINED);
            } else {
                wave->state[next[k]] = (uint8_t)(WAVE_STEP + back[k]);
                wave->queue[wave->tail++] = next[k];
            }
        }
    }
}

cairn_status crn_board_connect(crn_board *board, uint32_t least)
{
    size_t cells = (size_t)board->width * board->height,
           queue_size = crn_mul_size(cells, sizeof(uint32_t));
    board_wave wave = {.board = board};
    wave.queue = crn_alloc(board->context, queue_size);
    wave.state = crn_alloc_zero(board->context, cells);
    bool ok = wave.queue && wave.state;
    if (ok) {
        uint32_t start = board_largest(&wave);
        wave.tail = 0;
        board_flood(&wave, start, WAVE_JOINED);
        board_join(&wave, board_fill_small(&wave, least));
    }
    crn_free(board->context, wave.queue, queue_size);
    crn_free(board->context, wave.state, cells);
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}
