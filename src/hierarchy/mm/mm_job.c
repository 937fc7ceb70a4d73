/* mm_job.c: what building and repairing the index of `mm` keeps at hand. See mm_job.h. */
#include "hierarchy/mm/mm_job.h"

crn_mm_job *crn_mm_job_open(crn_mm *mm, const crn_grid_space *space)
{
    crn_mm_job *job = crn_alloc_zero(space->base.context, sizeof *job);
    if (!job) return NULL;
    job->mm = mm;
    job->space = space;
    job->context = space->base.context;
    for (uint32_t i = 0; i < CRN_MM_FLOODS * CRN_MM_FLOODS; i++) job->floods[i].sector = UINT32_MAX;
    return job;
}

void crn_mm_job_end_searches(crn_mm_job *job)
{
    if (!job->searching) return;
    crn_subsearch_close(&job->subsearch);
    crn_part_close(&job->part);
    job->searching = false;
}

cairn_status crn_mm_search_on(crn_mm_job *job)
{
    uint64_t work = job->left < UINT32_MAX ? job->left : UINT32_MAX, left = work;
    cairn_status status = crn_subsearch_step(&job->subsearch, &left);
    job->left -= work - left;
    return status;
}

static void job_close_lists(crn_mm_job *job)
{
    cairn_context *context = job->context;
    crn_mm_list *lists[] = {&job->changed, &job->marks, &job->moved, &job->moved_below, &job->near};
    for (uint32_t i = 0; i < CRN_COUNT(lists); i++)
        crn_free(context, lists[i]->items, lists[i]->capacity * sizeof(uint32_t));
    crn_free(context, job->packed, job->packed_capacity);
    for (uint32_t i = 0; i < 2; i++) {
        crn_mm_history *history = &job->history[i];
        crn_free(context, history->items, history->capacity * sizeof *history->items);
        crn_free(context, history->bytes, history->byte_capacity);
    }
}

void crn_mm_job_close(crn_mm_job *job)
{
    if (!job) return;
    cairn_context *context = job->context;
    crn_mm_paths_draft *paths = &job->paths;
    crn_mm_job_end_searches(job);
    crn_mm_draft_close(&job->draft, context);
    crn_mm_draft_close(&job->beside, context);
    for (uint32_t i = 0; i < CRN_MM_FLOODS * CRN_MM_FLOODS; i++) {
        crn_mm_flooding *flooding = &job->floods[i];
        crn_free(context, flooding->labels, flooding->label_capacity * sizeof(uint16_t));
        crn_free(context, flooding->about, flooding->about_capacity * sizeof *flooding->about);
    }
    crn_free(context, job->middles, job->middle_capacity * sizeof *job->middles);
    crn_free(context, job->cells, job->cell_capacity * sizeof *job->cells);
    crn_free(context, job->wanted, job->wanted_capacity);
    crn_free(context, job->labels, job->label_capacity * sizeof *job->labels);
    crn_free(context, job->about, job->about_capacity * sizeof *job->about);
    crn_free(context, job->set, job->set_capacity * sizeof *job->set);
    crn_free(context, paths->regions, paths->region_capacity * sizeof *paths->regions);
    crn_free(context, paths->costs, paths->cost_capacity * sizeof *paths->costs);
    crn_free(context, paths->bytes, paths->byte_capacity);
    job_close_lists(job);
    crn_free(context, job, sizeof *job);
}

/* What it keeps from one repair to the next; lists that are as short as an edit are not counted. */
size_t crn_mm_job_bytes(const crn_mm_job *job)
{
    return job ? sizeof *job + job->memory.bytes : 0;
}

/* ---- order ---- */

enum { SORT_SCANNED = 1024, SORT_SIFTED = 32 }; /* items in a piece */

/* Those that are in order already; false: there are others. */
static bool job_scan(crn_mm_sort *sort, const uint8_t *items, size_t count,
                     const crn_mm_order *order)
{
    size_t end = count - sort->at < SORT_SCANNED ? count : sort->at + SORT_SCANNED;
    for (; sort->at < end; sort->at++) {
        const uint8_t *item = items + sort->at * order->size;
        if (sort->at && order->before(item, item - order->size)) return false;
    }
    return true;
}

/* Keeps the first of those with the same number. */
static void job_keep(crn_mm_sort *sort, uint8_t *items, size_t count, const crn_mm_order *order)
{
    size_t end = count - sort->at < SORT_SCANNED ? count : sort->at + SORT_SCANNED;
    for (; sort->at < end; sort->at++) {
        const uint8_t *item = items + sort->at * order->size;
        uint8_t *to = items + sort->kept * order->size;
        if (sort->kept && order->unique && !memcmp(to - order->size, item, sizeof(uint32_t)))
            continue;
        if (to != item) memcpy(to, item, order->size);
        sort->kept++;
    }
}

