/* tiled_elements.h (internal): a Tiled map as elements that begin and end, whoever reads them (see
 * tiled_elements.c). */
#ifndef CRN_IO_TILED_ELEMENTS_H
#define CRN_IO_TILED_ELEMENTS_H

#include "io/tiled.h"

typedef enum crn_tiled_element {
    CRN_TILED_ELEMENT_ROOT, /* outside the first element */
    CRN_TILED_ELEMENT_MAP,
    CRN_TILED_ELEMENT_TILESET,
    CRN_TILED_ELEMENT_TILE,
    CRN_TILED_ELEMENT_GROUP,
    CRN_TILED_ELEMENT_LAYER,
    CRN_TILED_ELEMENT_DATA,
    CRN_TILED_ELEMENT_CHUNK,
    CRN_TILED_ELEMENT_GID, /* a <tile> of a layer */
    CRN_TILED_ELEMENT_PROPERTIES,
    CRN_TILED_ELEMENT_PROPERTY,
    CRN_TILED_ELEMENT_OTHER
} crn_tiled_element;

typedef struct crn_tiled_elements {
    crn_tiled *model;
    cairn_status status; /* once it is not CAIRN_OK, nothing more is looked at */
    uint32_t line;       /* set by the syntax before each call */
    uint32_t depth;
    crn_tiled_element kinds[CRN_TILED_DEPTH_MAX + 1]; /* kinds[0] is the root */
    bool hidden[CRN_TILED_DEPTH_MAX + 1];             /* a group that is, and what stands in it */
    uint32_t set;                                     /* the tileset at hand */
    bool own_file;                                    /* ... is the document */
    int64_t tile_id;
    crn_tiled_says tile_says;
    uint32_t layer; /* CRN_TILED_NO_LAYER = it does not count */
    bool layer_has_tiles;
    bool encoded; /* text, not elements */
    crn_tiled_writing writing;
    bool in_patch; /* tiles are collected */
    uint32_t patch_line;
    crn_tiled_patch patch;
    crn_io_buffer text; /* of the patch; or the numbers of its elements */
} crn_tiled_elements;

/* A reader of a map (set = CRN_TILED_NO_LAYER) or of a tileset's own file (its number); NULL = no
 * memory, the error says so. */
crn_tiled_elements *crn_tiled_elements_create(crn_tiled *model, uint32_t set);
void crn_tiled_elements_destroy(crn_tiled_elements *reader);

/* Attributes are names and values by turns, ended by NULL. */
void crn_tiled_element_begin(crn_tiled_elements *reader, const char *name,
                             const char *const *attributes);
void crn_tiled_element_text(crn_tiled_elements *reader, const char *text, size_t length);
void crn_tiled_element_end(crn_tiled_elements *reader);

#endif
