// Planners and searches: building, slices, pieces, goals, traces, overlays.
import assert from 'node:assert/strict';
import test from 'node:test';
import { bytes, fresh, refused, ROOMS } from './support.mjs';

test('a path, whole and in slices', async () => {
    const cairn = await fresh();
    const world = cairn.generate('caves', { width: 96, height: 96, seed: 4 });
    const space = world.space();
    const components = space.components();
    const from = components.indexOf(1), to = components.lastIndexOf(1);
    const search = space.planner('astar').search();
    const whole = search.find({ from, to });
    assert.deepEqual([whole.status, whole.statusText, whole.partial, whole.end], ['found', 'found', false, to]);
    assert.equal(search.begin({ from, to }), 'running');
    assert.equal(search.result().status, 'running');
    let slices = 0;
    while (search.step(100) === 'running') slices++;
    const sliced = search.result();
    assert.ok(slices > 3);
    assert.deepEqual([sliced.hash, sliced.cost, [...sliced.points]], [whole.hash, whole.cost, [...whole.points]]);
    assert.deepEqual(search.metrics(), sliced.metrics);
    assert.equal(sliced.peakBytes, sliced.metrics.peakBytes);
    search.begin({ from, to });
    search.cancel();
    assert.equal(search.step(10), 'cancelled');
});

test('statuses of queries that have no path', async () => {
    const cairn = await fresh();
    const world = cairn.worldFromFile(bytes(ROOMS.replace('...........', '.....@.....')));
    const search = world.space().planner('astar').search();
    const status = (query) => search.find(query).status;
    assert.equal(status({ from: 0, to: 10 }), 'unreachable');
    assert.equal(status({ from: 5, to: 10 }), 'blocked-start');
    assert.equal(status({ from: 0, to: 5 }), 'blocked-goal');
    assert.equal(status({ from: 0, to: 55 }), 'out-of-bounds');
    assert.equal(status({ from: 0, to: 4, maxCost: 100 }), 'unreachable');
    assert.equal(status({ from: 0, to: 48, maxWork: 1 }), 'out-of-budget');
    const none = search.find({ from: 0, to: 10 });
    assert.deepEqual([none.end, none.cost, none.points.length, none.cells().length], [null, null, 0, 0]);
    const near = search.find({ from: 0, to: 10, partial: true });
    assert.deepEqual([near.status, near.partial, near.end], ['unreachable', true, 4]);
    assert.throws(() => search.find({ to: 3 }), refused('invalid', /from/));
    assert.throws(() => search.find({ from: 0, to: 1, goalKind: 'under' }), refused('invalid', /goalKind/));
    assert.throws(() => search.step(-1), refused('invalid', /work/));
});

test('several goals, goals nearby, no goal', async () => {
    const cairn = await fresh();
    const world = cairn.worldFromCells({ width: 20, height: 20 });
    const space = world.space();
    const search = space.planner('dijkstra').search();
    assert.equal(search.find({ from: 0, goals: [399, 3, 60] }).end, 3);
    assert.equal(search.find({ from: 0, to: 10, goalKind: 'next-to' }).end, 9);
    assert.equal(search.find({ from: 0, to: 10, goalKind: 'within', radius: 4.5 }).end, 6);
    search.find({ from: 0, goalKind: 'none', maxCost: 3 * space.scale.straight });
    assert.deepEqual([search.costTo(3), search.costTo(4)], [3 * space.scale.straight, null]);
    const costs = search.costs(), { noCost } = cairn.registry().limits;
    assert.deepEqual([costs[0], costs[1], costs[21], costs[399]], [0, 5741, 8119, noCost]);
});

