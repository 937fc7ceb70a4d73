/* repro.c: repro files written and read (see repro.h). Besides the sections of the library there are texts: "repro.version",
 * "repro.algorithm", "repro.smooth", and "repro.from" and "repro.to" for places outside the world, which have
 * no node.
 */
#include "repro.h"

#include <stdio.h>
#include <string.h>

/* ---- reading ---- */

/* A text of the file; "" if there is none or it is too long to be one. */
static void repro_text(const repro *r, const char *section, char out[REPRO_TEXT])
{
    size_t size;
    const char *text = cairn_archive_section(r->archive, section, 1, &size);
    out[0] = 0;
    if (!text || size >= REPRO_TEXT || memchr(text, 0, size)) return;
    memcpy(out, text, size);
    out[size] = 0;
}

/* A node as one would type it. */
static void repro_place(const repro *r, const char *section, cairn_node node, char out[REPRO_TEXT])
{
    size_t size;
    const uint64_t *grid = cairn_archive_section(r->archive, "grid", 8, &size);
    repro_text(r, section, out);
    if (out[0]) return;
    bool cells = grid && size && grid[0] && grid[0] <= CAIRN_GRID_MAX;
    if (node == CAIRN_NO_NODE)
        snprintf(out, REPRO_TEXT, cells ? "-1,-1" : "-1");
    else if (cells)
        snprintf(out, REPRO_TEXT, "%u,%u", node % (uint32_t)grid[0], node / (uint32_t)grid[0]);
    else
        snprintf(out, REPRO_TEXT, "%u", node);
}

static void repro_compare_version(const repro *r, const char *name)
{
    char version[REPRO_TEXT];
    repro_text(r, "repro.version", version);
    if (version[0] && strcmp(version, cairn_version()) != 0)
        complain("note: %s was written by Cairn %s, this is %s", name, version, cairn_version());
}

static cairn_status repro_read(repro *r, cairn_error *error)
{
    r->has_profile = cairn_archive_has(r->archive, "profile");
    r->has_query = cairn_archive_has(r->archive, "query");
    cairn_status status = r->has_profile ? cairn_archive_profile(r->archive, &r->profile, error) : CAIRN_OK;
    if (!status && r->has_query) status = cairn_archive_query(r->archive, &r->query, error);
    if (status || !r->has_query) return status;
    repro_place(r, "repro.from", r->query.from, r->from);
    if (!r->query.goals) repro_place(r, "repro.to", r->query.to, r->to);
    repro_text(r, "repro.algorithm", r->algorithm);
    repro_text(r, "repro.smooth", r->smooth);
    return CAIRN_OK;
}

int repro_open(repro *r, cairn_context *context, const char *name)
{
    *r = (repro){0};
    if (!world_is_archive(name)) return END_OK;
    cairn_error error = {0};
    cairn_status status = cairn_archive_load(context, name, 0, &r->archive, &error);
    if (!status) status = repro_read(r, &error);
    error.status = status;
    if (status) return world_complain(name, &error);
    repro_compare_version(r, name);
    return END_OK;
}

void repro_close(repro *r)
{
    cairn_archive_close(r->archive);
    r->archive = NULL;
}

/* ---- writing ---- */

static cairn_status repro_add_text(cairn_store *store, const char *section, const char *text)
{
    return text[0] ? cairn_store_add(store, section, text, strlen(text), 1, false) : CAIRN_OK;
}

static cairn_status repro_fill(cairn_store *store, const world *w, const cairn_query *query,
                               const repro *said)
{
    cairn_status status = w->grid ? cairn_store_grid(store, w->grid) : cairn_store_graph(store, w->graph);
    if (!status && w->grid) status = cairn_store_profile(store, cairn_space_profile(w->space));
    if (!status) status = cairn_store_query(store, query);
    if (!status && query->from == CAIRN_NO_NODE) status = repro_add_text(store, "repro.from", said->from);
    if (!status && query->to == CAIRN_NO_NODE) status = repro_add_text(store, "repro.to", said->to);
    if (!status) status = repro_add_text(store, "repro.algorithm", said->algorithm);
    if (!status) status = repro_add_text(store, "repro.smooth", said->smooth);
    if (!status) status = repro_add_text(store, "repro.version", cairn_version());
    return status;
}

int repro_save(const world *w, const cairn_query *query, const repro *said, const char *name)
{
    cairn_store *store = NULL;
    cairn_error error = {0};
    cairn_status status = cairn_store_create(w->context, &store);
    if (!status) status = repro_fill(store, w, query, said);
    if (!status) status = cairn_store_save(store, name, &error);
    cairn_store_destroy(store);
    error.status = status;
    return status ? world_complain(name, &error) : END_OK;
}
