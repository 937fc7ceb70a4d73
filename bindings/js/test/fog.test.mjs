// Fog of war: worlds that are known in part, and agents with a sensor.
import assert from 'node:assert/strict';
import test from 'node:test';
import { bytes, CairnError, fresh, random, refused, text } from './support.mjs';

// The world of examples/fog.c: the way to the east is a bay.
const BAY = ['..............', '.###########..', '.............#', '.............#', '.############.', '..............'].join('\n');
const BAY_FROM = 2 * 14 + 2, BAY_TO = 5 * 14 + 13;

// An agent of the truth, with its own world of what it knows.
function scout(truth, { what, terrain = 0, range, spec = 'dstar-lite', profile = {} }) {
    const space = truth.space(profile), known = truth.known(what, terrain), navigator = known.space(profile).planner(spec).navigator();
    navigator.setSensor(space, range);
    return { space, known, navigator };
}

// Walks until it stands; `turn` sees every move.
function walkOn(navigator, turn = () => {}, limit = 50000) {
    let move;
    for (let turns = 0; turns < limit; turns++) {
        move = navigator.next();
        turn(move);
        if (move.arrived || move.kind === 'stop') break;
    }
    return move;
}

// Rows and columns, or steps on hexagons of which odd rows lie half a cell to the right.
function distance(layout, width, a, b) {
    const [ax, ay, bx, by] = [a % width, Math.floor(a / width), b % width, Math.floor(b / width)], dy = by - ay;
    if (layout === 'square') return Math.max(Math.abs(bx - ax), Math.abs(dy));
    const column = (x, y) => x - (y - (y & 1)) / 2, dx = column(bx, by) - column(ax, ay);
    return Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dx + dy));
}

test('a scout that knows nothing walks into the bay, one that knows the map does not', async () => {
    const cairn = await fresh();
    const truth = cairn.worldFromFile(bytes(BAY)), steps = {};
    for (const what of ['all', []]) {
        const { known, navigator } = scout(truth, { what, range: 2 });
        navigator.start(BAY_FROM, BAY_TO);
        let seen = 0;
        assert.equal(walkOn(navigator, (move) => { seen += move.seen; }).arrived, true);
        const sums = navigator.sums();
        assert.equal(sums.seen, seen);
        steps[what] = sums.moves;
        if (what === 'all') assert.equal(seen, 0);
        else {
            assert.deepEqual([sums.moves, seen], [35, 25]); // as examples/fog.c prints
            assert.equal(text(known.toText()).replaceAll('@', '#').trimEnd(), ['..............', '.###########..', '.............#', '.............#', '.############.', '..............'].join('\n'));
        }
        known.destroy();
    }
    const plain = truth.space().planner('astar').navigator();
    plain.start(BAY_FROM, BAY_TO);
    walkOn(plain);
    assert.equal(steps.all, plain.sums().moves);
    assert.ok(steps.all < 35);
    truth.destroy();
    assert.equal(cairn.memory().bytes, 0);
});

for (const layout of ['square', 'hex'])
    test(`what is known is the truth within range, and what was assumed elsewhere (${layout})`, async () => {
        const cairn = await fresh(), width = 30, range = 3, neighbours = layout === 'hex' ? 'hex' : '8';
        for (let seed = 1; seed <= 8; seed++) {
            const truth = cairn.generate('random', { width, height: 24, percent: 25, seed });
            if (layout === 'hex') truth.setLayout('hex');
            truth.edit({ nodes: [200, 201, 202, 203, 204], terrain: [1, 2, 3, 1, 2] });
            const { space, known, navigator } = scout(truth, { range, spec: 'astar', profile: { neighbours } });
            assert.equal(known.layout, layout);
            assert.ok(known.cells().open.every(Boolean));
            const parts = space.components(), expected = known.cells(), draw = random(seed);
            navigator.start(parts.indexOf(1), parts.lastIndexOf(1));
            let noticed = 0;
            walkOn(navigator, (move) => {
                const is = truth.cells(), nodes = [...expected.open.keys()].filter((node) => distance(layout, width, move.from, node) <= range);
                const wrong = nodes.filter((node) => is.open[node] !== expected.open[node] || is.terrain[node] !== expected.terrain[node]);
                for (const node of nodes) [expected.open[node], expected.terrain[node]] = [is.open[node], is.terrain[node]];
                assert.deepEqual(known.cells(), expected);
                assert.equal(move.seen, wrong.length);
                if (move.seen) {
                    const changes = known.changes();
                    assert.deepEqual([[...changes.nodes], [...changes.open], [...changes.terrain], changes.linksChanged], [wrong, wrong.map((node) => is.open[node]), wrong.map((node) => is.terrain[node]), false]);
                }
                noticed += wrong.length;
                if (move.kind === 'step') assert.notEqual(space.stepCost(move.from, move.to), null, 'a step that is none');
                const node = draw(is.open.length);
                if (node !== navigator.at && node !== navigator.goal) truth.edit({ nodes: [node], open: [draw(2)] });
            }, 400);
            assert.ok(noticed > 20 && noticed === navigator.sums().seen);
            known.destroy();
            truth.destroy();
        }
        assert.equal(cairn.memory().bytes, 0);
    });

