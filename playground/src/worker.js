/* worker.js: the side of the page that has the library: it owns the world, its space, planners and searches.
 *
 * Messages are { id, op, lane, … }; answers { id, result }, { id, error: { status, line, message } } or { id, dropped: true }; on the way { id, progress }. Searches
 * run in slices, and messages are heard between them. A newer request in the same lane, and any change of the world, drops what a lane is doing: its answer
 * would come too late to be of use. Building an index is one call of the library and cannot hear messages; the page ends the worker if it must (worker_client.js).
 */
import { load } from 'cairn';
import { prepareTrace, traceBuffers } from './trace.js';
import { colourAreas } from './areas.js';
import { edgeLines } from './edge_paths.js';
import { leastOf, leastRuns } from './measure.js';
import { cellsShown, checkShown } from './geometry.js';
import { createWalker } from './walker.js';
import { createSimulator } from './simulator.js';

const sliceMs = 12;
const warmMs = 200; // longer searches are not run again to be measured
const plannersKept = 8;

let cairn, registry, world, space;
let generation = 0; // of the world and its profile: jobs of an older one are dropped
const lanes = new Map(); // lane → the newest job in it
const planners = new Map(); // spec → { planner, search }, the least recently used first

const walker = createWalker(() => ({ cairn, registry, world, space: useSpace() }), standing, makeReady);
const simulator = createSimulator(() => ({ cairn, registry, world, space: useSpace() }), makeReady);

class Dropped extends Error {}

/* ---- the world ---- */

function adopt(next, extra = {}) {
    try {
        checkShown(next.width, next.height);
    } catch (error) {
        next.destroy();
        throw error;
    }
    generation++;
    planners.clear();
    space = undefined;
    world?.destroy();
    world = next;
    const cells = world.cells();
    const { width, height, layout, originX, originY, cellSize } = world;
    return {
        result: { ...cells, width, height, layout, originX, originY, cellSize, links: world.links(), ...extra },
        transfer: [cells.open.buffer, cells.terrain.buffer, cells.layer.buffer, cells.elevation.buffer],
    };
}

/* A file whose agent cannot be in its world is refused whole. */
function openFile(bytes, name) {
    const contents = cairn.archiveContents(bytes), next = cairn.worldFromFile(bytes, name);
    try {
        if (contents.profile) next.space(contents.profile).destroy();
    } catch (error) {
        next.destroy();
        throw error;
    }
    return adopt(next, { contents, recording: recordingIn(bytes) });
}

/* What `cairn simulate --record` wrote, as words (recording.js checks them); undefined if it is not there. */
function recordingIn(bytes) {
    const options = cairn.archiveSection(bytes, 'sim.options');
    const words = options ? ['events', 'edits', 'frames'].map((name) => [name, cairn.archiveSection(bytes, `sim.${name}`, 4)]) : [];
    if (!words.length || words.some(([, found]) => !found)) return undefined;
    return { options: new TextDecoder().decode(options), ...Object.fromEntries(words.map(([name, found]) => [name, new Uint32Array(found.buffer)])) };
}

function useSpace() {
    if (!space) throw new Error('there is no world yet');
    return space;
}

/* The space for this profile; a world of another layout is made anew, since the layout belongs to the world. */
function setProfile(profile) {
    generation++;
    const layout = profile.neighbours === 'hex' ? 'hex' : 'square';
    if (world.layout !== layout) {
        planners.clear();
        space?.destroy();
        space = undefined;
        world.setLayout(layout);
    }
    const next = world.space(profile); // a profile that cannot be leaves the old space as it was
    planners.clear();
    space?.destroy();
    space = next;
    const { usable, transfer } = standing();
    return { result: { layout, profile: space.profile, scale: space.scale, bytes: space.bytes, worldBytes: world.bytes, usable }, transfer };
}

/* Where the agent has room, if it has a size: else every cell that is open to it will do. */
function standing() {
    const { radius, footprint } = space.profile;
    if (radius <= 0.5 && footprint <= 1) return { transfer: [] };
    const usable = space.usable();
    return { usable, transfer: [usable.buffer] };
}

