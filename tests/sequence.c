/* sequence.c: the decisions of a program, its log, and which call comes next (see sequence.h). */
#include "sequence.h"

/* The program that runs, for whoever must say what it was when a check fails. */
static sequence *running;
static bool is_loud;

const sequence *sequence_running(void)
{
    return running;
}

void sequence_be_loud(bool loud)
{
    is_loud = loud;
}

void sequence_print(void)
{
    if (!running || !running->log) return;
    fflush(stdout);
    fprintf(stderr, "the program, call by call:\n");
    fwrite(running->log, 1, running->log_size, stderr);
    fprintf(stderr, "\n(%llu calls)\n", (unsigned long long)running->calls);
}

void sequence_forget(void)
{
    running = NULL;
}

/* ---- decisions ------------------------------------------------------------------------- */

uint32_t choose(sequence *q, uint32_t below)
{
    uint32_t value = 0;
    if (below < 2) return 0;
    if (!q->data) return scene_random(&q->rng, below);
    for (uint32_t i = 0; i < (below > 256 ? 2 : 1); i++) {
        q->over |= q->at >= q->size;
        if (q->over) return 0;
        value = value << 8 | q->data[q->at++];
    }
    return value % below;
}

bool one_in(sequence *q, uint32_t n)
{
    return choose(q, n) == n - 1;
}

/* ---- the log ----------------------------------------------------------------------------- */

static void log_write(sequence *q, const char *format, va_list arguments)
{
    enum { LINE = 400 };
    if (q->log_size + LINE > q->log_capacity) {
        q->log_capacity = 2 * q->log_capacity + 64 * LINE;
        q->log = realloc(q->log, q->log_capacity);
        if (!q->log) abort();
    }
    int length = vsnprintf(q->log + q->log_size, LINE, format, arguments);
    if (length > LINE - 1) length = LINE - 1;
    if (is_loud) {
        fwrite(q->log + q->log_size, 1, (size_t)length, stderr);
        fflush(stderr);
    }
    q->log_size += (size_t)length;
}

void sequence_note(sequence *q, const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    log_write(q, format, arguments);
    va_end(arguments);
}

void sequence_before(sequence *q, const char *format, ...)
{
    va_list arguments;
    sequence_note(q, "\n");
    va_start(arguments, format);
    log_write(q, format, arguments);
    va_end(arguments);
    q->calls++;
    q->memory.fail_at = 0;
    if (!q->failing || !one_in(q, 32)) return;
    uint32_t allocation = 1 + choose(q, one_in(q, 4) ? 60 : 5);
    q->memory.fail_at = q->memory.calls + allocation;
    q->memory.failures = 0;
    sequence_note(q, " [allocation %u fails]", allocation);
}

cairn_status sequence_after(sequence *q, cairn_status status)
{
    q->refused = q->memory.fail_at && q->memory.failures;
    q->memory.fail_at = 0;
    sequence_note(q, " = %s", cairn_status_text(status));
    return status;
}

/* ---- which call comes next ---------------------------------------------------------------- */

static void commit_something(sequence *q)
{
    for (uint32_t i = 1 + choose(q, 4); i; i--) world_edit(q);
    world_commit(q);
    if (one_in(q, 2)) planner_sync_all(q);
}

static void sync_something(sequence *q)
{
    planner_touch(q);
}

static void ask_and_follow(sequence *q)
{
    search_ask(q);
    for (uint32_t i = choose(q, 4); i; i--) search_go_on(q);
}

static void destroy_something(sequence *q)
{
    switch (choose(q, 8)) {
    case 0: space_destroy(q, &q->spaces[choose(q, SEQUENCE_SPACES)]); break;
    case 1:
    case 2: planner_destroy(q, &q->planners[choose(q, SEQUENCE_PLANNERS)]); break;
    case 3:
    case 4: search_destroy(q, &q->searches[choose(q, SEQUENCE_SEARCHES)]); break;
    case 5:
    case 6: walker_destroy(q, &q->walkers[choose(q, SEQUENCE_WALKERS)]); break;
    default:
        if (one_in(q, 12)) world_destroy_handle(q);
    }
}

typedef struct deed {
    uint32_t weight;
    void (*act)(sequence *q);
} deed;

static const deed deeds[] = {
    {5, commit_something}, {3, world_edit},        {1, world_commit},      {1, world_discard},
    {12, sync_something},  {40, ask_and_follow},   {16, search_go_on},     {14, walker_walk},
    {20, service_serve},   {3, walker_turn_all},   {2, walker_create},     {3, planner_create},
    {3, search_create},    {1, space_create},      {1, space_create_view}, {2, space_edit_view},
    {3, space_ask},        {3, destroy_something},
};

