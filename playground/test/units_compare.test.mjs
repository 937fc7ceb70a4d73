/* units_compare.test.mjs: the parts of comparisons, plots and links that need no browser, against plain oracles. */
import assert from 'node:assert/strict';
import { beforeEach, describe, it } from 'node:test';
import { deflateRawSync } from 'node:zlib';
import { bestOf, short } from '../src/panel_compare.js';
import { createAxis } from '../src/plot.js';
import { createPlayer } from '../src/player.js';
import { pack, unpack } from '../src/share.js';
import { parseSpec, specOf } from '../src/spec.js';

/* A screen whose frames come when they are asked for. */
let frames = [];
globalThis.requestAnimationFrame = (draw) => frames.push(draw);
function runFrames() {
    for (let time = 0; frames.length; time += 16) frames.splice(0).forEach((draw) => draw(time));
}

/* A fill that remembers which events are on it. */
function createFill() {
    const shown = new Set();
    return {
        shown,
        show: () => shown.clear(),
        play(from, to) {
            for (let i = from; i < to; i++) shown.add(i);
            for (let i = from - 1; i >= to; i--) shown.delete(i);
        },
    };
}

const traceOf = (count) => ({ count, order: Uint32Array.from({ length: count }, (unused, i) => Math.floor(i / 3)) });

describe('the player', () => {
    let player, fills;
    beforeEach(() => {
        frames = [];
        player = createPlayer();
        fills = [createFill(), createFill()];
        player.show(0, traceOf(10), fills[0]);
        player.show(1, traceOf(25), fills[1]);
        runFrames();
    });
    const shown = () => fills.map((fill) => fill.shown.size);

    it('shows new traces whole when it was at the end, else up to where it was', () => {
        assert.deepEqual(shown(), [10, 25]);
        player.seek(7);
        runFrames();
        player.show(0, traceOf(12), fills[0]);
        player.show(1, traceOf(5), fills[1]);
        runFrames();
        assert.equal(player.at, 7);
        assert.deepEqual(shown(), [7, 5]);
        player.show(0, traceOf(6), fills[0]);
        runFrames();
        assert.deepEqual([player.at, ...shown()], [6, 6, 5], 'a shorter one to its end');
        player.show(0, traceOf(30), fills[0]);
        runFrames();
        assert.deepEqual([player.at, ...shown()], [7, 7, 5], 'and a longer one to where it was wanted');
    });

    it('plays on when another trace comes', () => {
        player.seek(3);
        player.setSpeed('5');
        player.play();
        player.show(1, traceOf(40), fills[1]);
        assert.equal(player.running, true);
        player.show(1, null, fills[1]);
        player.show(0, null, fills[0]);
        assert.equal(player.running, false, 'of another world nothing is played');
        player.show(0, traceOf(8), fills[0]);
        assert.equal(player.target, 8);
    });

    it('plays tracks to the same event or to the same part, forwards and backwards', () => {
        for (const [together, event, wanted] of [['event', 7, [7, 7]], ['event', 20, [10, 20]], ['part', 20, [8, 20]], ['part', 5, [2, 5]], ['event', 5, [5, 5]], ['part', 25, [10, 25]]]) {
            player.setTogether(together);
            player.seek(event);
            runFrames();
            assert.deepEqual(shown(), wanted, `${together} ${event}`);
            assert.deepEqual([player.placeOn(0), player.placeOn(1)], wanted);
            assert.equal(player.at, event);
        }
    });

    it('is as long as its longest track, and keeps to it when tracks go', () => {
        assert.equal(player.count, 25);
        player.remove(1);
        runFrames();
        assert.equal(player.count, 10);
        assert.ok(player.ended);
        player.remove(0);
        assert.equal(player.count, 0);
        player.play();
        assert.equal(player.running, false);
    });

    it('never leaves its track, and steps by expansions', () => {
        player.seek(-5);
        assert.equal(player.target, 0);
        player.seek(999);
        assert.equal(player.target, 25);
        player.seek(0);
        player.stepExpansion(1);
        assert.equal(player.target, 4);
        player.stepExpansion(-1);
        assert.ok(player.target < 4);
    });

    it('plays to the end', () => {
        player.setSpeed('once');
        player.play();
        runFrames();
        assert.deepEqual(shown(), [10, 25]);
        assert.equal(player.running, false);
    });
});

