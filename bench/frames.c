/* frames.c: frames of a path service: `bench/frames [OPTION]… MAP|SIZE…`.
 *
 * On each map (a file, or the side of a square one with caves) a burst of requests between random
 * cells is answered, frame by frame, while cells are edited. Told are the time of updates (mean, 50,
 * 99, 99.9 % and worst; of the processor), what they used, and what became of the requests.
 *
 *     -a ALGORITHM   of the planner                                         (astar)
 *     -n N           requests at the beginning                              (1000)
 *     -m N           ... and in every later frame                           (0)
 *     -u PERCENT     of them with goals that cannot be reached              (0)
 *                    (where all is connected, a pocket is walled in for them)
 *     -f N           at most so many frames                                 (10000)
 *     -b US          budget of a frame in microseconds, ...
 *     -w UNITS       ... and in units of work                               (none)
 *     -e N           an edit every N frames; 0: none                        (0)
 *     -s SIDE        of the square that is edited                           (16)
 *     -l BYTES       limit of the service                                   (none)
 *     -t N           worker threads                                         (0)
 */
#define _POSIX_C_SOURCE 200809L
#include "bench.h"

#include <cairn/generate.h>
#include <cairn/io.h>
#include <cairn/service.h>

#include <stdlib.h>

enum { TRIES = 100000 }; /* pairs of cells that are looked at for a request */

typedef struct asked {
    const char *algorithm;
    uint32_t requests, more, unreachable, frames, every, side, workers;
    double microseconds;
    uint64_t work;
    size_t bytes;
} asked;

typedef struct told {
    uint32_t answers[CAIRN_STATUS_COUNT];
    uint64_t waited; /* frames, of all together */
    uint32_t longest;
} told;

typedef struct waiter {
    told *told;
    const uint32_t *frame;
    uint32_t since;
} waiter;

static uint64_t random_state;

/* Quicker to look at than that of the processor. */
static double clock_us(void *user)
{
    struct timespec t;
    (void)user;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec / 1e3;
}

static void hear(void *user, cairn_ticket ticket, const cairn_path *path)
{
    const waiter *w = user;
    (void)ticket;
    uint32_t frames = *w->frame - w->since;
    w->told->answers[path->status]++;
    w->told->waited += frames;
    if (frames > w->told->longest) w->told->longest = frames;
}

/* Two cells of which one can be reached from the other, or not; false = none were found. */
static bool choose(const cairn_space *space, bool reach, cairn_request *request)
{
    for (uint32_t i = 0; i < TRIES; i++) {
        request->from = random_cell(space, &random_state);
        request->to = random_cell(space, &random_state);
        if ((cairn_reachable(space, request->from, request->to) != CAIRN_REACH_NO) == reach)
            return true;
    }
    return false;
}

/* A wall round a square in the middle, of an eighth of the map's sides. */
static void wall_in(cairn_grid *grid)
{
    int32_t width = (int32_t)cairn_grid_width(grid), height = (int32_t)cairn_grid_height(grid),
            side = (width < height ? width : height) / 8, left = (width - side) / 2,
            top = (height - side) / 2;
    for (int32_t i = 0; i < side; i++) {
        check(cairn_grid_set_open(grid, left + i, top, false), "staging");
        check(cairn_grid_set_open(grid, left + i, top + side - 1, false), "staging");
        check(cairn_grid_set_open(grid, left, top + i, false), "staging");
        check(cairn_grid_set_open(grid, left + side - 1, top + i, false), "staging");
    }
    check(cairn_grid_commit(grid), "commit");
    printf("    nothing was out of reach: %d x %d cells in the middle are walled in\n", side, side);
}

static void request(cairn_service *service, const cairn_space *space, cairn_grid *grid,
                    const asked *a, waiter *w)
{
    cairn_request request = {.answer = hear, .user = w};
    bool reach = random_below(&random_state, 100) >= a->unreachable;
    cairn_ticket ticket;
    bool chosen = choose(space, reach, &request);
    if (!chosen && !reach) {
        wall_in(grid);
        chosen = choose(space, reach, &request);
    }
    if (!chosen) {
        fprintf(stderr, "frames: no two cells were found that are %s\n",
                reach ? "connected" : "out of reach of each other");
        exit(1);
    }
    request.priority = random_below(&random_state, CAIRN_PRIORITIES);
    check(cairn_service_request(service, &request, &ticket), "request");
}

/* A square, closed or opened: half of what is edited was so before. */
static void edit(cairn_grid *grid, uint32_t side)
{
    uint32_t width = cairn_grid_width(grid), height = cairn_grid_height(grid);
    uint32_t left = random_below(&random_state, width - side),
             top = random_below(&random_state, height - side);
    bool open = random_below(&random_state, 2);
    for (uint32_t y = top; y < top + side; y++)
        for (uint32_t x = left; x < left + side; x++)
            check(cairn_grid_set_open(grid, (int32_t)x, (int32_t)y, open), "staging");
    check(cairn_grid_commit(grid), "commit");
}

static int by_size(const void *a, const void *b)
{
    const double *x = a, *y = b;
    return (*x > *y) - (*x < *y);
}

