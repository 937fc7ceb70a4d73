/* recording.h (internal): what a recording holds, for the pictures. */
#ifndef CRN_IO_RECORDING_H
#define CRN_IO_RECORDING_H

#include "io/support.h"

/* All zero for a node that was never seen. */
typedef struct crn_recorded {
    uint32_t order; /* of its first expansion, from 1; CRN_SEEN = seen, never expanded */
    cairn_cost g, h;
} crn_recorded;

#define CRN_SEEN UINT32_MAX

struct cairn_recording {
    cairn_context *context;
    uint32_t node_count;
    uint32_t last_order; /* how many nodes were expanded at least once */
    uint64_t expanded;   /* expansions, repeated ones included */
    crn_recorded *nodes;
};

#endif
