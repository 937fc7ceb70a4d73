/* glue_archive.c: `.cairn` files: what one holds besides its world, and worlds into such files,
 * with a question if there is one; and indexes of planners. */
#include "glue.h"

#include <string.h>

/* Names of algorithms with their parameters, as the program takes them from such files. */
enum { ARCHIVE_TEXT = 256 };

static bool archive_plain(const char *text, size_t size)
{
    if (!size || size >= ARCHIVE_TEXT) return false;
    for (size_t i = 0; i < size; i++)
        if (text[i] < ' ' || text[i] > '~') return false;
    return true;
}

/* ---- reading ---- */

static cairn_status archive_profile(const cairn_archive *archive, uint16_t *terrain_cost)
{
    if (!cairn_archive_has(archive, "profile")) return CAIRN_OK;
    glue.numbers[10] = 1;
    cairn_profile profile;
    cairn_status status = cairn_archive_profile(archive, &profile, &glue.error);
    if (!status) glue_profile_write(&profile, terrain_cost);
    return status;
}

static cairn_status archive_query(const cairn_archive *archive)
{
    if (!cairn_archive_has(archive, "query")) return CAIRN_OK;
    double *out = glue.numbers + 11;
    *out++ = 1;
    cairn_query query;
    cairn_status status = cairn_archive_query(archive, &query, &glue.error);
    if (status) return status;
    if (query.by_position) { /* its ends are positions, which are not told */
        glue.numbers[11] = 0;
        return CAIRN_OK;
    }
    *out++ = query.from;
    *out++ = query.to;
    *out++ = query.goal_kind;
    *out++ = query.radius;
    *out++ = query.max_cost;
    *out++ = (double)query.max_work;
    *out++ = query.partial;
    if (!query.goals) return CAIRN_OK;
    glue_print(",\"goals\":[");
    for (uint32_t i = 0; i < query.goal_count; i++)
        glue_print(i ? ",%u" : "%u", (unsigned)query.goals[i]);
    glue_print("]");
    return CAIRN_OK;
}

static cairn_status archive_algorithm(const cairn_archive *archive)
{
    size_t size = 0;
    char text[ARCHIVE_TEXT] = {0};
    const char *said = cairn_archive_section(archive, "repro.algorithm", 1, &size);
    if (said && !archive_plain(said, size))
        return glue_fail(CAIRN_BAD_DATA,
                         "the section \"repro.algorithm\" is no text of 1 to 255 plain characters");
    if (said) memcpy(text, said, size);
    glue_print("\"algorithm\":");
    glue_print_text(said ? text : NULL);
    return CAIRN_OK;
}

static cairn_status archive_index(const cairn_archive *archive)
{
    cairn_index_info info = {0};
    bool has = cairn_archive_has(archive, "index");
    cairn_status status = has ? cairn_archive_index(archive, &info, &glue.error) : CAIRN_OK;
    glue_print(",\"index\":");
    glue_print_text(has ? info.spec : NULL);
    return status;
}

/* Numbers: the profile's ten, is there one; is there a query, its from, to, goal kind, radius, most
 * cost, most work, partial. Output: {"algorithm": text, "index": text, "goals": [nodes]}, null or
 * missing if there is none. Files of other kinds hold nothing. */
GLUE_EXPORT("glue_archive_contents")
cairn_status glue_archive_contents(const void *data, size_t size, uint16_t *terrain_cost)
{
    glue_begin();
    glue_output_begin();
    glue.numbers[10] = glue.numbers[11] = 0;
    glue_print("{");
    cairn_archive *archive = NULL;
    cairn_status status = CAIRN_OK;
    if (cairn_archive_begins((cairn_bytes){data, size})) {
        status =
            cairn_archive_open(glue.context, (cairn_bytes){data, size}, 0, &archive, &glue.error);
        if (!status) status = archive_algorithm(archive);
        if (!status) status = archive_index(archive);
        if (!status) status = archive_profile(archive, terrain_cost);
        if (!status) status = archive_query(archive);
        cairn_archive_close(archive);
    }
    glue_print("}");
    if (status) glue_output_begin();
    return glue_check(status ? status : glue_output_finish());
}