static void act(sequence *q)
{
    uint32_t sum = 0;
    for (uint32_t i = 0; i < LENGTH(deeds); i++) sum += deeds[i].weight;
    uint32_t drawn = choose(q, sum), i = 0;
    while (drawn >= deeds[i].weight) drawn -= deeds[i++].weight;
    deeds[i].act(q);
}

/* ---- a program ----------------------------------------------------------------------------- */

static void begin(sequence *q)
{
    running = q;
    q->workers = one_in(q, 24);
    q->failing = !q->workers && one_in(q, 3);
    cairn_context_options options = cairn_context_defaults();
    options.workers = q->workers;
    if (!q->workers) options.allocate = watched_allocate, options.allocate_user = &q->memory;
    CHECK_OK(cairn_context_create(&options, &q->context));
    world_create(q);
    space_create(q);
    for (uint32_t i = 0; i < SEQUENCE_HAUNTS; i++) q->haunts[i] = world_place(q);
    for (uint32_t i = 2 + choose(q, 2); i; i--) planner_create(q);
    for (uint32_t i = 2 + choose(q, 2); i; i--) search_create(q);
    if (one_in(q, 2)) walker_create(q);
}

/* Everything in any order: one of what is left at a time. */
static void destroy_all(sequence *q)
{
    enum { SLOTS = SEQUENCE_SPACES + SEQUENCE_PLANNERS + SEQUENCE_SEARCHES + SEQUENCE_WALKERS + 2 };
    uint32_t order[SLOTS], at = choose(q, SLOTS), stride = one_in(q, 2) ? 1 : SLOTS - 1;
    for (uint32_t i = 0; i < SLOTS; i++) order[i] = (at + i * stride) % SLOTS;
    q->failing = false;
    for (uint32_t i = 0; i < SLOTS; i++) {
        uint32_t slot = order[i];
        if (slot == SLOTS - 1)
            world_destroy_handle(q);
        else if (slot == SLOTS - 2)
            service_close(q);
        else if (slot < SEQUENCE_SPACES)
            space_destroy(q, &q->spaces[slot]);
        else if ((slot -= SEQUENCE_SPACES) < SEQUENCE_PLANNERS)
            planner_destroy(q, &q->planners[slot]);
        else if ((slot -= SEQUENCE_PLANNERS) < SEQUENCE_SEARCHES)
            search_destroy(q, &q->searches[slot]);
        else
            walker_destroy(q, &q->walkers[slot - SEQUENCE_SEARCHES]);
    }
}

static void end(sequence *q)
{
    destroy_all(q);
    cairn_context_destroy(q->context);
    CHECK(q->memory.blocks == 0 && q->memory.bytes == 0, "%u blocks were not freed",
          (unsigned)q->memory.blocks);
    CHECK(!q->memory.wrong_size, "a block was freed with a wrong size");
    world_free(q);
    for (uint32_t i = 0; i < SEQUENCE_FILES; i++) bytes_free(&q->files[i].bytes);
    for (uint32_t i = 0; i < q->kept_count; i++) bytes_free(&q->kept[i]);
    free(q->kept);
    free(q->log);
    running = NULL;
}

static void run(sequence *q, uint32_t length, sequence_sums *sums)
{
    begin(q);
    for (uint32_t i = 0; i < length && !q->over; i++) act(q);
    sums->programs++;
    sums->calls += q->calls;
    sums->answers += q->answers;
    sums->paths += q->paths;
    end(q);
    free(q);
}

static sequence *fresh(void)
{
    sequence *q = calloc(1, sizeof *q);
    if (!q) abort();
    return q;
}

void sequence_run_bytes(const uint8_t *data, size_t size, sequence_sums *sums)
{
    enum { LONGEST = 4000 };
    static const uint8_t none[1];
    sequence *q = fresh();
    q->data = size ? data : none;
    q->size = size;
    run(q, LONGEST, sums);
}

void sequence_run_seed(uint64_t seed, sequence_sums *sums)
{
    sequence *q = fresh();
    q->rng.state = seed * UINT64_C(0x9e3779b97f4a7c15) + 1;
    sequence_note(q, "seed %llu", (unsigned long long)seed);
    for (uint32_t i = 0; i < 4; i++) choose(q, 2);
    uint32_t length = 80 + choose(q, 240);
    run(q, length, sums);
}
