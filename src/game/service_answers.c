/* service_answers.c: memory for answers: paths of any length, kept for a while and given up again.
 *
 * A path and its arrays lie in one block. Blocks have sizes of 64 bytes times a power of two, and
 * go to a list of their size when they are given up. So a service that has run for a while asks for
 * no more memory. Where the limit of bytes leaves none, the lists are emptied first.
 */
#include "game/service.h"
#include "world/grid_space.h"

enum { ANSWERS_LEAST = 64 };

static size_t answers_size(uint32_t class)
{
    return (size_t)ANSWERS_LEAST << class;
}

/* The path and all its arrays, those of wide elements first. */
static size_t answers_bytes(const cairn_path *path)
{
    return sizeof *path + path->point_count * sizeof *path->points +
           path->portal_count * sizeof *path->portals + path->link_count * sizeof *path->links +
           path->count * sizeof *path->nodes;
}

static void *answers_take(cairn_service *service, uint32_t class)
{
    void *block = service->free_blocks[class];
    if (block) {
        memcpy(&service->free_blocks[class], block, sizeof(void *));
        return block;
    }
    block = crn_scratch_alloc(&service->memory, answers_size(class));
    if (block) return block;
    crn_answers_trim(service);
    return crn_scratch_alloc(&service->memory, answers_size(class));
}

void crn_answers_trim(cairn_service *service)
{
    for (uint32_t class = 0; class < CRN_SERVICE_CLASSES; class ++) {
        for (void *block; (block = service->free_blocks[class]);) {
            memcpy(&service->free_blocks[class], block, sizeof(void *));
            crn_scratch_free(&service->memory, block, answers_size(class));
        }
    }
}

static void *answers_copy(unsigned char **at, const void *array, size_t count, size_t each)
{
    void *copy = *at;
    if (!count) return NULL;
    memcpy(copy, array, count * each);
    *at += count * each;
    return copy;
}

bool crn_answer_keep(cairn_service *service, crn_job *job, const cairn_path *path)
{
    size_t size = answers_bytes(path);
    if (path == &service->none[path->status]) {
        job->answer = &service->none[path->status];
        job->block_class = CRN_SERVICE_CLASSES;
        return true;
    }
    uint32_t class = 0;
    while (class + 1 < CRN_SERVICE_CLASSES && answers_size(class) < size) class ++;
    unsigned char *at = answers_take(service, class);
    if (!at) return false;
    cairn_path *answer = answers_copy(&at, path, 1, sizeof *path);
    answer->points = answers_copy(&at, path->points, path->point_count, sizeof *path->points);
    answer->portals = answers_copy(&at, path->portals, path->portal_count, sizeof *path->portals);
    answer->links = answers_copy(&at, path->links, path->link_count, sizeof *path->links);
    answer->nodes = answers_copy(&at, path->nodes, path->count, sizeof *path->nodes);
    job->answer = answer;
    job->block_class = class;
    service->answers++;
    return true;
}

void crn_answer_drop(cairn_service *service, crn_job *job)
{
    if (!job->answer) return;
    if (job->block_class == CRN_SERVICE_CLASSES) {
        job->answer = NULL;
        return;
    }
    memcpy(job->answer, &service->free_blocks[job->block_class], sizeof(void *));
    service->free_blocks[job->block_class] = job->answer;
    service->answers--;
    job->answer = NULL;
}

void crn_answer_give_up(cairn_service *service, crn_job *job)
{
    bool told = service->delivering && service->tickets[job->tickets].number == service->delivering;
    if (told) {
        service->dropped = true;
    } else {
        crn_answer_drop(service, job);
    }
}

/* ---- of an older world ---- */

/* Why no path leads from here to there, which is known. */
static cairn_status answers_reason(const cairn_space *space, const crn_job *job)
{
    if (!cairn_space_usable(space, job->from)) return CAIRN_BLOCKED_START;
    return cairn_space_usable(space, job->to) ? CAIRN_UNREACHABLE : CAIRN_BLOCKED_GOAL;
}

/* What the links of a path cost. */
static uint64_t answers_linked(const cairn_space *space, const cairn_path *path)
{
    uint64_t cost = 0;
    for (uint32_t i = 0; i < path->link_count; i++) {
        const cairn_path_link *link = &path->links[i];
        const cairn_node *ends = path->nodes + link->at;
        cost += crn_links_cost(crn_grid_space_of(space), ends[0], ends[1], link->id);
    }
    return cost;
}

/* Links, and edges of other worlds than grids, are as long as they cost. */
static double answers_length(const cairn_space *space, const cairn_space *then,
                             const cairn_path *path)
{
    if (!crn_grid_space_of(space))
        return crn_space_length(
            space,
            &(crn_path_sums){.cost = path->cost, .nodes = path->nodes, .node_count = path->count});
    if (!path->link_count) return path->length;
    double more = (double)answers_linked(space, path) - (double)answers_linked(then, path);
    return path->length + more / space->scale.straight;
}

void crn_answer_check(const cairn_service *service, const crn_job *job, const cairn_space *then,
                      cairn_path *out)
{
    const cairn_space *space = service->planners[job->planner].planner->space;
    bool holds = !out->count || cairn_path_valid(space, out, &out->cost, NULL, NULL),
         nowhere = out->status == CAIRN_UNREACHABLE || out->status == CAIRN_BLOCKED_START ||
                   out->status == CAIRN_BLOCKED_GOAL;
    if (nowhere) {
        holds = holds && cairn_reachable(space, job->from, job->to) == CAIRN_REACH_NO;
        out->status = answers_reason(space, job);
    }
    if (holds && out->count) out->length = answers_length(space, then, out);
    if (!holds) *out = service->none[CAIRN_STALE];
    out->suboptimality_bound = 0;
    out->improvable = false;
}
