/* index.c: the life of an index: built, kept up to date, saved and loaded.
 *
 * What is the same for all algorithms happens here: whether there is an index and which version of
 * the world it fits, and in files the section "index", which says what it is the index of. It is
 * made of 64-bit numbers:
 *
 *     1 (layout of this section), name of the algorithm (4, eight letters in each, zeros behind
 *     it), format of the
 *     algorithm's own sections, hash and node count of the space, number of parameters, their
 *     values
 */
#include "search/algorithm.h"
#include "store/container.h"

#define INDEX_SECTION "index"
#define INDEX_LAYOUT 1u

enum {
    INDEX_NAME = 1,
    INDEX_NAME_WORDS = 4,
    INDEX_FORMAT = INDEX_NAME + INDEX_NAME_WORDS,
    INDEX_HASH,
    INDEX_NODES,
    INDEX_PARAMETERS,
    INDEX_HEAD,
    INDEX_NUMBERS = INDEX_HEAD + CRN_MAX_PARAMETERS
};

/* ---- building and refreshing ---- */

/* Does it fit the world as it is, and what it was built on? */
static cairn_status index_state(const cairn_planner *planner)
{
    if (!planner->algorithm->index) return CAIRN_OK;
    if (!planner->built) return CAIRN_NOT_BUILT;
    if (planner->built_version != cairn_space_version(planner->space)) return CAIRN_STALE;
    const cairn_planner *base = planner->base ? crn_index_owner(planner->base) : NULL;
    bool fits =
        !base || (base->generation == planner->base_generation && index_state(base) == CAIRN_OK);
    return fits ? CAIRN_OK : CAIRN_STALE;
}

cairn_status cairn_planner_state(const cairn_planner *planner)
{
    if (!planner) return CAIRN_INVALID;
    planner = crn_index_owner(planner);
    /* the old index is used until there is a new one */
    return planner->syncing ? CAIRN_OK : index_state(planner);
}

void crn_index_abandon(cairn_planner *planner)
{
    if (planner->syncing) planner->algorithm->index->abandon(planner);
    if (planner->slicing) { /* what is unfinished is of no use */
        planner->algorithm->index->drop(planner);
        cairn_archive_close(planner->archive); /* lets go of it */
        planner->archive = NULL;
    }
    planner->built &= !planner->slicing;
    planner->syncing = planner->slicing = false;
    planner->slice_saved = 0;
}

static void index_drop(cairn_planner *planner)
{
    crn_index_abandon(planner);
    planner->generation++;
    if (planner->built) planner->algorithm->index->drop(planner);
    planner->built = false;
    cairn_archive_close(planner->archive); /* lets go of it */
    planner->archive = NULL;
}

/* ---- what it takes ---- */

uint64_t crn_index_work(const cairn_planner *planner)
{
    planner = crn_index_owner(planner);
    return planner->index_work + (planner->base ? crn_index_work(planner->base) : 0);
}

/* Adds what the last build or repair took. */
static void index_charge(cairn_planner *planner, uint64_t least)
{
    const crn_index_functions *index = planner->algorithm->index;
    uint64_t work = index->work ? index->work(planner) : 0;
    planner->index_work += work > least ? work : least;
}

static cairn_status index_slice(cairn_planner *planner, uint64_t work, cairn_error *error);

/* ---- whole ---- */

/* How an index came about. */
typedef enum index_origin { INDEX_BUILT, INDEX_REPAIRED, INDEX_LOADED } index_origin;

#if defined(CAIRN_CHECKS)
/* Checks the index: after builds of worlds that are not too large, and after repairs of large
 * worlds only now and then. The cost of a check must not grow with the world where that of repairs
 * does not. A file with correct checksums may hold an index that is wrong but harmless: what was
 * loaded is not our mistake (index_check_loaded). */
