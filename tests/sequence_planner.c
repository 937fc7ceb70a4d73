/* sequence_planner.c: the planners of a program, and the life of their indexes: built, stale,
 * repaired whole, in slices and in the background, given up, saved and loaded (see sequence.h).
 * What planner.h says about that life is kept beside each planner, and compared after every call.
 */
#include "sequence.h"

/* ---- slots --------------------------------------------------------------------------------- */

uint32_t planner_number(const sequence *q, const sequence_planner *p)
{
    return (uint32_t)(p - q->planners);
}

sequence_planner *planner_any(sequence *q, bool with_handle)
{
    uint32_t first = choose(q, SEQUENCE_PLANNERS);
    for (uint32_t i = 0; i < SEQUENCE_PLANNERS; i++) {
        sequence_planner *p = &q->planners[(first + i) % SEQUENCE_PLANNERS];
        if (p->planner && (!with_handle || !p->gone)) return p;
    }
    return NULL;
}

static void planner_forget(sequence_planner *p)
{
    sequence_space *space = p->space;
    *p = (sequence_planner){0};
    space_leave(space);
}

void planner_leave(sequence_planner *p)
{
    p->users--;
    if (p->gone && !p->users) planner_forget(p);
}

void planner_destroy(sequence *q, sequence_planner *p)
{
    if (!p->planner || p->gone) return;
    sequence_before(q, "planner_destroy(planner%u)", planner_number(q, p));
    cairn_planner_destroy(p->planner);
    q->memory.fail_at = 0;
    p->gone = true;
    if (!p->users) planner_forget(p);
}

/* ---- which algorithm --------------------------------------------------------------------------- */

static int64_t value_drawn(sequence *q, const cairn_parameter *parameter)
{
    int64_t least = parameter->minimum, most = parameter->maximum;
    uint32_t span = most - least < 12 ? (uint32_t)(most - least) + 1 : 12;
    if (parameter->type == CAIRN_PARAMETER_NUMBER)
        return least + 64 * choose(q, 12) < most ? least + 64 * choose(q, 12) : most;
    /* some searches would never end */
    if (one_in(q, 12)) return strcmp(parameter->name, "effort") ? most : 20000;
    return least + choose(q, span);
}

/* Half of them as they are by default. */
static const cairn_algorithm *spec_drawn(sequence *q, char *spec, size_t size)
{
    const cairn_algorithm *a = cairn_algorithm_at(choose(q, cairn_algorithm_count()));
    snprintf(spec, size, "%s", a->name);
    if (one_in(q, 2)) return a;
    char before = ':';
    for (uint32_t i = 0; i < a->parameter_count; i++) {
        if (!one_in(q, 3)) continue;
        parameter_append(spec, size, &a->parameters[i], value_drawn(q, &a->parameters[i]), before);
        before = ',';
    }
    return a;
}

static bool is_claimed(const cairn_algorithm *a, const char *spec, const sequence_space *s)
{
    return !s->below && !strchr(spec, ':') && conformance_claims(a, &s->place);
}

static bool needs_index(const sequence_planner *p)
{
    return p->algorithm->flags & CAIRN_NEEDS_INDEX;
}

static void build(sequence *q, sequence_planner *p);

void planner_create(sequence *q)
{
    sequence_planner *p = NULL;
    for (uint32_t i = 0; i < SEQUENCE_PLANNERS; i++) {
        if (!q->planners[i].planner) p = &q->planners[i];
    }
    sequence_space *s = space_any(q);
    if (!p || !s) return;
    char spec[sizeof p->spec];
    const cairn_algorithm *a = spec_drawn(q, spec, sizeof spec);
    cairn_planner *planner = NULL;
    cairn_error error = {0};
    cairn_status status = SEQUENCE_CALL(q, cairn_planner_create(s->space, spec, &planner, &error),
                                        "planner_create(space%u, %s)", space_number(q, s), spec);
    /* some values are refused although they lie between the least and the largest */
    bool invalid = status == CAIRN_INVALID && strchr(spec, ':');
    bool may =
        status == CAIRN_OK || q->refused ||
        ((status == CAIRN_UNSUPPORTED || invalid) && error.text[0] && !is_claimed(a, spec, s));
    CHECK(may && !planner == (status != CAIRN_OK), "%s: %s", spec, error.text);
    if (!planner) return;
    *p = (sequence_planner){
        .planner = planner, .space = s, .algorithm = a, .optimal = cairn_planner_optimal(planner)};
    memcpy(p->spec, spec, sizeof spec);
    s->users++;
    sequence_note(q, " -> planner%u", planner_number(q, p));
    if (!one_in(q, 4)) build(q, p);
}

