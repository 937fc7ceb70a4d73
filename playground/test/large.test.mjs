/* large.test.mjs: large worlds stay smooth: whatever is painted, pushed or played, the page does a bounded amount of work in a frame. Frames and work are counted (countFrames
 * in support.mjs), since seconds say more of the machine than of the page; bench/page.mjs measures those.
 */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { statSync } from 'node:fs';
import * as kit from './support.mjs';
const { test } = kit;

const batch = 4000, batches = 10; // player.js: events at a time, and such times in a frame by a clock that goes on by a millisecond at each look
const items = 4000; // map_canvas.js: of an overlay, drawn at once
const longTrace = 1300; // cells of a side whose search has more events than a playback holds (pane.js: traceLimit)
const side = 512; // cells of a world: many times what a frame may play and draw

let page;
before(kit.startBrowser);
after(kit.stopBrowser);

const most = (frames, what) => Math.max(0, ...frames.map((frame) => frame[what]));
const sum = (frames, what) => frames.reduce((all, frame) => all + frame[what], 0);

async function push() {
    await page.click(test('tool-pan'));
    await page.mouse.move(500, 300);
    await page.mouse.down();
    for (let i = 0; i < 20; i++) await page.mouse.move(500 + 8 * i, 300 + 3 * i);
    await page.mouse.up();
    await kit.settled(page);
}

/* Frames in which a map was drawn: each draws it once, in one piece, from pictures that are there. */
function checkPushed(frames, what) {
    const drawn = frames.filter(({ draws }) => draws);
    console.log(`# ${what}: ${drawn.length} frames, at most ${most(frames, 'marks')} lines and shapes, ${most(frames, 'pixels')} new pixels`);
    assert.ok(drawn.length > 0 && most(frames, 'draws') === 1);
    assert.equal(sum(frames, 'events'), 0, 'nothing is played again');
}

describe('the page', () => {
    it('is small', () => {
        const bytes = statSync(kit.pageFile).size;
        console.log(`# ${Math.round(bytes / 1024)} KiB`);
        assert.ok(bytes < 1.5e6);
    });
});

