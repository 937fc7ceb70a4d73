/* hcdps_circles.c: do the rows of an index of `hcdps` lead round in circles?
 *
 * From each region, rows tell the link to take to each other one. In an index that was built these
 * chains end, but a file may say anything: an agent would walk for ever, and so would somebody who
 * asks for one move after another. A walk without memory cannot notice that, so it is noticed when
 * the file is loaded.
 *
 * Regions are taken as targets in their order. For each of them, every region has at most one
 * successor, and only few successors differ from those for the target before: where a run of a row
 * begins. A new circle contains one of these, or the target before, at which chains have ended. So
 * only chains from there are followed, and no region twice for the same target. This takes time in
 * proportion to the runs, and at most to the square of the number of regions.
 */
#include "realtime/hcdps/hcdps_index.h"

#define CIRCLES_END UINT32_MAX

/* A row, read up to the run that begins after the target. */
typedef struct circles_row {
    crn_hcdps_reader reader;
    const uint8_t *entry; /* the next one */
    uint64_t seen;        /* by which chain last */
    uint32_t links, runs, read;
    uint32_t begin, slot; /* of the run that was read last */
    uint32_t to;          /* the successor, for the target; CIRCLES_END: there is none */
    uint32_t other;       /* a row in which a run begins with the same target */
} circles_row;

typedef struct circles_job {
    const crn_hcdps *index;
    circles_row *rows;
    uint32_t *first; /* for each target: a row in which a run begins with it */
    uint32_t regions;
    uint64_t chain;  /* the number of the last one ... */
    uint64_t before; /* ... and of the last one to the target before */
} circles_job;

/* Reads the next run of a row, and notes with which target it begins. */
static void circles_read(circles_job *job, uint32_t region)
{
    circles_row *row = &job->rows[region];
    if (row->read == row->runs) return;
    uint32_t value = crn_hcdps_read(&row->reader);
    if (row->read && row->read % CRN_HCDPS_GROUP == 0) {
        row->begin = row->entry[0] | (uint32_t)row->entry[1] << 8 | (uint32_t)row->entry[2] << 16;
        row->entry += CRN_HCDPS_ENTRY;
    } else {
        row->begin += value / (row->links + 1) + (row->read > 0);
    }
    row->slot = value % (row->links + 1);
    row->read++;
    row->other = job->first[row->begin];
    job->first[row->begin] = region;
}

static void circles_open(circles_job *job, uint32_t region, bool near)
{
    circles_row *row = &job->rows[region];
    *row = (circles_row){.links = crn_hcdps_links(job->index, region), .to = CIRCLES_END};
    row->reader = crn_hcdps_stream(job->index, near ? CRN_HCDPS_NEAR : CRN_HCDPS_ROWS,
                                   near ? CRN_HCDPS_NEAR_FIRST : CRN_HCDPS_ROW_FIRST, region);
    row->runs = crn_hcdps_read(&row->reader);
    row->entry = row->reader.at;
    row->reader.at += (size_t)((row->runs - 1) / CRN_HCDPS_GROUP) * CRN_HCDPS_ENTRY;
    circles_read(job, region);
}

/* Does the chain from a region to a target end? */
static bool circles_end(circles_job *job, uint32_t region, uint32_t target)
{
    uint64_t chain = ++job->chain;
    while (region != target && region != CIRCLES_END) {
        circles_row *row = &job->rows[region];
        if (row->seen > job->before) return row->seen != chain;
        row->seen = chain;
        region = row->to;
    }
    return true;
}

static bool circles_none_to(circles_job *job, uint32_t target)
{
    uint32_t changed = job->first[target];
    for (uint32_t i = changed; i != CIRCLES_END; i = job->rows[i].other) {
        circles_row *row = &job->rows[i];
        row->to = row->slot < row->links ? crn_hcdps_link_at(job->index, i, row->slot).region
                                         : CIRCLES_END;
    }
    job->before = job->chain;
    bool end = !target || circles_end(job, target - 1, target);
    while (changed != CIRCLES_END && end) {
        uint32_t other = job->rows[changed].other;
        end = circles_end(job, changed, target);
        circles_read(job, changed);
        changed = other;
    }
    return end;
}

cairn_status crn_hcdps_check_circles(const crn_hcdps *index, cairn_context *context, bool near)
{
    uint32_t regions = crn_hcdps_regions(index);
    size_t rows_size = regions * sizeof(circles_row), first_size = regions * sizeof(uint32_t);
    if (!regions) return CAIRN_OK;
    circles_job job = {.index = index, .regions = regions};
    job.rows = crn_alloc(context, rows_size);
    job.first = crn_alloc(context, first_size);
    cairn_status status = job.rows && job.first ? CAIRN_OK : CAIRN_OUT_OF_MEMORY;
    if (status == CAIRN_OK) {
        memset(job.first, 0xff, first_size);
        for (uint32_t i = 0; i < regions; i++) circles_open(&job, i, near);
    }
    for (uint32_t i = 0; i < regions && status == CAIRN_OK; i++)
        status = circles_none_to(&job, i) ? CAIRN_OK : CAIRN_BAD_DATA;
    crn_free(context, job.rows, rows_size);
    crn_free(context, job.first, first_size);
    return status;
}
