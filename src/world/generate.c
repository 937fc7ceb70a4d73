/* generate.c: seeded maps, the same on every machine for the same numbers. */
#include "world/grid.h"

static cairn_status generate_finish(cairn_context *context, uint32_t width, uint32_t height, uint8_t *open,
                                    cairn_grid **out)
{
    cairn_grid_options options = {.width = width, .height = height, .open = open};
    cairn_status status = cairn_grid_create(context, &options, out, NULL);
    crn_free(context, open, (size_t)width * height);
    return status;
}

static cairn_status generate_start(cairn_context *context, uint32_t width, uint32_t height, uint32_t percent,
                                   cairn_grid **out, uint8_t **open)
{
    if (!out) return CAIRN_INVALID;
    *out = NULL;
    if (!context || width < 1 || height < 1 || width > CAIRN_GRID_MAX || height > CAIRN_GRID_MAX ||
        percent > 100) {
        return CAIRN_INVALID;
    }
    *open = crn_alloc_zero(context, (size_t)width * height);
    return *open ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

cairn_status cairn_grid_random(cairn_context *context, uint32_t width, uint32_t height, uint32_t percent,
                               uint64_t seed, cairn_grid **out)
{
    uint8_t *open;
    cairn_status status = generate_start(context, width, height, percent, out, &open);
    if (status != CAIRN_OK) return status;
    crn_rng rng = {seed};
    for (size_t i = 0, cells = (size_t)width * height; i < cells; i++) {
        open[i] = crn_rng_below(&rng, 100) >= percent;
    }
    return generate_finish(context, width, height, open, out);
}

cairn_status cairn_grid_rooms(cairn_context *context, uint32_t width, uint32_t height, uint32_t room,
                              uint32_t closed_percent, uint64_t seed, cairn_grid **out)
{
    uint8_t *open;
    if (out) *out = NULL;
    if (room < 1 || room > CAIRN_GRID_MAX) return CAIRN_INVALID;
    cairn_status status = generate_start(context, width, height, closed_percent, out, &open);
    if (status != CAIRN_OK) return status;
    uint32_t period = room + 1;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++)
            open[(size_t)y * width + x] = x % period != room && y % period != room;
    }
    /* Each room may get a door in its right wall and one in its lower wall. Rooms at the
     * border may be cut short; a door lies within the smaller of the two sides. */
    crn_rng rng = {seed};
    for (uint32_t top = 0; top < height; top += period) {
        for (uint32_t left = 0; left < width; left += period) {
            uint32_t wide = crn_min_u32(room, width - left), high = crn_min_u32(room, height - top);
            bool right_door = crn_rng_below(&rng, 100) >= closed_percent;
            uint32_t right_at = top + crn_rng_below(&rng, high);
            bool lower_door = crn_rng_below(&rng, 100) >= closed_percent;
            uint32_t lower_at = left + crn_rng_below(&rng, wide);
            if (right_door && left + period < width) open[(size_t)right_at * width + left + room] = 1;
            if (lower_door && top + period < height) open[(size_t)(top + room) * width + lower_at] = 1;
        }
    }
    return generate_finish(context, width, height, open, out);
}
