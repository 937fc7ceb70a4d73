// Objects after destroy(), and memory: what was taken is given back.
import assert from 'node:assert/strict';
import test from 'node:test';
import { bytes, fresh, refused, ROOMS } from './support.mjs';

test('a world takes everything made of it along', async () => {
    const cairn = await fresh();
    const world = cairn.worldFromFile(bytes(ROOMS));
    const space = world.space(), planner = space.planner('hpa'), search = planner.search();
    planner.build();
    search.trace(true);
    const result = search.find({ from: 0, to: 10, goals: [10, 9] });
    assert.ok(cairn.memory().bytes > 0);
    world.destroy();
    world.destroy();
    for (const object of [world, space, planner, search]) assert.equal(object.destroyed, true);
    assert.equal(cairn.memory().bytes, 0);
    const uses = [() => world.cells(), () => world.space(), () => world.version, () => space.usable(), () => space.planner('astar'), () => planner.build(), () => planner.state,
        () => planner.search(), () => search.find({ from: 0, to: 1 }), () => search.takeTrace(), () => result.cells(), () => cairn.generate('scaled', { source: world })];
    for (const use of uses) assert.throws(use, refused('invalid', /was destroyed/), String(use));
    assert.equal(result.points.length > 0, true); // plain data stays
});

test('parts can be destroyed one by one', async () => {
    const cairn = await fresh();
    const world = cairn.worldFromFile(bytes(ROOMS));
    const one = world.space(), two = world.space({ neighbours: '4' });
    const search = two.planner('astar').search();
    one.destroy();
    assert.throws(() => one.components(), refused('invalid', /Space was destroyed/));
    assert.equal(search.find({ from: 0, to: 10 }).status, 'found');
    search.destroy();
    world.edit({ nodes: [0], open: [0] });
    two.destroy();
    assert.equal(world.version, 2);
    world.destroy();
    assert.equal(cairn.memory().bytes, 0);
});

test('nothing leaks in three hundred rounds, and memory does not grow', async () => {
    const cairn = await fresh();
    const round = (i) => {
        const world = cairn.generate('random', { width: 40, height: 40, percent: 20, seed: i });
        const space = world.space();
        const planner = space.planner(i % 2 ? 'astar' : 'hpa');
        planner.build();
        const search = planner.search();
        search.trace(true);
        const result = search.find({ from: 0, to: 1599, partial: true });
        search.takeTrace();
        if (result.points.length) space.smooth(result, 'sight');
        if (i % 2 === 0) planner.overlay();
        try {
            space.planner('nothing');
        } catch {
            // as it must
        }
        world.toArchive();
        space.explain(3, 3);
        world.destroy();
    };
    for (let i = 0; i < 300; i++) round(i);
    const before = cairn.memory();
    for (let i = 0; i < 300; i++) round(i);
    const after = cairn.memory();
    assert.deepEqual([after.bytes, after.memoryBytes], [0, before.memoryBytes]);
});

test('views are made anew when memory grows', async () => {
    const cairn = await fresh();
    const small = cairn.worldFromFile(bytes(ROOMS));
    const search = small.space().planner('astar').search();
    const before = cairn.memory().memoryBytes;
    const large = cairn.worldFromCells({ width: 2000, height: 2000, terrain: new Uint8Array(4e6).fill(1) });
    assert.ok(cairn.memory().memoryBytes > before);
    assert.equal(search.find({ from: 0, to: 10 }).status, 'found');
    assert.equal(large.cells().terrain[3999999], 1);
    const found = large.space().planner('dijkstra').search().find({ from: 0, to: 3999999 });
    assert.equal(found.cells().length, 2000);
});

test('a report of progress may cancel, and use nothing', async () => {
    const cairn = await fresh();
    const world = cairn.generate('rooms', { width: 128, height: 128 });
    const other = cairn.worldFromFile(bytes(ROOMS));
    const planner = world.space().planner('hpa');
    const busy = refused('invalid', /report of progress/);
    const uses = [() => planner.destroy(), () => world.destroy(), () => other.destroy(), () => world.edit({ nodes: [5], open: [0] }), () => planner.state, () => planner.build(),
        () => other.space(), () => cairn.generate('rooms'), () => cairn.worldFromFile(bytes(ROOMS))];
    let reports = 0;
    planner.build(() => {
        if (!reports++) for (const use of uses) assert.throws(use, busy, String(use));
        return true;
    });
    assert.ok(reports > 0);
    assert.equal(planner.state, 'ok');
    assert.equal(world.version, 1);
    assert.throws(() => planner.build(() => planner.destroy()), busy); // what a report throws comes out
    assert.equal(planner.destroyed, false);
    planner.build();
    world.destroy();
    other.destroy();
    assert.equal(cairn.memory().bytes, 0);
});

test('addresses above 2 GiB are addresses', async () => {
    const cairn = await fresh();
    const first = cairn.worldFromFile(bytes(ROOMS));
    first.library.exports.memory.grow(32768); // pages that nobody touches cost nothing
    const open = new Uint8Array(1024 * 1024).fill(1);
    const world = cairn.worldFromCells({ width: 1024, height: 1024, open });
    const { library } = world, high = library.allocate(open.length);
    assert.ok(high > 0x7fffffff);
    library.free(high, open.length);
    assert.throws(() => library.allocate(2 ** 32 + 5), refused('out-of-memory')); // not 5 bytes
    assert.deepEqual(world.cells().open, open);
    const search = world.space().planner('astar').search();
    search.trace(true);
    const result = search.find({ from: 0, to: 1024 * 1024 - 1 });
    assert.equal(result.status, 'found');
    assert.equal(result.cells().length, 1024);
    assert.ok(search.takeTrace().node.length >= 1024);
    assert.throws(() => world.space().planner('nothing'), refused('invalid'));
    assert.equal(world.toMap().length > 1024 * 1024, true);
    first.destroy();
    world.destroy();
    assert.equal(cairn.memory().bytes, 0);
});
