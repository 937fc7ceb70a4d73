/* index.c: indexes built, read and written (see index.h). */
#include "index.h"

#include "progress.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

/* ---- reading ---- */

int index_open(index_file *index, cairn_context *context, const char *name)
{
    *index = (index_file){.name = name, .context = context};
    if (!name) return END_OK;
    cairn_error error = {0};
    cairn_status status = cairn_file_read(context, name, 0, &index->file, &error);
    if (!status)
        status = cairn_archive_open(context, index->file.data, index->file.size, 0, &index->archive, &error);
    error.status = status;
    return status ? world_complain(name, &error) : END_OK;
}

void index_close(index_file *index)
{
    cairn_archive_close(index->archive);
    if (index->file.data) cairn_file_free(index->context, &index->file);
    *index = (index_file){0};
}

/* ---- building ---- */

static bool index_progress(void *user, uint64_t done, uint64_t total)
{
    progress *p = user;
    p->total = total;
    progress_at(p, done);
    return true;
}

int index_prepare(const index_file *index, cairn_planner *planner, const char *label, index_report *report)
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

typedef struct index_output {
    FILE *stream;
    uint64_t size;
} index_output;

static cairn_status index_write(void *user, const void *data, size_t size)
{
    index_output *output = user;
    output->size += size;
    return fwrite(data, 1, size, output->stream) == size ? CAIRN_OK : CAIRN_FILE_ERROR;
}

int index_save(const cairn_planner *planner, const char *name, uint64_t *size)
{
    cairn_error error = {0};
    cairn_store *store = NULL;
    index_output output = {.stream = fopen(name, "wb")};
    cairn_status status = output.stream ? CAIRN_OK : CAIRN_FILE_ERROR;
    if (!status) status = cairn_store_create(cairn_space_context(cairn_planner_space(planner)), &store);
    if (!status) status = cairn_planner_save(planner, store, &error);
    if (!status) status = cairn_store_write(store, &(cairn_writer){index_write, &output});
    cairn_store_destroy(store);
    if (output.stream && fclose(output.stream) && !status) status = CAIRN_FILE_ERROR;
    *size = output.size;
    if (!status) return END_OK;
    if (output.stream) remove(name);
    error.status = status;
    if (status == CAIRN_FILE_ERROR) snprintf(error.text, sizeof error.text, "the file cannot be written");
    return world_complain(name, &error);
}