function edit({ nodes, open, terrain, layer, elevation }) {
    generation++;
    const begin = performance.now();
    const commit = world.edit({ nodes, open, terrain, layer, elevation });
    const ms = performance.now() - begin;
    walker.edited({ nodes, open, terrain });
    simulator.edited({ nodes, open, terrain, layer, elevation });
    const { usable, transfer } = standing();
    return { result: { ...commit, ms, upkeep: space.upkeep(), usable }, transfer };
}

/* All links of the world: those that are there go first. */
function setLinks({ links }) {
    generation++;
    const ids = [...new Set(world.links().map(({ id }) => id))];
    if (ids.length) world.removeLinks(ids);
    if (links.length) world.addLinks(links);
    return { result: { links: world.links() } };
}

/* Where a walk might begin and end: cells of the largest region near two opposite corners. */
function suggestEnds() {
    const regions = useSpace().components(), sizes = new Map(), { width, height } = world;
    for (const region of regions) if (region) sizes.set(region, (sizes.get(region) ?? 0) + 1);
    const [largest] = [...sizes].reduce((best, one) => (one[1] > best[1] ? one : best), [0, 0]);
    const nearest = (x0, y0) => {
        let best = 0, least = Infinity;
        for (let node = 0; node < regions.length; node++) {
            if (regions[node] !== largest) continue;
            const dx = (node % width) - x0, dy = Math.floor(node / width) - y0, distance = dx * dx + dy * dy;
            if (distance < least) [least, best] = [distance, node];
        }
        return best;
    };
    return { from: nearest(width * 0.06, height * 0.1), to: nearest(width * 0.94, height * 0.9), regions: sizes.size };
}

/* ---- planners and searches ---- */

function plannerFor(spec) {
    let entry = planners.get(spec);
    planners.delete(spec);
    if (!entry) {
        const planner = useSpace().planner(spec);
        entry = { planner, search: planner.search() };
    }
    planners.set(spec, entry);
    for (const [oldest, { planner }] of planners) {
        if (planners.size <= plannersKept) break;
        planner.destroy();
        planners.delete(oldest);
    }
    return entry;
}

function makeReady(job, planner) {
    if (planner.state === 'ok') return;
    let told = 0;
    const progress = (done, total) => {
        const now = performance.now();
        if (now - told < 50) return true;
        told = now;
        job.progress({ building: true, done, total });
        return true;
    };
    if (planner.state === 'stale') planner.sync(progress);
    else planner.build(progress);
    job.progress({ building: false });
}

/* Runs a query whole, in slices; the time is that of the slices alone. */
async function run(job, search, query, trace) {
    search.trace(trace);
    let begin = performance.now(), status = search.begin(query), ms = performance.now() - begin, work = 2000;
    while (status === 'running') {
        begin = performance.now();
        status = search.step(work);
        const slice = performance.now() - begin;
        ms += slice;
        work = Math.max(100, Math.round(work * Math.min(2, Math.max(0.5, sliceMs / Math.max(0.1, slice)))));
        if (status === 'running') await job.pause();
    }
    return { found: search.result(), ms };
}

/* Searches take turns: two lanes may want the same planner, and each has but one search. */
let lastTurn = Promise.resolve();
async function inTurn(job, action) {
    const before = lastTurn;
    let end;
    lastTurn = new Promise((ended) => {
        end = ended;
    });
    await before;
    try {
        job.check();
        return await action();
    } finally {
        end();
    }
}

/* An answer, and how long it takes when everything is warm. */
async function measure(job, search, query) {
    const first = await run(job, search, query, false);
    if (first.ms > warmMs) return { ...first, runs: 1 };
    if (first.ms <= sliceMs) return { found: first.found, ...leastOf(() => search.find(query)) };
    const times = [first.ms];
    while (times.length < leastRuns) times.push((await run(job, search, query, false)).ms);
    return { found: first.found, ms: Math.min(...times), runs: times.length };
}