/* ---- what is known of an index -------------------------------------------------------------------- */

cairn_status planner_expected(const sequence_planner *p)
{
    if (!needs_index(p) || p->syncing) return CAIRN_OK;
    if (!p->built) return CAIRN_NOT_BUILT;
    return p->version == space_version(p->space) ? CAIRN_OK : CAIRN_STALE;
}

static void check_state(const sequence_planner *p)
{
    if (p->gone) return;
    cairn_status state = cairn_planner_state(p->planner), must = planner_expected(p);
    if (p->slicing) {
        CHECK(state == CAIRN_STALE || state == CAIRN_NOT_BUILT, "%s in slices: %s", p->spec,
              cairn_status_text(state));
        return;
    }
    CHECK(state == must, "%s is \"%s\", not \"%s\"", p->spec, cairn_status_text(state),
          cairn_status_text(must));
}

/* What is known of an index is known of all planners that share it. */
static void planner_spread(sequence *q, const sequence_planner *p)
{
    for (uint32_t i = 0; p->group && i < SEQUENCE_PLANNERS; i++) {
        sequence_planner *other = &q->planners[i];
        if (other->group != p->group) continue;
        other->built = p->built, other->slicing = p->slicing, other->syncing = p->syncing;
        other->version = p->version, other->sync_version = p->sync_version;
        other->unsure = p->unsure, other->generation = p->generation, other->given = p->given;
        check_state(other);
    }
}

/* A planner with the same index whose handle is still there, or else this one. */
static sequence_planner *planner_seen(sequence *q, sequence_planner *p)
{
    for (uint32_t i = 0; p->gone && p->group && i < SEQUENCE_PLANNERS; i++) {
        sequence_planner *other = &q->planners[i];
        if (other->group == p->group && other->planner && !other->gone) return other;
    }
    return p;
}

static void planner_look(sequence_planner *p)
{
    if (p->gone) {
        p->unsure = true;
        return;
    }
    cairn_status state = cairn_planner_state(p->planner);
    if (state == planner_expected(p) && !p->slicing && !p->syncing) return;
    if (p->slicing && state != CAIRN_OK) return; /* slices that the agent left alone */
    p->syncing = p->slicing = false;
    p->generation++;
    p->built = state != CAIRN_NOT_BUILT;
    if (state == CAIRN_OK) p->version = space_version(p->space);
}

/* An agent may have synced it, whole or by beginning to. */
void planner_recall(sequence *q, sequence_planner *p)
{
    if (!needs_index(p)) return;
    p = planner_seen(q, p);
    planner_look(p);
    planner_spread(q, p);
}

static void note_index(sequence_planner *p, cairn_status status)
{
    p->slicing = p->syncing = false;
    p->built = status == CAIRN_OK;
    p->version = space_version(p->space);
    p->generation++;
    check_state(p);
}

/* ---- building and syncing ----------------------------------------------------------------------------- */

/* Says no at a report. */
typedef struct patience {
    uint32_t reports, least;
} patience;

static bool is_patient(void *user, uint64_t done, uint64_t total)
{
    patience *p = user;
    CHECK(done <= total, "%u of %u", (unsigned)done, (unsigned)total);
    return ++p->reports != p->least;
}

static patience patience_drawn(sequence *q)
{
    return (patience){.least = one_in(q, 16) ? 1 + choose(q, 6) : 0};
}

static void check_made(const sequence *q, const sequence_planner *p, const patience *asked,
                       cairn_status status)
{
    bool stopped = asked->least && asked->reports >= asked->least;
    CHECK(status == CAIRN_OK || (status == CAIRN_OUT_OF_MEMORY && q->refused) ||
              (status == CAIRN_CANCELLED && stopped),
          "%s: %s", p->spec, cairn_status_text(status));
}

