/* reproduce_sets.c: the maps and problems of the tables (see reproduce.h).
 *
 * Maps lie in the data folder as the MovingAI benchmarks do, SET/NAME.map with NAME.map.scen
 * beside it, or are generated from seeds; some are enlarged. Problems are those of the scenario,
 * evenly thinned out, or random ones: each has a seed of its own, so that every K-th of them can
 * be had without the others.
 */
#define _POSIX_C_SOURCE 200809L
#include "reproduce.h"

#include "text.h"
#include "world.h"

#include <dirent.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

enum { SETS_FILE_MOST = 1 << 28, SETS_SHRINK = 16 };

/* ---- which maps ---- */

/* Is there a map in a folder? */
static bool sets_has_maps(const char *folder)
{
    DIR *entries = opendir(folder);
    bool found = false;
    for (struct dirent *entry; !found && entries && (entry = readdir(entries));)
        found = text_ends_with(entry->d_name, ".map");
    if (entries) closedir(entries);
    return found;
}

static bool sets_folder(const reproduce_run *run, const char *folder, char out[REPRODUCE_PATH])
{
    const char *data = run->options->data;
    if (!data) return false;
    int length = snprintf(out, REPRODUCE_PATH, "%s/%s", data, folder);
    return length > 0 && length < REPRODUCE_PATH && sets_has_maps(out);
}

static reproduce_part *sets_add(reproduce_run *run, const reproduce_table *table)
{
    reproduce_part *parts = realloc(run->parts, (run->part_count + 1u) * sizeof *parts);
    if (!parts) {
        complain("there is not enough memory for the list of maps");
        return NULL;
    }
    run->parts = parts;
    reproduce_part *part = &parts[run->part_count++];
    memset(part, 0, sizeof *part);
    part->table = table;
    return part;
}

/* How many of `count` maps are taken, and which is the i-th of them: evenly spread. */
static uint32_t sets_taken(const reproduce_run *run, uint32_t count)
{
    uint32_t maps = run->options->maps;
    return maps && maps < count ? maps : count;
}

static uint32_t sets_spread(uint32_t i, uint32_t taken, uint32_t count)
{
    return (uint32_t)((uint64_t)i * count / taken);
}

static bool sets_plan_generated(reproduce_run *run, const reproduce_table *table,
                                const reproduce_set *set)
{
    uint32_t taken = sets_taken(run, set->maps);
    for (uint32_t i = 0; i < taken; i++) {
        reproduce_part *part = sets_add(run, table);
        if (!part) return false;
        part->set = set;
        part->number = sets_spread(i, taken, set->maps) + 1;
        snprintf(part->map, sizeof part->map, "%s-%02u", reproduce_set_name(set), part->number);
    }
    return true;
}

/* Takes maps without a scenario off a list; returns how many. */
static uint32_t sets_drop_incomplete(world_list *list)
{
    uint32_t kept = 0, count = list->count;
    for (uint32_t i = 0; i < count; i++) {
        char name[REPRODUCE_PATH + 8];
        struct stat info;
        snprintf(name, sizeof name, "%s.scen", list->names[i]);
        if (stat(name, &info))
            free(list->names[i]);
        else
            list->names[kept++] = list->names[i];
    }
    list->count = kept;
    return count - kept;
}

static bool sets_plan_folder(reproduce_run *run, const reproduce_table *table,
                             const reproduce_set *set)
{
    char folder[REPRODUCE_PATH];
    if (!sets_folder(run, set->folder, folder)) return true;
    char *arguments[] = {folder};
    world_list list;
    if (!world_list_of(arguments, 1, &list)) return false;
    run->incomplete[reproduce_table_number(table)] += sets_drop_incomplete(&list);
    uint32_t taken = sets_taken(run, list.count);
    const char *before = set->repeated ? set->name : "";
    bool ok = true;
    for (uint32_t i = 0; ok && i < taken; i++) {
        reproduce_part *part = sets_add(run, table);
        ok = part != NULL;
        if (!ok) break;
        part->set = set;
        part->number = sets_spread(i, taken, list.count);
        const char *base = text_base(list.names[part->number]);
        snprintf(part->map, sizeof part->map, "%s%s%.*s", before, *before ? "-" : "",
                 (int)(strlen(base) - strlen(".map")), base);
    }
    world_list_free(&list);
    return ok;
}

