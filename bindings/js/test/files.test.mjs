// Pixels, Tiled maps and scenarios; and bytes of all kinds, which must be read or refused, never worse.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import zlib from 'node:zlib';
import { bytes, CairnError, fresh, load, random, refused, ROOMS, source, text, wasm, xmlElements } from './support.mjs';

/* ---- pixels ---- */

test('pixels by brightness, by the standard colours, by a palette', async () => {
    const cairn = await fresh();
    const rgba = Uint8ClampedArray.of(255, 255, 255, 255, 0, 0, 0, 255, 128, 128, 128, 255, 255, 255, 255, 100);
    const open = (options) => [...cairn.worldFromPixels(rgba, 2, 2, options).cells().open];
    assert.deepEqual(open(), [1, 0, 1, 0]);
    assert.deepEqual(open({ threshold: 129 }), [1, 0, 0, 0]);
    assert.deepEqual(open({ threshold: 1 }), [1, 0, 1, 1]);
    assert.deepEqual(open({ invert: true }), [0, 1, 0, 1]);
    const { colours } = cairn.registry();
    const classes = [0, 2, 5, 300].map((look) => (look === 300 ? 256 : look));
    const standard = Uint8Array.from(classes.flatMap((look) => [...colours[look], 255]));
    const world = cairn.worldFromPixels(standard, 4, 1, { mode: 'standard' }).cells();
    assert.deepEqual([[...world.open], [...world.terrain]], [[0, 1, 1, 1], [0, 1, 4, 255]]);
    const palette = [{ red: 250, green: 250, blue: 250, open: true, terrain: 3, layer: 9 }, { red: 0, green: 0, blue: 0, open: false }];
    const read = cairn.worldFromPixels(rgba.slice(0, 8), 2, 1, { mode: 'palette', colours: palette, tolerance: 5 }).cells();
    assert.deepEqual([[...read.open], [...read.terrain], [...read.layer]], [[1, 0], [3, 0], [9, 0]]);
    const otherwise = { red: 0, green: 0, blue: 0, open: true, terrain: 1 };
    assert.equal(cairn.worldFromPixels(rgba, 2, 2, { mode: 'palette', colours: palette, tolerance: 5, otherwise }).cells().terrain[2], 1);
    assert.throws(() => cairn.worldFromPixels(rgba, 2, 2, { mode: 'palette', colours: palette }), refused('bad-data', /pixel \(0,0\)/));
    assert.throws(() => cairn.worldFromPixels(rgba, 2, 2, { mode: 'palette' }), refused('invalid', /palette/));
    assert.throws(() => cairn.worldFromPixels(rgba, 3, 2), refused('invalid', /24 are needed/));
    assert.throws(() => cairn.worldFromPixels(new Uint8Array(0), 0, 0), refused('bad-data'));
});

function pngChunk(kind, data) {
    const chunk = Buffer.alloc(12 + data.length);
    chunk.writeUInt32BE(data.length);
    chunk.write(kind, 4, 'latin1');
    Buffer.from(data).copy(chunk, 8);
    return chunk;
}

