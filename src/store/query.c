/* query.c: profiles and queries as sections of a container, and back: with a world, all that is
 * needed to repeat a query somewhere else.
 */
#include "store/sections.h"
#include <cairn/planner.h>

enum { QUERY_WORDS = 7, QUERY_ENDS = 7 };

/* ---- profiles ---- */

void crn_profile_words(const cairn_profile *profile, uint64_t words[CRN_PROFILE_WORDS])
{
    words[0] = (uint64_t)profile->neighbours;
    words[1] = (uint64_t)profile->corners;
    words[2] = profile->layer_weight;
    words[3] = profile->gradient;
    words[4] = (uint32_t)profile->max_climb;
    words[5] = (uint32_t)profile->max_drop;
    words[6] = profile->cost_scale;
    words[7] = crn_double_bits(profile->radius);
    words[8] = profile->footprint;
    words[9] = profile->links;
}

bool crn_terrain_split(const uint16_t *costs, uint8_t whole[256], uint8_t parts[256])
{
    bool used = false;
    for (uint32_t kind = 0; kind < 256; kind++) {
        whole[kind] = (uint8_t)(costs[kind] / 256);
        parts[kind] = (uint8_t)(costs[kind] % 256);
        used |= parts[kind] != 0;
    }
    return used;
}

/* Terrain costs as whole multiples and the 256ths beyond them. Profiles of whole multiples are
 * stored as they were before there were others, and old readers know them; files with others have
 * version 2. */
static cairn_status query_store_terrain(cairn_store *store, const uint16_t *costs)
{
    uint8_t whole[256], parts[256];
    bool used = crn_terrain_split(costs, whole, parts);
    cairn_status status =
        cairn_store_add(store, "profile.terrain", (cairn_bytes){whole, sizeof whole}, 1, false);
    if (!status && used)
        status =
            cairn_store_add(store, "profile.parts", (cairn_bytes){parts, sizeof parts}, 1, false);
    if (!status && used) store->version = CRN_STORE_VERSION;
    return status;
}

cairn_status cairn_store_profile(cairn_store *store, const cairn_profile *profile)
{
    if (!store || !profile) return CAIRN_INVALID;
    uint64_t words[CRN_PROFILE_WORDS];
    crn_profile_words(profile, words);
    size_t before = store->count;
    cairn_status status =
        cairn_store_add(store, "profile", (cairn_bytes){words, sizeof words}, 8, false);
    if (!status) status = query_store_terrain(store, profile->terrain_cost);
    if (status) crn_store_cut(store, before);
    return status;
}

static cairn_status query_take_terrain(const cairn_archive *archive, uint16_t *costs,
                                       cairn_error *error)
{
    const crn_section *whole, *parts = NULL;
    cairn_status status =
        crn_archive_need(archive, "profile.terrain", (crn_section_shape){1, 256}, &whole, error);
    if (!status && cairn_archive_has(archive, "profile.parts"))
        status =
            crn_archive_need(archive, "profile.parts", (crn_section_shape){1, 256}, &parts, error);
    for (uint32_t kind = 0; !status && kind < 256; kind++)
        costs[kind] = (uint16_t)(whole->data[kind] * 256 + (parts ? parts->data[kind] : 0));
    return status;
}

static bool query_profile_ok(const uint64_t *words)
{
    double radius = crn_bits_double(words[7]);
    return words[0] < CAIRN_NEIGHBOURS_COUNT && words[1] < CAIRN_CORNERS_COUNT &&
           words[2] <= UINT16_MAX && words[3] <= UINT16_MAX && words[4] <= INT32_MAX &&
           words[5] <= INT32_MAX &&
           (words[6] < CAIRN_COST_SCALES || words[6] == CAIRN_COST_SCALE_AUTO) && radius >= 0 &&
           radius <= CAIRN_RADIUS_MAX && words[8] <= CAIRN_FOOTPRINT_MAX && words[9] <= UINT32_MAX;
}

cairn_status cairn_archive_profile(const cairn_archive *archive, cairn_profile *out,
                                   cairn_error *error)
{
    if (!archive || !out)
        return crn_fail(error, CAIRN_INVALID, 0, "no archive or no place for the result");
    *out = cairn_profile_default();
    if (!cairn_archive_has(archive, "profile"))
        return crn_fail(error, CAIRN_BAD_DATA, 0, "there is no profile in this .cairn file");
    const crn_section *section;
    uint16_t costs[256];
    uint64_t words[CRN_PROFILE_WORDS];
    cairn_status status =
        crn_archive_need(archive, "profile", (crn_section_shape){8, sizeof words}, &section, error);
    if (!status) status = query_take_terrain(archive, costs, error);
    if (status) return status;
    memcpy(words, section->data, sizeof words);
    if (!query_profile_ok(words))
        return crn_fail(error, CAIRN_BAD_DATA, 0,
                        "the profile holds a number that makes no sense there");
    *out = (cairn_profile){.neighbours = (cairn_neighbours)words[0],
                           .corners = (cairn_corners)words[1],
                           .layer_weight = (uint16_t)words[2],
                           .gradient = (uint16_t)words[3],
                           .max_climb = (int32_t)words[4],
                           .max_drop = (int32_t)words[5],
                           .cost_scale = (uint32_t)words[6],
                           .radius = crn_bits_double(words[7]),
                           .footprint = (uint32_t)words[8],
                           .links = (uint32_t)words[9]};
    memcpy(out->terrain_cost, costs, sizeof costs);
    return CAIRN_OK;
}

