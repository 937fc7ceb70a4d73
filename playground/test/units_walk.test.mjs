/* units_walk.test.mjs: parts of the walk that need no browser: cells as rectangles, what is in sight, and the story. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rectanglesOf } from '../src/walker.js';
import { createGeometry } from '../src/geometry.js';
import { createSight, spanInSight } from '../src/walk_fog.js';
import { createStory } from '../src/walk_story.js';

describe('rectangles', () => {
    const cellsOf = (boxes, width) => boxes.flatMap(({ x0, y0, x1, y1 }) => {
        const nodes = [];
        for (let y = y0; y <= y1; y++) for (let x = x0; x <= x1; x++) nodes.push(y * width + x);
        return nodes;
    }).sort((a, b) => a - b);

    it('cover every cell once, and nothing else', () => {
        let seed = 1;
        const random = () => (seed = (seed * 48271) % 2147483647) / 2147483647;
        for (let round = 0; round < 300; round++) {
            const width = 1 + Math.floor(random() * 9), height = 1 + Math.floor(random() * 9), part = random();
            const nodes = Array.from({ length: width * height }, (unused, i) => i).filter(() => random() < part);
            assert.deepEqual(cellsOf(rectanglesOf(nodes, width), width), nodes);
        }
    });

    it('are one for a box, a row or a column', () => {
        assert.deepEqual(rectanglesOf([11, 12, 21, 22, 31, 32], 10), [{ x0: 1, y0: 1, x1: 2, y1: 3 }]);
        assert.deepEqual(rectanglesOf([5, 15, 25], 10), [{ x0: 5, y0: 0, x1: 5, y1: 2 }]);
        assert.deepEqual(rectanglesOf([9, 10], 10), [{ x0: 9, y0: 0, x1: 9, y1: 0 }, { x0: 0, y0: 1, x1: 0, y1: 1 }], 'rows do not run on');
    });
});

describe('sight', () => {
    const width = 11, height = 9, count = width * height;
    let seed = 7;
    const random = (below) => Math.floor(((seed = (seed * 48271) % 2147483647) / 2147483647) * below);
    const blank = () => ({ open: new Uint8Array(count).fill(1), terrain: new Uint8Array(count), layer: new Uint8Array(count), elevation: new Int16Array(count) });

    /* Steps between hexagons, of which odd rows lie half a cell to the right; rows and columns between squares. */
    function distance(layout, a, b) {
        const [ax, ay, bx, by] = [a % width, Math.floor(a / width), b % width, Math.floor(b / width)], dy = by - ay;
        if (layout === 'square') return Math.max(Math.abs(bx - ax), Math.abs(dy));
        const column = (x, y) => x - (y - (y & 1)) / 2, dx = column(bx, by) - column(ax, ay);
        return Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dx + dy));
    }

    for (const layout of ['square', 'hex']) {
        const geometry = createGeometry(layout, width, height);

        it(`reaches so far, and no farther (${layout})`, () => {
            for (let node = 0; node < count; node++)
                for (const range of [1, 2, 4, 30]) {
                    const found = [];
                    for (let row = -2; row < height + 2; row++) {
                        const span = spanInSight(geometry, node, range, row);
                        for (let one = span?.[0]; one <= span?.[1]; one++) found.push(one);
                    }
                    assert.deepEqual(found, Array.from({ length: count }, (unused, i) => i).filter((one) => distance(layout, node, one) <= range));
                }
        });

        it(`goes back and forth, and is what it was (${layout})`, () => {
            const range = 2, truth = blank(), sight = createSight(geometry, range, blank()), states = [], touched = new Set();
            const state = () => [sight.seen.join(''), ...Object.values(sight.cells).map((plane) => plane.join())].join();
            const touch = (nodes) => nodes.forEach((node) => touched.add(node));
            for (let turn = 0, node = random(count); turn < 40; turn++) {
                states.push(state());
                truth.open[random(count)] = random(2);
                truth.terrain[random(count)] = random(4);
                const nodes = Array.from(truth.open.keys()).filter((one) => distance(layout, node, one) <= range && sight.isWrong(one, truth)), end = random(count), was = sight.seen.slice();
                const after = nodes.length ? { nodes, ...Object.fromEntries(Object.entries(truth).map(([name, plane]) => [name, nodes.map((one) => plane[one])])) } : null;
                touched.clear();
                sight.add(node, turn % 5 ? [] : [end], after, touch);
                for (let one = 0; one < count; one++) {
                    const isNear = distance(layout, node, one) <= range;
                    assert.equal(sight.seen[one], was[one] || isNear || (turn % 5 === 0 && one === end) ? 1 : 0);
                    if (isNear) assert.equal(sight.isWrong(one, truth), false);
                    if (sight.seen[one] !== was[one]) assert.ok(touched.has(one));
                }
                assert.ok(nodes.every((one) => touched.has(one)));
                node = random(4) ? Math.min(count - 1, node + 1) : random(count);
            }
            states.push(state());
            for (let round = 0; round < 200; round++) {
                const turn = random(states.length);
                sight.goTo(turn, touch);
                assert.equal(state(), states[turn]);
            }
        });
    }

    it('is wrong of ground only where it is open', () => {
        const truth = blank(), sight = createSight(createGeometry('square', width, height), 1, blank());
        for (const name of ['terrain', 'layer', 'elevation']) {
            truth[name][5] = 3;
            assert.equal(sight.isWrong(5, truth), true, name);
            truth[name][5] = 0;
        }
        assert.equal(sight.isWrong(5, truth), false);
        [truth.open[5], sight.cells.open[5], truth.terrain[5]] = [0, 0, 3];
        assert.equal(sight.isWrong(5, truth), false);
        truth.open[5] = 1;
        assert.equal(sight.isWrong(5, truth), true);
    });
});

describe('the story', () => {
    const step = (at, more) => ({ kind: 'step', statusText: 'ok', at, ms: 0.5, work: 0, plans: 0, pieces: 0, syncs: 0, broken: false, arrived: false, changes: null, ...more });
    const told = (...turns) => {
        const story = createStory();
        story.clear({ indexBytes: 0, buildMs: 0 });
        turns.forEach(story.add);
        return story.lines.map((line) => `${line.step}: ${line.text}`);
    };

    it('tells plans, breaks and ends, and passes over plain steps', () => {
        assert.deepEqual(told(step(0, { plans: 1, work: 7 }), step(1), step(2, { broken: true, syncs: 1, plans: 1, work: 9 }), step(3, { arrived: true })),
            ['0: planned in 500 µs, 7 units of work', '2: the way is blocked, index repaired and planned anew in 500 µs, 9 units of work', '3: arrived']);
    });

    it('tells a thought of several turns as one', () => {
        assert.deepEqual(told(step(4, { kind: 'think', plans: 1, work: 5, broken: true }), step(4, { kind: 'think', work: 5 }), step(4, { work: 2 })),
            ['4: the way is blocked, planned in 1.5 ms, 12 units of work in 3 turns']);
    });

    it('says what an agent in fog knows, not what is so', () => {
        assert.deepEqual(told(step(0, { kind: 'stop', statusText: 'unreachable', inFog: true })), ['0: it knows of no path (unreachable)']);
    });

    it('says once that there is no path', () => {
        const stop = { kind: 'stop', statusText: 'unreachable' };
        assert.deepEqual(told(step(0, { ...stop, plans: 1, work: 3 }), step(1, stop), step(2, stop)), ['0: planned in 500 µs, 3 units of work, no path is left (unreachable)']);
    });
});
