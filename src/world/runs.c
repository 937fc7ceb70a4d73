/* runs.c: the bitmaps of straight runs, made and repaired. See runs.h. */
#include "world/runs.h"
#include "world/grid_space.h"

/* ---- the rule ---- */

/* Of the 64 cells from i on of a line, those that a run to higher or lower i passes. */
static uint64_t runs_pass(const crn_bits *bits, const crn_bits *stops, cairn_corners corners,
                          bool up, int32_t i, int32_t line)
{
    int32_t ahead = up ? 1 : -1;
    uint64_t pass = crn_bits_word(bits, i, line), next = crn_bits_word(bits, i + ahead, line);
    for (int32_t side = line - 1; side <= line + 1; side += 2) {
        uint64_t beside = crn_bits_word(bits, i, side);
        if (corners == CAIRN_CORNERS_NEVER) {
            pass &= ~beside | crn_bits_word(bits, i - ahead, side);
        } else {
            uint64_t opens = ~beside & crn_bits_word(bits, i + ahead, side);
            pass &= ~(corners == CAIRN_CORNERS_ONE ? opens & next : opens);
        }
    }
    return stops->rows ? pass & ~crn_bits_word(stops, i, line) : pass;
}

/* Sets a word of the plane of a direction, and counts. */
static void runs_set(crn_runs *runs, const crn_bits *bits, const crn_bits *stops, uint32_t d,
                     uint32_t i, uint32_t line)
{
    bool up = d == CRN_E || d == CRN_S;
    uint64_t before = crn_bits_word(&runs->pass[d], (int32_t)i, (int32_t)line);
    uint64_t now = runs_pass(bits, stops, runs->corners, up, (int32_t)i, (int32_t)line);
    crn_bits_set_word(&runs->pass[d], i, line, now);
    runs->passed += (uint64_t)crn_count_bits(now) - (uint64_t)crn_count_bits(before);
}

/* The planes of both directions along lines (`up`: the one to higher i), for cells first…last of
 * lines top…bottom. */
static void runs_fill(crn_runs *runs, const crn_bits *bits, uint32_t up, uint32_t first,
                      uint32_t last, uint32_t top, uint32_t bottom)
{
    const crn_bits *stops = up == CRN_E ? &runs->stop : &runs->stop_across;
    for (uint32_t line = top; line <= bottom; line++) {
        for (uint32_t i = first; i <= last; i += 64) {
            runs_set(runs, bits, stops, up, i, line);
            runs_set(runs, bits, stops, up ^ 2, i, line);
        }
    }
}

/* ---- how large obstacles are ---- */

/* Counts the sides of free cells in a box that are walls, by `across`. */
static uint64_t runs_count_walls(const crn_runs *runs, uint32_t left, uint32_t top, uint32_t right,
                                 uint32_t bottom)
{
    const crn_bits *bits = &runs->across;
    uint64_t count = 0;
    for (uint32_t x = left; x <= right; x++) {
        for (uint32_t y = top; y <= bottom; y += 64) {
            int32_t i = (int32_t)y, line = (int32_t)x;
            uint64_t rows = bottom - y < 63 ? (UINT64_C(2) << (bottom - y)) - 1 : UINT64_MAX,
                     free = crn_bits_word(bits, i, line) & rows;
            count += crn_count_bits(free & ~crn_bits_word(bits, i - 1, line)) +
                     crn_count_bits(free & ~crn_bits_word(bits, i + 1, line)) +
                     crn_count_bits(free & ~crn_bits_word(bits, i, line - 1)) +
                     crn_count_bits(free & ~crn_bits_word(bits, i, line + 1));
        }
    }
    return count;
}

/* ---- rows and columns exchanged ---- */

/* Of 64×64 bits: of halves, then of quarters in each of them, and so on. */
static void runs_transpose(uint64_t block[64])
{
    uint64_t mask = UINT64_C(0x00000000ffffffff);
    for (uint32_t half = 32; half; half /= 2, mask ^= mask << half) {
        for (uint32_t i = 0; i < 64; i = (i + half + 1) & ~half) {
            uint64_t swapped = (block[i] >> half ^ block[i + half]) & mask;
            block[i] ^= swapped << half;
            block[i + half] ^= swapped;
        }
    }
}

