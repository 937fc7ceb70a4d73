/* hpa_past.c: what the edges of HPA*'s nodes were before a repair. See hpa_past.h. */
#include "hierarchy/hpa/hpa_past.h"

void crn_hpa_past_close(crn_hpa_past *past)
{
    crn_scratch_free(past->memory, past->formers, past->capacity * sizeof *past->formers);
    crn_scratch_free(past->memory, past->edges, past->edge_capacity * sizeof *past->edges);
}

bool crn_hpa_past_add(crn_hpa_past *past, const crn_hpa *index, uint32_t level, cairn_node node,
                      bool chosen)
{
    uint32_t count = index->abstract.nodes[node].count;
    void *formers = past->formers, *edges = past->edges;
    bool ok = crn_scratch_grow(past->memory, &formers, &past->capacity, past->count + 1,
                               sizeof *past->formers);
    past->formers = formers;
    ok = ok && crn_scratch_grow(past->memory, &edges, &past->edge_capacity,
                                past->edge_count + count, sizeof *past->edges);
    past->edges = edges;
    if (!ok) return false;
    past->some |= UINT64_C(1) << node % 64;
    past->formers[past->count++] = (crn_hpa_former){.node = node,
                                                    .level = level,
                                                    .first = (uint32_t)past->edge_count,
                                                    .count = count,
                                                    .chosen = chosen};
    if (count)
        memcpy(past->edges + past->edge_count, crn_abstract_edges(&index->abstract, node),
               count * sizeof *past->edges);
    past->edge_count += count;
    return true;
}

bool crn_hpa_past_has(const crn_hpa_past *past, cairn_node node)
{
    if (!(past->some >> node % 64 & 1)) return false;
    for (size_t i = 0; i < past->count; i++) {
        if (past->formers[i].node == node) return true;
    }
    return false;
}