test('pieces', async () => {
    const cairn = await fresh();
    const world = cairn.worldFromCells({ width: 100, height: 100 });
    const planner = world.space().planner('hpa');
    planner.build();
    const search = planner.search();
    let piece = search.find({ from: 0, to: 9999, piece: 10 }), pieces = 1;
    assert.ok(piece.partial && piece.status === 'found');
    for (; piece.partial; pieces++) {
        const { end } = piece;
        piece = search.findNext();
        assert.equal(piece.points[0], end);
    }
    assert.ok(pieces > 2);
    assert.equal(piece.end, 9999);
    assert.throws(() => search.findNext(), refused('invalid', /next piece/));
});

test('the algorithm that answered is named', async () => {
    const cairn = await fresh();
    const world = cairn.worldFromCells({ width: 20, height: 20 });
    const search = world.space().planner('jps').search();
    const own = search.find({ from: 0, to: 399 }), delegated = search.find({ from: 0, goals: [399, 380] });
    assert.deepEqual([own.answeredBy, own.metrics.answeredBy], ['jps', 'jps']);
    assert.deepEqual([delegated.answeredBy, delegated.metrics.answeredBy], ['astar', 'astar']);
    assert.equal(search.metrics().answeredBy, 'astar');
    world.edit({ nodes: [399], open: [0] });
    assert.equal(search.find({ from: 0, to: 399 }).answeredBy, null);
});

test('planners say what they are, and are refused with a reason', async () => {
    const cairn = await fresh();
    const space = cairn.worldFromFile(bytes(ROOMS)).space();
    const planner = space.planner('wastar:weight=1.5');
    assert.deepEqual([planner.algorithm, planner.spec, planner.parameters.weight, planner.optimal, planner.state], ['wastar', 'wastar:weight=1.5', 1.5, false, 'ok']);
    assert.equal(space.planner('a*').algorithm, 'astar');
    assert.equal(typeof space.planner('astar').parameters.heuristic, 'string');
    assert.throws(() => space.planner('astra'), refused('invalid', /astar/));
    assert.throws(() => space.planner('astar:height=3'), refused('invalid', /height/));
    assert.throws(() => space.planner('wastar:weight=0'), refused('invalid', /weight/));
});

test('indexes are built, go stale, and are synced', async () => {
    const cairn = await fresh();
    const world = cairn.generate('rooms', { width: 129, height: 129 });
    const planner = world.space().planner('alt');
    const search = planner.search();
    assert.deepEqual([planner.state, search.find({ from: 200, to: 300 }).status], ['not-built', 'not-built']);
    let reports = 0, last = [0, 0];
    planner.build((done, total) => {
        reports++;
        last = [done, total];
    });
    assert.ok(reports > 0 && last[0] <= last[1] && planner.indexBytes > 0 && planner.buildMs > 0);
    assert.equal(planner.state, 'ok');
    const closed = world.cells().open.indexOf(0);
    world.edit({ nodes: [closed], open: [1] });
    assert.equal(planner.state, 'stale');
    assert.throws(() => planner.sync(() => false), refused('cancelled'));
    planner.sync();
    assert.equal(planner.state, 'ok');
    assert.throws(() => planner.build(() => {
        throw new RangeError('mine');
    }), RangeError);
    planner.build();
    assert.equal(cairn.generate('rooms', { width: 33, height: 33 }).space().planner('astar').search().find({ from: 0, to: 0 }).status.length > 0, true);
});