static void index_check(cairn_planner *planner, index_origin origin)
{
    enum { NODES_A_REPAIR = 256, NODES_A_BUILD = 4096 };
    const crn_index_functions *index = planner->algorithm->index;
    if (origin != INDEX_REPAIRED) {
        planner->loaded = origin == INDEX_LOADED;
        planner->repairs = 0;
    }
    if (planner->loaded || !index->check) return;
    if (origin == INDEX_BUILT && planner->space->node_count > NODES_A_BUILD) return;
    bool now = planner->repairs++ % (1 + planner->space->node_count / NODES_A_REPAIR) == 0;
    if (now) CRN_CHECK_RIGHT(planner->space->context, index->check(planner, true));
}
#endif

/* Builds with checks refuse an index that does not pass its check, as far as loading is said to
 * ensure it. */
static cairn_status index_check_loaded(cairn_planner *planner, cairn_error *error)
{
    (void)planner;
    (void)error;
#if defined(CAIRN_CHECKS)
    const crn_index_functions *index = planner->algorithm->index;
    const char *wrong = index->check ? index->check(planner, false) : NULL;
    if (wrong) {
        index->drop(planner);
        return crn_fail(error, CAIRN_BAD_DATA, 0, "the index does not pass its check: %s", wrong);
    }
#endif
    return CAIRN_OK;
}

/* Records whether there is an index now. */
static cairn_status index_note(cairn_planner *planner, cairn_status status, index_origin origin)
{
    planner->generation++;
    planner->built = status == CAIRN_OK;
    planner->built_version = cairn_space_version(planner->space);
    if (planner->base) planner->base_generation = crn_index_owner(planner->base)->generation;
    (void)origin;
#if defined(CAIRN_CHECKS)
    if (planner->built) index_check(planner, origin);
#endif
    return status;
}

/* Brings what it is built on up to date, if there is such an index. */
static cairn_status index_sync_base(cairn_planner *planner, cairn_error *error)
{
    return planner->base ? cairn_planner_sync(planner->base, NULL, error) : CAIRN_OK;
}

cairn_status cairn_planner_build(cairn_planner *planner, const cairn_progress *progress,
                                 cairn_error *error)
{
    if (!planner) return crn_fail(error, CAIRN_INVALID, 0, "no planner");
    const crn_index_functions *index = planner->algorithm->index;
    if (!index) return CAIRN_OK;
    planner = crn_index_owner(planner);
    index_drop(planner);
    cairn_status status = index_sync_base(planner, error);
    if (status == CAIRN_OK) {
        status = index->build(planner, progress, error);
        index_charge(planner, planner->space->node_count);
    }
    return index_note(planner, status, INDEX_BUILT);
}

cairn_status cairn_planner_sync(cairn_planner *planner, const cairn_progress *progress,
                                cairn_error *error)
{
    if (!planner) return crn_fail(error, CAIRN_INVALID, 0, "no planner");
    planner = crn_index_owner(planner);
    if (planner->slicing) {
        cairn_status status = CAIRN_RUNNING;
        while (status == CAIRN_RUNNING) status = index_slice(planner, UINT64_MAX, error);
        return status;
    }
    cairn_status state = index_state(planner);
    crn_index_abandon(planner);
    if (state == CAIRN_OK) return CAIRN_OK;
    const crn_index_functions *index = planner->algorithm->index;
    if (state == CAIRN_STALE && index->repair) {
        cairn_status status = index_sync_base(planner, error);
        if (status == CAIRN_OK) {
            status = index->repair(planner, progress, error);
            index_charge(planner, 1);
        }
        if (status == CAIRN_OK) return index_note(planner, CAIRN_OK, INDEX_REPAIRED);
        if (status != CAIRN_STALE) {
            index_drop(planner);
            return status;
        }
    }
    return cairn_planner_build(planner, progress, error);
}