static void build(sequence *q, sequence_planner *p)
{
    patience asked = patience_drawn(q);
    cairn_progress progress = {is_patient, &asked};
    cairn_status status = SEQUENCE_CALL(q, cairn_planner_build(p->planner, &progress, NULL),
                                        "build(planner%u)", planner_number(q, p));
    check_made(q, p, &asked, status);
    if (needs_index(p)) note_index(p, status);
}

/* Whatever they are, answers stay the best ones. The index is dropped even if memory fails. */
static void give_clusters(sequence *q, sequence_planner *p)
{
    bool takes = !strcmp(p->algorithm->name, "cluster-table"), none = one_in(q, 4);
    uint32_t count = cairn_space_node_count(p->space->space), kinds = 1 + choose(q, 7);
    uint32_t salt = choose(q, 1000);
    uint16_t *clusters = malloc((count + 1u) * sizeof *clusters);
    if (!clusters) abort();
    for (uint32_t i = 0; i < count; i++) {
        uint32_t drawn = ((i + salt) * 2654435761u >> 16) % (kinds + 1);
        clusters[i] = drawn ? (uint16_t)(drawn * 999) : CAIRN_NO_CLUSTER;
    }
    cairn_status status =
        SEQUENCE_CALL(q, cairn_planner_set_clusters(p->planner, none ? NULL : clusters, NULL),
                      "set_clusters(planner%u, %u)", planner_number(q, p), none ? 0 : kinds);
    CHECK(takes ? status == CAIRN_OK || (status == CAIRN_OUT_OF_MEMORY && q->refused)
                : status == CAIRN_UNSUPPORTED,
          "%s: %s", p->spec, cairn_status_text(status));
    if (takes) note_index(p, CAIRN_NOT_BUILT);
    p->given = p->given || takes;
    free(clusters);
}

/* Nothing happens to an index that is up to date. */
static void note_sync(sequence_planner *p, cairn_status status)
{
    bool fits = p->built && !p->slicing && p->version == space_version(p->space);
    p->syncing = p->syncing && !fits;
    if (needs_index(p) && (!fits || status != CAIRN_OK)) note_index(p, status);
    check_state(p);
}

static void sync_whole(sequence *q, sequence_planner *p)
{
    patience asked = patience_drawn(q);
    cairn_progress progress = {is_patient, &asked};
    cairn_status status = SEQUENCE_CALL(q, cairn_planner_sync(p->planner, &progress, NULL),
                                        "sync(planner%u)", planner_number(q, p));
    check_made(q, p, &asked, status);
    note_sync(p, status);
}

static void sync_in_slices(sequence *q, sequence_planner *p)
{
    static const uint32_t works[] = {1, 5, 40, 300};
    for (uint32_t i = 1 + choose(q, 4); i; i--) {
        if (p->syncing) return; /* when that is ready is not ours to say */
        uint32_t work = works[choose(q, LENGTH(works))];
        cairn_status status = SEQUENCE_CALL(q, cairn_planner_sync_step(p->planner, work, NULL),
                                            "sync_step(planner%u, %u)", planner_number(q, p), work);
        bool slices = p->algorithm->flags & CAIRN_SLICES;
        CHECK(status == CAIRN_OK || (status == CAIRN_OUT_OF_MEMORY && q->refused) ||
                  (status == CAIRN_RUNNING && slices),
              "%s: %s", p->spec, cairn_status_text(status));
        if (status != CAIRN_RUNNING) {
            note_sync(p, status);
            return;
        }
        p->slicing = true;
        p->built = false;
        p->generation++;
        check_state(p);
    }
}

static void sync_begin(sequence *q, sequence_planner *p)
{
    cairn_status status = SEQUENCE_CALL(q, cairn_planner_sync_begin(p->planner, NULL),
                                        "sync_begin(planner%u)", planner_number(q, p));
    bool may = q->workers && (p->algorithm->flags & CAIRN_BACKGROUND);
    CHECK(status == CAIRN_OK || (status == CAIRN_OUT_OF_MEMORY && q->refused) ||
              (status == CAIRN_RUNNING && may),
          "%s: %s", p->spec, cairn_status_text(status));
    if (status != CAIRN_RUNNING) {
        note_sync(p, status);
        return;
    }
    if (!p->syncing) p->sync_version = space_version(p->space);
    p->syncing = true;
}

