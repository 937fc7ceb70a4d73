/* smastar_steps.c: does any path of at most so many steps lead to a goal? See smastar_steps.h. */
#include "search/smastar_steps.h"

enum {
    SMASTAR_STEPS_CLEARED = 1024, /* words that a unit of work clears, ... */
    SMASTAR_STEPS_LOOKS = 512,    /* ... or words of a front that it looks at; ... */
    SMASTAR_STEPS_EXPANSION = 32, /* ... an expansion counts as so many */
    SMASTAR_STEPS_EDGES = 8       /* of an expansion */
};

CRN_INLINE size_t smastar_steps_words(uint32_t node_count)
{
    return ((size_t)node_count + 63) / 64;
}

size_t crn_sma_steps_bytes(uint32_t node_count)
{
    return 3 * smastar_steps_words(node_count) * sizeof(uint64_t);
}

void crn_sma_steps_close(crn_sma_steps *s, crn_scratch *scratch)
{
    crn_scratch_free(scratch, s->block, s->capacity * sizeof *s->block);
    *s = (crn_sma_steps){0};
}

bool crn_sma_steps_begin(crn_sma_steps *s, cairn_search *search, uint32_t most)
{
    size_t words = smastar_steps_words(search->space->node_count);
    if (s->capacity < 3 * words) {
        crn_sma_steps_close(s, &search->memory);
        s->block = crn_scratch_alloc(&search->memory, 3 * words * sizeof *s->block);
        if (!s->block) return false;
        s->capacity = 3 * words;
    }
    s->seen = s->block;
    s->front = s->seen + words;
    s->next = s->front + words;
    s->count = 3 * words;
    s->cleared = 0;
    s->steps = 0;
    s->most = most;
    s->node = search->query.from;
    s->edge = 0;
    s->here = s->there = (crn_sma_span){UINT32_MAX, 0};
    return true;
}

static void smastar_steps_clear(crn_sma_steps *s, cairn_node from)
{
    size_t left = s->count - s->cleared;
    if (left > SMASTAR_STEPS_CLEARED) left = SMASTAR_STEPS_CLEARED;
    memset(s->block + s->cleared, 0, left * sizeof *s->block);
    s->cleared += left;
    if (s->cleared == s->count) s->seen[from / 64] |= UINT64_C(1) << from % 64;
}

/* Enters a node into the next front, if it is new. */
static void smastar_steps_enter(crn_sma_steps *s, cairn_node node)
{
    uint32_t word = node / 64;
    uint64_t bit = UINT64_C(1) << node % 64;
    if (s->seen[word] & bit) return;
    s->seen[word] |= bit;
    s->next[word] |= bit;
    if (word < s->there.begin) s->there.begin = word;
    if (word >= s->there.end) s->there.end = word + 1;
}

/* Enters the ends of some edges. Is a goal among them? */
static bool smastar_steps_expand(crn_sma_steps *s, const cairn_search *search)
{
    const cairn_space *space = search->space;
    cairn_edge edges[SMASTAR_STEPS_EDGES];
    uint32_t count = space->functions->expand(space, s->node, s->edge, edges, SMASTAR_STEPS_EDGES);
    for (uint32_t i = 0; i < count; i++) {
        if (crn_goals_has(search, edges[i].node)) return true;
        smastar_steps_enter(s, edges[i].node);
    }
    s->edge += count;
    if (count < SMASTAR_STEPS_EDGES) s->node = CAIRN_NO_NODE;
    return false;
}

/* Takes a node of this front out of the first word that is left of it, if one is in there. */
static void smastar_steps_take(crn_sma_steps *s)
{
    uint64_t *word = &s->front[s->here.begin];
    if (!*word) {
        s->here.begin++;
        return;
    }
    s->node = s->here.begin * 64 + crn_lowest_bit(*word);
    s->edge = 0;
    *word &= *word - 1;
}

/* The next front becomes this one. What is left of this one is nothing. */
static void smastar_steps_advance(crn_sma_steps *s)
{
    uint64_t *front = s->front;
    s->front = s->next;
    s->next = front;
    s->here = s->there;
    s->there = (crn_sma_span){UINT32_MAX, 0};
    s->steps++;
}

cairn_status crn_sma_steps_unit(crn_sma_steps *s, const cairn_search *search)
{
    if (s->cleared < s->count) return smastar_steps_clear(s, search->query.from), CAIRN_RUNNING;
    for (uint32_t looks = 0; looks < SMASTAR_STEPS_LOOKS; looks++) {
        if (s->node != CAIRN_NO_NODE) {
            looks += SMASTAR_STEPS_EXPANSION;
            if (smastar_steps_expand(s, search)) return CAIRN_FOUND;
        } else if (s->here.begin < s->here.end) {
            smastar_steps_take(s);
        } else if (s->there.begin >= s->there.end) {
            return CAIRN_UNREACHABLE;
        } else {
            smastar_steps_advance(s);
            if (s->steps == s->most) return CAIRN_TOO_LONG;
        }
    }
    return CAIRN_RUNNING;
}
