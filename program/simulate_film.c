/* simulate_film.c: a simulation as an animated picture (see simulate.h).
 *
 * The world is drawn as it was at the start, and then changed as it was edited. A cell is a square
 * of pixels; a large map is shrunk, and a pixel is blocked if most of its cells are. Agents are
 * dots with a short trail, each of one of eight colours; their goals are small squares of the same.
 * Cells where one stood in the way of another are yellow as long as they are obstacles.
 */
#include "film.h"
#include "simulate_parts.h"

#include <stdlib.h>
#include <string.h>

enum {
    FILM_SIDE = 640,   /* of the picture, at most */
    FILM_FRAMES = 400, /* at most: then turns are left out */
    FILM_PAUSE = 60,
    FILM_TRAIL = 12, /* turns */
    FILM_COLOURS = 8
};

/* Ground, wall, what was closed, obstacles; then of each agent itself and its trail. */
static const uint32_t film_palette[] = {0xf4f1ea, 0x3b3a38, 0xb5651d, 0xffd23f, 0xd62728,
                                        0xf0b4b4, 0x1f77b4, 0xafd0e8, 0x2ca02c, 0xb3dcb3,
                                        0x9467bd, 0xd8c7e8, 0xe377c2, 0xf5d0ea, 0x17becf,
                                        0xb0e6ec, 0xbcbd22, 0xe4e5ac, 0x8c564b, 0xd6bdb8};
enum { FILM_GROUND, FILM_WALL, FILM_CLOSED, FILM_SLOW, FILM_AGENT, FILM_FADED };

typedef struct film_stage {
    const simulate_run *run;
    uint32_t width, height; /* of the map */
    uint32_t scale, shrink; /* pixels a cell, or cells a pixel: one of them is 1 */
    uint32_t across, down;  /* pixels */
    uint8_t *cells;         /* FILM_GROUND, FILM_WALL or FILM_CLOSED */
    uint8_t *ground;        /* the picture without agents */
    uint8_t *pixels;
    cairn_node *places; /* of all agents, in each of the last FILM_TRAIL + 1 turns */
    cairn_node *targets;
    size_t edit, event; /* the next ones */
    size_t waiting;     /* the first obstacle that has not ended */
} film_stage;

/* ---- the world ---- */

static uint8_t film_colour(const film_stage *stage, uint32_t x, uint32_t y)
{
    uint32_t count[3] = {0};
    for (uint32_t cy = y * stage->shrink; cy < (y + 1) * stage->shrink && cy < stage->height; cy++)
        for (uint32_t cx = x * stage->shrink; cx < (x + 1) * stage->shrink && cx < stage->width;
             cx++)
            count[stage->cells[(size_t)cy * stage->width + cx]]++;
    if (count[FILM_CLOSED]) return FILM_CLOSED;
    return count[FILM_WALL] > count[FILM_GROUND] ? FILM_WALL : FILM_GROUND;
}

/* Draws the cell, or the pixel that it lies in, again. */
static void film_draw_cell(const film_stage *stage, uint32_t cx, uint32_t cy)
{
    uint32_t x = cx / stage->shrink, y = cy / stage->shrink;
    uint8_t colour = film_colour(stage, x, y);
    for (uint32_t i = 0; i < stage->scale; i++)
        memset(stage->ground + (size_t)(y * stage->scale + i) * stage->across + x * stage->scale,
               colour, stage->scale);
}

static void film_draw_world(const film_stage *stage)
{
    for (uint32_t y = 0; y < stage->height; y += stage->shrink)
        for (uint32_t x = 0; x < stage->width; x += stage->shrink) film_draw_cell(stage, x, y);
}

/* The world as it was before all edits. */
static void film_rewind(const film_stage *stage)
{
    const simulate_run *run = stage->run;
    for (uint32_t y = 0; y < stage->height; y++)
        for (uint32_t x = 0; x < stage->width; x++)
            stage->cells[(size_t)y * stage->width + x] =
                cairn_grid_is_open(run->world->grid, (int32_t)x, (int32_t)y) ? FILM_GROUND
                                                                             : FILM_WALL;
    for (size_t i = run->edit_count; i-- > 0;)
        stage->cells[run->edits[i].cell] = run->edits[i].open ? FILM_WALL : FILM_GROUND;
}

static void film_edit(const film_stage *stage, const simulate_edit *edit)
{
    stage->cells[edit->cell] = edit->open ? FILM_GROUND : FILM_CLOSED;
    film_draw_cell(stage, edit->cell % stage->width, edit->cell / stage->width);
}

/* ---- agents ---- */

/* A square of this many pixels round the middle of a cell. */
static void film_dot(const film_stage *stage, cairn_node node, uint32_t side, uint32_t colour)
{
    if (node == CAIRN_NO_NODE) return;
    uint32_t x = node % stage->width / stage->shrink, y = node / stage->width / stage->shrink;
    uint32_t left = x * stage->scale + stage->scale / 2, top = y * stage->scale + stage->scale / 2;
    left -= left < side / 2 ? left : side / 2;
    top -= top < side / 2 ? top : side / 2;
    for (uint32_t py = top; py < top + side && py < stage->down; py++)
        for (uint32_t px = left; px < left + side && px < stage->across; px++)
            stage->pixels[(size_t)py * stage->across + px] = (uint8_t)colour;
}