bool crn_mm_sort_on(crn_mm_sort *sort, void *items, size_t *count, const crn_mm_order *order)
{
    enum { SCAN, SIFT, KEEP, SORTED };
    if (sort->step == SCAN) {
        bool ordered = job_scan(sort, items, *count, order);
        if (ordered && sort->at < *count) return false;
        sort->step = ordered ? KEEP : SIFT;
        sort->sorting = crn_sorting_of(*count);
        sort->at = sort->kept = 0;
        if (*count > SORT_SCANNED) return false;
    }
    if (sort->step == SIFT) {
        size_t sifts = *count > SORT_SIFTED ? SORT_SIFTED : SIZE_MAX;
        if (!crn_sort_go_on(&sort->sorting, items, order->size, order->before, sifts)) return false;
        sort->step = KEEP;
    }
    if (sort->step == KEEP) {
        job_keep(sort, items, *count, order);
        if (sort->at < *count) return false;
        *count = sort->kept;
        sort->step = SORTED;
    }
    return true;
}

/* ---- lists ---- */

void crn_mm_list_clear(crn_mm_list *list)
{
    list->count = 0;
    list->sort = (crn_mm_sort){0};
}

bool crn_mm_list_put(crn_mm_list *list, cairn_context *context, uint32_t sector)
{
    if (list->count && list->items[list->count - 1] == sector) return true;
    void *items = list->items;
    bool ok = crn_grow(context, &items, &list->capacity, list->count + 1, sizeof *list->items);
    list->items = items;
    list->sort = (crn_mm_sort){0};
    if (ok) list->items[list->count++] = sector;
    return ok;
}

static bool job_sector_before(const void *a, const void *b)
{
    return *(const uint32_t *)a < *(const uint32_t *)b;
}

bool crn_mm_list_sort_on(crn_mm_list *list)
{
    static const crn_mm_order order = {job_sector_before, sizeof(uint32_t), true};
    return crn_mm_sort_on(&list->sort, list->items, &list->count, &order);
}

bool crn_mm_listed(const crn_mm_list *list, uint32_t sector)
{
    size_t low = 0, high = list->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (list->items[middle] < sector) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    return low < list->count && list->items[low] == sector;
}

bool crn_mm_list_put_around(crn_mm_list *list, crn_mm_job *job, uint32_t level, uint32_t sector)
{
    bool ok = true;
    for (uint32_t slot = 0; slot < CRN_MM_AROUND && ok; slot++) {
        uint32_t around = crn_mm_around(&job->mm->levels[level], sector, slot);
        if (around != UINT32_MAX) ok = crn_mm_list_put(list, job->context, around);
    }
    return ok;
}

/* ---- what was there before ---- */

static bool job_old_before(const void *a, const void *b)
{
    const crn_mm_old *x = a, *y = b;
    return x->sector != y->sector ? x->sector < y->sector : x->at < y->at;
}

bool crn_mm_sort_old_on(crn_mm_history *history)
{
    static const crn_mm_order order = {job_old_before, sizeof(crn_mm_old), true};
    return crn_mm_sort_on(&history->sort, history->items, &history->count, &order);
}

void crn_mm_history_clear(crn_mm_history *history)
{
    history->count = history->size = 0;
    history->sort = (crn_mm_sort){0};
}

bool crn_mm_keep_old(crn_mm_job *job, uint32_t level, uint32_t sector)
{
    const crn_mm_level *l = &job->mm->levels[level];
    crn_mm_history *history = &job->history[level % 2];
    void *items = history->items, *bytes = history->bytes;
    const uint8_t *now = crn_mm_block(&l->bytes, l->begin[sector]);
    uint32_t count = crn_mm_number(now, crn_mm_head(l));
    size_t size = crn_mm_sector_bytes(l, now, count);
    bool ok = crn_grow(job->context, &items, &history->capacity, history->count + 1,
                       sizeof *history->items) &&
              crn_grow(job->context, &bytes, &history->byte_capacity, history->size + size, 1);
    history->items = items;
    history->bytes = bytes;
    if (!ok) return false;
    memcpy(history->bytes + history->size, now, size);
    history->items[history->count++] = (crn_mm_old){sector, (uint32_t)history->size, count};
    history->size += size;
    history->sort = (crn_mm_sort){0};
    return true;
}

const crn_mm_old *crn_mm_old_sector(const crn_mm_job *job, uint32_t level, uint32_t sector)
{
    const crn_mm_history *history = &job->history[level % 2];
    size_t low = 0, high = history->count;
    while (low < high) {
        size_t middle = (low + high) / 2;
        if (history->items[middle].sector < sector) {
            low = middle + 1;
        } else {
            high = middle;
        }
    }
    bool found = low < history->count && history->items[low].sector == sector;
    return found ? &history->items[low] : NULL;
}
