/* index.c: indexes built, read and written (see index.h). */
#include "index.h"

#include "files.h"
#include "interrupt.h"
#include "progress.h"
#include "text.h"

#include <stdio.h>

/* ---- reading ---- */

int index_open(index_file *index, cairn_context *context, const char *name)
{
    *index = (index_file){.name = name};
    if (!name) return END_OK;
    cairn_error error = {0};
    cairn_status status = cairn_archive_load(context, name, 0, &index->archive, &error);
    error.status = status;
    return status ? world_complain(name, &error) : END_OK;
}

void index_close(index_file *index)
{
    cairn_archive_close(index->archive);
    *index = (index_file){0};
}

/* ---- building ---- */

static bool index_progress(void *user, uint64_t done, uint64_t total)
{
    progress *p = user;
    p->total = total;
    progress_at(p, done);
    return !interrupt_came();
}

int index_prepare(const index_file *index, cairn_planner *planner, const char *label,
                  index_report *report)
{
    *report = (index_report){0};
    if (!(cairn_planner_algorithm(planner)->flags & CAIRN_NEEDS_INDEX)) return END_OK;
    report->needed = true;
    report->loaded = index->archive != NULL;
    progress p;
    char text[96];
    snprintf(text, sizeof text, "%.80s: index", label);
    progress_begin(&p, text, 1);
    cairn_progress reports = {index_progress, &p};
    cairn_error error = {0};
    double begin = text_clock();
    cairn_status status = report->loaded ? cairn_planner_load(planner, index->archive, true, &error)
                                         : cairn_planner_build(planner, &reports, &error);
    report->seconds = text_clock() - begin;
    report->bytes = cairn_planner_index_bytes(planner);
    progress_end(&p);
    error.status = status;
    return status ? world_complain(report->loaded ? index->name : label, &error) : END_OK;
}

const char *index_text(const index_report *report, char out[INDEX_TEXT])
{
    char bytes[TEXT_SHORT], time[TEXT_SHORT];
    snprintf(out, INDEX_TEXT, "%s, %s in %s", text_bytes(report->bytes, bytes),
             report->loaded ? "read" : "built", text_duration(report->seconds * 1e6, time));
    return out;
}

/* ---- writing ---- */

int index_save(const cairn_planner *planner, const char *name)
{
    cairn_error error = {0};
    cairn_store *store = NULL;
    cairn_status status =
        cairn_store_create(cairn_space_context(cairn_planner_space(planner)), &store);
    if (!status) status = cairn_planner_save(planner, store, &error);
    error.status = status;
    int end = status ? world_complain(name, &error) : files_save(store, name);
    cairn_store_destroy(store);
    return end;
}
