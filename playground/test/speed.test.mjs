/* speed.test.mjs: large worlds stay smooth: painting, pushing and playing a fill of half a million cells keep the page's thread free. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import { statSync } from 'node:fs';
import * as kit from './support.mjs';
const { test } = kit;

let page;
before(kit.startBrowser);
after(kit.stopBrowser);

async function longTasks(what) {
    const tasks = await kit.longTasks(page);
    console.log(`# ${what}: ${tasks.length} tasks of 50 ms or more, the longest ${Math.max(0, ...tasks)} ms`);
    return Math.max(0, ...tasks);
}

describe('speed', () => {
    beforeEach(async () => { page = await kit.openPage(); });
    afterEach(() => kit.closePage(page));

    it('is small and starts in less than a second', async () => {
        const ready = await page.evaluate(() => performance.getEntriesByName('ready')[0].startTime);
        const bytes = statSync(kit.pageFile).size;
        console.log(`# ${Math.round(bytes / 1024)} KiB, ready after ${Math.round(ready)} ms`);
        assert.ok(bytes < 1.5e6);
        assert.ok(ready < 1000 * kit.slack);
    });

    it('paints, pushes and plays on 1024 × 1024 cells without long tasks', async () => {
        await kit.generate(page, 'random', { width: 1024, height: 1024, percent: 20 });
        await page.selectOption(test('algorithm'), 'dijkstra');
        await kit.idle(page);
        assert.ok((await kit.value(page, 'expanded')) > 500000);
        await kit.watchTasks(page);

        await page.click(test('play'));
        await page.waitForTimeout(1500);
        const frames = await page.evaluate(() => new Promise((done) => {
            let count = 0;
            const begin = performance.now(), tick = () => (performance.now() - begin < 1000 ? (count++, requestAnimationFrame(tick)) : done(count));
            requestAnimationFrame(tick);
        }));
        console.log(`# playing: ${frames} frames a second`);
        await page.click(test('to-end'));
        await kit.settled(page);
        assert.ok((await longTasks('playing half a million cells')) <= kit.longestTask);
        await page.click(test('to-start'));
        await kit.settled(page);
        assert.ok((await longTasks('back to the beginning')) <= kit.longestTask);

        await page.click(test('tool-pan'));
        await page.mouse.move(500, 400);
        await page.mouse.down();
        for (let i = 0; i < 20; i++) await page.mouse.move(500 + 8 * i, 400 + 3 * i);
        await page.mouse.up();
        await page.mouse.wheel(0, -800);
        assert.ok((await longTasks('pushing and zooming')) <= kit.longestTask);

        await page.selectOption(test('neighbours'), 'hex');
        await kit.idle(page);
        await page.evaluate(() => globalThis.playground.view.zoomAt(6 / globalThis.playground.view.scale, 400, 300));
        await longTasks('another layout');
        await page.mouse.move(500, 400);
        await page.mouse.down();
        for (let i = 0; i < 20; i++) await page.mouse.move(500 + 8 * i, 400 + 3 * i);
        await page.mouse.up();
        assert.ok((await longTasks('pushing small hexagons')) <= kit.longestTask);
        await page.selectOption(test('neighbours'), '8');
        await kit.idle(page);
        await longTasks('and back');

        await page.click(test('tool-wall'));
        await page.selectOption(test('brush'), '8');
        await page.mouse.move(300, 300);
        await page.mouse.down();
        for (let i = 0; i < 20; i++) await page.mouse.move(300 + 12 * i, 300 + 5 * i);
        await page.mouse.up();
        await kit.idle(page);
        assert.ok((await longTasks('painting while searching anew')) <= kit.longestTask);
    });

    it('pushes an index of half a million lines', async () => {
        await kit.generate(page, 'random', { width: 1024, height: 1024 });
        await page.selectOption(test('algorithm'), 'hpa');
        await page.selectOption(test('overlay'), 'index');
        await page.waitForFunction(() => globalThis.playground.panes[0].scene.overlay?.edges.layer.length > 500000);
        assert.match(await page.textContent(test('overlay-about')), /zoom in to see all/);
        await kit.idle(page);
        await kit.watchTasks(page);
        await page.click(test('tool-pan'));
        await page.mouse.move(300, 300);
        await page.mouse.down();
        for (let i = 0; i < 20; i++) await page.mouse.move(300 + 4 * i, 300 + 3 * i);
        await page.mouse.up();
        await kit.settled(page);
        assert.ok((await longTasks('pushing an index')) <= 1.5 * kit.longestTask);
    });

    it('plays and pushes four maps of 1024 × 1024 cells together', async () => {
        await kit.generate(page, 'random', { width: 1024, height: 1024, percent: 20 });
        for (const [i, name] of ['dijkstra', 'greedy', 'jps'].entries()) {
            await page.click(test('compare-add'));
            await page.selectOption(test(`algorithm-${i + 1}`), name);
        }
        await kit.idle(page);
        await kit.watchTasks(page);
        await page.click(test('play'));
        await page.waitForTimeout(1500);
        await page.click(test('to-end'));
        await kit.settled(page);
        assert.ok((await longTasks('playing four maps')) <= 1.5 * kit.longestTask);
        await page.click(test('tool-pan'));
        await page.mouse.move(300, 300);
        await page.mouse.down();
        for (let i = 0; i < 20; i++) await page.mouse.move(300 + 4 * i, 300 + 3 * i);
        await page.mouse.up();
        await kit.settled(page);
        assert.ok((await longTasks('pushing four maps')) <= kit.longestTask);
    });

    it('floods, undoes and cuts traces that are too long, on 2048 × 2048 cells', async () => {
        await page.fill(test('blank-width'), '2048');
        await page.fill(test('blank-height'), '2048');
        await page.click(test('blank'));
        await page.waitForFunction(() => globalThis.playground.world.width === 2048);
        await kit.idle(page);
        await page.selectOption(test('algorithm'), 'bfs');
        await kit.idle(page);
        assert.match(await page.textContent(test('trace-note')), /The playback holds the first 3.000.000 of/);
        assert.equal(await kit.status(page), 'found', 'the answer is whole');
        await page.selectOption(test('algorithm'), 'astar');
        await kit.idle(page);
        await page.click(test('shape-fill'));
        await page.selectOption(test('terrain'), '1');
        await kit.watchTasks(page);
        await page.mouse.click(500, 300);
        await kit.idle(page);
        assert.equal(await page.evaluate(() => globalThis.playground.world.terrain.every((terrain) => terrain === 1)), true);
        await page.click(test('undo'));
        await kit.idle(page);
        assert.equal(await page.evaluate(() => globalThis.playground.world.terrain.every((terrain) => terrain === 0)), true);
        await longTasks('flooding four million cells and undoing it');
    });
});
