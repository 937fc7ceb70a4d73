/* repro.c: repro files written and read (see repro.h). Besides the sections of the library there
 * are texts: "repro.version", "repro.algorithm", "repro.smooth", and "repro.from" and "repro.to"
 * for places outside the world, which have no node.
 */
#include "repro.h"

#include "files.h"
#include "smooth.h"
#include "text.h"

#include <stdio.h>
#include <string.h>

/* ---- reading ---- */

/* Files may come from anywhere: what is printed or used must be plain text. */
bool repro_text(const world *w, const char *section, char out[REPRO_TEXT])
{
    size_t size;
    const char *text = cairn_archive_section(w->archive, section, 1, &size);
    out[0] = 0;
    if (!text) return true;
    bool plain = size && size < REPRO_TEXT;
    for (size_t i = 0; plain && i < size; i++) plain = text[i] >= ' ' && text[i] <= '~';
    if (!plain) {
        complain("%s: the section \"%s\" is malformed: expected 1 to %d plain characters", w->name,
                 section, REPRO_TEXT - 1);
        return false;
    }
    memcpy(out, text, size);
    out[size] = 0;
    return true;
}

/* A node as one would type it. */
static bool repro_place(const world *w, const char *section, cairn_node node, char out[REPRO_TEXT])
{
    const world_kind *kind = world_kind_of(w);
    if (!repro_text(w, section, out)) return false;
    if (out[0]) {
        cairn_node outside;
        char name[WORLD_PLACE];
        bool place = kind->parse(w, out, &outside, name);
        if (!place)
            complain(
                "%s: the section \"%s\" is malformed: expected a cell or a waypoint, got \"%s\"",
                w->name, section, out);
        return place;
    }
    char typed[WORLD_PLACE];
    kind->type(w, node, typed);
    snprintf(out, REPRO_TEXT, "%s", typed);
    return true;
}

static bool repro_compare_version(const world *w)
{
    char version[REPRO_TEXT];
    if (!repro_text(w, "repro.version", version)) return false;
    if (version[0] && strcmp(version, cairn_version()) != 0)
        complain("note: %s was written by Cairn %s, this is %s", w->name, version, cairn_version());
    return true;
}

static bool repro_smooth(repro *r, const world *w)
{
    if (!repro_text(w, "repro.smooth", r->smooth)) return false;
    smoothing how;
    if (!r->smooth[0] || smooth_parse(r->smooth, &how)) return true;
    complain("%s: the section \"repro.smooth\" says \"%s\", not " SMOOTH_KINDS, w->name, r->smooth);
    return false;
}

/* The program asks by nodes: positions become the nodes there. */
static void repro_find_ends(const world *w, cairn_query *query)
{
    const world_kind *kind = world_kind_of(w);
    if (query->by_position & CAIRN_FROM_POSITION)
        query->from = kind->node_at(w, query->from_position);
    if (query->by_position & CAIRN_TO_POSITION) query->to = kind->node_at(w, query->to_position);
    query->by_position = 0;
}

int repro_read(repro *r, const world *w)
{
    *r = (repro){.has_query = cairn_archive_has(w->archive, "query")};
    if (!w->archive) return END_OK;
    cairn_error error = {0};
    if (!repro_compare_version(w)) return END_DATA;
    if (!r->has_query) return END_OK;
    error.status = cairn_archive_query(w->archive, &r->query, &error);
    if (error.status) return world_complain(w->name, &error);
    repro_find_ends(w, &r->query);
    bool ok = repro_place(w, "repro.from", r->query.from, r->from);
    if (ok && !r->query.goals) ok = repro_place(w, "repro.to", r->query.to, r->to);
    ok = ok && repro_text(w, "repro.algorithm", r->algorithm) && repro_smooth(r, w);
    return ok ? END_OK : END_DATA;
}

/* ---- writing ---- */

static cairn_status repro_add_text(cairn_store *store, const char *section, const char *text)
{
    return text[0] ? cairn_store_add(store, section, (cairn_bytes){text, strlen(text)}, 1, false)
                   : CAIRN_OK;
}

static cairn_status repro_fill(cairn_store *store, const world *w, const cairn_query *query,
                               const repro *said)
{
    cairn_status status = cairn_store_space(store, w->space);
    if (!status) status = cairn_store_query(store, query);
    if (!status && query->from == CAIRN_NO_NODE)
        status = repro_add_text(store, "repro.from", said->from);
    if (!status && query->to == CAIRN_NO_NODE) status = repro_add_text(store, "repro.to", said->to);
    if (!status) status = repro_add_text(store, "repro.algorithm", said->algorithm);
    if (!status) status = repro_add_text(store, "repro.smooth", said->smooth);
    if (!status) status = repro_add_text(store, "repro.version", cairn_version());
    return status;
}

int repro_save(const world *w, const cairn_query *query, const repro *said, const char *name)
{
    cairn_store *store = NULL;
    cairn_error error = {.status = cairn_store_create(w->context, &store)};
    if (!error.status) error.status = repro_fill(store, w, query, said);
    int end = error.status ? world_complain(name, &error) : files_save(store, name);
    cairn_store_destroy(store);
    return end;
}
