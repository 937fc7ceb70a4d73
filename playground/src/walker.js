/* walker.js: the worker's part of an agent that walks: a planner and a navigator of its own, turn by turn, by a script or by hand.
 *
 * Whatever changes while it walks is written down with the step at which it came (the tape), so that a walk can be played again as a script. The tape
 * keeps a copy of the cells and notes only what differs from it.
 *
 * In fog, that is with a sensor, the world of the page is the truth, and the agent plans in a world of its own (docs/recipes/fog.md).
 *
 * With `background`, and a planner that has an index, a change does not hold up an agent that is led by hand: the index is built again in another worker (rebuild.js), and meanwhile the agent
 * follows its old path as far as that leads (PRA* of H, 3.3.5).
 */
import { createRebuild } from './rebuild.js';
import { prepareTrace, traceBuffers } from './trace.js';

const traceLimit = 400000;
const rowsLimit = 256 * 256; // larger maps are named, not drawn, in a script

/* Runs of cells in a row, then rows of equal runs, as rectangles. `nodes` ascend. */
export function rectanglesOf(nodes, width) {
    const done = [];
    let open = new Map(); // 'x0 x1' → rectangle that ends in the row above
    for (let i = 0; i < nodes.length;) {
        const y = Math.floor(nodes[i] / width), row = new Map();
        while (i < nodes.length && Math.floor(nodes[i] / width) === y) {
            const x0 = nodes[i] % width;
            let x1 = x0;
            for (i++; x1 + 1 < width && nodes[i] === y * width + x1 + 1; i++) x1++;
            const key = `${x0} ${x1}`, above = open.get(key);
            if (above?.y1 === y - 1) above.y1 = y;
            row.set(key, above?.y1 === y ? above : { x0, y0: y, x1, y1: y });
            if (row.get(key) !== above) done.push(row.get(key));
        }
        open = row;
    }
    return done;
}

function createTape({ world, map, profile, title, from, to }) {
    const { width } = world, { open, terrain } = world.cells();
    const cell = (node) => ({ x: node % width, y: Math.floor(node / width) });
    const changes = [], touched = new Map(); // cells that were edited at `step` → what they were before
    let step = 0;

    /* The edits of one step become rectangles, alike ones together. */
    function close() {
        const found = new Map();
        const note = (action, kind, node) => {
            const key = `${action} ${kind}`;
            if (!found.has(key)) found.set(key, { action, terrain: kind, nodes: [] });
            found.get(key).nodes.push(node);
        };
        for (const [node, was] of touched) {
            if (open[node] !== was.open) note(open[node] ? 'open' : 'block', 0, node);
            if (terrain[node] !== was.terrain) note('terrain', terrain[node], node);
        }
        touched.clear();
        for (const { action, terrain: kind, nodes } of found.values())
            for (const box of rectanglesOf(nodes.sort((a, b) => a - b), width)) changes.push({ at: step, action, terrain: kind, ...box });
    }

    return {
        edited(at, edit) {
            if (at !== step) close();
            step = at;
            for (let i = 0; i < edit.nodes.length; i++) {
                const node = edit.nodes[i];
                if (!touched.has(node)) touched.set(node, { open: open[node], terrain: terrain[node] });
                [open[node], terrain[node]] = [edit.open[i], edit.terrain[i]];
            }
        },
        /* A change of a script, as it is made. */
        scripted(change) {
            close();
            changes.push(change);
            for (let y = change.y0; y <= change.y1; y++)
                for (let x = change.x0; x <= change.x1; x++) {
                    if (change.action === 'terrain') terrain[y * width + x] = change.terrain;
                    else if (change.action !== 'goal') open[y * width + x] = change.action === 'open' ? 1 : 0;
                }
        },
        goal(at, node) {
            const { x, y } = cell(node), last = changes[changes.length - 1];
            if (last?.at === at && last.action === 'goal') changes.pop();
            changes.push({ at, action: 'goal', x0: x, y0: y });
        },
        script(end) {
            close();
            return { title, map, profile, from: cell(from), to: cell(to), changes: [...changes], end };
        },
    };
}