static void sync_end(sequence *q, sequence_planner *p)
{
    cairn_status status = SEQUENCE_CALL(q, cairn_planner_sync_end(p->planner, true, NULL),
                                        "sync_end(planner%u)", planner_number(q, p));
    CHECK(status != CAIRN_RUNNING, "%s: not waited for", p->spec);
    if (p->syncing) {
        p->syncing = false;
        p->version = p->sync_version;
        p->generation++;
    }
    check_state(p);
    CHECK(p->slicing || status == planner_expected(p), "%s: %s", p->spec,
          cairn_status_text(status));
}

/* An agent would end it as soon as it is ready, and when that is nobody can say. */
bool planner_settle(sequence *q, sequence_planner *p)
{
    sequence_planner *seen = planner_seen(q, p);
    if (p->syncing && !seen->gone) sync_end(q, seen);
    planner_spread(q, seen);
    return !p->syncing;
}

static bool is_served(const sequence *q, const sequence_planner *p)
{
    const sequence_service *v = &q->service;
    for (uint32_t i = 0; i < v->planner_count; i++) {
        const sequence_planner *other = v->planners[i];
        if (other == p || (p->group && other->group == p->group)) return true;
    }
    return false;
}

/* A service may have left the index in the middle of its slices, which cannot be seen. */
static void sync_abandon(sequence *q, sequence_planner *p)
{
    sequence_before(q, "sync_abandon(planner%u)", planner_number(q, p));
    cairn_planner_sync_abandon(p->planner);
    sequence_after(q, CAIRN_OK);
    if (p->slicing) p->built = false, p->generation++;
    p->slicing = p->syncing = false;
    if (is_served(q, p) && p->algorithm->flags & CAIRN_SLICES) planner_look(p);
    check_state(p);
}

/* ---- files ---------------------------------------------------------------------------------------------- */

cairn_status sequence_write(void *user, const void *data, size_t size)
{
    bytes *b = user;
    if (b->size + size > b->capacity) {
        b->capacity = 2 * (b->size + size);
        b->block = realloc(b->block, b->capacity);
        if (!b->block) abort();
        b->data = b->block;
    }
    memcpy(b->data + b->size, data, size);
    b->size += size;
    return CAIRN_OK;
}

static bytes index_bytes(sequence *q, const cairn_planner *planner)
{
    bytes b = {0};
    cairn_store *store = NULL;
    CHECK_OK(cairn_store_create(q->context, &store));
    CHECK_OK(cairn_planner_save(planner, store, NULL));
    CHECK_OK(cairn_store_write(store, &(cairn_writer){sequence_write, &b}));
    cairn_store_destroy(store);
    return b;
}

static cairn_status save_to(sequence *q, sequence_planner *p, bytes *b)
{
    cairn_store *store = NULL;
    cairn_status status = cairn_store_create(q->context, &store);
    if (status == CAIRN_OK) status = cairn_planner_save(p->planner, store, NULL);
    if (status == CAIRN_OK) status = cairn_store_write(store, &(cairn_writer){sequence_write, b});
    cairn_store_destroy(store);
    return status;
}

static void save(sequence *q, sequence_planner *p)
{
    sequence_file *f = &q->files[choose(q, SEQUENCE_FILES)];
    bytes b = {0};
    cairn_status status = SEQUENCE_CALL(q, save_to(q, p, &b), "save(planner%u, file%u)",
                                        planner_number(q, p), (uint32_t)(f - q->files));
    bool fits = p->built && !p->slicing && p->version == space_version(p->space);
    cairn_status must = !needs_index(p) ? CAIRN_UNSUPPORTED
                        : fits          ? CAIRN_OK
                        : p->built      ? CAIRN_STALE
                                        : CAIRN_NOT_BUILT;
    bool unfinished = p->slicing && (status == CAIRN_STALE || status == CAIRN_NOT_BUILT);
    CHECK(status == must || unfinished || (status == CAIRN_OUT_OF_MEMORY && q->refused),
          "%s is saved: \"%s\", not \"%s\"", p->spec, cairn_status_text(status),
          cairn_status_text(must));
    if (status != CAIRN_OK) {
        bytes_free(&b);
        return;
    }
    bytes_free(&f->bytes);
    *f = (sequence_file){.bytes = b, .hash = cairn_space_hash(p->space->space)};
    memcpy(f->spec, p->spec, sizeof f->spec);
}