cairn_status crn_index_sync_begin(cairn_planner *planner, bool defers, cairn_error *error)
{
    if (!planner) return crn_fail(error, CAIRN_INVALID, 0, "no planner");
    planner = crn_index_owner(planner);
    if (planner->syncing) return CAIRN_RUNNING;
    const crn_index_functions *index = planner->algorithm->index;
    cairn_status status = CAIRN_STALE;
    planner->defers = defers;
    if (!planner->slicing && index_state(planner) == CAIRN_STALE && index->sync_begin)
        status = index->sync_begin(planner, error);
    if (status != CAIRN_RUNNING) return cairn_planner_sync(planner, NULL, error);
    planner->syncing = true;
    planner->sync_version = cairn_space_version(planner->space);
    return status;
}

cairn_status cairn_planner_sync_begin(cairn_planner *planner, cairn_error *error)
{
    return crn_index_sync_begin(planner, false, error);
}

cairn_status cairn_planner_sync_end(cairn_planner *planner, bool wait, cairn_error *error)
{
    if (!planner) return crn_fail(error, CAIRN_INVALID, 0, "no planner");
    planner = crn_index_owner(planner);
    if (!planner->syncing) return cairn_planner_state(planner);
    cairn_status status = planner->algorithm->index->sync_end(planner, wait, error);
    if (status == CAIRN_RUNNING) return status;
    planner->syncing = false;
    if (status != CAIRN_OK) return status; /* the old index is still there, stale as it was */
    planner->generation++;
    planner->built_version = planner->sync_version;
#if defined(CAIRN_CHECKS)
    if (index_state(planner) == CAIRN_OK) index_check(planner, INDEX_REPAIRED);
#endif
    return cairn_planner_state(planner);
}

/* ---- in slices ---- */

/* Begins a build or repair, or takes in what was committed meanwhile. If the answer is not
 * CAIRN_RUNNING, there is no index. */
static cairn_status index_slice_begin(cairn_planner *planner, cairn_error *error)
{
    const crn_slice_functions *slices = planner->algorithm->index->slices;
    cairn_status status = CAIRN_STALE;
    if (planner->slicing)
        status = slices->repair_begin(planner, planner->slice_version, error);
    else if (planner->built)
        status = slices->repair_begin(planner, planner->built_version, error);
    planner->slicing |= planner->built;
    if (status == CAIRN_RUNNING) return status;
    index_drop(planner);
    if (status == CAIRN_STALE) status = slices->build_begin(planner, error);
    planner->slicing = status == CAIRN_RUNNING;
    return status;
}

/* The next slice, with what others have saved. All that it is granted counts, unless the end comes
 * first. */
static cairn_status index_slice_step(cairn_planner *planner, uint64_t work, cairn_error *error)
{
    const crn_index_functions *index = planner->algorithm->index;
    uint64_t saved = planner->slice_saved,
             all = work < UINT64_MAX - saved ? work + saved : UINT64_MAX, left = all;
    cairn_status status = index->slices->step(planner, &left, error);
    CRN_CHECK(planner->space->context, left <= all);
    bool ends = status != CAIRN_RUNNING || work == UINT64_MAX;
    uint64_t done = ends ? all - left : all;
    planner->slice_saved = ends ? 0 : left;
    planner->index_work += done > saved ? done - saved : 1;
    return status;
}

static cairn_status index_slice(cairn_planner *planner, uint64_t work, cairn_error *error)
{
    uint64_t version = cairn_space_version(planner->space);
    cairn_status status = CAIRN_RUNNING;
    if (!planner->slicing || planner->slice_version != version)
        status = index_slice_begin(planner, error);
    planner->generation++;
    planner->slice_version = version;
    if (status == CAIRN_RUNNING) status = index_slice_step(planner, work, error);
    if (status == CAIRN_RUNNING) return status;
    if (status != CAIRN_OK) {
        crn_index_abandon(planner);
        return status;
    }
    planner->slicing = false;
    return index_note(planner, status, INDEX_REPAIRED);
}

