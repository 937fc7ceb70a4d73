/* scaled.c: a grid enlarged: every cell becomes a square of factor × factor cells that are like it,
 * in the same place of the world: the origin stays, and a cell is smaller by the factor.
 */
#include "generate/generate.h"
#include "world/grid.h"

/* What the new grid is made from; NULL where the source has no such plane. One block holds them
 * all. */
typedef struct scaled_planes {
    int16_t *elevation;
    uint8_t *open, *terrain, *layer;
    char *block;
    size_t size;
} scaled_planes;

static bool scaled_allocate(cairn_context *context, const cairn_grid *source, size_t cells,
                            scaled_planes *out)
{
    size_t bytes =
        1u + (source->elevation ? 2u : 0u) + (source->terrain != NULL) + (source->layer != NULL);
    *out = (scaled_planes){.size = crn_mul_size(cells, bytes)};
    out->block = crn_alloc(context, out->size);
    if (!out->block) return false;
    uint8_t *next = (uint8_t *)out->block;
    if (source->elevation) out->elevation = (int16_t *)(void *)next, next += 2 * cells;
    out->open = next, next += cells;
    if (source->terrain) out->terrain = next, next += cells;
    if (source->layer) out->layer = next;
    return true;
}

static void scaled_fill(const cairn_grid *source, uint32_t factor, const scaled_planes *out)
{
    uint32_t width = source->width * factor, height = source->height * factor;
    size_t at = 0;
    for (uint32_t y = 0; y < height; y++) {
        for (uint32_t x = 0; x < width; x++, at++) {
            size_t from = (size_t)(y / factor) * source->width + x / factor;
            out->open[at] = crn_bit(&source->open, (int32_t)(x / factor), (int32_t)(y / factor));
            if (out->terrain) out->terrain[at] = source->terrain[from];
            if (out->layer) out->layer[at] = source->layer[from];
            if (out->elevation) out->elevation[at] = source->elevation[from];
        }
    }
}

cairn_status crn_generate_scaled(cairn_context *context, const cairn_generator *generator,
                                 cairn_grid **out, cairn_error *error)
{
    const cairn_grid *source = generator->source;
    uint32_t factor = generator->factor;
    if (!source) return crn_fail(error, CAIRN_INVALID, 0, "scaled needs a grid to enlarge");
    if (source->layout != CAIRN_LAYOUT_SQUARE)
        return crn_fail(error, CAIRN_UNSUPPORTED, 0,
                        "hexagons cannot be joined to a larger hexagon");
    if (source->link_count)
        return crn_fail(error, CAIRN_UNSUPPORTED, 0,
                        "a grid with links: each would lead between many cells");
    if (factor > CAIRN_GRID_MAX / crn_max_u32(source->width, source->height))
        return crn_fail(error, CAIRN_INVALID, 0,
                        "a grid of %u x %u enlarged %u times is larger than %u", source->width,
                        source->height, factor, CAIRN_GRID_MAX);
    uint32_t width = source->width * factor, height = source->height * factor;
    if ((generator->width && generator->width != width) ||
        (generator->height && generator->height != height))
        return crn_fail(error, CAIRN_INVALID, 0, "the enlarged grid has %u x %u cells", width,
                        height);

    scaled_planes planes;
    if (!scaled_allocate(context, source, (size_t)width * height, &planes))
        return crn_fail(error, CAIRN_OUT_OF_MEMORY, 0,
                        "there is not enough memory for a map of %u x %u", width, height);
    scaled_fill(source, factor, &planes);
    cairn_grid_options options = {.width = width,
                                  .height = height,
                                  .open = planes.open,
                                  .terrain = planes.terrain,
                                  .layer = planes.layer,
                                  .elevation = planes.elevation,
                                  .origin = source->origin,
                                  .cell_size = source->cell_size / factor};
    cairn_status status = cairn_grid_create(context, &options, out, error);
    crn_free(context, planes.block, planes.size);
    return status;
}
