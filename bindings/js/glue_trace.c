/* glue_trace.c: what a search reports, kept in blocks of events, each an array for every field, so
 * that JavaScript copies whole arrays and nothing is moved while it grows. Events past the limit
 * are counted, not kept. */
#include "glue.h"

#define TRACE_BLOCK 16384u

typedef struct trace_block {
    uint32_t node[TRACE_BLOCK], parent[TRACE_BLOCK], g[TRACE_BLOCK], h[TRACE_BLOCK];
    uint8_t kind[TRACE_BLOCK], level[TRACE_BLOCK];
} trace_block;

static trace_block **trace_blocks(const glue_trace *trace)
{
    return (trace_block **)(void *)trace->blocks.data;
}

GLUE_EXPORT("glue_trace_forget") void glue_trace_forget(glue_trace *trace)
{
    for (size_t i = 0; i < trace->blocks.size / sizeof(trace_block *); i++)
        glue_resize(trace_blocks(trace)[i], sizeof(trace_block), 0);
    glue_clear(&trace->blocks);
    trace->total = trace->kept = 0;
}

static bool trace_room(glue_trace *trace)
{
    if (trace->kept >= trace->limit || trace->blocks.failed) return false;
    if (trace->kept % TRACE_BLOCK) return true;
    trace_block *block = glue_resize(NULL, 0, sizeof *block);
    if (!block) return false;
    glue_put(&trace->blocks, &block, sizeof block);
    if (trace->blocks.failed) glue_resize(block, sizeof *block, 0);
    return !trace->blocks.failed;
}

static void trace_event(void *user, const cairn_event *event)
{
    glue_trace *trace = user;
    trace->total++;
    if (trace->kept + 1 != trace->total || !trace_room(trace)) return;
    trace_block *block = trace_blocks(trace)[trace->kept / TRACE_BLOCK];
    uint32_t at = (uint32_t)(trace->kept++ % TRACE_BLOCK);
    block->kind[at] = (uint8_t)event->kind;
    uint32_t level = event->level & ~CAIRN_LEVEL_BACKWARD; /* that is the highest bit here too */
    block->level[at] = (uint8_t)((level < 127 ? level : 127) | (level != event->level ? 128 : 0));
    block->node[at] = event->node;
    block->parent[at] = event->parent;
    block->g[at] = event->g;
    block->h[at] = event->h;
}

cairn_trace_sink glue_trace_sink(glue_trace *trace, double limit)
{
    trace->limit = limit > 0 ? (uint64_t)limit : 0;
    return (cairn_trace_sink){.event = trace_event, .user = trace};
}

/* Numbers: events there were, events that are kept, events in a block. */
GLUE_EXPORT("glue_trace_about") void glue_trace_about(const glue_trace *trace)
{
    glue.numbers[0] = (double)trace->total;
    glue.numbers[1] = (double)trace->kept;
    glue.numbers[2] = TRACE_BLOCK;
}

/* Numbers: addresses of the i-th block's kind, layer, node, parent, g, h. */
GLUE_EXPORT("glue_trace_block") void glue_trace_block(const glue_trace *trace, uint32_t i)
{
    const trace_block *block = trace_blocks(trace)[i];
    const void *const fields[] = {block->kind,   block->level, block->node,
                                  block->parent, block->g,     block->h};
    for (uint32_t k = 0; k < 6; k++) glue.numbers[k] = (double)(uintptr_t)fields[k];
}