cairn_status cairn_planner_sync_step(cairn_planner *planner, uint64_t work, cairn_error *error)
{
    if (!planner) return crn_fail(error, CAIRN_INVALID, 0, "no planner");
    planner = crn_index_owner(planner);
    if (planner->syncing) {
        cairn_status status = cairn_planner_sync_end(planner, planner->defers, error);
        return status == CAIRN_STALE ? CAIRN_RUNNING : status; /* the next call does the rest */
    }
    const crn_index_functions *index = planner->algorithm->index;
    if (planner->slicing || (index && index->slices && index_state(planner) != CAIRN_OK))
        return index_slice(planner, work, error);
    return cairn_planner_sync(planner, NULL, error);
}

void cairn_planner_sync_abandon(cairn_planner *planner)
{
    if (planner) crn_index_abandon(crn_index_owner(planner));
}

cairn_status cairn_planner_overlay(const cairn_planner *planner, uint32_t level,
                                   const cairn_overlay_sink *sink)
{
    if (!planner || !sink || !sink->item) return CAIRN_INVALID;
    const crn_index_functions *index = planner->algorithm->index;
    if (!index || !index->overlay) return CAIRN_UNSUPPORTED;
    cairn_status state = cairn_planner_state(planner);
    if (state == CAIRN_OK) index->overlay(planner, level, sink);
    return state;
}

cairn_status cairn_planner_set_clusters(cairn_planner *planner, const uint16_t *clusters,
                                        cairn_error *error)
{
    if (!planner) return crn_fail(error, CAIRN_INVALID, 0, "no planner");
    const crn_index_functions *index = planner->algorithm->index;
    if (!index || !index->set_clusters)
        return crn_fail(error, CAIRN_UNSUPPORTED, 0, "%s takes no clusters",
                        planner->algorithm->info.name);
    planner = crn_index_owner(planner);
    index_drop(planner);
    return index->set_clusters(planner, clusters, error);
}

size_t cairn_planner_index_bytes(const cairn_planner *planner)
{
    if (!planner || !planner->built) return 0; /* there is none, or it is counted elsewhere */
    return planner->algorithm->index->bytes(planner) + cairn_planner_index_bytes(planner->base);
}

/* ---- shared by several planners ---- */

/* Would the index of `owner` be the same if the planner built it? */
static cairn_status index_compare_planners(const cairn_planner *planner, const cairn_planner *owner,
                                           cairn_error *error)
{
    const cairn_algorithm *info = &planner->algorithm->info;
    if (!planner->algorithm->index)
        return crn_fail(error, CAIRN_UNSUPPORTED, 0, "%s has no index", info->name);
    if (planner->algorithm != owner->algorithm)
        return crn_fail(error, CAIRN_INVALID, 0, "%s cannot use an index of %s", info->name,
                        owner->algorithm->info.name);
    if (planner->space != owner->space)
        return crn_fail(error, CAIRN_INVALID, 0, "the planners are of different spaces");
    for (uint32_t i = 0; i < info->parameter_count; i++) {
        if (planner->parameters[i] == owner->parameters[i] ||
            planner->algorithm->index->of_searches >> i & 1)
            continue;
        return crn_fail(error, CAIRN_INVALID, 0, "the planners have different values of %s",
                        info->parameters[i].name);
    }
    return CAIRN_OK;
}

/* Searches keep pointers into an index, so a planner can only change it while it has none. An index
 * that is built on another one is of no use without it. */
cairn_status cairn_planner_share(cairn_planner *planner, cairn_planner *with, cairn_error *error)
{
    if (!planner || !with) return crn_fail(error, CAIRN_INVALID, 0, "no planner");
    cairn_planner *owner = crn_index_owner(with), *above = NULL;
    if (planner->base && planner->base->algorithm == owner->algorithm) {
        above = crn_index_owner(planner);
        planner = above->base;
    }
    if (crn_index_owner(planner) == owner)
        return crn_fail(error, CAIRN_INVALID, 0, "the planners have the same index already");
    cairn_status status = index_compare_planners(planner, owner, error);
    if (status != CAIRN_OK) return status;
    if (crn_is_held(above ? &above->holders : &planner->holders))
        return crn_fail(error, CAIRN_INVALID, 0,
                        "the planner is in use: share before it has searches, agents or sharers");
    if (above) index_drop(above);
    crn_hold(&owner->holders);
    crn_planner_leave_index(planner);
    planner->owner = owner;
    planner->index = owner->index;
    planner->base = owner->base;
    return CAIRN_OK;
}