static cairn_node *film_places(const film_stage *stage, uint32_t turn)
{
    return stage->places + (size_t)(turn % (FILM_TRAIL + 1)) * stage->run->agents;
}

/* Where all are at the end of a turn. */
static void film_move(film_stage *stage, uint32_t turn)
{
    const simulate_run *run = stage->run;
    cairn_node *places = film_places(stage, turn);
    if (turn) memcpy(places, film_places(stage, turn - 1), run->agents * sizeof *places);
    for (; stage->event < run->event_count && run->events[stage->event].turn == turn;
         stage->event++) {
        const simulate_event *event = &run->events[stage->event];
        places[event->agent] = event->at;
        stage->targets[event->agent] = event->target;
    }
}

static uint32_t film_agent_colour(uint32_t agent)
{
    return FILM_AGENT + 2 * (agent % FILM_COLOURS);
}

static void film_draw_agents(const film_stage *stage, uint32_t turn)
{
    uint32_t agents = stage->run->agents, side = stage->scale > 3 ? stage->scale : 3;
    uint32_t first = turn > FILM_TRAIL ? turn - FILM_TRAIL : 0;
    for (uint32_t t = first; t < turn; t++)
        for (uint32_t i = 0; i < agents; i++)
            film_dot(stage, film_places(stage, t)[i], (side + 1) / 2, film_agent_colour(i) + 1);
    for (uint32_t i = 0; i < agents; i++)
        film_dot(stage, stage->targets[i], (side + 1) / 2, film_agent_colour(i));
    for (uint32_t i = 0; i < agents; i++)
        film_dot(stage, film_places(stage, turn)[i], side, film_agent_colour(i));
}

/* All end after as many turns, so the first ones end first. */
static void film_draw_obstacles(film_stage *stage, uint32_t turn)
{
    const simulate_run *run = stage->run;
    uint32_t side = stage->scale > 3 ? stage->scale + 2 : 5, life = run->setup->obstacles;
    while (stage->waiting < run->waiting_count && run->waiting[stage->waiting].turn + life < turn)
        stage->waiting++;
    for (size_t i = stage->waiting; i < run->waiting_count && run->waiting[i].turn < turn; i++)
        film_dot(stage, run->waiting[i].cell, side, FILM_SLOW);
}

/* ---- the whole ---- */

static bool film_open_stage(film_stage *stage, const simulate_run *run)
{
    *stage = (film_stage){.run = run, .scale = 1, .shrink = 1};
    stage->width = cairn_grid_width(run->world->grid);
    stage->height = cairn_grid_height(run->world->grid);
    uint32_t longer = stage->width > stage->height ? stage->width : stage->height;
    if (longer > FILM_SIDE)
        stage->shrink = (longer + FILM_SIDE - 1) / FILM_SIDE;
    else
        stage->scale = FILM_SIDE / longer < 12 ? FILM_SIDE / longer : 12;
    stage->across = (stage->width + stage->shrink - 1) / stage->shrink * stage->scale;
    stage->down = (stage->height + stage->shrink - 1) / stage->shrink * stage->scale;
    size_t pixels = (size_t)stage->across * stage->down;
    stage->cells = malloc((size_t)stage->width * stage->height);
    stage->ground = malloc(pixels);
    stage->pixels = malloc(pixels);
    stage->places = malloc((size_t)run->agents * (FILM_TRAIL + 1) * sizeof *stage->places);
    stage->targets = malloc(run->agents * sizeof *stage->targets);
    return stage->cells && stage->ground && stage->pixels && stage->places && stage->targets;
}

static void film_play(film_stage *stage, film *f)
{
    const simulate_run *run = stage->run;
    uint32_t every = run->turns / FILM_FRAMES + 1;
    film_rewind(stage);
    film_draw_world(stage);
    for (uint32_t turn = 0; turn <= run->turns; turn++) {
        for (; stage->edit < run->edit_count && run->edits[stage->edit].turn < turn; stage->edit++)
            film_edit(stage, &run->edits[stage->edit]);
        film_move(stage, turn);
        if (turn % every && turn < run->turns) continue;
        memcpy(stage->pixels, stage->ground, (size_t)stage->across * stage->down);
        film_draw_obstacles(stage, turn);
        film_draw_agents(stage, turn);
        film_add(f, stage->pixels);
    }
}

int simulate_film(const simulate_run *run, const char *name)
{
    film_stage stage;
    film *f = NULL;
    if (film_open_stage(&stage, run)) {
        film_options options = {stage.across, stage.down, film_palette,
                                sizeof film_palette / sizeof film_palette[0], FILM_PAUSE};
        f = film_begin(&options);
    }
    if (f) film_play(&stage, f);
    free(stage.cells);
    free(stage.ground);
    free(stage.pixels);
    free(stage.places);
    free(stage.targets);
    if (f) return film_end(f, name);
    complain("%s: there is not enough memory for the picture", name);
    return END_DATA;
}