/* What the best path costs: by the first planner of the registry that is optimal here and needs no index. */
let optimum = { key: '' };
async function bestCost(job, query) {
    const key = `${generation} ${query.from} ${query.to}`;
    if (optimum.key === key) return optimum.cost;
    for (const algorithm of registry.algorithms) {
        if (!algorithm.flags.optimal || algorithm.flags.needsIndex) continue;
        const entry = attempt(() => plannerFor(algorithm.name));
        if (!entry?.planner.optimal) continue;
        const { found } = await run(job, entry.search, query, false);
        optimum = { key, cost: found.status === 'found' ? found.cost : null };
        return optimum.cost;
    }
    return null;
}

function attempt(action) {
    try {
        return action();
    } catch {
        return undefined;
    }
}

function plainResult(found) {
    const { status, statusText, partial, end, points, cost, length, bound, anyAngle, links, version, metrics, peakBytes, answeredBy, hash } = found;
    return { status, statusText, partial, end, points, cost, length, bound, anyAngle, links, version, metrics, peakBytes, answeredBy, hash };
}

async function search(job, { spec, query, traceLimit, smooth, exact }) {
    const { planner, search: scratch } = plannerFor(spec);
    makeReady(job, planner);
    const measured = exact ? await measure(job, scratch, query) : null;
    const traced = await run(job, scratch, query, traceLimit ? { limit: traceLimit } : false);
    const trace = traceLimit ? prepareTrace(scratch.takeTrace(), registry.events, space.nodeCount) : undefined;
    const found = traced.found, result = plainResult(found);
    result.smoothed = smooth && found.points.length > 1 ? smoothed(found, smooth) : undefined;
    result.best = found.status === 'found' ? (planner.optimal ? found.cost : await bestCost(job, query)) : null;
    Object.assign(result, {
        spec, algorithm: planner.algorithm, optimal: planner.optimal, ms: measured?.ms ?? traced.ms, runs: measured?.runs ?? 0, scale: space.scale,
        indexBytes: planner.indexBytes, buildMs: planner.buildMs, trace,
    });
    return { result, transfer: trace ? traceBuffers(trace) : [] };
}

function smoothed(found, kind) {
    try {
        return space.smooth(found, kind);
    } catch (error) {
        return { error: error.message };
    }
}

/* Why an agent can or cannot stand here, and whether it can come here at all. */
function explain({ x, y, from }) {
    const explanation = useSpace().explain(x, y), node = y * world.width + x;
    const apart = !explanation.reason && space.reachable(from, node) === 'no';
    return { ...explanation, text: explanation.text + (apart ? ' It lies in another region than the start: no way leads here.' : '') };
}

/* ---- overlays ---- */

function coloured(groups, colourCount) {
    const areas = colourAreas(groups, world.width, colourCount);
    return { result: { colours: areas.colours, count: areas.count }, transfer: [areas.colours.buffer] };
}

/* Positions become cells. */
function inCells({ x0, y0, x1, y1, ...rest }) {
    const { originX, originY, cellSize } = world;
    const across = (values) => values.map((x) => (x - originX) / cellSize), down = (values) => values.map((y) => (y - originY) / cellSize);
    return { ...rest, x0: across(x0), y0: down(y0), x1: across(x1), y1: down(y1) };
}

/* Edges along the paths that they stand for, where the index has clusters. */
function edgesAlongPaths(planner, all, shown) {
    const levels = [...new Set(shown.edges.layer)], found = levels.map((level) => edgeLines({ overlay: all, level, space, world, size: Number(planner.parameters.size) }));
    if (!levels.length || !found.every(Boolean)) return shown.edges;
    const lines = found.flatMap((list, i) => list.map(([from, to]) => ({ level: levels[i], from: space.position(from), to: space.position(to) })));
    const numbers = (valueOf) => Float32Array.from(lines, valueOf);
    return {
        layer: Uint8Array.from(lines, ({ level }) => level), x0: numbers(({ from }) => from.x), y0: numbers(({ from }) => from.y), x1: numbers(({ to }) => to.x), y1: numbers(({ to }) => to.y),
    };
}