/* Some of the benchmarks may be there and others not. */
static bool sets_has_map(const reproduce_run *run, const reproduce_h_map *map)
{
    char folder[REPRODUCE_PATH], name[REPRODUCE_PATH + REPRODUCE_NAME];
    struct stat info;
    if (!map->folder) return true;
    if (!sets_folder(run, map->folder, folder)) return false;
    snprintf(name, sizeof name, "%s/%s.map", folder, map->file);
    return !stat(name, &info);
}

/* One of the files of a set. */
static bool sets_has_file(const reproduce_run *run, const reproduce_set *set, uint32_t i)
{
    char name[REPRODUCE_PATH];
    struct stat info;
    if (!run->options->data) return false;
    snprintf(name, sizeof name, "%s/%s.map", run->options->data, set->files[i]);
    return !stat(name, &info);
}

bool reproduce_has_set(const reproduce_run *run, const reproduce_set *set)
{
    char folder[REPRODUCE_PATH];
    bool any = !set->files;
    for (uint32_t i = 0; !any && i < set->maps; i++) any = sets_has_file(run, set, i);
    return any && (!set->folder || sets_folder(run, set->folder, folder));
}

const char *reproduce_set_name(const reproduce_set *set)
{
    if (set->name) return set->name;
    return set->folder ? set->folder : cairn_generator_about(set->kind)->name;
}

static bool sets_is_recorded(const reproduce_run *run, const reproduce_table *table,
                             const char *map)
{
    char name[REPRODUCE_NAME * 3];
    snprintf(name, sizeof name, "journal/%s.%s.part", table->name, map);
    return reproduce_is_there(run, name);
}

static bool sets_plan_maps(reproduce_run *run, const reproduce_table *table)
{
    for (uint32_t i = 0; i < table->map_count; i++) {
        const reproduce_h_map *map = &table->maps[i];
        bool there = sets_has_map(run, map);
        if (!there && !sets_is_recorded(run, table, map->name)) continue;
        reproduce_part *part = sets_add(run, table);
        if (!part) return false;
        part->h_map = map;
        part->recorded = !there;
        part->number = i;
        snprintf(part->map, sizeof part->map, "%s", map->name);
    }
    return true;
}

static bool sets_plan_files(reproduce_run *run, const reproduce_table *table,
                            const reproduce_set *set)
{
    uint32_t taken = sets_taken(run, set->maps);
    for (uint32_t i = 0; i < taken; i++) {
        char map[REPRODUCE_NAME];
        uint32_t number = sets_spread(i, taken, set->maps);
        snprintf(map, sizeof map, "%s%s%s", set->repeated ? set->name : "",
                 set->repeated ? "-" : "", set->files[number]);
        *strchr(map, '/') = '-';
        bool there = sets_has_file(run, set, number);
        if (!there && !sets_is_recorded(run, table, map)) continue;
        reproduce_part *part = sets_add(run, table);
        if (!part) return false;
        part->set = set;
        part->recorded = !there;
        part->number = number + 1;
        memcpy(part->map, map, sizeof map);
    }
    return true;
}

/* A map that was measured earlier, whose set is not there now. */
static bool sets_recall(reproduce_run *run, const reproduce_table *table, const char *map)
{
    for (uint32_t p = 0; p < run->part_count; p++)
        if (run->parts[p].table == table && !strcmp(run->parts[p].map, map)) return true;
    reproduce_part *part = sets_add(run, table);
    if (!part) return false;
    part->set = &table->sets[0];
    part->recorded = true;
    snprintf(part->map, sizeof part->map, "%s", map);
    return true;
}

