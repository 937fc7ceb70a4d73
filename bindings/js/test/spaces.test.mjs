// Spaces: profiles, what can be stood on, questions, paths and pictures. Compared with plain computations on the cells.
import assert from 'node:assert/strict';
import test from 'node:test';
import { bytes, fresh, random, refused, ROOMS } from './support.mjs';

const STEPS = [[0, -1], [1, 0], [0, 1], [-1, 0]];

// Regions by flooding, of four neighbours.
function flood(width, height, open) {
    const components = new Uint32Array(width * height);
    let count = 0;
    for (let start = 0; start < components.length; start++) {
        if (!open[start] || components[start]) continue;
        components[start] = ++count;
        for (const stack = [start]; stack.length;) {
            const node = stack.pop(), x = node % width, y = (node - x) / width;
            for (const [dx, dy] of STEPS) {
                const next = (y + dy) * width + x + dx;
                const inside = x + dx >= 0 && x + dx < width && y + dy >= 0 && y + dy < height;
                if (inside && open[next] && !components[next]) {
                    components[next] = count;
                    stack.push(next);
                }
            }
        }
    }
    return components;
}

test('components and usable cells are those of a flood', async () => {
    const cairn = await fresh();
    const world = cairn.generate('random', { width: 150, height: 90, percent: 45, seed: 9 });
    const space = world.space({ neighbours: '4' });
    const draw = random(4);
    for (let round = 0; round < 4; round++) {
        const { open } = world.cells();
        assert.deepEqual(space.usable(), open);
        assert.deepEqual(space.components(), flood(150, 90, open));
        const nodes = Uint32Array.from({ length: 60 }, () => draw(open.length));
        world.edit({ nodes, open: nodes.map(() => draw(2)) });
        assert.equal(space.version, world.version);
        assert.ok(space.upkeep().tilesLabelled > 0);
    }
    const components = space.components(), two = components.indexOf(2), one = components.indexOf(1);
    assert.equal(space.reachable(one, two), 'no');
    assert.equal(space.reachable(one, one), 'yes');
    assert.equal(components[space.nearestReachable(one, two)], 1);
    assert.equal(space.directed, false);
});

test('clearance is the distance to the nearest blocked cell, up to the limit', async () => {
    const cairn = await fresh();
    const [width, height] = [30, 20];
    const world = cairn.generate('random', { width, height, percent: 8, seed: 2 });
    const space = world.space();
    const blocked = (open, x, y) => x < 0 || y < 0 || x >= width || y >= height || !open[y * width + x];
    for (let round = 0; round < 2; round++) {
        const { open } = world.cells();
        const field = space.clearance(6);
        for (let node = 0; node < field.length; node++) {
            const x = node % width, y = (node - x) / width;
            let least = 6;
            for (let dy = -7; dy <= 7; dy++) {
                for (let dx = -7; dx <= 7; dx++) {
                    if (!blocked(open, x + dx, y + dy)) continue;
                    const far = Math.hypot(Math.max(Math.abs(dx) - 0.5, 0), Math.max(Math.abs(dy) - 0.5, 0));
                    least = Math.min(least, dx || dy ? far : 0);
                }
            }
            assert.ok(Math.abs(field[node] - least) < 0.01, `${node}: ${field[node]} ${least}`);
        }
        world.edit({ nodes: [3, 77, 310], open: [0, 1, 0] });
    }
    space.dropClearance();
    assert.throws(() => space.clearance(65), refused('invalid', /limit/));
});