/* Tables are used where they are, so the bytes stay until the end. */
static bytes file_kept(sequence *q, const bytes *b)
{
    bytes copy = {.size = b->size, .capacity = b->size, .block = malloc(b->size)};
    q->kept = realloc(q->kept, (q->kept_count + 1) * sizeof *q->kept);
    if (!copy.block || !q->kept) abort();
    copy.data = copy.block;
    memcpy(copy.data, b->data, b->size);
    return q->kept[q->kept_count++] = copy;
}

static cairn_status load_from(sequence *q, sequence_planner *p, const bytes *b, bool borrow,
                              cairn_error *error)
{
    cairn_archive *archive = NULL;
    bytes file = borrow ? file_kept(q, b) : *b;
    cairn_status status =
        cairn_archive_open(q->context, (cairn_bytes){file.data, file.size}, 0, &archive, error);
    if (status == CAIRN_OK) status = cairn_planner_load(p->planner, archive, borrow, error);
    cairn_archive_close(archive);
    return status;
}

/* What loading a file must say: specifications that differ in text may still mean the same. */
static bool load_is_right(const sequence_planner *p, const sequence_file *f, cairn_status status)
{
    if (!needs_index(p)) return status == CAIRN_UNSUPPORTED;
    bool same = !strcmp(p->spec, f->spec), fits = f->hash == cairn_space_hash(p->space->space);
    if (same) return status == (fits ? CAIRN_OK : CAIRN_STALE);
    return status == CAIRN_BAD_DATA || status == CAIRN_STALE || (status == CAIRN_OK && fits);
}

static void load(sequence *q, sequence_planner *p)
{
    const sequence_file *f = &q->files[choose(q, SEQUENCE_FILES)];
    bool borrow = one_in(q, 2);
    cairn_error error = {0};
    if (!f->bytes.size || p->syncing) return;
    cairn_status status =
        SEQUENCE_CALL(q, load_from(q, p, &f->bytes, borrow, &error), "load(planner%u, file%u%s)",
                      planner_number(q, p), (uint32_t)(f - q->files), borrow ? ", borrowed" : "");
    bool lost = status == CAIRN_OUT_OF_MEMORY && q->refused;
    CHECK(lost || load_is_right(p, f, status), "%s of %s is loaded: %s: %s", f->spec, p->spec,
          cairn_status_text(status), error.text);
    if (lost && !needs_index(p)) return;
    if (lost)
        planner_recall(q, p); /* before or after the old one was dropped */
    else if (status != CAIRN_UNSUPPORTED)
        note_index(p, status);
}

/* These promise that a repaired index is a rebuilt one, as far as repairs keep it: boxes are
 * dropped. */
static bool repairs_exactly(const sequence_planner *p)
{
    static const char *const names[] = {"hpa", "dhpa", "mm", "dbastar", "jps-plus"};
    for (uint32_t i = 0; i < LENGTH(names) && !strstr(p->spec, "boxes=on"); i++) {
        if (!strcmp(names[i], p->algorithm->name)) return true;
    }
    return false;
}

static void compare_with_rebuilt(sequence *q, sequence_planner *p)
{
    if (p->given) return; /* another one has other clusters */
    cairn_planner *other = NULL;
    bool fits = p->built && !p->slicing && !p->syncing && p->version == space_version(p->space);
    if (p->space->gone || !fits || !repairs_exactly(p)) return;
    sequence_before(q, "compare(planner%u, rebuilt)", planner_number(q, p));
    sequence_after(q, CAIRN_OK);
    CHECK_OK(planner_ready(p->space->space, p->spec, &other, NULL));
    bytes a = index_bytes(q, p->planner), b = index_bytes(q, other);
    CHECK(bytes_same(&a, &b), "%s: repaired it is another index than rebuilt", p->spec);
    bytes_free(&a), bytes_free(&b);
    cairn_planner_destroy(other);
}