function overlay(job, { spec, layer, colourCount }) {
    const { planner } = plannerFor(spec);
    makeReady(job, planner);
    const all = planner.overlay(0), shown = planner.overlay(layer);
    const lowest = Math.min(...shown.layers);
    const groups = new Uint32Array(space.nodeCount), { areas } = shown;
    for (let i = 0; i < areas.node.length; i++) if (areas.layer[i] === lowest) groups[areas.node[i]] = areas.group[i] + 1;
    const { x, y, ...points } = shown.nodes;
    return {
        result: {
            layers: all.layers, lowest, areas: areas.node.length ? colourAreas(groups, world.width, colourCount) : undefined,
            borders: inCells(shown.borders), edges: inCells(edgesAlongPaths(planner, all, shown)), edgeCount: shown.edges.layer.length, nodes: inCells({ ...points, x0: x, y0: y, x1: x, y1: y }),
            indexBytes: planner.indexBytes, buildMs: planner.buildMs,
        },
    };
}

/* ---- whole scenarios ---- */

/* A scenario must be for a world of this size: then its problems as pairs of nodes. */
function readScenario(bytes) {
    const { map, problems } = cairn.scenarioParse(bytes);
    if (!problems.length) throw new Error('this scenario has no problems');
    return checkedScenario(map, problems);
}

function checkedScenario(map, problems) {
    const { width, height } = world, other = problems.find((problem) => problem.width !== width || problem.height !== height);
    if (other)
        throw new Error(`this scenario is for ${map || 'a map'} of ${other.width} × ${other.height} cells, but the world here has ${width} × ${height}: open that map first`);
    return { map, problems };
}

function makeProblems(job, { count, seed, name }) {
    const progress = (done, total) => {
        job.progress({ done, total });
        return true;
    };
    const { map, problems } = world.generateScenario({ count, seed, map: name, progress });
    return checkedScenario(map, problems);
}

/* Every problem with every planner, one after the other; searches of the page go between. Costs are in units; -1 = none. */
async function solve(job, { specs, queries }) {
    const runs = [], total = (specs.length + 1) * queries.length;
    let done = 0, told = 0;
    const tellDone = () => {
        done++;
        if (performance.now() - told < 60) return;
        told = performance.now();
        job.progress({ done, total });
    };
    for (const spec of specs) {
        const answers = [];
        let about = {};
        for (const query of queries) {
            answers.push(await inTurn(job, async () => {
                const { planner, search: scratch } = plannerFor(spec);
                makeReady(job, planner);
                const { found, ms } = await measure(job, scratch, query);
                about = { optimal: planner.optimal, indexBytes: planner.indexBytes, buildMs: planner.buildMs };
                const { metrics, cost, status, length, anyAngle } = found;
                return { status, cost, length, anyAngle, ms, expanded: metrics.expanded, generated: metrics.generated, work: metrics.work, memory: metrics.peakBytes };
            }));
            tellDone();
            await job.pause();
        }
        runs.push({ spec, ...about, answers });
    }
    const best = [], exact = runs.find((one) => one.optimal);
    for (const [i, query] of queries.entries()) {
        best.push(exact ? exact.answers[i].cost : await inTurn(job, () => bestCost(job, query)));
        tellDone();
        if (!exact) await job.pause();
    }
    return { result: { runs, best, scale: space.scale } };
}

/* ---- pictures and traces ---- */

function drawing(job, { spec, query, colour, overlay: layer, smooth, scale }) {
    const { planner } = plannerFor(spec);
    makeReady(job, planner);
    return useSpace().svg({ planner, query, colour, overlay: layer, smooth, scale });
}

function posthoc(job, { spec, query }) {
    const { planner } = plannerFor(spec);
    makeReady(job, planner);
    return planner.posthoc(query);
}

/* ---- what may be asked for ---- */