describe('large worlds', () => {
    beforeEach(async () => { page = await kit.openPage(); });
    afterEach(() => kit.closePage(page));

    it('paints, pushes and plays on very many cells a frame at a time', async () => {
        await kit.generate(page, 'random', { width: side, height: side, percent: 20 });
        await page.selectOption(test('algorithm'), 'dijkstra');
        await kit.idle(page);
        await kit.countFrames(page);
        const events = await page.evaluate(() => globalThis.playground.player.count);
        assert.ok(events > 5 * batch * batches, 'more than fit into a few frames');

        for (const button of ['to-start', 'to-end']) {
            await page.click(test(button));
            await kit.settled(page);
            const frames = await kit.countedFrames(page), played = frames.filter((frame) => frame.events);
            console.log(`# ${button}: ${events} events in ${played.length} frames, at most ${most(frames, 'events')}`);
            assert.equal(sum(frames, 'events'), events);
            assert.ok(most(frames, 'events') <= batch * batches && most(frames, 'draws') <= 1);
        }

        await push();
        let frames = await kit.countedFrames(page);
        checkPushed(frames, 'pushing');
        assert.equal(most(frames, 'pixels'), 0, 'the picture of the cells is that of before');

        await page.selectOption(test('neighbours'), 'hex');
        await kit.idle(page);
        await page.evaluate(() => globalThis.playground.view.zoomAt(6 / globalThis.playground.view.scale, 400, 300));
        await kit.settled(page);
        await kit.countedFrames(page);
        await push();
        frames = await kit.countedFrames(page);
        checkPushed(frames, 'pushing small hexagons');
        const screen = await page.evaluate(() => {
            const { canvas } = globalThis.playground.panes[0].map;
            return canvas.width * canvas.height;
        });
        assert.ok(most(frames, 'pixels') <= screen, 'no more than the screen shows');
        await page.selectOption(test('neighbours'), '8');
        await kit.idle(page);

        await page.click(test('tool-wall'));
        await page.selectOption(test('brush'), '8');
        await kit.countedFrames(page);
        await page.mouse.move(300, 300);
        await page.mouse.down();
        for (let i = 0; i < 20; i++) await page.mouse.move(300 + 12 * i, 300 + 5 * i);
        await page.mouse.up();
        await kit.idle(page);
        frames = await kit.countedFrames(page);
        console.log(`# painting: at most ${most(frames, 'ground')} of ${side * side} cells drawn anew in a frame, ${most(frames, 'events')} events`);
        assert.ok(sum(frames, 'ground') > 0 && most(frames, 'ground') < (side * side) / 4, 'an edit costs what it touches');
        assert.ok(most(frames, 'events') <= batch * batches && most(frames, 'draws') <= 1);
    });

    it('pushes an index of very many lines', async () => {
        await kit.generate(page, 'random', { width: side, height: side });
        await page.selectOption(test('algorithm'), 'hpa');
        await page.selectOption(test('overlay'), 'index');
        await page.waitForFunction((least) => globalThis.playground.panes[0].scene.overlay?.edges.layer.length > least, 20 * items, { timeout: 1800000 });
        assert.match(await page.textContent(test('overlay-about')), /zoom in to see all/);
        await kit.idle(page);
        await kit.countFrames(page);
        await push();
        const frames = await kit.countedFrames(page);
        checkPushed(frames, 'pushing an index');
        assert.ok(most(frames, 'marks') > items / 2 && most(frames, 'marks') <= 4 * items, 'a few of them at once');
    });

    it('plays and pushes four large maps together', async () => {
        await kit.generate(page, 'random', { width: side, height: side, percent: 20 });
        for (const [i, name] of ['dijkstra', 'greedy', 'jps'].entries()) {
            await page.click(test('compare-add'));
            await page.selectOption(test(`algorithm-${i + 1}`), name);
        }
        await kit.idle(page);
        await kit.countFrames(page);
        await page.click(test('to-start'));
        await kit.settled(page);
        await page.click(test('to-end'));
        await kit.settled(page);
        let frames = await kit.countedFrames(page);
        console.log(`# four maps: at most ${most(frames, 'events')} events in a frame`);
        assert.ok(sum(frames, 'events') > 5 * batch * batches);
        assert.ok(most(frames, 'events') <= batch * batches, 'they share a frame');

        /* A map now takes five milliseconds to draw: three of them fill a frame. */
        await kit.slowClock(page, 5);
        const before = await page.evaluate(() => globalThis.playground.panes.map(({ map }) => map.frames));
        await push();
        frames = await kit.countedFrames(page);
        const after = await page.evaluate(() => globalThis.playground.panes.map(({ map }) => map.frames));
        console.log(`# four maps: ${after.map((count, i) => count - before[i])} times drawn, at most ${most(frames, 'draws')} in a frame`);
        assert.ok(most(frames, 'draws') <= 3);
        assert.ok(after.every((count, i) => count > before[i]), 'each has its turn');
    });

    it('floods, undoes and cuts traces that are too long', async () => {
        await page.fill(test('blank-width'), String(longTrace));
        await page.fill(test('blank-height'), String(longTrace));
        await page.click(test('blank'));
        await page.waitForFunction((width) => globalThis.playground.world.width === width, longTrace);
        await kit.idle(page);
        await page.selectOption(test('algorithm'), 'bfs');
        await kit.idle(page);
        assert.match(await page.textContent(test('trace-note')), /The playback holds the first 3.000.000 of/);
        assert.equal(await kit.status(page), 'found', 'the answer is whole');
        await page.selectOption(test('algorithm'), 'astar');
        await kit.idle(page);
        await page.click(test('shape-fill'));
        await page.selectOption(test('terrain'), '1');
        await page.mouse.click(500, 300);
        await kit.idle(page);
        assert.equal(await page.evaluate(() => globalThis.playground.world.terrain.every((terrain) => terrain === 1)), true);
        await page.click(test('undo'));
        await kit.idle(page);
        assert.equal(await page.evaluate(() => globalThis.playground.world.terrain.every((terrain) => terrain === 0)), true);
    });
});