/* ---- queries ---- */

cairn_status cairn_store_query(cairn_store *store, const cairn_query *query)
{
    if (!store || !query) return CAIRN_INVALID;
    if (query->estimate) return CAIRN_UNSUPPORTED;
    const uint64_t words[QUERY_WORDS] = {
        query->from,
        query->to,
        (uint64_t)query->goal_kind,
        crn_double_bits(query->radius),
        query->max_cost,
        query->max_work,
        query->partial,
    };
    const uint64_t ends[QUERY_ENDS] = {
        query->by_position,
        crn_double_bits(query->from_position.x),
        crn_double_bits(query->from_position.y),
        crn_double_bits(query->from_position.z),
        crn_double_bits(query->to_position.x),
        crn_double_bits(query->to_position.y),
        crn_double_bits(query->to_position.z),
    };
    size_t before = store->count;
    cairn_status status =
        cairn_store_add(store, "query", (cairn_bytes){words, sizeof words}, 8, false);
    if (!status && query->by_position)
        status = cairn_store_add(store, "query.ends", (cairn_bytes){ends, sizeof ends}, 8, false);
    if (!status && query->goals)
        status = cairn_store_add(
            store, "query.goals",
            (cairn_bytes){query->goals, query->goal_count * sizeof *query->goals}, 4, false);
    if (status)
        crn_store_cut(store, before);
    else if (query->by_position)
        store->version = 2; /* who does not know it must not take the nodes for the ends */
    return status;
}

static cairn_status query_take_ends(const cairn_archive *archive, cairn_query *out,
                                    cairn_error *error)
{
    const crn_section *section;
    uint64_t words[QUERY_ENDS];
    if (!cairn_archive_has(archive, "query.ends")) return CAIRN_OK;
    cairn_status status = crn_archive_need(archive, "query.ends",
                                           (crn_section_shape){8, sizeof words}, &section, error);
    if (status) return status;
    memcpy(words, section->data, sizeof words);
    if (words[0] > (CAIRN_FROM_POSITION | CAIRN_TO_POSITION))
        return crn_fail(error, CAIRN_BAD_DATA, 0,
                        "the query's ends are positions in a way that makes no sense");
    out->by_position = (uint32_t)words[0];
    out->from_position = (cairn_position){crn_bits_double(words[1]), crn_bits_double(words[2]),
                                          crn_bits_double(words[3])};
    out->to_position = (cairn_position){crn_bits_double(words[4]), crn_bits_double(words[5]),
                                        crn_bits_double(words[6])};
    return CAIRN_OK;
}

static cairn_status query_take_goals(const cairn_archive *archive, cairn_query *out,
                                     cairn_error *error)
{
    const crn_section *goals;
    cairn_status status = crn_archive_take(archive, "query.goals", 4, &goals, error);
    if (status || !goals) return status;
    if (goals->size / 4 > UINT32_MAX)
        return crn_fail(error, CAIRN_BAD_DATA, 0,
                        "the query has more goals than there can be nodes");
    out->goals = (const cairn_node *)(const void *)goals->data;
    out->goal_count = (uint32_t)(goals->size / 4);
    return CAIRN_OK;
}

cairn_status cairn_archive_query(const cairn_archive *archive, cairn_query *out, cairn_error *error)
{
    if (!archive || !out)
        return crn_fail(error, CAIRN_INVALID, 0, "no archive or no place for the result");
    *out = (cairn_query){0};
    if (!cairn_archive_has(archive, "query"))
        return crn_fail(error, CAIRN_BAD_DATA, 0, "there is no query in this .cairn file");
    const crn_section *section;
    uint64_t words[QUERY_WORDS];
    cairn_status status =
        crn_archive_need(archive, "query", (crn_section_shape){8, sizeof words}, &section, error);
    if (status) return status;
    memcpy(words, section->data, sizeof words);
    double radius = crn_bits_double(words[3]);
    if (words[0] > UINT32_MAX || words[1] > UINT32_MAX || words[2] > CAIRN_GOAL_NONE ||
        radius != radius || words[4] > UINT32_MAX || words[6] > 1)
        return crn_fail(error, CAIRN_BAD_DATA, 0,
                        "the query holds a number that makes no sense there");
    cairn_query query = {.from = (cairn_node)words[0],
                         .to = (cairn_node)words[1],
                         .goal_kind = (cairn_goal_kind)words[2],
                         .radius = radius,
                         .max_cost = (cairn_cost)words[4],
                         .max_work = words[5],
                         .partial = words[6] != 0};
    status = query_take_goals(archive, &query, error);
    if (!status) status = query_take_ends(archive, &query, error);
    if (!status) *out = query;
    return status;
}
