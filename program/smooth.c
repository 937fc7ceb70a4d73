/* smooth.c: kinds of smoothing by name (see smooth.h). */
#include "smooth.h"

#include "text.h"

#include <string.h>

enum { SMOOTH_BOX = 16, SMOOTH_BOX_MOST = 32768 };

bool smooth_parse(const char *text, smoothing *out)
{
    int64_t box;
    *out = (smoothing){0};
    if (!text || !strcmp(text, "none")) return true;
    out->kind = SMOOTH_RAYS;
    if (!strcmp(text, "rays")) return true;
    out->box = SMOOTH_BOX;
    if (!strcmp(text, "box")) return true;
    if (!strncmp(text, "box=", 4) &&
        text_integer(text + 4, strlen(text + 4), 1, SMOOTH_BOX_MOST, &box)) {
        out->box = (uint32_t)box;
        return true;
    }
    *out = (smoothing){.kind = !strcmp(text, "spline") ? SMOOTH_SPLINE : SMOOTH_SIGHT};
    return out->kind == SMOOTH_SPLINE || !strcmp(text, "sight") || !strcmp(text, "string");
}

cairn_status smooth_path(const smoothing *how, const cairn_space *space, const cairn_path *path,
                         cairn_smoothed *out)
{
    if (how->kind == SMOOTH_RAYS) return cairn_smooth_rays(space, path, how->box, out);
    cairn_status status = cairn_smooth_sight(space, path, out);
    out->cost = path->cost;
    return status;
}