/* ---- files ---- */

/* The parameters that a file has values of. */
static uint32_t index_parameters(const crn_algorithm *algorithm)
{
    return algorithm->info.parameter_count - algorithm->index->unsaved;
}

static uint32_t index_number_count(const cairn_planner *planner)
{
    return INDEX_HEAD + index_parameters(planner->algorithm);
}

static void index_describe(const cairn_planner *planner, uint64_t numbers[INDEX_NUMBERS])
{
    const cairn_algorithm *info = &planner->algorithm->info;
    memset(numbers, 0, INDEX_NUMBERS * sizeof *numbers);
    numbers[0] = INDEX_LAYOUT;
    for (uint32_t i = 0; info->name[i] && i < INDEX_NAME_WORDS * 8; i++) {
        numbers[INDEX_NAME + i / 8] |= (uint64_t)(uint8_t)info->name[i] << i % 8 * 8;
    }
    numbers[INDEX_FORMAT] = planner->algorithm->index->format;
    if (planner->base)
        numbers[INDEX_FORMAT] |= (uint64_t)planner->base->algorithm->index->format << 32;
    numbers[INDEX_HASH] = cairn_space_hash(planner->space);
    numbers[INDEX_NODES] = planner->space->node_count;
    numbers[INDEX_PARAMETERS] = index_parameters(planner->algorithm);
    for (uint32_t i = 0; i < numbers[INDEX_PARAMETERS]; i++) {
        numbers[INDEX_HEAD + i] = (uint64_t)planner->parameters[i];
    }
}

/* Does the description in a file fit this planner? */
static cairn_status index_compare(const cairn_planner *planner, const uint64_t *found,
                                  cairn_error *error)
{
    const cairn_algorithm *info = &planner->algorithm->info;
    uint64_t ours[INDEX_NUMBERS];
    index_describe(planner, ours);
    if (found[0] != ours[0])
        return crn_fail(error, CAIRN_BAD_DATA, 0, "the index is of another version");
    if (memcmp(found + INDEX_NAME, ours + INDEX_NAME, INDEX_NAME_WORDS * sizeof *ours) != 0) {
        return crn_fail(error, CAIRN_BAD_DATA, 0,
                        "the index was built by another algorithm than %s", info->name);
    }
    if (found[INDEX_FORMAT] != ours[INDEX_FORMAT] ||
        found[INDEX_PARAMETERS] != ours[INDEX_PARAMETERS]) {
        return crn_fail(error, CAIRN_BAD_DATA, 0, "the index was built by another version of %s",
                        info->name);
    }
    for (uint32_t i = 0; i < ours[INDEX_PARAMETERS]; i++) {
        if (found[INDEX_HEAD + i] == ours[INDEX_HEAD + i] ||
            planner->algorithm->index->of_searches >> i & 1)
            continue;
        return crn_fail(error, CAIRN_BAD_DATA, 0, "the index was built with another value of %s",
                        info->parameters[i].name);
    }
    if (found[INDEX_HASH] != ours[INDEX_HASH] || found[INDEX_NODES] != ours[INDEX_NODES]) {
        return crn_fail(error, CAIRN_STALE, 0,
                        "the index was built for another world, or for another agent");
    }
    return CAIRN_OK;
}

static void index_let_go(void *planner)
{
    cairn_planner_destroy(planner);
}