test('profiles are filled in, kept, and checked', async () => {
    const cairn = await fresh();
    const world = cairn.worldFromFile(bytes('..W\n.S.\n'));
    const standard = world.space();
    assert.deepEqual(standard.profile, cairn.registry().profile);
    const swimmer = world.space({ neighbours: '4', terrainCost: { water: 4, 1: 2 }, maxClimb: 3, maxDrop: null, links: 5 });
    assert.deepEqual([swimmer.profile.neighbours, ...swimmer.profile.terrainCost.slice(0, 4)], ['4', 1, 2, 4, 0]);
    assert.deepEqual([swimmer.profile.maxClimb, swimmer.profile.maxDrop, swimmer.profile.links], [3, null, 5]);
    assert.deepEqual([standard.usable()[2], swimmer.usable()[2]], [0, 1]);
    assert.equal(swimmer.planner('astar').search().find({ from: 0, to: 2 }).cost, 5 * swimmer.scale.straight);
    assert.equal(swimmer.stepCost(1, 2), 4 * swimmer.scale.straight);
    assert.equal(swimmer.stepCost(0, 2), null);
    assert.throws(() => world.space({ corner: 'one' }), refused('invalid', /corners/));
    assert.throws(() => world.space({ radius: 99 }), refused('invalid'));
    assert.throws(() => world.space({ terrainCost: [1, 2] }), refused('invalid', /256/));
    assert.throws(() => world.space({ terrainCost: { lava: 1 } }), refused('invalid'));
    assert.throws(() => world.space({ terrainCost: new Uint8Array(256) }), refused('invalid', /forbids every terrain class/));
    assert.throws(() => world.space({ terrainCost: { water: 256 } }), refused('invalid'));
    assert.throws(() => world.space({ terrainCost: { water: -0.5 } }), refused('invalid', /price/));
    const wader = world.space({ neighbours: '4', terrainCost: { water: 1.5, swamp: 0.001, 200: 255.999 } });
    assert.deepEqual([2, 1, 200].map((i) => wader.profile.terrainCost[i]), [1.5, 1 / 256, 65535 / 256]);
    assert.equal(wader.stepCost(1, 2), Math.round(1.5 * wader.scale.straight));
    assert.equal(world.space(wader.profile).hash, wader.hash);
    assert.match(standard.hash, /^[0-9a-f]{16}$/);
    assert.notEqual(standard.hash, swimmer.hash);
    assert.ok(standard.bytes > 0 && standard.nodeCount === 6);
});

test('explanations', async () => {
    const cairn = await fresh();
    const space = cairn.worldFromFile(bytes(ROOMS)).space({ radius: 1.2 });
    const { reasons } = cairn.registry();
    const here = space.explain(2, 2), wall = space.explain(5, 0), narrow = space.explain(5, 2), outside = space.explain(-3, 1);
    assert.deepEqual([here.reason, wall.reason, narrow.reason, outside.reason], ['', 'blocked', 'too narrow', 'outside the map']);
    for (const { reason } of here.steps) assert.ok(reason === '' || reasons.includes(reason));
    assert.equal(here.steps.length, 8);
    assert.deepEqual({ ...here.steps[1], reason: '' }, { name: 'east', x: 3, y: 2, reason: '' });
    assert.match(here.text, /\(2,2\) can be stood on/);
    assert.equal(here.region, space.explain(3, 2).region);
    assert.equal(wall.region, '0');
    assert.throws(() => space.explain(0.5, 0), refused('invalid'));
});

test('lines, estimates, positions', async () => {
    const cairn = await fresh();
    const space = cairn.worldFromCells({ ...cairn.worldFromFile(bytes(ROOMS)).cells(), originX: 100, cellSize: 2 }).space();
    assert.deepEqual(space.raycast(0, 3), { clear: true, last: 3 });
    const blocked = space.raycast(0, 8);
    assert.deepEqual(blocked, { clear: false, last: 4 });
    const { straight, diagonal } = space.scale;
    assert.deepEqual([straight, diagonal], [5741, 8119]);
    assert.equal(space.estimate('octile', 0, 2 + 3 * 11), straight + 2 * diagonal);
    assert.equal(space.estimate('manhattan', 0, 2 + 3 * 11), 5 * straight);
    assert.deepEqual([space.admissible('octile'), space.admissible('manhattan')], [true, false]);
    assert.throws(() => space.estimate('guess', 0, 1), refused('invalid', /octile/));
    assert.equal(space.estimate('octile', 0, 1e6), null);
    assert.equal(space.raycast(1e6, 0).last, null);
    assert.deepEqual(space.position(1), { x: 103, y: 1, z: 0 });
    assert.deepEqual([space.nodeAt(103.9, 1.9), space.nodeAt(0, 0), space.nodeAt(NaN, 0)], [1, null, null]);
    assert.throws(() => space.reachable(-1, 0), refused('invalid', /from/));
});