bool reproduce_plan(reproduce_run *run, const reproduce_table *table)
{
    uint32_t first = run->part_count;
    bool whole = true;
    run->incomplete[reproduce_table_number(table)] = 0;
    bool ok = sets_plan_maps(run, table);
    for (uint32_t i = 0; ok && i < table->set_count; i++) {
        const reproduce_set *set = &table->sets[i];
        ok = set->files    ? sets_plan_files(run, table, set)
             : set->folder ? sets_plan_folder(run, table, set)
                           : sets_plan_generated(run, table, set);
        whole = whole && (set->files || reproduce_has_set(run, set));
    }
    if (ok && !whole) ok = journal_list(run, table, sets_recall);
    if (run->part_count == first) run->states[reproduce_table_number(table)] = TABLE_NO_DATA;
    return ok;
}

/* ---- one map ---- */

/* The maps of a set go from the first number to the last, whatever their seeds. */
static uint32_t sets_between(const uint32_t ends[2], const reproduce_part *part)
{
    uint32_t maps = part->set->maps, last = maps > 1 ? maps - 1 : 1, at = part->number - 1;
    return (ends[0] * (last - at) + ends[1] * at) / last;
}

/* How many times smaller the maps of a set are. */
static uint32_t sets_shrink(const reproduce_job *job)
{
    return job->part->set->shrinks && job->run->options->quick ? SETS_SHRINK : 1;
}

static void sets_measure(const reproduce_job *job, cairn_generator *generator)
{
    const reproduce_set *set = job->part->set;
    if (set->side) generator->width = generator->height = set->side;
    if (set->narrow && job->part->number % 2) generator->width = set->narrow;
    if (set->wide[0]) generator->width = sets_between(set->wide, job->part) / sets_shrink(job);
    if (set->high[0]) generator->height = sets_between(set->high, job->part) / sets_shrink(job);
}

static cairn_generator sets_generator(const reproduce_job *job)
{
    cairn_generator generator;
    const reproduce_part *part = job->part;
    if (part->set) {
        const reproduce_set *set = part->set;
        generator = cairn_generator_default(set->kind);
        generator.seed = part->number;
        sets_measure(job, &generator);
        generator.closed = sets_between(set->closed, part);
        generator.ease = sets_between(set->ease, part);
        if (set->region[0]) generator.region = sets_between(set->region, part);
        if (set->percent) generator.percent = set->percent;
        if (set->loops) generator.loops = set->loops;
        return generator;
    }
    const reproduce_h_map *map = part->h_map;
    generator = cairn_generator_default(cairn_generator_find(map->kind));
    generator.width = map->width;
    generator.height = map->height;
    if (generator.kind == CAIRN_GENERATE_MAZE) {
        generator.corridor = map->numbers[0];
        generator.wall = map->numbers[1];
    } else {
        generator.percent = map->numbers[0];
    }
    return generator;
}

static const char *sets_file(const reproduce_job *job, char out[REPRODUCE_PATH])
{
    const reproduce_part *part = job->part;
    if (part->set && part->set->files) {
        snprintf(out, REPRODUCE_PATH, "%s/%s.map", job->run->options->data,
                 part->set->files[part->number - 1]);
        return out;
    }
    const char *folder = part->set ? part->set->folder : part->h_map->folder;
    const char *name = part->set ? part->map : part->h_map->file;
    if (part->set && part->set->repeated) name += strlen(part->set->name) + 1;
    if (folder)
        snprintf(out, REPRODUCE_PATH, "%s/%s/%s.map", job->run->options->data, folder, name);
    return folder ? out : NULL;
}