const operations = {
    async load(job, { module }) {
        cairn = await load(module, { maxCells: cellsShown });
        registry = cairn.registry();
        return { result: { registry, version: cairn.version } };
    },
    /* Another worker asks through this port from now on. */
    serve(job, { port }) {
        port.onmessage = ({ data }) => handle(port, data);
        return { result: true };
    },
    /* An index for it. */
    async buildIndex(job, { spec, cells, links, profile }) {
        while (!cairn) await job.pause();
        const copy = cairn.worldFromCells(cells);
        try {
            if (links.length) copy.addLinks(links);
            const planner = copy.space(profile).planner(spec);
            planner.build();
            return { result: { bytes: planner.saveIndex() } };
        } finally {
            copy.destroy();
        }
    },
    open: (job, { bytes, name }) => openFile(bytes, name),
    pixels: (job, { rgba, width, height, file }) =>
        adopt(cairn.worldFromPixels(rgba, width, height, { mode: cairn.pngIsOurs(file) ? 'standard' : 'auto' })),
    async tiled(job, { document, tilesets }) {
        const { world: next, place } = await cairn.worldFromTiled(document, { skipTilesets: false }, (name) => {
            const found = tilesets[name.replace(/^.*[\\/]/, '')];
            if (!found) throw new Error(`the tileset ${name} is a file of its own: open it together with the map, or embed it`);
            return found;
        });
        return adopt(next, { place });
    },
    generate: (job, { kind, numbers, fromSource }) => adopt(cairn.generate(kind, fromSource ? { ...numbers, source: world } : numbers)),
    cells(job, { cells, links }) {
        const next = cairn.worldFromCells(cells);
        if (links?.length) next.addLinks(links);
        return adopt(next);
    },
    profile: (job, { profile }) => setProfile(profile),
    edit: (job, message) => edit(message),
    links: (job, message) => setLinks(message),
    ends: () => ({ result: suggestEnds() }),
    search: (job, message) => inTurn(job, () => search(job, message)),
    overlay: (job, message) => inTurn(job, () => overlay(job, message)),
    scenario: (job, { bytes }) => ({ result: readScenario(bytes) }),
    problems: (job, message) => ({ result: makeProblems(job, message) }),
    formatScenario: (job, { scenario }) => ({ result: cairn.scenarioFormat(scenario) }),
    solve,
    svg: (job, message) => inTurn(job, () => ({ result: drawing(job, message) })),
    posthoc: (job, message) => inTurn(job, () => ({ result: posthoc(job, message) })),
    cancel(job, { of }) {
        const running = lanes.get(of);
        if (running) running.dropped = true;
        return { result: null };
    },
    regions: (job, { colourCount }) => coloured(useSpace().components(), colourCount),
    clearance(job, { limit }) {
        const field = useSpace().clearance(limit);
        return { result: { field, limit }, transfer: [field.buffer] };
    },
    dropClearance() {
        space?.dropClearance();
        return { result: true };
    },
    explain: (job, message) => ({ result: explain(message) }),
    scriptWorld: (job, { script }) => adopt(cairn.scriptWorld(script)),
    ...walker.operations,
    ...simulator.operations,
    /* `question`: for a .cairn file: a query and an algorithm, which it then holds with the agent. */
    save(job, { format, question }) {
        const archive = () => world.toArchive(question && { profile: useSpace().profile, ...question });
        return { result: { map: () => world.toMap(), txt: () => world.toText(), cairn: archive }[format]() };
    },
};

/* ---- messages ---- */

const channel = new MessageChannel(), waiting = [];
channel.port1.onmessage = () => waiting.shift()();

function createJob(message) {
    const job = {
        dropped: false,
        generation,
        progress: (progress) => self.postMessage({ id: message.id, progress }),
        /* Lets messages be heard, and ends the job if one of them made it pointless. */
        async pause() {
            await new Promise((heard) => {
                waiting.push(heard);
                channel.port2.postMessage(0);
            });
            job.check();
        },
        check() {
            if (job.dropped || job.generation !== generation) throw new Dropped();
        },
    };
    if (message.lane) {
        const older = lanes.get(message.lane);
        if (older) older.dropped = true;
        lanes.set(message.lane, job);
    }
    return job;
}

function answer(id, error) {
    if (error instanceof Dropped) return { id, dropped: true };
    return { id, error: { message: error.message, status: error.status ?? 'invalid', line: error.line ?? 0, fatal: error instanceof WebAssembly.RuntimeError } };
}

async function handle(asker, message) {
    const job = createJob(message);
    try {
        const { result, transfer = [] } = await operations[message.op](job, message);
        asker.postMessage({ id: message.id, result }, transfer);
    } catch (error) {
        asker.postMessage(answer(message.id, error));
    }
}

self.onmessage = ({ data }) => handle(self, data);
