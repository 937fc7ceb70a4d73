/* smoothing.h: the kinds of smoothing with each result in a place of its own; those that nobody
 * asks for may be NULL. */
#ifndef TESTS_SMOOTHING_H
#define TESTS_SMOOTHING_H

#include <cairn/path.h>

static inline void smoothed_take(const cairn_smoothed *from, uint32_t *count, cairn_cost *cost,
                                 double *length)
{
    if (count) *count = from->count;
    if (cost) *cost = from->cost;
    if (length) *length = from->length;
}

static inline cairn_status smooth_sight(const cairn_space *space, const cairn_path *path,
                                        cairn_node *out, uint32_t capacity, uint32_t *count,
                                        double *length)
{
    cairn_smoothed all = {.nodes = out, .capacity = capacity};
    cairn_status status = cairn_smooth_sight(space, path, &all);
    smoothed_take(&all, count, NULL, length);
    return status;
}

static inline cairn_status smooth_rays(const cairn_space *space, const cairn_path *path,
                                       uint32_t box, cairn_node *out, uint32_t capacity,
                                       uint32_t *count, cairn_cost *cost, double *length)
{
    cairn_smoothed all = {.nodes = out, .capacity = capacity};
    cairn_status status = cairn_smooth_rays(space, path, box, &all);
    smoothed_take(&all, count, cost, length);
    return status;
}

static inline cairn_status smooth_spline(const cairn_space *space, const cairn_path *path,
                                         double reach, double spacing, cairn_position *out,
                                         uint32_t capacity, uint32_t *count, double *length)
{
    cairn_curve all = {.points = out, .capacity = capacity};
    cairn_curve_options options = {.reach = reach, .spacing = spacing};
    cairn_status status = cairn_smooth_spline(space, path, &options, &all);
    if (count) *count = all.count;
    if (length) *length = all.length;
    return status;
}

#endif
