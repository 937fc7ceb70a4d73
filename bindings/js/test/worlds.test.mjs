// Worlds: every way to make one, edits, links, and files.
import assert from 'node:assert/strict';
import test from 'node:test';
import { bytes, fresh, refused, ROOMS, text } from './support.mjs';

test('cells come back as they were given', async () => {
    const cairn = await fresh();
    const open = Uint8Array.from([1, 0, 1, 1, 1, 0]);
    const terrain = Uint8Array.from([0, 1, 2, 3, 200, 0]), layer = Uint8Array.from([0, 0, 9, 0, 0, 255]);
    const elevation = Int16Array.from([-5, 0, 0, 300, 0, -32768]);
    const world = cairn.worldFromCells({ width: 3, height: 2, open, terrain, layer, elevation, originX: 10, originY: -2, cellSize: 2 });
    assert.deepEqual(world.cells(), { width: 3, height: 2, open, terrain, layer, elevation });
    assert.deepEqual([world.width, world.height, world.layout, world.version, world.kind], [3, 2, 'square', 1, 'grid']);
    assert.deepEqual([world.originX, world.originY, world.cellSize], [10, -2, 2]);
    assert.ok(world.bytes > 0);
    const plain = cairn.worldFromCells({ width: 2, height: 1 }).cells();
    assert.deepEqual(plain.open, Uint8Array.of(1, 1));
    assert.deepEqual(plain.elevation, Int16Array.of(0, 0));
});

test('wrong cells are refused', async () => {
    const cairn = await fresh();
    assert.throws(() => cairn.worldFromCells({ width: 0, height: 1 }), refused('invalid'));
    assert.throws(() => cairn.worldFromCells({ width: 40000, height: 1 }), refused('invalid'));
    assert.throws(() => cairn.worldFromCells({ width: 2, height: 1, open: [1] }), refused('invalid', /open has 1 numbers, 2 are needed/));
    assert.throws(() => cairn.worldFromCells({ width: 2, height: 1, open: [1, 256] }), refused('invalid', /open\[1\]/));
    assert.throws(() => cairn.worldFromCells({ width: 1.5, height: 1 }), refused('invalid', /width/));
    assert.throws(() => cairn.worldFromCells({ width: 1, height: 1, layout: 'round' }), refused('invalid', /layout/));
    assert.throws(() => cairn.worldFromCells({ width: 1, height: 1, cellSize: NaN }), refused('invalid', /cellSize/));
    assert.equal(cairn.memory().bytes, 0);
});

test('files are told by how they begin, and come back', async () => {
    const cairn = await fresh();
    const world = cairn.worldFromFile(bytes(ROOMS), 'rooms.txt');
    assert.equal(text(world.toText()), `${ROOMS}\n`);
    assert.equal(text(world.toMap()), `type octile\nheight 5\nwidth 11\nmap\n${ROOMS}\n`);
    world.addLinks([{ from: 0, to: 10, id: 7, cost: 256, kind: 3 }]);
    for (const file of [world.toMap(), world.toText(), world.toArchive()]) {
        assert.deepEqual(cairn.worldFromFile(file).cells(), world.cells());
    }
    assert.deepEqual(cairn.worldFromFile(world.toArchive()).links(), world.links());
    assert.deepEqual(cairn.worldFromFile(world.toArchive().buffer).cells(), world.cells());
});

test('wrong files are refused with line and reason', async () => {
    const cairn = await fresh();
    assert.throws(() => cairn.worldFromFile(bytes('type octile\nheight 2\nwidth 2\nmap\n..\n.?\n')), refused('bad-data', /./, 6));
    assert.throws(() => cairn.worldFromFile(bytes('?'), 'a.png'), refused('bad-data', /\.png/));
    assert.throws(() => cairn.worldFromFile(new Uint8Array(0)), refused('bad-data'));
    assert.throws(() => cairn.worldFromFile(bytes('<map/>')), refused('unsupported', /XML/));
    assert.throws(() => cairn.worldFromFile(bytes('{}')), refused('unsupported', /JSON/));
    assert.throws(() => cairn.worldFromFile(Uint8Array.of(0x89, 0x50, 0x4e, 0x47)), refused('unsupported', /PNG/));
    assert.throws(() => cairn.worldFromFile('text'), refused('invalid', /bytes/));
    const archive = cairn.worldFromFile(bytes(ROOMS)).toArchive();
    archive[archive.length - 1] ^= 1;
    assert.throws(() => cairn.worldFromFile(archive), refused('bad-data'));
});