test('traces hold every event, or say that they were cut', async () => {
    const cairn = await fresh();
    const { events, limits } = cairn.registry();
    const world = cairn.worldFromCells({ width: 200, height: 200 });
    const search = world.space().planner('dijkstra').search();
    const quiet = search.find({ from: 0, to: 39999 });
    search.trace(true);
    const seen = search.find({ from: 0, to: 39999 });
    assert.equal(seen.hash, quiet.hash);
    const trace = search.takeTrace();
    assert.equal(trace.total, trace.kind.length);
    assert.equal(trace.cut, false);
    assert.ok(trace.total > 40000); // more than a block
    assert.deepEqual([events[trace.kind[0]], trace.node[0], trace.parent[0]], ['source', 0, limits.noNode]);
    assert.deepEqual([events[trace.kind.at(-1)], trace.node.at(-1), trace.g.at(-1)], ['end', 39999, seen.cost]);
    let expanded = 0;
    for (const kind of trace.kind) expanded += events[kind] === 'expand';
    assert.equal(expanded, seen.metrics.expanded);
    assert.equal(search.takeTrace().kind.length, 0);
    search.trace({ limit: 20000 });
    assert.equal(search.find({ from: 0, to: 39999 }).hash, quiet.hash);
    const part = search.takeTrace();
    assert.deepEqual([part.kind.length, part.total, part.cut], [20000, trace.total, true]);
    for (const field of ['kind', 'layer', 'node', 'parent', 'g', 'h']) assert.deepEqual(part[field], trace[field].subarray(0, 20000));
    search.trace(false);
    search.find({ from: 0, to: 5 });
    assert.equal(search.takeTrace().total, 0);
});

test('overlays', async () => {
    const cairn = await fresh();
    const world = cairn.generate('rooms', { width: 65, height: 65 });
    const space = world.space();
    for (const { name, overlay, flags } of cairn.registry().algorithms) {
        const planner = space.planner(name);
        planner.build();
        assert.equal(overlay, flags.needsIndex, name);
        if (!overlay) {
            assert.throws(() => planner.overlay(), refused('unsupported'), name);
            continue;
        }
        const shown = planner.overlay();
        assert.ok(shown.layers.length > 0 && shown.layers[0] >= 1, name);
        const total = ['areas', 'borders', 'nodes', 'edges'].reduce((sum, kind) => sum + shown[kind].layer.length, 0);
        assert.ok(total > 0, name);
        for (const node of shown.areas.node) assert.ok(node < space.nodeCount);
        for (const x of shown.nodes.x) assert.ok(x >= 0 && x <= 65);
        for (const x of shown.edges.x1) assert.ok(x >= 0 && x <= 65);
        const one = planner.overlay(shown.layers[0]);
        assert.deepEqual(one.layers, [shown.layers[0]]);
        assert.equal(planner.overlay(200).layers.length, 0);
    }
    assert.throws(() => space.planner('hpa').overlay(), refused('not-built'));
});

test('limits of memory', async () => {
    const cairn = await fresh();
    const world = cairn.worldFromCells({ width: 300, height: 300 });
    const planner = world.space().planner('astar');
    assert.equal(planner.search({ byteLimit: 8000 }).find({ from: 0, to: 89999 }).status, 'out-of-memory');
    assert.equal(planner.search().find({ from: 0, to: 89999 }).status, 'found');
});

test('an index that was built elsewhere is loaded, for an equal world and no other', async () => {
    const build = async () => {
        const cairn = await fresh(), world = cairn.generate('rooms', { width: 65, height: 65 });
        return { cairn, world, space: world.space() };
    };
    const here = await build(), there = await build(), query = { from: 66, to: 64 * 64 };
    for (const name of ['hpa', 'pra', 'dhpa']) {
        const source = there.space.planner(name), target = here.space.planner(name);
        source.build();
        const bytes = source.saveIndex();
        assert.equal(target.state, 'not-built');
        target.loadIndex(bytes);
        assert.equal(target.state, 'ok');
        assert.equal(target.search().find(query).hash, source.search().find(query).hash, name);
        assert.throws(() => target.loadIndex(bytes.subarray(0, 100)), refused('bad-data'));
    }
    assert.throws(() => here.space.planner('hpa').saveIndex(), refused('not-built'));
    assert.throws(() => here.space.planner('astar').saveIndex(), refused('unsupported'));
    const source = there.space.planner('pra');
    source.build();
    here.world.edit({ nodes: [70], open: [0] });
    assert.throws(() => here.space.planner('pra').loadIndex(source.saveIndex()), refused('stale'));
});