describe('axes', () => {
    it('hold all values, with few round ticks', () => {
        for (let tried = 0; tried < 300; tried++) {
            const least = 10 ** (tried % 7 - 3), most = least * (1 + ((tried * 7919) % 1000) / 3), isLog = tried % 2 === 0, { place, ticks } = createAxis(isLog ? least : 0, most, isLog);
            for (const value of [isLog ? least : 0, (least + most) / 2, most]) assert.ok(place(value) >= -1e-9 && place(value) <= 1 + 1e-9, `${least} ${most} ${value}`);
            assert.ok(ticks.length >= 2 && ticks.length <= 7, `${least} ${most}: ${ticks}`);
            for (let i = 1; i < ticks.length; i++) assert.ok(ticks[i] > ticks[i - 1]);
        }
    });

    it('grow with their values', () => {
        const { place } = createAxis(1, 5000, true);
        assert.ok(place(10) > place(9) && place(1) === 0 && place(0.1) === 0);
    });
});

describe('tables', () => {
    it('mark the least, unless all are alike or alone', () => {
        assert.equal(bestOf([3, 1, 2]), 1);
        assert.equal(bestOf([2, null, 2]), null);
        assert.equal(bestOf([null, 4]), null);
        assert.equal(bestOf([0, 5, null]), 0);
    });

    it('shorten large counts', () => {
        assert.deepEqual([7, 99999, 123456, 12345678].map(short).map((text) => text.replaceAll('\u202f', ' ')), ['7', '99 999', '123 k', '12.3 M']);
    });
});

describe('links', () => {
    it('pack and unpack any bytes into letters that addresses may have', async () => {
        for (const length of [0, 1, 2, 3, 255, 5000]) {
            const bytes = Uint8Array.from({ length }, (unused, i) => (i * i * 31 + (i >> 3)) & 255), text = await pack(bytes);
            assert.match(text, /^[\w-]*$/);
            assert.deepEqual(await unpack(text), bytes);
        }
        await assert.rejects(unpack('!!'), /damaged/);
        await assert.rejects(unpack('A'.repeat(70000)), /too large/);
    });

    it('unpack no more than a world in a link can have', async () => {
        const bomb = deflateRawSync(new Uint8Array(48e6), { level: 9 }).toString('base64url'), Original = globalThis.DecompressionStream;
        let unpacked = 0;
        globalThis.DecompressionStream = class {
            constructor(format) {
                const inner = new Original(format), counter = new TransformStream({
                    transform(part, controller) {
                        unpacked += part.length;
                        controller.enqueue(part);
                    },
                });
                return { writable: inner.writable, readable: inner.readable.pipeThrough(counter) };
            }
        };
        try {
            assert.ok(bomb.length < 65536, `${bomb.length} letters`);
            await assert.rejects(unpack(bomb), /the world in it is too large/);
        } finally {
            globalThis.DecompressionStream = Original;
        }
        assert.ok(unpacked > 8e6 && unpacked < 12e6, `${unpacked} bytes`);
    });

    const registry = {
        algorithms: [{
            name: 'toy', aliases: ['doll'],
            parameters: [{ name: 'weight', type: 'number', minimum: 1, maximum: 9, default: 1.5 }, { name: 'kind', type: 'choice', choices: ['a', 'b'], default: 'a' }],
        }],
    };
    it('read algorithms as they write them', () => {
        for (const parameters of [{}, { weight: 2 }, { kind: 'b' }, { weight: 2.25, kind: 'b' }])
            assert.deepEqual(parseSpec(registry, specOf(registry, { algorithm: 'toy', parameters })), { algorithm: 'toy', parameters });
        assert.equal(parseSpec(registry, 'doll').algorithm, 'toy');
        for (const [text, wanted] of [['none', /no algorithm "none"/], ['toy:size=3', /no parameter "size"/], ['toy:weight=10', /from 1 to 9/], ['toy:weight=', /from 1 to 9/], ['toy:kind=c', /one of a, b/]])
            assert.throws(() => parseSpec(registry, text), wanted, text);
    });
});