test('every algorithm arrives in fog, while walls fall', async () => {
    const cairn = await fresh();
    for (const { name, flags } of cairn.registry().algorithms) {
        const truth = cairn.generate('rooms', { width: 33, height: 33, seed: 2 });
        const { space, known, navigator } = scout(truth, { range: 3, spec: name });
        const parts = space.components(), draw = random(1);
        navigator.start(parts.indexOf(1), parts.lastIndexOf(1));
        let steps = 0, cost = 0;
        const last = walkOn(navigator, (move) => {
            if (move.kind !== 'step') return;
            cost += move.cost;
            assert.equal(space.stepCost(move.from, move.to), move.cost, name);
            const node = draw(parts.length);
            if (steps++ % 8 === 0 && node !== navigator.at && node !== navigator.goal) truth.edit({ nodes: [node], open: [1] });
        });
        // some give up long paths
        assert.ok(last.arrived || (flags.exponential && last.status === 'out-of-budget'), `${name}: ${last.kind} ${last.status}`);
        assert.equal(navigator.sums().cost, cost);
        if (last.arrived) assert.ok(navigator.sums().seen > 30, name);
        known.destroy();
        truth.destroy();
    }
    assert.equal(cairn.memory().bytes, 0);
});

test('a wall that rises far away is seen when the agent comes near', async () => {
    const cairn = await fresh();
    const truth = cairn.worldFromCells({ width: 20, height: 5 });
    const { known, navigator } = scout(truth, { what: 'all', range: 2, spec: 'astar' });
    navigator.start(40, 59);
    navigator.next();
    truth.edit({ nodes: [30, 50, 70], open: [0, 0, 0] });
    const seenFrom = [];
    walkOn(navigator, (move) => {
        if (move.seen) seenFrom.push(move.from % 20);
    });
    assert.deepEqual([seenFrom, known.version, navigator.at], [[8], 2, 59]);
    assert.deepEqual([...known.changes().nodes], [30, 50, 70]);
    truth.edit({ nodes: [30, 50, 70], open: [1, 1, 1] });
    navigator.retarget(40);
    walkOn(navigator);
    assert.deepEqual([navigator.at, navigator.sums().seen, known.cells().open.every(Boolean)], [40, 6, true]);
});

test('what is named is known, the rest is assumed', async () => {
    const cairn = await fresh(), planes = { open: [1, 0], terrain: [2, 1], layer: [5, 0], elevation: [-3, 7] };
    const truth = cairn.worldFromCells({ width: 2, height: 1, originX: 5, cellSize: 2, ...planes });
    truth.addLinks([{ from: 0, to: 1, id: 4, cost: 256, kind: 1 }]);
    const assumed = { open: [1, 1], terrain: [3, 3], layer: [0, 0], elevation: [0, 0] };
    for (const what of [[], ['open'], ['terrain'], ['layer'], ['elevation'], ['links'], ['layer', 'open'], 'all']) {
        const known = truth.known(what, 3), cells = known.cells(), has = (name) => what === 'all' || what.includes(name);
        for (const name of Object.keys(planes)) assert.deepEqual([...cells[name]], has(name) ? planes[name] : assumed[name], `${name} of ${what}`);
        assert.deepEqual(known.links(), has('links') ? truth.links() : []);
        assert.deepEqual([known.originX, known.cellSize, known.version], [5, 2, 1]);
        known.destroy();
    }
    assert.throws(() => truth.known('open'), refused('invalid', /list of open, terrain/));
    assert.throws(() => truth.known(['walls']), refused('invalid', /open, terrain, layer, elevation, links/));
    assert.throws(() => truth.known([], 256), refused('invalid', /terrain/));
    truth.destroy();
    assert.throws(() => truth.known(), refused('invalid', /World was destroyed/));
    assert.equal(cairn.memory().bytes, 0);
});