test('smoothing, in all ways', async () => {
    const cairn = await fresh();
    const world = cairn.worldFromCells({ width: 30, height: 20, originX: 7, cellSize: 3 });
    const space = world.space();
    const result = space.planner('astar').search().find({ from: 0, to: 5 * 30 + 20 });
    const straight = Math.hypot(20, 5);
    for (const kind of ['sight', 'string', 'spline']) {
        const smoothed = space.smooth(result, kind);
        assert.ok(Math.abs(smoothed.length - straight) < 1e-9, kind);
        assert.deepEqual([...smoothed.points], [0.5, 0.5, 20.5, 5.5]);
        assert.deepEqual(smoothed.nodes && [...smoothed.nodes], kind === 'spline' ? undefined : [0, 170]);
    }
    for (const kind of ['rays', 'box']) {
        const smoothed = space.smooth(result, kind, { box: 4 });
        assert.ok(smoothed.cost <= result.cost && smoothed.nodes.length >= 2);
    }
    const detour = cairn.worldFromFile(bytes(ROOMS)).space();
    const around = detour.planner('astar').search().find({ from: 0, to: 10 });
    const sight = detour.smooth(around, 'sight'), curve = detour.smooth(around, 'spline', { reach: 1, spacing: 0.5 });
    assert.ok(sight.length < around.length && curve.length <= sight.length + 1e-4 && curve.points.length > sight.points.length);
    assert.throws(() => space.smooth(result, 'iron'), refused('invalid', /spline/));
    assert.throws(() => space.smooth({ points: [] }, 'sight'), refused('invalid', /no path/));
    assert.throws(() => space.smooth({ points: [0, 1e6] }, 'sight'), refused('invalid'));
});

test('paths are checked against the world as it is', async () => {
    const cairn = await fresh();
    const world = cairn.worldFromFile(bytes(ROOMS));
    const space = world.space();
    const result = space.planner('astar').search().find({ from: 0, to: 10 });
    assert.deepEqual(space.check(result), { valid: true, cost: result.cost, from: null, to: null });
    const cells = result.cells();
    assert.equal(cells[0], 0);
    assert.equal(cells.at(-1), 10);
    for (let i = 1; i < cells.length; i++) assert.notEqual(space.stepCost(cells[i - 1], cells[i]), null);
    world.edit({ nodes: [27], open: [0] });
    const now = space.check(structuredClone({ points: result.points, links: [], anyAngle: false }));
    assert.equal(now.valid, false);
    assert.equal(now.to, 27);
    assert.deepEqual(result.cells(), cells);
    assert.deepEqual(space.pathCells({ points: result.points }), cells);
    assert.throws(() => space.smooth(result, 'sight'), refused('stale', /world has changed/));
});

test('pictures and traces', async () => {
    const cairn = await fresh();
    const space = cairn.worldFromFile(bytes(ROOMS)).space();
    const planner = space.planner('hpa:size=8');
    planner.build();
    const query = { from: 0, to: 10 };
    const plain = space.svg(), filled = space.svg({ planner: space.planner('astar'), query, colour: 'g', smooth: 'spline', scale: 8 });
    for (const picture of [plain, filled, space.svg({ planner, overlay: 0 }), space.svg({ planner, query, overlay: 1, legend: false })]) {
        assert.match(picture, /^<svg /);
        assert.match(picture, /<\/svg>\s*$/);
    }
    assert.ok(filled.length > plain.length);
    assert.throws(() => space.svg({ query }), refused('invalid', /planner/));
    assert.throws(() => space.svg({ planner, query, colour: 'red' }), refused('invalid', /order/));
    const yaml = space.planner('astar').posthoc(query);
    assert.match(yaml, /^version: 1\.4\.0\n/);
    assert.match(yaml, /type: source/);
    assert.match(yaml, /type: end/);
});
