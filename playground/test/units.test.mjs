/* units.test.mjs: the parts of the page that need no browser, against plain oracles. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { colourAreas } from '../src/areas.js';
import { bytes, count, decimal, milliseconds, percent } from '../src/format.js';
import { createGeometry, lineOfNodes } from '../src/geometry.js';
import { rasterHexagons } from '../src/hex_raster.js';
import { resultRows } from '../src/panel_result.js';
import { createStore } from '../src/store.js';
import { paints, prepareTrace } from '../src/trace.js';
import { createWorld, brushNodes, floodNodes, rectangleNodes } from '../src/world.js';

let seed = 1;
function random(limit) {
    seed = (seed * 1103515245 + 12345) % 2147483648;
    return Math.floor((seed / 2147483648) * limit);
}

describe('results', () => {
    const result = { cost: null, algorithm: 'jps', scale: { straight: 1 }, ms: 1, metrics: { expanded: 1, generated: 1, work: 1, peakBytes: 1 } };
    const answeredBy = (name) => resultRows({ ...result, answeredBy: name }).find(([row]) => row === 'answered by');

    it('name the algorithm that answered if it is another one', () => {
        assert.equal(answeredBy('astar')[1], 'astar');
        assert.equal(answeredBy('jps'), undefined);
        assert.equal(answeredBy(null), undefined);
    });
});

describe('geometry', () => {
    const hex = createGeometry('hex', 9, 7), square = createGeometry('square', 9, 7);

    it('finds cells where their centres are', () => {
        for (const geometry of [hex, square])
            for (let node = 0; node < 63; node++) {
                const { x, y } = geometry.centre(node);
                assert.equal(geometry.at(x, y), node);
                assert.equal(geometry.nearest(x, y), node);
            }
        assert.equal(square.at(-0.1, 1), -1);
        assert.equal(hex.at(0.1, 0), -1);
    });

    it('draws lines of hexagons that are the cells at their pixels', () => {
        const width = 331, height = 257, scale = 23.7, left = -1.3, top = -0.8, pixels = new Uint32Array(width * height);
        rasterHexagons(pixels, { width, height, scale, left, top, geometry: hex, colourOf: (x, y) => 1 + y * 9 + x, paper: 0, line: false });
        let wrong = 0;
        for (let y = 0; y < height; y++)
            for (let x = 0; x < width; x++) if (hex.at(left + (x + 0.5) / scale, top + (y + 0.5) / scale) + 1 !== pixels[y * width + x]) wrong++;
        assert.ok(wrong < width * height * 0.002, `${wrong} pixels differ, more than those on the edges`);
    });

    it('joins two cells without a gap', () => {
        for (let i = 0; i < 200; i++) {
            const nodes = lineOfNodes(square, random(63), random(63));
            for (let k = 1; k < nodes.length; k++) {
                const a = square.centre(nodes[k - 1]), b = square.centre(nodes[k]);
                assert.ok(Math.max(Math.abs(a.x - b.x), Math.abs(a.y - b.y)) <= 1);
            }
        }
    });
});

describe('the world', () => {
    function blank(width, height, layout = 'square') {
        const world = createWorld();
        world.replace({ width, height, layout, open: new Uint8Array(width * height).fill(1), terrain: new Uint8Array(width * height) }, 'blank', {});
        return world;
    }

    it('comes back to what it was after any strokes, undone and redone', () => {
        const world = blank(12, 10), states = [];
        const state = () => world.open.join('') + world.terrain.join('');
        for (let stroke = 0; stroke < 40; stroke++) {
            states.push(state());
            world.beginStroke();
            for (let part = 0; part < 3; part++) world.paint(new Set([random(120), random(120), random(120)]), random(2) ? { open: 0 } : { open: 1, terrain: random(3) });
            world.endStroke();
            if (state() === states[states.length - 1]) states.pop();
        }
        const end = state();
        for (const before of [...states].reverse()) {
            world.undo();
            assert.equal(state(), before);
        }
        assert.equal(world.canUndo(), false);
        while (world.canRedo()) world.redo();
        assert.equal(state(), end);
    });

    it('forgets a stroke that is cancelled, and the oldest ones, but not that it was changed', () => {
        const world = blank(300, 1), stroke = (node, end) => {
            world.beginStroke();
            world.paint([node], { open: 0 });
            world[end]();
        };
        stroke(0, 'endStroke');
        world.undo();
        stroke(1, 'cancelStroke');
        assert.equal(world.open[1], 1);
        assert.deepEqual([world.canUndo(), world.canRedo(), world.isEdited()], [false, true, false]);
        for (let node = 0; node < 250; node++) stroke(node, 'endStroke');
        while (world.canUndo()) world.undo();
        assert.equal(world.open.indexOf(1), 50);
        assert.equal(world.isEdited(), true);
    });

    it('tells only where room has come or gone', () => {
        const world = blank(4, 1), told = [];
        world.on('usable', (nodes) => told.push(nodes));
        world.updateUsable(undefined);
        world.updateUsable(Uint8Array.of(1, 1, 1, 1));
        world.updateUsable(Uint8Array.of(1, 0, 1, 0));
        world.updateUsable(undefined);
        assert.deepEqual(told, [null, [1, 3], null]);
        assert.equal(world.usable, null);
    });

    it('floods what hangs together', () => {
        const world = blank(5, 4);
        world.paint([2, 7, 12, 17], { open: 0 });
        assert.deepEqual([...floodNodes(world, 0)].sort((a, b) => a - b), [0, 1, 5, 6, 10, 11, 15, 16]);
        assert.deepEqual([...floodNodes(world, 7)].sort((a, b) => a - b), [2, 7, 12, 17]);
    });

    it('has brushes and rectangles of the right size', () => {
        const world = blank(20, 20);
        assert.deepEqual(brushNodes(world, 0, 1), [0]);
        assert.equal(brushNodes(world, 10 * 20 + 10, 5).length, 21);
        assert.equal(rectangleNodes(world, 3 * 20 + 4, 20 + 2).length, 9);
    });
});

describe('traces', () => {
    const names = ['source', 'destination', 'generate', 'update', 'reopen', 'expand', 'close', 'end', 'pass', 'piece', 'segment', 'subgoal', 'forget', 'something-new'];

    it('know for every event the one before it at the same cell', () => {
        const total = 500, trace = { kind: new Uint8Array(total), layer: new Uint8Array(total), node: new Uint32Array(total), parent: new Uint32Array(total), g: new Uint32Array(total), h: new Uint32Array(total) };
        for (let i = 0; i < total; i++) [trace.kind[i], trace.layer[i], trace.node[i], trace.g[i], trace.h[i]] = [random(13), [0, 0, 0, 128, 1][random(5)], random(30), random(100), random(100)];
        const ready = prepareTrace(trace, names, 30), last = new Map();
        let expanded = 0;
        for (let i = 0; i < total; i++) {
            if (names[trace.kind[i]] === 'expand' && trace.layer[i] % 128 === 0) expanded++;
            assert.equal(ready.order[i], expanded);
            if (ready.paint[i] === paints.none) continue;
            assert.equal(ready.previous[i], last.get(trace.node[i]) ?? 0);
            last.set(trace.node[i], i + 1);
        }
        assert.equal(ready.expanded, expanded);
        assert.equal(ready.counts.reduce((a, b) => a + b), total);
    });
});

describe('areas', () => {
    it('that touch have different colours', () => {
        const width = 30, groups = Uint32Array.from({ length: 900 }, (unused, i) => 1 + Math.floor((i % width) / 4) + 8 * Math.floor(i / width / 4));
        groups[5] = 0;
        const { colours, count: found } = colourAreas(groups, width, 8);
        assert.equal(found, new Set(groups).size - 1);
        assert.equal(colours[5], 0);
        for (let i = 0; i < 900; i++)
            for (const other of [(i + 1) % width ? i + 1 : -1, i + width])
                if (groups[i] && groups[other] && groups[i] !== groups[other]) assert.notEqual(colours[i], colours[other]);
    });
});

describe('the store', () => {
    it('tells those above, at and below a change, and nobody else', () => {
        const store = createStore({ a: { b: { c: 1 }, d: 2 }, list: [{ x: 1 }] }), heard = [];
        for (const path of ['a', 'a.b', 'a.b.c', 'a.d', 'list', 'list.0']) store.on(path, () => heard.push(path));
        store.set('a.b', { c: 5 });
        assert.deepEqual(heard.splice(0), ['a', 'a.b', 'a.b.c']);
        store.set('list.0', { x: 2 });
        assert.deepEqual(heard.splice(0), ['list', 'list.0']);
        assert.ok(Array.isArray(store.get('list')));
        store.set('a.d', 2);
        assert.deepEqual(heard, []);
    });
});

describe('numbers', () => {
    it('are written for people', () => {
        assert.equal(count(1234567).replaceAll('\u202f', ' '), '1 234 567');
        assert.equal(decimal(1234.5).replaceAll('\u202f', ' '), '1 234.50');
        assert.equal(bytes(1536), '1.5 KiB');
        assert.equal(milliseconds(0.0421), '42 µs');
        assert.equal(milliseconds(3.21), '3.2 ms');
        assert.equal(milliseconds(0), '< 0.1 ms');
        assert.equal(percent(0), '0 %');
        assert.equal(percent(0.0123), '+1.23 %');
        assert.equal(percent(-0.02), '−2.00 %');
    });
});