/* The tables of the index are not copied. A store has one index at most. */
static void index_hold(const cairn_planner *planner, cairn_store *store)
{
    cairn_planner *held = (cairn_planner *)(uintptr_t)planner;
    crn_hold(&held->holders);
    if (store->let_go) store->let_go(store->held); /* of one that could not be added whole */
    store->held = held;
    store->let_go = index_let_go;
}

static cairn_status index_save(const cairn_planner *planner, cairn_store *store, cairn_error *error)
{
    cairn_status status = planner->base ? index_save(planner->base, store, error) : CAIRN_OK;
    return status == CAIRN_OK ? planner->algorithm->index->save(planner, store, error) : status;
}

cairn_status cairn_planner_save(const cairn_planner *planner, cairn_store *store,
                                cairn_error *error)
{
    if (!planner || !store) return crn_fail(error, CAIRN_INVALID, 0, "no planner or no store");
    const crn_index_functions *index = planner->algorithm->index;
    const char *name = planner->algorithm->info.name;
    if (!index) return crn_fail(error, CAIRN_UNSUPPORTED, 0, "%s has no index", name);
    cairn_status status = index_state(crn_index_owner(planner));
    if (status != CAIRN_OK) {
        return crn_fail(error, status, 0, "the index of %s must be %s first", name,
                        status == CAIRN_STALE ? "synced" : "built");
    }
    uint64_t numbers[INDEX_NUMBERS];
    index_describe(planner, numbers);
    status = cairn_store_add(store, INDEX_SECTION,
                             (cairn_bytes){numbers, index_number_count(planner) * sizeof *numbers},
                             8, false);
    if (status != CAIRN_OK)
        return crn_fail(error, status, 0, "the index cannot be added to the file");
    index_hold(planner, store);
    return index_save(planner, store, error);
}

static cairn_status index_read(const cairn_archive *archive, uint64_t found[INDEX_NUMBERS],
                               size_t *size, cairn_error *error)
{
    const uint32_t number = (uint32_t)sizeof *found;
    const void *section = cairn_archive_section(archive, INDEX_SECTION, number, size);
    if (!section) return crn_fail(error, CAIRN_BAD_DATA, 0, "there is no index in the file");
    if (*size < INDEX_HEAD * number || *size > INDEX_NUMBERS * number) {
        return crn_fail(error, CAIRN_BAD_DATA, 0, "the description of the index has a wrong size");
    }
    memset(found, 0, INDEX_NUMBERS * number);
    memcpy(found, section, *size);
    return CAIRN_OK;
}

static cairn_status index_load(cairn_planner *planner, const cairn_archive *archive, bool borrow,
                               cairn_error *error)
{
    index_drop(planner);
    cairn_status status = CAIRN_OK;
    if (planner->base) status = index_load(crn_index_owner(planner->base), archive, borrow, error);
    if (status == CAIRN_OK)
        status = planner->algorithm->index->load(planner, archive, borrow, error);
    if (status == CAIRN_OK) status = index_check_loaded(planner, error);
    if (status == CAIRN_OK && borrow) {
        planner->archive = (cairn_archive *)(uintptr_t)archive;
        crn_hold(&planner->archive->holders);
    }
    return index_note(planner, status, INDEX_LOADED);
}

cairn_status cairn_planner_load(cairn_planner *planner, const cairn_archive *archive, bool borrow,
                                cairn_error *error)
{
    if (!planner || !archive) return crn_fail(error, CAIRN_INVALID, 0, "no planner or no archive");
    const crn_index_functions *index = planner->algorithm->index;
    if (!index) {
        return crn_fail(error, CAIRN_UNSUPPORTED, 0, "%s has no index",
                        planner->algorithm->info.name);
    }
    cairn_planner *owner = crn_index_owner(planner); /* the file may be that of a sharer */
    index_drop(owner);
    uint64_t found[INDEX_NUMBERS];
    size_t size;
    cairn_status status = index_read(archive, found, &size, error);
    if (status == CAIRN_OK) status = index_compare(planner, found, error);
    if (status == CAIRN_OK && size != index_number_count(planner) * sizeof *found) {
        status =
            crn_fail(error, CAIRN_BAD_DATA, 0, "the description of the index has a wrong size");
    }
    return status == CAIRN_OK ? index_load(owner, archive, borrow, error) : status;
}

