/* track.h: the path that an agent keeps, in few bytes, and places on it.
 *
 * A thousand agents keep a thousand paths, so the points are stored as differences of node numbers,
 * each in as many bytes as it needs (7 bits a byte, the sign in the lowest bit). A step to a
 * neighbouring row of a grid that is less than 4096 cells wide takes two bytes, a longer line
 * mostly three. Points are read in order only. That suffices: an agent never looks back.
 */
#ifndef CRN_TRACK_H
#define CRN_TRACK_H

#include "search/search.h"
#include <cairn/path.h>

typedef struct crn_track {
    uint8_t *bytes;
    cairn_path_link *links;
    uint32_t size, capacity; /* bytes */
    uint32_t link_count, link_capacity;
    uint32_t count; /* points; 0 = no path */
    bool any_angle;
    bool whole_lines; /* lines of any angle are walked whole */
} crn_track;

/* Somewhere on a path, between two of its points. */
typedef struct crn_track_place {
    cairn_node node;
    cairn_node from, to; /* the points; `to` is CAIRN_NO_NODE at the end */
    uint32_t segment;    /* the number of `from` */
    uint32_t offset;     /* bytes behind it tell the points after `to` */
    uint32_t link;       /* those before it are passed */
} crn_track_place;

/* One step of the path, or one line. */
typedef struct crn_stride {
    cairn_node to;
    const cairn_path_link *link; /* NULL = none */
} crn_stride;

/* Copies a path that has points. CAIRN_OUT_OF_MEMORY: there is no path any more. */
cairn_status crn_track_copy(crn_track *track, cairn_context *context, const cairn_path *path);
void crn_track_free(crn_track *track, cairn_context *context);
#if defined(CAIRN_CHECKS)
/* Returns what is wrong with a path that is kept; NULL if nothing is. */
const char *crn_track_check(const crn_track *track, const cairn_space *space);
#endif
size_t crn_track_bytes(const crn_track *track);

/* begin: the first point of a path. peek: what comes next; false at the end. advance: goes to
 * the node that peek gave. */
crn_track_place crn_track_begin(const crn_track *track);
bool crn_track_peek(const crn_track *track, const cairn_space *space, const crn_track_place *place,
                    crn_stride *out);
void crn_track_advance(const crn_track *track, crn_track_place *place, cairn_node to);

/* Writes the node of the place and the points after it, at most `capacity`. Returns how many there
 * are. */
uint32_t crn_track_ahead(const crn_track *track, const crn_track_place *place, cairn_node *out,
                         uint32_t capacity);

#endif