/* ---- the next move ------------------------------------------------------------------------------------- */

/* Ground differs in cost. */
static bool moves_are_refused(const sequence_planner *p)
{
    const place *seen = &p->space->place;
    return seen->scene && scene_differs_in_cost(seen->scene, &seen->profile);
}

/* May it be refused though no cost is left that differs? The map keeps a plane that has been. */
static bool moves_may_be_refused(const sequence_planner *p)
{
    const cairn_profile *profile = &p->space->place.profile;
    return p->space->place.scene && (profile->layer_weight || profile->gradient);
}

/* What must come of it, as planner.h says. */
static cairn_status next_expected(sequence *q, sequence_planner *p, cairn_node from, cairn_node to)
{
    oracle *o = space_oracle(p->space, &q->world);
    if (!(p->algorithm->flags & CAIRN_NEXT_MOVE)) return CAIRN_UNSUPPORTED;
    if (planner_expected(p) != CAIRN_OK) return planner_expected(p);
    if (!o->usable[from]) return CAIRN_BLOCKED_START;
    if (!o->usable[to]) return CAIRN_BLOCKED_GOAL;
    if (from == to) return CAIRN_FOUND;
    if (moves_are_refused(p)) return CAIRN_UNSUPPORTED;
    oracle_search(o, from);
    return o->distance[to] == ORACLE_NONE ? CAIRN_UNREACHABLE : CAIRN_FOUND;
}

static void ask_next(sequence *q, sequence_planner *p)
{
    cairn_node from = q->haunts[choose(q, SEQUENCE_HAUNTS)], to = world_place(q), next = 0;
    if (p->slicing || p->syncing) return;
    cairn_status status =
        SEQUENCE_CALL(q, cairn_planner_next(p->planner, from, to, &next),
                      "planner_next(planner%u, %u, %u)", planner_number(q, p), from, to);
    cairn_status must = next_expected(q, p, from, to);
    bool may = status == CAIRN_UNSUPPORTED && moves_may_be_refused(p) && from != to &&
               (must == CAIRN_FOUND || must == CAIRN_UNREACHABLE);
    CHECK(status == must || may, "%s: \"%s\", not \"%s\"", p->spec, cairn_status_text(status),
          cairn_status_text(must));
    if (status != CAIRN_FOUND || from == to) return;
    oracle *o = space_oracle(p->space, &q->world);
    uint64_t best = o->distance[to], cost = oracle_edge(o, from, next);
    CHECK(cost != ORACLE_NONE, "%s: there is no step from %u to %u", p->spec, from, next);
    oracle_search(o, next);
    CHECK(o->distance[to] != ORACLE_NONE, "%s: from %u no path leads on", p->spec, next);
    CHECK(!p->optimal || cost + o->distance[to] == best, "%s: %u is a detour", p->spec, next);
}

/* ---- which of it ------------------------------------------------------------------------------------------ */

void planner_sync_all(sequence *q)
{
    for (uint32_t i = 0; i < SEQUENCE_PLANNERS; i++) {
        sequence_planner *p = &q->planners[i];
        if (!p->planner || p->gone || !needs_index(p)) continue;
        sync_whole(q, p);
        planner_spread(q, p);
    }
}

/* Must these two be able to share? Specifications that differ in text may be able to as well. */
static bool share_is_right(const sequence_planner *p, const sequence_planner *with,
                           cairn_status status)
{
    if (p == with || (p->group && p->group == with->group)) /* before anything else is looked at */
        return status == CAIRN_INVALID;
    if (!needs_index(p)) return status == CAIRN_UNSUPPORTED;
    bool may = p->algorithm == with->algorithm && p->space == with->space && !p->users;
    if (!may || status != CAIRN_OK)
        return status == CAIRN_INVALID && (!may || p->group || strcmp(p->spec, with->spec) != 0);
    return true;
}

