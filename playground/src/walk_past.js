/* walk_past.js: a walk as it was at an earlier turn: where the agent was, the path that it meant to take, what its last plan had visited, and the world before later changes.
 *
 * Changes of cells are kept with what the cells were, so that going back undoes them one by one on a copy, and going forwards makes them again. Of plans the paths are kept, and what
 * the last few of them visited.
 */
import { createBaseLayer } from './layers.js';

const tracesKept = 32;

export function createPast(app) {
    const { world } = app;
    let edits = [], plans = [], copy = null, layers = null, applied = 0; // edits that the copy has

    function write({ nodes }, values) {
        for (let i = 0; i < nodes.length; i++) [copy.open[nodes[i]], copy.terrain[nodes[i]]] = [values.open[i], values.terrain[i]];
        for (const layer of Object.values(layers)) layer.update(nodes);
    }

    function redraw() {
        for (const layer of Object.values(layers)) layer.redraw(app.palette, () => true);
    }

    function forget() {
        [copy, layers] = [null, null];
    }

    return {
        clear() {
            [edits, plans] = [[], []];
            forget();
        },
        /* Cells were changed when `turn` turns had been made. */
        edited(turn, nodes, after, before) {
            edits.push({ turn, nodes, after, before });
            forget();
        },
        /* The turn with this number has planned: the path from there on, and perhaps what was visited (undefined: it goes on by the last plan, to another subgoal). */
        planned(turn, ahead, trace, { coming, passed }) {
            plans.push({ turn, ahead, trace: trace === undefined ? plans[plans.length - 1]?.trace : trace, coming, passed: passed.length });
            if (plans.length > tracesKept) plans[plans.length - 1 - tracesKept].trace = null;
        },
        /* The turns before which the world was changed. */
        editTurns: () => [...new Set(edits.map(({ turn }) => turn))],
        planAt: (turn) => plans.findLast((plan) => plan.turn < turn) ?? null,
        /* The ground as it was after so many turns, and its walls to lie above what was visited; null if it was as it is now. */
        ground(turn) {
            const wanted = edits.findIndex((edit) => edit.turn >= turn), until = wanted < 0 ? edits.length : wanted;
            if (until === edits.length) return forget() ?? null;
            if (!copy) {
                copy = { width: world.width, height: world.height, open: world.open.slice(), terrain: world.terrain.slice(), usable: null };
                layers = { ground: createBaseLayer(copy), walls: createBaseLayer(copy, { wallsAlone: true }) };
                redraw();
                applied = edits.length;
            }
            while (applied > until) write(edits[--applied], edits[applied].before);
            while (applied < until) write(edits[applied], edits[applied++].after);
            return layers;
        },
        /* The cells of that ground; and a number for how they are, which changes with them. */
        cells: () => (copy ? { ...copy, layer: world.layer, elevation: world.elevation } : world),
        state: () => (copy ? applied : 'now'),
        restyle: () => layers && redraw(),
    };
}