/* Returns whether the file has a section of this name whose elements have so many bytes. Output: its
 * bytes. */
GLUE_EXPORT("glue_archive_section")
int32_t glue_archive_section(const void *data, size_t size, const char *name, uint32_t element)
{
    glue_begin();
    glue_output_begin();
    cairn_archive *archive = NULL;
    cairn_bytes bytes = {data, size};
    if (!cairn_archive_begins(bytes)) return 0;
    cairn_status status = cairn_archive_open(glue.context, bytes, 0, &archive, &glue.error);
    size_t length = 0;
    const void *found = status ? NULL : cairn_archive_section(archive, name, element, &length);
    if (found) glue_put(&glue.output, found, length);
    cairn_archive_close(archive);
    if (!status) status = glue_output_finish();
    return glue_check(status) ? -1 : found != NULL;
}

/* ---- writing ---- */

static cairn_status archive_add_text(cairn_store *store, const char *section, const char *text)
{
    return cairn_store_add(store, section, (cairn_bytes){text, strlen(text)}, 1, false);
}

/* Numbers: the profile's ten, then those of glue_query. `terrain_cost`: NULL = no profile;
 * `algorithm`: NULL = none. Output: a `.cairn` file. */
GLUE_EXPORT("glue_grid_archive")
cairn_status glue_grid_archive(const cairn_grid *grid, const uint16_t *terrain_cost,
                               uint32_t has_query, const uint32_t *goals, uint32_t goal_count,
                               const char *algorithm)
{
    glue_begin();
    glue_output_begin();
    if (algorithm && !archive_plain(algorithm, strlen(algorithm)))
        return glue_fail(CAIRN_INVALID, "the algorithm is no text of 1 to 255 plain characters");
    cairn_profile profile =
        terrain_cost ? glue_profile_read(terrain_cost) : cairn_profile_default();
    cairn_query query =
        has_query ? glue_query(glue.numbers + 10, goals, goal_count) : (cairn_query){0};
    cairn_store *store = NULL;
    cairn_writer writer = glue_output_writer();
    cairn_status status = cairn_store_create(glue.context, &store);
    if (!status) status = cairn_store_grid(store, grid);
    if (!status && terrain_cost) status = cairn_store_profile(store, &profile);
    if (!status && has_query) status = cairn_store_query(store, &query);
    if (!status && algorithm) status = archive_add_text(store, "repro.algorithm", algorithm);
    if (!status && has_query) status = archive_add_text(store, "repro.version", cairn_version());
    if (!status) status = cairn_store_write(store, &writer);
    cairn_store_destroy(store);
    return glue_check(status);
}

/* ---- indexes ---- */

/* Output: a `.cairn` file that holds the planner's index alone. */
GLUE_EXPORT("glue_planner_save") cairn_status glue_planner_save(const cairn_planner *planner)
{
    glue_begin();
    glue_output_begin();
    cairn_store *store = NULL;
    cairn_writer writer = glue_output_writer();
    cairn_status status = cairn_store_create(glue.context, &store);
    if (!status) status = cairn_planner_save(planner, store, &glue.error);
    if (!status) status = cairn_store_write(store, &writer);
    cairn_store_destroy(store);
    return glue_check(status);
}

GLUE_EXPORT("glue_planner_load")
cairn_status glue_planner_load(cairn_planner *planner, const void *data, size_t size)
{
    glue_begin();
    cairn_archive *archive = NULL;
    cairn_status status =
        cairn_archive_open(glue.context, (cairn_bytes){data, size}, 0, &archive, &glue.error);
    if (!status) status = cairn_planner_load(planner, archive, false, &glue.error);
    cairn_archive_close(archive);
    return glue_check(status);
}
