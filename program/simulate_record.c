/* simulate_record.c: a simulation as a file, which does it again: a bug report.
 *
 * A recording is a `.cairn` file. Beside the world as it was at first, and the profile of the
 * agents, it has these sections:
 *
 *     sim.version   of the program that wrote it
 *     sim.options   the options of `cairn simulate`, a line each
 *     sim.hashes    for each turn a hash of all that had happened by then
 *     sim.looks     what the clock said to the service, if its budget was one of time (simulate.h)
 *     sim.events    where agents were and wanted to go: turn, agent, cell, goal
 *     sim.edits     cells that were edited: turn, cell, 1 = opened
 *     sim.frames    what each turn took, in nanoseconds
 *
 * Options and looks suffice to do everything again, on any machine. Hashes show whether it is the
 * same; the rest is there to be looked at.
 */
#include "simulate.h"

#include "files.h"
#include "text.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* ---- writing ---- */

int simulate_record_begin(const world *w, cairn_store **out)
{
    cairn_error error = {.status = cairn_store_create(w->context, out)};
    if (!error.status) error.status = cairn_store_space(*out, w->space);
    return error.status ? world_complain(w->name, &error) : END_OK;
}

static bool record_words(cairn_store *store, const char *name, const uint32_t *words, size_t count)
{
    cairn_bytes bytes = {words, count * sizeof *words};
    return cairn_store_add(store, name, bytes, sizeof *words, false) == CAIRN_OK;
}

static bool record_text(cairn_store *store, const char *name, const char *text)
{
    return cairn_store_add(store, name, (cairn_bytes){text, strlen(text)}, 1, false) == CAIRN_OK;
}

static bool record_events(cairn_store *store, const simulate_run *run)
{
    uint32_t *words = malloc((run->event_count + 1) * 4 * sizeof *words);
    for (size_t i = 0; words && i < run->event_count; i++) {
        const simulate_event *e = &run->events[i];
        memcpy(words + 4 * i, (uint32_t[]){e->turn, e->agent, e->at, e->target}, 4 * sizeof *words);
    }
    bool ok = words && record_words(store, "sim.events", words, 4 * run->event_count);
    free(words);
    return ok;
}

static bool record_edits(cairn_store *store, const simulate_run *run)
{
    uint32_t *words = malloc((run->edit_count + 1) * 3 * sizeof *words);
    for (size_t i = 0; words && i < run->edit_count; i++) {
        const simulate_edit *e = &run->edits[i];
        memcpy(words + 3 * i, (uint32_t[]){e->turn, e->cell, e->open}, 3 * sizeof *words);
    }
    bool ok = words && record_words(store, "sim.edits", words, 3 * run->edit_count);
    free(words);
    return ok;
}

/* As long as they are in order. */
static bool record_frames(cairn_store *store, const simulate_run *run)
{
    uint32_t *words = malloc((run->frames.count + 1) * sizeof *words);
    for (size_t i = 0; words && i < run->frames.count; i++)
        words[i] = (uint32_t)fmin(run->frames.items[i] * 1000, UINT32_MAX);
    bool ok = words && record_words(store, "sim.frames", words, run->frames.count);
    free(words);
    return ok;
}

int simulate_record_end(cairn_store *store, const simulate_run *run, const char *options,
                        const char *name)
{
    cairn_bytes hashes = {run->hashes, run->turns * sizeof *run->hashes};
    bool ok = record_text(store, "sim.version", cairn_version()) &&
              record_text(store, "sim.options", options) &&
              cairn_store_add(store, "sim.hashes", hashes, 8, false) == CAIRN_OK &&
              record_words(store, "sim.looks", run->looks, run->look_count) &&
              record_events(store, run) && record_edits(store, run) && record_frames(store, run);
    if (ok) return files_save(store, name);
    complain("%s: there is not enough memory for the recording", name);
    return END_DATA;
}

/* ---- reading ---- */

static int record_complain(const world *w, const char *what)
{
    complain("%s: %s", w->name, what);
    return END_DATA;
}

int simulate_record_options(const world *w, char **out)
{
    size_t size;
    const char *text =
        w->archive ? cairn_archive_section(w->archive, "sim.options", 1, &size) : NULL;
    if (!text || !w->grid)
        return record_complain(w, "is no recording of `cairn simulate` (--record makes one)");
    *out = malloc(size + 1);
    if (!*out) return record_complain(w, "there is not enough memory to read it");
    memcpy(*out, text, size);
    (*out)[size] = 0;
    if (strlen(*out) != size) return record_complain(w, "its options are malformed");
    const char *version = cairn_archive_section(w->archive, "sim.version", 1, &size);
    if (version && (size != strlen(cairn_version()) || memcmp(version, cairn_version(), size)))
        complain("note: %s was recorded by another version of Cairn, this is %s", w->name,
                 cairn_version());
    return END_OK;
}

int simulate_record_load(simulate_run *run, uint32_t *turns)
{
    size_t hashes, looks;
    const cairn_archive *archive = run->world->archive;
    const void *hash = cairn_archive_section(archive, "sim.hashes", 8, &hashes);
    const void *look = cairn_archive_section(archive, "sim.looks", 4, &looks);
    if (!hash || !look || hashes / 8 > UINT32_MAX)
        return record_complain(run->world, "the recording is not complete");
    *turns = (uint32_t)(hashes / 8);
    run->looks = malloc(looks + 1);
    if (!run->looks) return simulate_no_memory();
    memcpy(run->looks, look, looks);
    run->look_count = looks / 4;
    run->replays = true;
    return END_OK;
}

int simulate_record_compare(const simulate_run *run)
{
    size_t size;
    const uint64_t *hashes = cairn_archive_section(run->world->archive, "sim.hashes", 8, &size);
    for (uint32_t i = 0; i < size / 8; i++) {
        if (i < run->turns && run->hashes[i] == hashes[i]) continue;
        complain("%s: turn %u is not what it was when this was recorded", run->world->name, i);
        return END_NO;
    }
    return END_OK;
}
