/* units_walk.test.mjs: parts of the walk that need no browser: cells as rectangles, and the story. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { rectanglesOf } from '../src/walker.js';
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

    it('says once that there is no path', () => {
        const stop = { kind: 'stop', statusText: 'unreachable' };
        assert.deepEqual(told(step(0, { ...stop, plans: 1, work: 3 }), step(1, stop), step(2, stop)), ['0: planned in 500 µs, 3 units of work, no path is left (unreachable)']);
    });
});