/* Every cell of a map becomes so many that there are as many as its set wants. */
static cairn_status sets_enlarge(reproduce_job *job, cairn_error *error)
{
    cairn_generator generator = cairn_generator_default(CAIRN_GENERATE_SCALED);
    uint32_t shrink = sets_shrink(job);
    uint64_t cells = (uint64_t)cairn_grid_width(job->grid) * cairn_grid_height(job->grid);
    uint64_t wanted = job->part->set->cells / (shrink * shrink);
    generator.source = job->grid;
    generator.factor = 1;
    while (cells * generator.factor * generator.factor < wanted) generator.factor++;
    cairn_grid *large = NULL;
    cairn_status status = cairn_generate(job->context, &generator, &large, error);
    if (status) return status;
    cairn_grid_destroy(job->grid);
    job->grid = large;
    return CAIRN_OK;
}

bool reproduce_open(reproduce_job *job)
{
    char name[REPRODUCE_PATH];
    const char *file = sets_file(job, name);
    cairn_error error = {0};
    cairn_generator generator = {0};
    if (!file) generator = sets_generator(job);
    error.status = file ? cairn_grid_load(job->context, file, &job->grid, &error)
                        : cairn_generate(job->context, &generator, &job->grid, &error);
    if (!error.status && job->part->set && job->part->set->files)
        error.status = sets_enlarge(job, &error);
    cairn_profile profile = cairn_profile_default();
    if (job->part->table->harvanova) {
        profile.corners = CAIRN_CORNERS_ALWAYS;
        profile.cost_scale = CAIRN_COST_SCALES - 1; /* 5 and 7 units: a diagonal step costs 1.4 */
    }
    if (!error.status) error.status = cairn_space_of_grid(job->grid, &profile, &job->space, &error);
    if (error.status) world_complain(file ? file : job->part->map, &error);
    return !error.status;
}

void reproduce_close(reproduce_job *job)
{
    cairn_space_destroy(job->space);
    cairn_grid_destroy(job->grid);
    job->space = NULL;
    job->grid = NULL;
}

/* ---- what it is made of ---- */

static bool sets_hash_file(cairn_context *context, const char *name, uint64_t *hash)
{
    cairn_file file = {0};
    cairn_error error = {0};
    error.status = cairn_file_read(context, name, SETS_FILE_MOST, &file, &error);
    if (error.status) return world_complain(name, &error), false;
    *hash = reproduce_hash(*hash, file.data, file.size);
    cairn_file_free(context, &file);
    return true;
}

static bool sets_hash_generated(reproduce_job *job, uint64_t *hash)
{
    bool ok = reproduce_open(job);
    if (ok) {
        char text[32];
        int length = snprintf(text, sizeof text, "%016llx",
                              (unsigned long long)cairn_space_hash(job->space));
        *hash = reproduce_hash(*hash, text, (size_t)length);
    }
    reproduce_close(job);
    return ok;
}

bool reproduce_fingerprint(const reproduce_run *run, const reproduce_part *part, uint64_t *out)
{
    reproduce_part copy = *part;
    reproduce_job job = {.run = run, .part = &copy, .context = world_context(1)};
    char name[REPRODUCE_PATH + 8];
    bool file = sets_file(&job, name) != NULL, ok = job.context != NULL;
    *out = REPRODUCE_HASH;
    if (ok) ok = file ? sets_hash_file(job.context, name, out) : sets_hash_generated(&job, out);
    if (ok && file && part->set && !part->set->files) {
        strcat(name, ".scen");
        ok = sets_hash_file(job.context, name, out);
    }
    cairn_context_destroy(job.context);
    return ok;
}

/* ---- its problems ---- */

uint64_t reproduce_random(uint64_t *state)
{
    uint64_t z = (*state += UINT64_C(0x9e3779b97f4a7c15));
    z = (z ^ (z >> 30)) * UINT64_C(0xbf58476d1ce4e5b9);
    z = (z ^ (z >> 27)) * UINT64_C(0x94d049bb133111eb);
    return z ^ (z >> 31);
}