test('generators take their numbers, and seeds of 64 bits', async () => {
    const cairn = await fresh();
    const same = (a, b) => assert.deepEqual(a.cells(), b.cells());
    for (const generator of cairn.registry().generators) {
        if (generator.fromSource) continue;
        const world = cairn.generate(generator.name, { width: 64, height: 64, seed: 3 });
        assert.deepEqual([world.width, world.height], [64, 64], generator.name);
        same(world, cairn.generate(generator.name, { width: 64, height: 64, seed: 3n }));
    }
    const size = { width: 32, height: 32 };
    const low = cairn.generate('random', { ...size, seed: 5 }), high = cairn.generate('random', { ...size, seed: 5n + (1n << 40n) });
    assert.notDeepEqual(low.cells(), high.cells());
    same(high, cairn.generate('random', { ...size, seed: 5 + 2 ** 40 }));
    assert.ok(cairn.generate('random', { ...size, percent: 0 }).cells().open.every((value) => value === 1));
    const twice = cairn.generate('scaled', { source: low, factor: 2 });
    assert.deepEqual([twice.width, twice.height], [64, 64]);
    assert.throws(() => cairn.generate('nothing'), refused('invalid', /caves/));
    assert.throws(() => cairn.generate('random', { procent: 3 }), refused('invalid', /percent/));
    assert.throws(() => cairn.generate('random', { percent: 1000 }), refused('invalid'));
    assert.throws(() => cairn.generate('random', { seed: -1 }), refused('invalid', /seed/));
    assert.throws(() => cairn.generate('random', { seed: 1n << 64n }), refused('invalid', /seed/));
    assert.throws(() => cairn.generate('scaled'), refused('invalid'));
    const other = await fresh();
    assert.throws(() => other.generate('scaled', { source: low, factor: 2 }), refused('invalid', /this instance/));
});

test('an edit is one commit, or nothing', async () => {
    const cairn = await fresh();
    const world = cairn.worldFromFile(bytes(ROOMS));
    const commit = world.edit({ nodes: [0, 1, 2], open: [0, 1, 0], terrain: Uint8Array.of(0, 2, 0) });
    assert.deepEqual(commit, { version: 2, changed: 3 });
    assert.deepEqual(world.edit({ nodes: Uint32Array.of(0), open: [0] }), { version: 2, changed: 0 });
    assert.equal(world.version, 2);
    world.edit({ nodes: [3], layer: [7], elevation: [-9] });
    const cells = world.cells();
    assert.deepEqual([...cells.open.slice(0, 3), cells.terrain[1], cells.layer[3], cells.elevation[3]], [0, 1, 0, 2, 7, -9]);
    assert.throws(() => world.edit({ nodes: [5, 55], open: [0, 0] }), refused('out-of-bounds'));
    assert.throws(() => world.edit({ nodes: [5], open: [0, 0] }), refused('invalid'));
    assert.throws(() => world.edit({}), refused('invalid'));
    assert.deepEqual(world.cells(), cells);
    assert.equal(world.version, 3);
});

test('links', async () => {
    const cairn = await fresh();
    const world = cairn.worldFromFile(bytes(ROOMS));
    const links = [{ from: 3, to: 50, id: 1, cost: 256, kind: 0 }, { from: 3, to: 51, id: 2, cost: 0, kind: 31 }];
    assert.equal(world.addLinks(links).version, 2);
    assert.deepEqual(world.links(), links);
    assert.throws(() => world.addLinks([{ from: 0, to: 99, id: 1, cost: 1, kind: 0 }]), refused('out-of-bounds'));
    assert.throws(() => world.addLinks([{ from: 0, to: 1, id: 1, cost: 1, kind: 300 }]), refused('invalid'));
    const found = world.space({ links: 1 }).planner('astar').search().find({ from: 3, to: 50 });
    assert.deepEqual(found.links, [{ at: 0, id: 1 }]);
    assert.equal(world.removeLinks([1, 2]).version, 3);
    assert.deepEqual(world.links(), []);
});

test('layouts', async () => {
    const cairn = await fresh();
    const world = cairn.worldFromFile(bytes(ROOMS));
    world.setLayout('hex');
    const space = world.space();
    assert.deepEqual([world.layout, space.profile.neighbours], ['hex', 'hex']);
    assert.throws(() => world.setLayout('square'), refused('invalid', /space/));
    space.destroy();
    world.setLayout('square');
    assert.throws(() => world.space({ neighbours: 'hex' }), refused('invalid'));
});

test('graphs', async () => {
    const cairn = await fresh();
    const graph = cairn.worldFromGraph(bytes('p sp 3 4\na 1 2 5\na 2 1 5\na 2 3 7\na 3 2 7\n'), bytes('p aux sp co 3\nv 1 0 0\nv 2 3 4\nv 3 6 8\n'));
    assert.deepEqual([graph.kind, graph.nodeCount, graph.edgeCount], ['graph', 3, 4]);
    assert.deepEqual([...graph.positions()], [0, 0, 3, 4, 6, 8]);
    const space = graph.space();
    assert.deepEqual([space.kind, space.nodeCount, space.profile], ['graph', 3, null]);
    const result = space.planner('astar').search().find({ from: 0, to: 2 });
    assert.deepEqual([result.status, result.cost, [...result.points], [...result.cells()]], ['found', 12, [0, 1, 2], [0, 1, 2]]);
    assert.throws(() => cairn.worldFromGraph(bytes('p sp 3 1\na 1 9 5\n')), refused('bad-data', /./, 2));
    graph.destroy();
    assert.equal(cairn.memory().bytes, 0);
});
