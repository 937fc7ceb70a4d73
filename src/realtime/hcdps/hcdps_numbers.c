/* hcdps_numbers.c: the numbers of the regions of `hcdps`, and the runs of cells.
 *
 * Regions are numbered as a walk through them meets them, so that regions in one direction have
 * numbers in a row. While they grow, cells have the numbers of the order in which seeds stand; the
 * last numbers are looked up once for each run.
 */
#include "realtime/hcdps/hcdps_job.h"

/* The first cell from here on that is of another region, or `end`. Blocked cells are of any region;
 * in repairs they have that of the run that they were in. Two cells are compared at once. */
static cairn_node numbers_run_end(const crn_hcdps_job *job, cairn_node node, cairn_node end,
                                  uint32_t region)
{
    const uint64_t two = UINT64_C(0x200000002), plain = two >> 1, own = two * region,
                   none = two * CRN_HCDPS_NONE;
    const uint32_t *at = &job->region[node - job->first], width = job->index->width;
    for (uint64_t both; node < end; node++, at++) {
        for (; end - node >= 2; node += 2, at += 2) {
            memcpy(&both, at, sizeof both);
            both &= ~plain;
            if (both != own && both != none) break;
        }
        if (node == end) break;
        uint32_t here = *at >> 1;
        if (here == region || here == CRN_HCDPS_NONE) continue;
        if (!job->before) break;
        if (crn_bit(&job->map->usable, (int32_t)(node % width), (int32_t)(node / width))) break;
    }
    return node;
}

/* A block, from its first node on. Blocked cells count to the run before, or to the first one. */
bool crn_hcdps_write_block(crn_hcdps_job *job, cairn_node first, cairn_node end)
{
    crn_hcdps_array *runs = &job->index->arrays[CRN_HCDPS_RUNS];
    crn_hcdps_writer writer = {.out = runs, .context = job->context};
    uint32_t before = 0;
    for (cairn_node node = first; node < end;) {
        uint32_t region = before;
        cairn_node next = numbers_run_end(job, node, end, CRN_HCDPS_NONE);
        if (next < end) {
            uint32_t old = crn_hcdps_job_region(job, next);
            region = job->order[old];
            next = numbers_run_end(job, next + 1, end, old);
        }
        crn_hcdps_write(&writer, crn_hcdps_unsigned(region - before));
        crn_hcdps_write(&writer, next < end ? next - node : 0);
        before = region;
        node = next;
    }
    return crn_hcdps_write_end(&writer);
}

static cairn_status numbers_write_runs(crn_hcdps_job *job)
{
    crn_hcdps *index = job->index;
    crn_hcdps_array *runs = &index->arrays[CRN_HCDPS_RUNS],
                    *entries = &index->arrays[CRN_HCDPS_ENTRIES];
    uint32_t nodes = job->space->node_count;
    bool ok = crn_hcdps_put(entries, job->context, 0);
    for (cairn_node node = 0; node < nodes && ok;) {
        cairn_node end = nodes - node > index->every ? node + index->every : nodes;
        ok = crn_hcdps_write_block(job, node, end) &&
             crn_hcdps_put(entries, job->context, (uint32_t)runs->count);
        node = end;
    }
    return ok ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
}

/* Numbers regions again: depth first through the doors. `order` gets the new number of each. */
static void numbers_walk(const crn_hcdps_job *job, uint32_t *order, uint32_t *stack)
{
    uint32_t regions = crn_hcdps_regions(job->index), count = 0;
    memset(order, 0xff, regions * sizeof *order);
    for (uint32_t root = 0; root < regions; root++) {
        uint32_t height = 0;
        if (order[root] == UINT32_MAX) stack[height++] = root;
        while (height) {
            uint32_t region = stack[--height];
            if (order[region] != UINT32_MAX) continue;
            order[region] = count++;
            for (uint32_t i = job->door_first[region + 1]; i-- > job->door_first[region];) {
                uint32_t next = (uint32_t)job->doors[i].key;
                if (order[next] == UINT32_MAX) stack[height++] = next;
            }
        }
    }
}

/* Representatives and doors get the new numbers. */
static bool numbers_change(crn_hcdps_job *job, uint32_t *order)
{
    crn_hcdps_array *homes = &job->index->arrays[CRN_HCDPS_HOMES];
    uint32_t regions = (uint32_t)homes->count;
    size_t size = (regions + 1) * sizeof(uint32_t),
           stack_size = (job->door_count + regions + 1) * sizeof(uint32_t);
    uint32_t *stack = crn_alloc(job->context, stack_size), *moved = crn_alloc(job->context, size);
    bool ok = stack && moved;
    if (ok) {
        numbers_walk(job, order, stack);
        for (uint32_t i = 0; i < regions; i++) moved[order[i]] = homes->items[i];
        if (regions) memcpy(homes->owned, moved, regions * sizeof *moved);
        for (size_t i = 0; i < job->door_count; i++) {
            uint64_t key = job->doors[i].key;
            job->doors[i].key = (uint64_t)order[key >> 32] << 32 | order[(uint32_t)key];
        }
        ok = crn_hcdps_sort_doors(job);
    }
    crn_free(job->context, stack, stack_size);
    crn_free(job->context, moved, size);
    return ok;
}

/* Numbers regions again, and writes the runs of cells, which have the old numbers. */
cairn_status crn_hcdps_number_regions(crn_hcdps_job *job)
{
    size_t size = (crn_hcdps_regions(job->index) + 1) * sizeof(uint32_t);
    uint32_t *order = crn_alloc(job->context, size);
    cairn_status status = order && numbers_change(job, order) ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
    job->order = order;
    if (status == CAIRN_OK) status = numbers_write_runs(job);
    job->order = NULL;
    crn_free(job->context, order, size);
    return status;
}
