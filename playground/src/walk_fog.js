/* walk_fog.js: an agent that sees only so far: which cells it has seen, and what it believes of all of them, after any turn of its walk; and how that is shown: a veil over cells that it has never seen,
 * another colour where it is wrong. What it believes comes from the worker, where its sensor corrects it (docs/recipes/fog.md); what it has seen follows from where it was.
 */
import { createFogLayer } from './layers.js';
import { cellKinds } from './world.js';

/* What it knows at first; the first one is usual. */
export const knownKinds = ['nothing', 'map'];
const cellNames = Object.keys(cellKinds);

/* The nodes of one row that are in sight of `node`, from the first to the last one; null if there are none. As in src/continuous/sensor.c: a square, or on hexagons all cells so many steps away. */
export function spanInSight({ width, height, hex }, node, range, row) {
    const x = node % width, y = Math.floor(node / width), away = Math.abs(row - y);
    if (away > range || row < 0 || row >= height) return null;
    const first = x - range + (hex ? (away + (y & 1) - (row & 1)) / 2 : 0), last = first + 2 * range - (hex ? away : 0);
    return [row * width + Math.max(0, first), row * width + Math.min(width - 1, last)];
}

/* `cells`: what is known at first. Turns are kept with what they changed, so that going back undoes them one by one, and going forwards makes them again. */
export function createSight(geometry, range, cells) {
    const seen = new Uint8Array(cells.open.length), turns = []; // { fresh: cells seen for the first time, nodes, before, after }
    let at = 0, place = -1; // turns that are shown, and where it has looked round last

    /* Every cell in sight, but for those that were in sight from the place before. */
    function look(node, see) {
        const y = Math.floor(node / geometry.width);
        for (let row = y - range; node !== place && row <= y + range; row++) {
            const span = spanInSight(geometry, node, range, row), before = place < 0 ? null : spanInSight(geometry, place, range, row);
            for (let one = span?.[0]; one <= span?.[1]; one++) {
                if (one >= before?.[0] && one <= before?.[1]) one = before[1];
                else see(one);
            }
        }
        place = node;
    }

    function write({ fresh, nodes }, isSeen, values) {
        for (const node of fresh) seen[node] = isSeen;
        for (let i = 0; i < nodes.length; i++) for (const name of cellNames) cells[name][nodes[i]] = values[name][i];
    }

    const sight = {
        seen, cells,
        /* After so many turns; `touch` hears of the cells that are others than before. */
        goTo(turn, touch) {
            while (at !== turn) {
                const isBack = at > turn, one = turns[isBack ? --at : at++];
                write(one, isBack ? 0 : 1, isBack ? one.before : one.after);
                touch(one.fresh);
                touch(one.nodes);
            }
        },
        /* One more turn: it has looked round at `from`, from where links lead to `ends`, and corrected what it knows (`after` as of World.changes; null if nothing was new). */
        add(from, ends, after, touch) {
            sight.goTo(turns.length, touch);
            const nodes = after?.nodes ?? [], before = Object.fromEntries(cellNames.map((name) => [name, Array.from(nodes, (node) => cells[name][node])])), fresh = [];
            const see = (node) => {
                if (!seen[node]) fresh.push(node);
                seen[node] = 1;
            };
            look(from, see);
            ends.forEach(see);
            nodes.forEach(see);
            turns.push({ fresh, nodes, before, after });
            sight.goTo(turns.length, touch);
        },
        isWrong: (node, truth) => cells.open[node] !== truth.open[node] || (truth.open[node] !== 0 && cellNames.some((name) => cells[name][node] !== truth[name][node])),
    };
    return sight;
}

export function createFog(app) {
    const { world } = app;
    let layer = null, sight = null, truth = world, state = 'now';

    const paint = (nodes) => layer.update(nodes);

    world.on('edited', (nodes) => sight && paint(nodes));
    return {
        /* `cells`: what the agent knows at first; none: it sees everything. */
        begin(cells, range) {
            sight = cells ? createSight(world.geometry, range, cells) : null;
            [truth, state] = [world, 'now'];
            if (!sight) return;
            layer ??= createFogLayer(world, (node) => (sight.isWrong(node, truth) ? 'wrong' : sight.seen[node] ? '' : 'veil'));
            layer.redraw(app.palette);
        },
        add({ from, corrected }) {
            sight?.add(from, world.links.filter((link) => link.from === from).map(({ to }) => to), corrected, paint);
        },
        /* The layer as it is after so many turns, in the world as it is, or as it was then (`past`, walk_past.js); null if there is no fog. */
        shown(turn, past) {
            if (!sight) return null;
            const before = state;
            [truth, state] = [past?.cells() ?? world, past?.state() ?? 'now'];
            sight.goTo(turn, paint);
            if (state !== before) layer.redraw(app.palette);
            return layer;
        },
        restyle: () => sight && layer.redraw(app.palette),
        /* What the agent thinks of a cell, if that is worth a word. */
        textOf(node) {
            if (!sight) return '';
            if (!sight.isWrong(node, truth)) return sight.seen[node] ? '' : 'The agent has not seen it yet.';
            const { open } = sight.cells;
            return `The agent takes it for ${open[node] === truth.open[node] ? 'other ground' : open[node] ? 'open' : 'blocked'}.`;
        },
    };
}