static void share_with(sequence *q, sequence_planner *p, sequence_planner *with)
{
    cairn_error error = {0};
    cairn_status status =
        SEQUENCE_CALL(q, cairn_planner_share(p->planner, with->planner, &error),
                      "share(planner%u, planner%u)", planner_number(q, p), planner_number(q, with));
    CHECK(share_is_right(p, with, status) && (status == CAIRN_OK) == !error.text[0],
          "%s shares with %s: %s: %s", p->spec, with->spec, cairn_status_text(status), error.text);
    if (status != CAIRN_OK) return;
    if (!with->group) with->group = ++q->groups;
    p->group = with->group;
    planner_spread(q, with);
}

/* Another planner like this one. */
static sequence_planner *planner_twin(sequence *q, const sequence_planner *p)
{
    cairn_planner *planner = NULL;
    for (uint32_t i = 0; !p->space->gone && i < SEQUENCE_PLANNERS; i++) {
        sequence_planner *twin = &q->planners[i];
        if (twin->planner) continue;
        cairn_status status = SEQUENCE_CALL(
            q, cairn_planner_create(p->space->space, p->spec, &planner, NULL),
            "planner_create(space%u, %s) -> planner%u", space_number(q, p->space), p->spec, i);
        CHECK(status == CAIRN_OK || q->refused, "%s: %s", p->spec, cairn_status_text(status));
        if (!planner) return NULL;
        *twin = (sequence_planner){.planner = planner,
                                   .space = p->space,
                                   .algorithm = p->algorithm,
                                   .optimal = p->optimal};
        memcpy(twin->spec, p->spec, sizeof p->spec);
        p->space->users++;
        return twin;
    }
    return NULL;
}

/* With any planner, which is refused most often, or with one that is like it. */
static void share(sequence *q, sequence_planner *p)
{
    sequence_planner *twin = one_in(q, 4) ? NULL : planner_twin(q, p);
    if (twin)
        share_with(q, twin, p);
    else
        share_with(q, p, planner_any(q, true));
}

/* From the first node to the last one. */
static void ask_estimate(sequence *q, sequence_planner *p)
{
    cairn_cost estimate = 0;
    cairn_estimate_facts facts;
    cairn_node last = cairn_space_node_count(p->space->space) - 1;
    cairn_status told = cairn_planner_estimate_facts(p->planner, &facts);
    cairn_status status = SEQUENCE_CALL(q, cairn_planner_estimate(p->planner, 0, last, &estimate),
                                        "estimate(planner%u)", planner_number(q, p));
    bool blocked = status == CAIRN_BLOCKED_START || status == CAIRN_BLOCKED_GOAL;
    CHECK(told != CAIRN_OK ? status == told
          : facts.fixed    ? status == CAIRN_OK || blocked
                           : status == CAIRN_UNSUPPORTED,
          "%s: %s", p->spec, cairn_status_text(status));
    CHECK((estimate == CAIRN_NO_COST) >= (status != CAIRN_OK), "%s", p->spec);
}

static void ask_and_give(sequence *q, sequence_planner *p)
{
    ask_next(q, p);
    if (p->planner) ask_estimate(q, p);
    if (p->planner && !strcmp(p->algorithm->name, "cluster-table")) give_clusters(q, p);
}

typedef struct deed {
    uint32_t weight;
    void (*act)(sequence *q, sequence_planner *p);
} deed;

static const deed deeds[] = {{2, build},
                             {16, sync_whole},
                             {10, sync_in_slices},
                             {3, sync_begin},
                             {2, sync_end},
                             {1, sync_abandon},
                             {2, ask_and_give},
                             {2, save},
                             {2, load},
                             {4, compare_with_rebuilt},
                             {3, share}};

void planner_touch(sequence *q)
{
    sequence_planner *p = planner_any(q, true);
    if (!p || (!needs_index(p) && !one_in(q, 12))) return;
    uint32_t sum = 0;
    for (uint32_t i = 0; i < LENGTH(deeds); i++) sum += deeds[i].weight;
    uint32_t drawn = choose(q, sum), i = 0;
    while (drawn >= deeds[i].weight) drawn -= deeds[i++].weight;
    deeds[i].act(q, p);
    planner_spread(q, p);
}