/* The world as rows of a script, if text can hold all of it; else what the page says. */
function mapOf(cairn, world, otherwise) {
    if (otherwise.kind === 'generated' || world.width * world.height > rowsLimit) return otherwise;
    try {
        const rows = world.toText(), copy = cairn.worldFromFile(rows), alike = sameCells(world.cells(), copy.cells());
        copy.destroy();
        return alike && !world.links().length ? { kind: 'rows', rows: new TextDecoder().decode(rows) } : otherwise;
    } catch {
        return otherwise;
    }
}

/* Steps along an old path are steps too. */
function sumsOf({ navigator, strolled }) {
    const sums = navigator.sums();
    return { ...sums, moves: sums.moves + strolled.moves, cost: sums.cost + strolled.cost };
}

/* Lists of which the next one is what is left of the one before, unless there is another plan. */
const sameStart = (a, b) => a.length === b.length && a[0] === b[0];

function sameCells(a, b) {
    return ['open', 'terrain', 'layer', 'elevation'].every((name) => a[name].every((value, i) => value === b[name][i]));
}

/* The world as an agent in fog knows it at first: the map, or free ground that it may walk on. Links and heights are known in any case: without them it might take a goal for unreachable. */
function knownOf(world, { terrainCost }, knows) {
    return knows === 'map' ? world.known('all') : world.known(['elevation', 'links'], Math.max(0, terrainCost.findIndex((price) => price > 0)));
}