/* ---- what a file says ---- */

/* Writes n/256 with as many decimals as it needs, six at most, rounded up. Reading it gives n, as
 * readers round down. */
static void index_say_number(uint64_t n, char out[32])
{
    size_t at = crn_format(out, 32, "%llu", (unsigned long long)(n / 256));
    uint32_t part = ((uint32_t)(n % 256) * 1000000 + 255) / 256;
    if (part) out[at++] = '.';
    for (; part; part = part % 100000 * 10) out[at++] = (char)('0' + part / 100000);
    out[at] = 0;
}

/* Appends ":key=value" or ",key=value". False if it is not a value of the parameter, or does not
 * fit. */
static bool index_say_parameter(const cairn_parameter *parameter, int64_t value, bool first,
                                char *text, size_t size)
{
    char number[32];
    if (value < parameter->minimum || value > parameter->maximum) return false;
    if (parameter->type == CAIRN_PARAMETER_CHOICE)
        crn_format(number, sizeof number, "%s", parameter->choices[value]);
    else if (parameter->type == CAIRN_PARAMETER_INTEGER)
        crn_format(number, sizeof number, "%llu", (unsigned long long)value);
    else
        index_say_number((uint64_t)value, number);
    size_t used = strlen(text);
    size_t added =
        crn_format(text + used, size - used, "%c%s=%s", first ? ':' : ',', parameter->name, number);
    return used + added + 1 < size;
}

static void index_say(const uint64_t *found, cairn_index_info *out)
{
    size_t length = strlen(out->spec);
    const crn_algorithm *algorithm = crn_algorithm_find(out->spec, length);
    if (!algorithm || !algorithm->index) return;
    if (index_parameters(algorithm) != found[INDEX_PARAMETERS]) return;
    for (uint32_t i = 0; i < found[INDEX_PARAMETERS]; i++) {
        if (index_say_parameter(&algorithm->info.parameters[i], (int64_t)found[INDEX_HEAD + i], !i,
                                out->spec, sizeof out->spec))
            continue;
        out->spec[length] = 0;
        return;
    }
}

cairn_status cairn_archive_index(const cairn_archive *archive, cairn_index_info *out,
                                 cairn_error *error)
{
    if (!archive || !out)
        return crn_fail(error, CAIRN_INVALID, 0, "no archive or no place for the result");
    *out = (cairn_index_info){0};
    uint64_t found[INDEX_NUMBERS];
    size_t size;
    cairn_status status = index_read(archive, found, &size, error);
    if (status != CAIRN_OK) return status;
    if (found[0] != INDEX_LAYOUT)
        return crn_fail(error, CAIRN_BAD_DATA, 0, "the index is of another version");
    for (uint32_t i = 0; i < INDEX_NAME_WORDS * 8; i++) {
        char letter = (char)(found[INDEX_NAME + i / 8] >> i % 8 * 8 & 0xff);
        bool after = i && !out->spec[i - 1];
        if (after ? letter != 0 : letter && (letter <= ' ' || letter > '~'))
            return crn_fail(error, CAIRN_BAD_DATA, 0,
                            "the algorithm of the index has no proper name");
        out->spec[i] = letter;
    }
    if (!out->spec[0] || found[INDEX_PARAMETERS] != size / sizeof *found - INDEX_HEAD) {
        *out = (cairn_index_info){0};
        return crn_fail(error, CAIRN_BAD_DATA, 0, "the description of the index makes no sense");
    }
    out->space_hash = found[INDEX_HASH];
    out->node_count = found[INDEX_NODES];
    index_say(found, out);
    return CAIRN_OK;
}
