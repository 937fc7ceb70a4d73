/* import.h: the flags that say what the colours of a picture and the tiles of a Tiled map mean. */
#ifndef PROGRAM_IMPORT_H
#define PROGRAM_IMPORT_H

#include "world.h"

typedef struct import_options {
    uint32_t threshold, tolerance;
    bool invert;
    const char *palette, *layer, *blocked, *open, *empty, *layout;
} import_options;

#define IMPORT_FLAGS(type, member) \
    FLAG_COUNT("threshold", "N", "PNG: pixels at least this bright are open (128)", \
               offsetof(type, member.threshold), 1, 255), \
        FLAG_SWITCH("invert", "PNG: dark pixels are the open ones", \
                    offsetof(type, member.invert)), \
        FLAG_TEXT( \
            "palette", "RRGGBB=WHAT,…", \
            "PNG: what colours mean: blocked, a terrain class, or CLASS/COST; * = all others", \
            offsetof(type, member.palette)), \
        FLAG_COUNT("tolerance", "N", \
                   "PNG: how far a pixel may be from a colour of the palette (0)", \
                   offsetof(type, member.tolerance), 0, 255), \
        FLAG_TEXT("layer", "NAME", "Tiled: only the layers of this name", \
                  offsetof(type, member.layer)), \
        FLAG_TEXT("blocked", "ID,…", \
                  "Tiled: tiles that are blocked, whatever their properties say", \
                  offsetof(type, member.blocked)), \
        FLAG_TEXT("open", "ID,…", "Tiled: tiles that are open", offsetof(type, member.open)), \
        FLAG_TEXT("empty", "blocked|open", "Tiled: cells without a tile", \
                  offsetof(type, member.empty)), \
        FLAG_TEXT("layout", "square|hex", "how the cells lie, if the file does not say it", \
                  offsetof(type, member.layout))

/* Loads the world as the flags say; without any, as world_load does. END_OK, END_USAGE or END_DATA
 * after a complaint. */
int import_world(const command *self, const import_options *options, world *w,
                 cairn_context *context, const char *name);

#endif