test('sensors that cannot be are refused with a reason, and the old one stays', async () => {
    const cairn = await fresh();
    const truth = cairn.worldFromCells({ width: 9, height: 9 }), small = cairn.worldFromCells({ width: 8, height: 9 }), hexagons = cairn.worldFromCells({ width: 9, height: 9, layout: 'hex' });
    const { space, known, navigator } = scout(truth, { range: 2 }), stranger = (await fresh()).worldFromCells({ width: 9, height: 9 }).space();
    const refusals = [
        [navigator.planner.space, 2, 'invalid', /the known world itself/], [small.space(), 2, 'invalid', /8 x 9 cells, not 9 x 9/],
        [hexagons.space({ neighbours: 'hex' }), 2, 'invalid', /layout/], [space, 0, 'invalid', /from 1 to 1024/], [space, 1025, 'invalid', /from 1 to 1024/], [space, 1.5, 'invalid', /range/],
        [stranger, 2, 'invalid', /this instance/], [truth, 2, 'invalid', /space of this instance/], [undefined, 2, 'invalid', /space of this instance/],
    ];
    for (const [what, range, status, pattern] of refusals) {
        assert.throws(() => navigator.setSensor(what, range), refused(status, pattern), String(pattern));
        assert.equal(navigator.truth, space);
    }
    const large = { radius: 1.5 }, broad = known.space(large);
    const wide = broad.planner('astar').navigator();
    assert.throws(() => wide.setSensor(space, 1), refused('invalid', /range/));
    assert.equal(wide.truth, null);
    wide.setSensor(space, 4);
    assert.throws(() => broad.planner('theta').navigator().setSensor(space, 4), refused('unsupported', /angle/));
    truth.edit({ nodes: [10], open: [0] });
    navigator.start(0, 80);
    assert.equal(navigator.next().seen, 1);
    navigator.setSensor(null);
    truth.edit({ nodes: [11], open: [0] });
    assert.deepEqual([navigator.truth, walkOn(navigator).arrived, navigator.sums().seen], [null, true, 1]);
    assert.throws(() => known.changes(9), refused('stale'));
    assert.throws(() => known.changes(-1), refused('invalid'));
});

test('each world lives by itself: an agent goes on in the truth as it was last', async () => {
    const cairn = await fresh();
    const truth = cairn.worldFromFile(bytes(BAY)), { known, navigator, space } = scout(truth, { range: 2 });
    navigator.start(BAY_FROM, BAY_TO);
    navigator.next();
    truth.destroy();
    assert.equal(space.destroyed, true);
    assert.equal(walkOn(navigator).arrived, true);
    assert.equal(navigator.sums().moves, 35);
    assert.throws(() => navigator.setSensor(space, 2), refused('invalid', /Space was destroyed/));
    navigator.setSensor(null);
    known.destroy();
    assert.equal(cairn.memory().bytes, 0);

    const other = cairn.worldFromFile(bytes(BAY)), agent = scout(other, { range: 2 });
    agent.known.destroy();
    assert.throws(() => agent.navigator.setSensor(agent.space, 2), refused('invalid', /Navigator was destroyed/));
    assert.equal(agent.space.planner('astar').search().find({ from: BAY_FROM, to: BAY_TO }).status, 'found');
    other.destroy();
    assert.equal(cairn.memory().bytes, 0);
});

test('a script changes the truth, and the agent sees it in time', async () => {
    const cairn = await fresh();
    const truth = cairn.worldFromCells({ width: 12, height: 3 }), { known, navigator } = scout(truth, { what: 'all', range: 2, spec: 'astar' });
    const walk = navigator.walk({ from: { x: 0, y: 1 }, to: { x: 11, y: 1 }, changes: [{ at: 1, action: 'block', x0: 8, y0: 0, y1: 1 }] });
    const seenAt = [];
    while (!walk.over) {
        const move = walk.turn();
        if (walk.step === 2) assert.deepEqual([truth.cells().open[20], known.cells().open[20]], [0, 1]);
        if (move.seen) seenAt.push(move.from % 12);
    }
    assert.deepEqual([seenAt, navigator.at], [[6], 23]);
    const late = navigator.walk({ from: { x: 0, y: 1 }, to: { x: 11, y: 1 } });
    truth.destroy();
    assert.throws(() => late.turn(), (error) => error instanceof CairnError && /World was destroyed/.test(error.message));
});