/* Start and goal differ and are connected. */
static bool sets_random_problem(const reproduce_job *job, uint32_t number, reproduce_problem *out)
{
    uint64_t state = (uint64_t)job->part->number << 32 | number;
    uint64_t nodes = cairn_space_node_count(job->space);
    for (uint32_t i = 0; i < 100000; i++) {
        cairn_node from = (cairn_node)(((reproduce_random(&state) >> 32) * nodes) >> 32), to;
        if (!cairn_space_usable(job->space, from)) continue;
        if (cairn_random_reachable(job->space, from, &state, &to) || to == from) continue;
        *out = (reproduce_problem){.number = number, .from = from, .to = to};
        return true;
    }
    complain("%s: too few nodes can be stood on to make random problems", job->part->map);
    return false;
}

static bool sets_make(const reproduce_job *job, uint32_t total, reproduce_problem *out,
                      uint32_t *count)
{
    for (uint32_t i = 0; i < total; i += job->run->options->every)
        if (!sets_random_problem(job, i + 1, &out[(*count)++])) return false;
    return true;
}

/* Goes over the problems that are not too long: to the n-th of them, or to the end. Returns where
 * that is, and in *count how many were passed. */
static uint32_t sets_find(const reproduce_set *set, const cairn_scenario *scenario, uint32_t n,
                          uint32_t *count)
{
    uint32_t at = 0;
    for (*count = 0; at < scenario->count; at++) {
        if (set->longest && scenario->problems[at].length > set->longest) continue;
        if (*count == n) break;
        ++*count;
    }
    return at;
}

static bool sets_read(const reproduce_job *job, reproduce_problem **out, uint32_t *count)
{
    char map[REPRODUCE_PATH], name[REPRODUCE_PATH + 8];
    snprintf(name, sizeof name, "%s.scen", sets_file(job, map));
    cairn_scenario scenario;
    cairn_error error = {0};
    error.status = cairn_scenario_load(job->context, name, &scenario, &error);
    if (error.status) return world_complain(name, &error), false;
    uint32_t wanted = job->part->set->problems, every = job->run->options->every, total, passed;
    sets_find(job->part->set, &scenario, UINT32_MAX, &total);
    if (!wanted || wanted > total) wanted = total;
    *out = calloc(wanted + 1u, sizeof **out);
    for (uint32_t i = 0; *out && i < wanted; i += every) {
        uint32_t at = sets_find(job->part->set, &scenario, sets_spread(i, wanted, total), &passed);
        const cairn_problem *p = &scenario.problems[at];
        cairn_node from = cairn_grid_node(job->grid, p->from.x, p->from.y);
        cairn_node to = cairn_grid_node(job->grid, p->to.x, p->to.y);
        (*out)[(*count)++] = (reproduce_problem){.number = at + 1, .from = from, .to = to};
    }
    cairn_scenario_free(job->context, &scenario);
    if (!*out) complain("%s: there is not enough memory for the problems", name);
    return *out != NULL;
}

bool reproduce_problems(reproduce_job *job, reproduce_problem **out, uint32_t *count)
{
    *out = NULL;
    *count = 0;
    const reproduce_part *part = job->part;
    if (part->set && part->set->folder) return sets_read(job, out, count);
    uint32_t random = part->set ? part->set->problems : part->table->problems;
    *out = calloc(random + 1u, sizeof **out);
    if (!*out) return complain("there is not enough memory for the problems"), false;
    if (part->h_map &&
        (part->h_map->from.x != part->h_map->to.x || part->h_map->from.y != part->h_map->to.y))
        (*out)[(*count)++] = (reproduce_problem){
            .from = cairn_grid_node(job->grid, part->h_map->from.x, part->h_map->from.y),
            .to = cairn_grid_node(job->grid, part->h_map->to.x, part->h_map->to.y)};
    return sets_make(job, random, *out, count);
}