test('pictures that the library wrote are known by their text', async () => {
    const cairn = await fresh();
    const start = Buffer.from([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
    const png = (words) => Buffer.concat([start, pngChunk('IHDR', Buffer.alloc(13)), pngChunk('tEXt', Buffer.from(words, 'latin1')), pngChunk('IEND', [])]);
    assert.equal(cairn.pngIsOurs(png('Software\0Cairn grid 1')), true);
    assert.equal(cairn.pngIsOurs(png('Software\0Cairn grid 2')), false);
    const header = await readFile(path.join(source, '../../src/io/grid_png.h'), 'utf8');
    assert.match(header, /"Software"[\s\S]*"Cairn grid 1"/);
});

/* ---- Tiled ---- */

const element = (name, attributes = {}, children = []) => ({ name, attributes, children });
const TILES = [1, 2, 1, 0, 2, 1];

// The same map as elements, with its tiles written in some way.
function tiledMap(data, extra = []) {
    const tile = element('tile', { id: '1' }, [element('properties', {}, [element('property', { name: 'blocked', type: 'bool', value: 'true' })])]);
    return element('map', { orientation: 'orthogonal', width: '3', height: '2' }, ['\n', element('tileset', { firstgid: '1', name: 'set' }, [tile]),
        element('layer', { name: 'ground', width: '3', height: '2' }, [data]), ...extra]);
}

const packed = (pack) => Buffer.from(pack(Buffer.from(Uint32Array.from(TILES).buffer))).toString('base64');
const base64 = (compression, pack) => element('data', compression ? { encoding: 'base64', compression } : { encoding: 'base64' }, [`\n  ${packed(pack)}\n`]);

test('Tiled maps as elements, tiles written in all ways', async () => {
    const cairn = await fresh();
    const ways = [element('data', { encoding: 'csv' }, ['\n1,2,1,\n0,2,1\n']), element('data', {}, TILES.map((gid) => element('tile', { gid: String(gid) }))),
        base64('', (data) => data), base64('zlib', zlib.deflateSync), base64('gzip', zlib.gzipSync)];
    for (const data of ways) {
        const { world, place } = await cairn.worldFromTiled(tiledMap(data));
        assert.deepEqual([...world.cells().open], [1, 0, 1, 0, 0, 1]);
        assert.deepEqual(place, { left: 0, top: 0, swapped: false });
    }
    const csv = tiledMap(ways[0]);
    const { world } = await cairn.worldFromTiled(csv, { blockedIds: [1], openIds: [2], voidCells: 'open', layer: 'ground', cellSize: 16 });
    assert.deepEqual([...world.cells().open], [0, 1, 0, 1, 1, 0]);
    assert.equal(world.cellSize, 16);
    await assert.rejects(cairn.worldFromTiled(csv, { voidCells: 'perhaps' }), refused('invalid', /voidCells/));
});

test('short files ask for few cells', async () => {
    const usual = await fresh(), cairn = await load(wasm, { maxCells: 1000 });
    assert.deepEqual([usual, cairn].map((one) => one.registry().limits.fileCells), [2 ** 26, 1000]);
    const layer = (width, height) => ({ type: 'tilelayer', name: 'a', width, height, encoding: 'base64', compression: 'zlib', data: zlib.deflateSync(Buffer.alloc(width * height * 4)).toString('base64') });
    const map = (width, height, count) => ({ orientation: 'orthogonal', width, height, tilesets: [{ firstgid: 1 }], layers: Array.from({ length: count }, () => layer(width, height)) });
    assert.equal((await cairn.worldFromTiled(map(40, 25, 1))).world.width, 40);
    await assert.rejects(cairn.worldFromTiled(map(40, 26, 1)), refused('out-of-budget', /it asks for 1040 cells/));
    await assert.rejects(cairn.worldFromTiled(map(40, 25, 2)), refused('out-of-budget', /it asks for 2000 cells/));
    const walk = (size) => cairn.scriptParse(bytes(`cairn-walk 1\ngenerate maze ${size}\nfrom 1,1\nto 3,3\n`));
    assert.equal(cairn.scriptWorld(walk('31x31')).width, 31);
    assert.throws(() => cairn.scriptWorld(walk('33x31')), refused('out-of-budget', /it asks for 1023 cells/));
    assert.throws(() => usual.scriptWorld(walk('32768x32768')), refused('out-of-budget', /1073741824 cells/));
    await assert.rejects(load(wasm, { maxCells: -1 }), refused('invalid', /maxCells/));
});

test('Tiled maps as JSON', async () => {
    const cairn = await fresh();
    const map = { orientation: 'orthogonal', width: 3, height: 2, infinite: false, tilesets: [{ firstgid: 1, name: 'set', tiles: [{ id: 1, properties: [{ name: 'solid', type: 'bool', value: true }] }] }],
        layers: [{ type: 'objectgroup', name: 'objects' }, { type: 'group', layers: [{ type: 'tilelayer', name: 'a', width: 3, height: 2, visible: true, data: TILES }] }] };
    const open = async (document) => [...(await cairn.worldFromTiled(document)).world.cells().open];
    assert.deepEqual(await open(map), [1, 0, 1, 0, 0, 1]);
    assert.deepEqual(await open({ ...map, tilesets: [{ firstgid: 1, tileproperties: { 1: { walkable: false } } }] }), [1, 0, 1, 0, 0, 1]);
    const layer = { ...map.layers[1].layers[0], encoding: 'base64', compression: 'zlib', data: packed(zlib.deflateSync) };
    assert.deepEqual(await open({ ...map, layers: [layer] }), [1, 0, 1, 0, 0, 1]);
    const chunks = [{ x: -2, y: 5, width: 3, height: 2, data: TILES }];
    const { world, place } = await cairn.worldFromTiled({ ...map, infinite: true, layers: [{ type: 'tilelayer', name: 'a', chunks }] });
    assert.deepEqual([[...world.cells().open], place], [[1, 0, 1, 0, 0, 1], { left: -2, top: 5, swapped: false }]);
    const hex = { ...map, orientation: 'hexagonal', staggeraxis: 'y', staggerindex: 'odd' };
    assert.equal((await cairn.worldFromTiled(hex)).world.layout, 'hex');
});

test('tilesets with files of their own', async () => {
    const cairn = await fresh();
    const map = { orientation: 'orthogonal', width: 3, height: 2, tilesets: [{ firstgid: 1, source: 'a/b.tsj' }], layers: [{ type: 'tilelayer', name: 'a', data: TILES }] };
    const tiles = { tiles: [{ id: 0, properties: [{ name: 'terrain', value: 'swamp' }] }] };
    const asked = [];
    const { world } = await cairn.worldFromTiled(map, {}, async (name) => {
        asked.push(name);
        return tiles;
    });
    assert.deepEqual([asked, [...world.cells().terrain]], [['a/b.tsj'], [1, 0, 1, 0, 0, 1]]);
    const elements = element('tileset', {}, [element('tile', { id: '0' }, [element('properties', {}, [element('property', { name: 'cost', value: '7' })])])]);
    assert.deepEqual([...(await cairn.worldFromTiled(map, {}, () => elements)).world.cells().layer], [7, 0, 7, 0, 0, 7]);
    assert.deepEqual([...(await cairn.worldFromTiled(map, { skipTilesets: true })).world.cells().terrain], [0, 0, 0, 0, 0, 0]);
    await assert.rejects(cairn.worldFromTiled(map), refused('file-error', /a\/b\.tsj.*readTileset/));
    await assert.rejects(cairn.worldFromTiled(map, {}, () => Promise.reject(new RangeError('gone'))), RangeError);
    await assert.rejects(cairn.worldFromTiled(map, {}, () => element('map')), refused('bad-data', /a\/b\.tsj.*tileset is expected/));
});

test('wrong Tiled maps are refused', async () => {
    const cairn = await fresh();
    const no = (document, status, pattern) => assert.rejects(cairn.worldFromTiled(document), refused(status, pattern, 0));
    await no(tiledMap(element('data', { encoding: 'csv' }, ['1,2,3'])), 'bad-data', /has 3 tiles, 6 are needed/);
    await no(tiledMap(element('data', { encoding: 'csv' }, ['\n1,2,\nx'])), 'bad-data', /tile 2 of layer 'ground'/);
    await no(tiledMap(base64('zstd', (data) => data)), 'unsupported', /zstd/);
    await no(tiledMap(element('data', { encoding: 'base64', compression: 'zlib' }, ['AAAA'])), 'bad-data', /'ground' cannot be unpacked/);
    await no(tiledMap(base64('zlib', () => zlib.deflateSync(Buffer.alloc(1 << 20)))), 'bad-data', /ground/);
    await no(element('svg'), 'bad-data', /no Tiled map/);
    await no({ orientation: 'orthogonal' }, 'bad-data', /layers/);
    await no({ layers: [], orientation: 'orthogonal', width: 0, height: 2 }, 'bad-data', /width 0/);
    await no({ layers: [], orientation: 'staggered', width: 1, height: 2 }, 'unsupported', /staggered/);
    let deep = { type: 'tilelayer', name: 'a', data: [1] };
    for (let i = 0; i < 300; i++) deep = { type: 'group', layers: [deep] };
    await no({ width: 1, height: 1, layers: [deep] }, 'bad-data', /deeply/);
    let elements = element('group');
    for (let i = 0; i < 100000; i++) elements = element('group', {}, [elements]);
    await no(element('map', {}, [elements]), 'bad-data', /deeply/);
    for (const wrong of [null, 7, {}, { name: 'layer' }, { name: 'layer', attributes: null, children: [] }])
        await no(tiledMap(element('data', {}, [wrong])), 'bad-data', /in 'data' there is something/);
    await assert.rejects(cairn.worldFromTiled(null), refused('invalid'));
    assert.equal(cairn.memory().bytes, 0);
});

// What DOMParser would make, as far as xmlElements looks.
function fakeNode(nodeType, fields, children = []) {
    const node = { nodeType, ...fields, firstChild: children[0] ?? null };
    children.forEach((child, i) => {
        child.nextSibling = children[i + 1] ?? null;
    });
    return node;
}

test('documents of a browser become elements', () => {
    const data = fakeNode(1, { nodeName: 'data', attributes: [{ name: 'encoding', value: 'csv' }] }, [fakeNode(3, { nodeValue: '1,' }), fakeNode(8, { nodeValue: 'remark' }), fakeNode(4, { nodeValue: '2' })]);
    const root = fakeNode(1, { nodeName: 'map', attributes: [] }, [data]);
    const document = { documentElement: root, getElementsByTagName: () => [] };
    assert.deepEqual(xmlElements(document), element('map', {}, [element('data', { encoding: 'csv' }, ['1,', '2'])]));
    assert.throws(() => xmlElements({ ...document, getElementsByTagName: () => [{ textContent: 'line 3: oh' }] }), refused('bad-data', /line 3/));
});

/* ---- scenarios ---- */

test('scenarios', async () => {
    const cairn = await fresh();
    const scen = 'version 1\n1\tmaps/a.map\t11\t5\t0\t0\t3\t4\t5.24264069\n';
    const scenario = cairn.scenarioParse(bytes(scen));
    assert.equal(scenario.map, 'a.map');
    const { tolerance, ...problem } = scenario.problems[0];
    assert.deepEqual(problem, { bucket: 1, width: 11, height: 5, fromX: 0, fromY: 0, toX: 3, toY: 4, length: 5.24264069 });
    assert.ok(tolerance > 0 && tolerance < 0.1);
    assert.equal(text(cairn.scenarioFormat(scenario)), scen.replace('maps/', ''));
    assert.throws(() => cairn.scenarioParse(bytes(`${scen}1\ta\tb\n`)), refused('bad-data', /./, 3));
    assert.throws(() => cairn.scenarioFormat({ ...scenario, map: 'a b' }), refused('invalid'));
    assert.throws(() => cairn.scenarioFormat({ map: 'a', problems: [{}] }), refused('invalid', /bucket/));
    const world = cairn.worldFromFile(bytes(ROOMS));
    let reports = 0;
    const made = world.generateScenario({ count: 20, seed: 7n, map: 'rooms.map', progress: () => {
        reports++;
    } });
    assert.deepEqual([made.map, made.problems.length], ['rooms.map', 20]);
    const search = world.space().planner('astar').search();
    for (const { fromX, fromY, toX, toY, length } of made.problems) {
        assert.ok(Math.abs(search.find({ from: fromY * 11 + fromX, to: toY * 11 + toX }).length - length) < 1e-6);
    }
    assert.deepEqual(cairn.scenarioParse(cairn.scenarioFormat(made)).problems.map(({ fromX }) => fromX), made.problems.map(({ fromX }) => fromX));
});

/* ---- anything ---- */

// Some bytes changed, cut off, or put in.
function spoil(data, draw) {
    const bad = Uint8Array.from(data);
    for (let i = draw(8); i > 0; i--) if (bad.length) bad[draw(bad.length)] = draw(256);
    return draw(3) ? bad : bad.slice(0, draw(bad.length + 1));
}

async function survives(read) {
    try {
        (await read())?.destroy?.();
    } catch (error) {
        if (!(error instanceof CairnError)) throw error;
        assert.ok(error.message.length > 0);
    }
}

test('spoilt files are read or refused, and leave nothing behind', async () => {
    const cairn = await fresh();
    const draw = random(11);
    const world = cairn.worldFromFile(bytes(ROOMS));
    const scen = cairn.scenarioFormat(world.generateScenario({ count: 5 }));
    const seeds = [world.toMap(), world.toText(), world.toArchive(), scen, bytes('p sp 2 2\na 1 2 5\na 2 1 5\n'), bytes('<map>'), bytes('{"a":1}'),
        bytes('cairn-walk 1\ntitle t\nrows\n...\n...\nend\nradius 0.5\nfrom 0,0\nto 2,1\nexpect arrived\nat 2 block 1,1\nat 3 goal 0,1\n')];
    world.destroy();
    for (let i = 0; i < 1500; i++) {
        const data = spoil(seeds[draw(seeds.length)], draw);
        await survives(() => cairn.worldFromFile(data));
        await survives(() => cairn.scenarioParse(data));
        await survives(() => cairn.worldFromGraph(data));
        await survives(() => cairn.scriptWorld(cairn.scriptParse(data)));
        await survives(() => cairn.worldFromGraph(seeds[4], data));
        cairn.pngIsOurs(data);
    }
    assert.equal(cairn.memory().bytes, 0);
});

test('the JSON maps of the fuzzers, whole and spoilt, are read or refused', async () => {
    const cairn = await fresh();
    const corpus = path.join(source, '../../fuzz/corpus/tiled_json');
    const draw = random(12);
    let parsed = 0, read = 0;
    for (const name of await readdir(corpus)) {
        const data = await readFile(path.join(corpus, name), 'utf8');
        for (let round = 0; round < 12; round++) {
            let document;
            try {
                document = JSON.parse(round ? text(spoil(bytes(data), draw)) : data);
            } catch {
                continue;
            }
            parsed++;
            await survives(async () => {
                const { world } = await cairn.worldFromTiled(document, {}, () => ({ tiles: [] }));
                read++;
                return world;
            });
        }
    }
    assert.ok(parsed > 30 && read > 5, `${parsed} ${read}`);
    assert.equal(cairn.memory().bytes, 0);
});