static void runs_fill_across(crn_runs *runs, const crn_bits *usable)
{
    for (uint32_t y = 0; y < runs->height; y += 64) {
        for (uint32_t x = 0; x < runs->width; x += 64) {
            uint64_t block[64] = {0};
            for (uint32_t i = 0; i < 64 && y + i < runs->height; i++) {
                block[i] = crn_bits_word(usable, (int32_t)x, (int32_t)(y + i));
            }
            runs_transpose(block);
            for (uint32_t i = 0; i < 64 && x + i < runs->width; i++) {
                crn_bits_set_word(&runs->across, y, x + i, block[i]);
            }
        }
    }
}

/* ---- life ---- */

void crn_runs_destroy(crn_runs *runs)
{
    if (!runs) return;
    crn_bits_destroy(runs->context, &runs->across);
    for (uint32_t d = 0; d < 4; d++) crn_bits_destroy(runs->context, &runs->pass[d]);
    crn_bits_destroy(runs->context, &runs->stop);
    crn_bits_destroy(runs->context, &runs->stop_across);
    for (uint32_t i = 0; i < 2; i++) crn_bits_destroy(runs->context, &runs->stop_slant[i]);
    crn_free(runs->context, runs, sizeof *runs);
}

cairn_status crn_runs_create(cairn_context *context, const crn_bitmap *usable,
                             cairn_corners corners, crn_runs **out)
{
    const crn_bits *bits = usable->bits;
    const uint32_t width = usable->width, height = usable->height;
    crn_runs *runs = crn_alloc_zero(context, sizeof *runs);
    if (!runs) return CAIRN_OUT_OF_MEMORY;
    *runs = (crn_runs){.context = context, .corners = corners, .width = width, .height = height};
    runs->turn = (width + height - 1) / height * height;
    bool ok = crn_bits_create(context, height, width, &runs->across);
    for (uint32_t d = 0; d < 4 && ok; d++) {
        bool upright = d == CRN_N || d == CRN_S;
        ok = crn_bits_create(context, upright ? height : width, upright ? width : height,
                             &runs->pass[d]);
    }
    if (!ok) {
        crn_runs_destroy(runs);
        return CAIRN_OUT_OF_MEMORY;
    }
    runs_fill_across(runs, bits);
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x += 64)
            runs->cells += crn_count_bits(crn_bits_word(bits, (int32_t)x, (int32_t)y));
    }
    runs->walls = runs_count_walls(runs, 0, 0, width - 1, height - 1);
    runs_fill(runs, bits, CRN_E, 0, width - 1, 0, height - 1);
    runs_fill(runs, &runs->across, CRN_S, 0, height - 1, 0, width - 1);
    *out = runs;
    return CAIRN_OK;
}

size_t crn_runs_bytes(const crn_runs *runs)
{
    size_t bytes = sizeof *runs + crn_bits_bytes(&runs->across);
    for (uint32_t d = 0; d < 4; d++) bytes += crn_bits_bytes(&runs->pass[d]);
    bytes += crn_bits_bytes(&runs->stop) + crn_bits_bytes(&runs->stop_across);
    for (uint32_t i = 0; i < 2; i++) bytes += crn_bits_bytes(&runs->stop_slant[i]);
    return bytes;
}

void crn_runs_update(crn_runs *runs, const crn_bits *usable, const crn_size_box *box)
{
    uint32_t left = box->left ? box->left - 1 : 0,
             right = crn_min_u32(box->right + 1, runs->width - 1);
    uint32_t top = box->top ? box->top - 1 : 0,
             bottom = crn_min_u32(box->bottom + 1, runs->height - 1);
    runs->walls -= runs_count_walls(runs, left, top, right, bottom);
    for (uint32_t y = box->top; y <= box->bottom; y++) {
        for (uint32_t x = box->left; x <= box->right; x++) {
            bool now = crn_bit(usable, (int32_t)x, (int32_t)y),
                 before = crn_bit(&runs->across, (int32_t)y, (int32_t)x);
            if (now == before) continue;
            runs->cells += (uint64_t)now - before;
            crn_bit_set(&runs->across, (int32_t)y, (int32_t)x, now);
        }
    }
    runs->walls += runs_count_walls(runs, left, top, right, bottom);
    crn_runs_fill(runs, usable, &(crn_size_box){left, top, right, bottom});
}

void crn_runs_fill(crn_runs *runs, const crn_bits *usable, const crn_size_box *box)
{
    runs_fill(runs, usable, CRN_E, box->left, box->right, box->top, box->bottom);
    runs_fill(runs, &runs->across, CRN_S, box->top, box->bottom, box->left, box->right);
}