static void tell(const asked *a, const told *t, double *us, uint32_t frames, double edits)
{
    double sum = 0;
    for (uint32_t i = 0; i < frames; i++) sum += us[i];
    qsort(us, frames, sizeof *us, by_size);
    printf("    %s: %u frames, mean %.1f us, 50 %% %.1f, 99 %% %.1f, 99.9 %% %.1f, worst %.1f;"
           " commits %.1f us\n",
           a->algorithm, frames, sum / frames, us[frames / 2], us[(uint64_t)frames * 99 / 100],
           us[(uint64_t)frames * 999 / 1000], us[frames - 1], edits);
    uint32_t all = 0;
    printf("    answers:");
    for (uint32_t i = 0; i < CAIRN_STATUS_COUNT; i++) {
        all += t->answers[i];
        if (t->answers[i]) printf(" %u %s,", t->answers[i], cairn_status_text((cairn_status)i));
    }
    printf(" after %.1f frames, at most %u\n", all ? (double)t->waited / all : 0, t->longest);
}

static void measure(cairn_grid *grid, const asked *a)
{
    cairn_space *space;
    cairn_planner *planner;
    cairn_service *service;
    uint32_t number, frames = 0, all = a->requests + a->more * a->frames, given = 0;
    told t = {.waited = 0};
    cairn_service_options options = {.byte_limit = a->bytes};
    random_state = 1;
    check(cairn_space_of_grid(grid, NULL, &space, NULL), "space");
    check(cairn_planner_create(space, a->algorithm, &planner, NULL), a->algorithm);
    check(cairn_planner_build(planner, NULL, NULL), a->algorithm);
    check(cairn_service_create(cairn_grid_context(grid), &options, &service), "service");
    check(cairn_service_add(service, planner, NULL, &number), "service");
    double *us = malloc(a->frames * sizeof *us), edits = 0;
    waiter *waiters = malloc((all + 1) * sizeof *waiters);
    if (!us || !waiters) exit(1);
    cairn_frame frame = {.waiting = 1}, sum = {0};
    uint64_t most = 0, over = 0;
    while (frames < a->frames && (frame.waiting || frame.running || given < all)) {
        uint32_t now = frames ? a->more : a->requests;
        for (; now && given < all; now--, given++) {
            waiters[given] = (waiter){&t, &frames, frames};
            request(service, space, grid, a, &waiters[given]);
        }
        double start = now_us();
        if (a->every && frames % a->every == 0) edit(grid, a->side);
        edits += now_us() - start;
        frame = (cairn_frame){.work = a->work, .microseconds = a->microseconds, .clock = clock_us};
        start = now_us();
        check(cairn_service_update(service, &frame), "update");
        us[frames++] = now_us() - start;
        if (frame.used > most) most = frame.used;
        over += a->work && frame.used > a->work;
        sum.used += frame.used, sum.restarts += frame.restarts;
        sum.pinned += frame.pinned, sum.outdated += frame.outdated;
    }
    tell(a, &t, us, frames, edits / frames);
    printf("    %u waiting, %u running; used %.0f units a frame, at most %llu, too many in %llu;"
           " %u restarts, %u pinned, %u outdated; peak %.1f MB\n",
           frame.waiting, frame.running, (double)sum.used / frames, (unsigned long long)most,
           (unsigned long long)over, sum.restarts, sum.pinned, sum.outdated,
           (double)cairn_service_usage(service).peak_bytes / 1e6);
    free(us);
    free(waiters);
    cairn_service_destroy(service);
    cairn_planner_destroy(planner);
    cairn_space_destroy(space);
}

static void measure_place(cairn_context *context, const char *place, const asked *a)
{
    char *end;
    unsigned long side = strtoul(place, &end, 10);
    cairn_generator generator = cairn_generator_default(CAIRN_GENERATE_CAVES);
    cairn_grid *grid;
    generator.width = generator.height = (uint32_t)side;
    if (*end || side < 64 || side > 32768) {
        check(cairn_grid_load(context, place, &grid, NULL), place);
    } else {
        check(cairn_generate(context, &generator, &grid, NULL), "caves");
    }
    printf("%s\n", place);
    measure(grid, a);
    cairn_grid_destroy(grid);
}

static bool option(asked *a, char name, const char *value)
{
    uint32_t number = (uint32_t)strtoul(value, NULL, 10);
    switch (name) {
    case 'a': a->algorithm = value; return true;
    case 'n': a->requests = number; return true;
    case 'm': a->more = number; return true;
    case 'u': a->unreachable = number; return true;
    case 'f': a->frames = number; return true;
    case 'b': a->microseconds = strtod(value, NULL); return true;
    case 'w': a->work = strtoull(value, NULL, 10); return true;
    case 'e': a->every = number; return true;
    case 's': a->side = number; return true;
    case 'l': a->bytes = strtoull(value, NULL, 10); return true;
    case 't': a->workers = number; return true;
    default: return false;
    }
}

int main(int argc, char **argv)
{
    asked a = {.algorithm = "astar", .requests = 1000, .frames = 10000, .side = 16};
    int i = 1;
    while (i + 1 < argc && argv[i][0] == '-' && option(&a, argv[i][1], argv[i + 1])) i += 2;
    if (i == argc || argv[i][0] == '-') {
        fprintf(stderr, "frames: [-a ALGORITHM] [-n -m -u -f -b -w -e -s -l -t N] MAP|SIZE...\n");
        return 2;
    }
    cairn_context_options options = cairn_context_defaults();
    options.workers = a.workers;
    cairn_context *context;
    check(cairn_context_create(&options, &context), "context");
    for (; i < argc; i++) measure_place(context, argv[i], &a);
    cairn_context_destroy(context);
    return 0;
}