/* `have()`: what the worker has now: { cairn, registry, world, space }; `standing()`: where the agent has room; `makeReady(job, planner)` builds its index. */
export function createWalker(have, standing, makeReady) {
    let walk = null; // { truth, known: the world as the agent knows it, or null, planner, navigator, scripted, script, step, tape, last, hasPlanned, subgoals: those that were told last }

    function end() {
        walk?.rebuild?.end();
        (walk?.known ?? walk?.planner)?.destroy();
        walk = null;
    }

    const isWalking = () => Boolean(walk) && !walk.truth.destroyed && !walk.navigator.destroyed;

    function underWay() {
        if (!isWalking()) throw new Error('nobody is walking');
        return walk;
    }

    function begin(job, { spec, from, to, options: { background, sensor, known: knows, ...options }, script, map, profile, title, builder }) {
        end();
        const { cairn, world, space } = have(), known = sensor ? knownOf(world, space.profile, knows) : null;
        let planner;
        try {
            planner = (known ? known.space(space.profile) : space).planner(spec);
            makeReady(job, planner);
            const navigator = planner.navigator(options);
            if (known) navigator.setSensor(space, sensor);
            const scripted = script ? navigator.walk(script) : null;
            if (!scripted) navigator.start(from, to);
            navigator.trace({ limit: traceLimit });
            const tape = createTape({ world, profile, title, from: navigator.at, to: navigator.goal, map: script && script.map.kind !== 'none' ? script.map : mapOf(cairn, world, map) });
            walk = { truth: space, known, planner, navigator, scripted, script, step: 0, tape, last: null, hasPlanned: false, subgoals: [], old: null, strolled: { moves: 0, cost: 0 } };
            if (background && !scripted && !known && planner.indexBytes) walk.rebuild = createRebuild(builder, () => copyFor(spec));
        } catch (error) {
            (known ?? planner)?.destroy();
            throw error;
        }
        const { navigator } = walk;
        return { result: { known: known?.cells(), from: navigator.at, to: navigator.goal, sums: navigator.sums(), indexBytes: planner.indexBytes, buildMs: planner.buildMs, scale: space.scale } };
    }

    /* The world and the agent, for another worker. */
    function copyFor(spec) {
        const { world, space } = have(), { layout, originX, originY, cellSize } = world;
        return { spec, cells: { ...world.cells(), layout, originX, originY, cellSize }, links: world.links(), profile: space.profile };
    }

    /* The index is being built elsewhere: a step along the old path, or null if that leads no further. */
    function stroll() {
        const { navigator } = walk, { space } = have(), from = navigator.at;
        const isFirst = !walk.old;
        walk.old ??= [...space.pathCells({ points: navigator.ahead(), links: [] })].slice(1);
        const [to] = walk.old, cost = to === undefined ? null : space.stepCost(from, to);
        if (cost === null) return null;
        walk.old.shift();
        navigator.moved(to);
        walk.strolled.moves++;
        walk.strolled.cost += cost;
        const at = walk.step++;
        return { kind: 'step', status: 'found', statusText: '', from, to, cost, arrived: false, work: 0, expanded: 0, plans: 0, pieces: 0, syncs: 0, broken: false, at, ms: 0, changes: null, strolls: true, isFirst };
    }

    /* The new index takes the place of the old one, if it is there; true if searches can run. */
    function renew() {
        const bytes = walk.rebuild.take();
        if (!bytes) return false;
        try {
            walk.planner.loadIndex(bytes);
        } catch (error) {
            if (error.status !== 'stale') throw error;
            walk.rebuild.changed(); // the world is another one by now
            return false;
        }
        walk.old = null;
        return true;
    }

    /* One turn, and what came of it; null if the agent waits for its index. */
    function turn() {
        if (!walk.rebuild || walk.planner.state === 'ok') return lead();
        return renew() ? { ...lead(), rebuilt: true } : stroll();
    }

    function lead() {
        const { navigator, scripted } = walk, start = performance.now();
        const move = scripted ? scripted.turn() : navigator.next(), ms = performance.now() - start;
        const changes = scripted?.made ? [scripted.next - scripted.made, scripted.next] : null;
        if (changes) walk.script.changes.slice(...changes).forEach(walk.tape.scripted);
        const at = walk.step;
        if (scripted) walk.step = scripted.step;
        else if (move.kind !== 'think') walk.step++;
        walk.last = move;
        return { ...move, at, ms, changes, inFog: Boolean(walk.known), corrected: move.seen ? walk.known.changes() : null };
    }

    /* Up to this many turns; fewer if the agent stands. */
    function turns({ turns: wanted }) {
        const { navigator, scripted, planner } = underWay(), { registry, space } = have(), made = [];
        let trace, over = scripted?.over ?? false;
        while (made.length < wanted && !over) {
            const one = turn();
            if (!one) break;
            made.push(one);
            if (one.plans || !sameStart(walk.subgoals, navigator.subgoals())) one.subgoals = walk.subgoals = navigator.subgoals();
            if (one.plans || one.pieces || one.subgoals) one.ahead = navigator.ahead();
            walk.hasPlanned ||= one.plans > 0;
            if (walk.hasPlanned && one.kind !== 'think') {
                trace = navigator.takeTrace();
                walk.hasPlanned = false;
            }
            const stands = one.kind === 'stop' || one.arrived;
            over = scripted ? scripted.over : one.arrived;
            if (stands) break;
        }
        const prepared = trace && prepareTrace(trace, registry.events, space.nodeCount);
        const { usable } = made.some((one) => one.changes) ? standing() : {};
        return {
            result: { turns: made, usable, ahead: navigator.ahead(), sums: sumsOf(walk), indexBytes: planner.indexBytes, step: walk.step, over, isWaiting: walk.rebuild?.isBusy() ?? false, trace: prepared },
            transfer: prepared ? traceBuffers(prepared) : [],
        };
    }

    function goal({ to }) {
        const { navigator, tape, step } = underWay();
        navigator.retarget(to);
        tape.goal(step, to);
        return { result: true };
    }

    /* What has happened so far as the text of a script. */
    function tapeText() {
        const { tape, last } = underWay(), ending = last?.arrived ? 'arrived' : last?.kind === 'stop' ? 'stopped' : 'any';
        return { result: new TextDecoder().decode(have().cairn.scriptFormat(tape.script(ending))) };
    }

    return {
        /* The world is about to change, or has. */
        edited(edit) {
            if (!isWalking()) return;
            walk.tape.edited(walk.step, edit);
            walk.rebuild?.changed();
        },
        operations: {
            walk: begin,
            walkTurns: (job, message) => turns(message),
            walkGoal: (job, message) => goal(message),
            walkTape: () => tapeText(),
            walkEnd() {
                end();
                return { result: true };
            },
            scriptText: (job, { script }) => ({ result: new TextDecoder().decode(have().cairn.scriptFormat(script)) }),
            script: (job, { text }) => ({ result: have().cairn.scriptParse(new TextEncoder().encode(text)) }),
        },
    };
}
