/* page.mjs: how long the playground's thread is busy at a time on large worlds, and how soon the page is there: node bench/page.mjs. A task of more than 100 ms would be felt.
 *
 * For an idle machine; nothing judges these numbers. (playground/test/large.test.mjs counts frames and work instead.) Needs what playground/test/run.sh needs, and the page
 * (playground/build.mjs).
 */
import { statSync } from 'node:fs';
import * as kit from '../playground/test/support.mjs';
const { test } = kit;

/* Notes the long tasks of a page from now on. */
async function watchTasks(page) {
    await page.evaluate(() => {
        globalThis.longTasks = [];
        new PerformanceObserver((list) => globalThis.longTasks.push(...list.getEntries().map(({ duration }) => Math.round(duration)))).observe({ type: 'longtask' });
    });
}

/* Says which there were since the last time. */
async function tell(page, what) {
    await page.waitForTimeout(100);
    const tasks = await page.evaluate(() => globalThis.longTasks.splice(0));
    console.log(`${what}: ${tasks.length} tasks of 50 ms or more, the longest ${Math.max(0, ...tasks)} ms`);
}

async function drag(page, tool, dx, dy) {
    await page.click(test(tool));
    await page.mouse.move(300, 300);
    await page.mouse.down();
    for (let i = 0; i < 20; i++) await page.mouse.move(300 + dx * i, 300 + dy * i);
    await page.mouse.up();
    await kit.settled(page);
}

async function play(page, what) {
    await page.click(test('play'));
    await page.waitForTimeout(1500);
    const frames = await page.evaluate(() => new Promise((done) => {
        let count = 0;
        const begin = performance.now(), tick = () => (performance.now() - begin < 1000 ? (count++, requestAnimationFrame(tick)) : done(count));
        requestAnimationFrame(tick);
    }));
    console.log(`${what}: ${frames} frames a second`);
    await page.click(test('to-end'));
    await kit.settled(page);
    await tell(page, what);
}

async function oneMap(page) {
    await kit.generate(page, 'random', { width: 1024, height: 1024, percent: 20 });
    await kit.chooseAlgorithm(page, 'dijkstra');
    await watchTasks(page);
    await play(page, 'playing half a million cells');
    await page.click(test('to-start'));
    await kit.settled(page);
    await tell(page, 'back to the beginning');
    await drag(page, 'tool-pan', 8, 3);
    await tell(page, 'pushing');
    await page.selectOption(test('neighbours'), 'hex');
    await kit.idle(page);
    await page.evaluate(() => globalThis.playground.view.zoomAt(6 / globalThis.playground.view.scale, 400, 300));
    await tell(page, 'another layout');
    await drag(page, 'tool-pan', 8, 3);
    await tell(page, 'pushing small hexagons');
    await page.selectOption(test('neighbours'), '8');
    await kit.idle(page);
    await tell(page, 'and back');
    await page.selectOption(test('brush'), '8');
    await drag(page, 'tool-wall', 12, 5);
    await tell(page, 'painting while searching anew');
}

async function index(page) {
    await kit.generate(page, 'random', { width: 1024, height: 1024 });
    await page.selectOption(test('algorithm'), 'hpa');
    await page.selectOption(test('overlay'), 'index');
    await page.waitForFunction(() => globalThis.playground.panes[0].scene.overlay?.edges.layer.length > 500000);
    await kit.idle(page);
    await watchTasks(page);
    await drag(page, 'tool-pan', 4, 3);
    await tell(page, 'pushing an index of half a million lines');
}

async function fourMaps(page) {
    await kit.generate(page, 'random', { width: 1024, height: 1024, percent: 20 });
    for (const [i, name] of ['dijkstra', 'greedy', 'jps'].entries()) {
        await page.click(test('compare-add'));
        await page.selectOption(test(`algorithm-${i + 1}`), name);
    }
    await kit.idle(page);
    await watchTasks(page);
    await play(page, 'playing four maps');
    await drag(page, 'tool-pan', 4, 3);
    await tell(page, 'pushing four maps');
}

async function walk(page) {
    await kit.generate(page, 'pseudo-rts', { width: 1024, height: 1024 });
    await watchTasks(page);
    await page.selectOption(test('walk-speed'), '100');
    await page.click(test('walk'));
    await page.waitForFunction(() => globalThis.playground.walk.sums?.moves >= 150);
    await tell(page, 'walking on 1024 × 1024 cells');
}

async function flood(page) {
    await page.fill(test('blank-width'), '2048');
    await page.fill(test('blank-height'), '2048');
    await page.click(test('blank'));
    await page.waitForFunction(() => globalThis.playground.world.width === 2048);
    await kit.idle(page);
    await page.click(test('shape-fill'));
    await page.selectOption(test('terrain'), '1');
    await watchTasks(page);
    await page.mouse.click(500, 300);
    await kit.idle(page);
    await page.click(test('undo'));
    await kit.idle(page);
    await tell(page, 'flooding four million cells and undoing it');
}

await kit.startBrowser();
try {
    for (const measure of [oneMap, index, fourMaps, walk, flood]) {
        const page = await kit.openPage();
        if (measure === oneMap) {
            const ready = await page.evaluate(() => performance.getEntriesByName('ready')[0].startTime);
            console.log(`${Math.round(statSync(kit.pageFile).size / 1024)} KiB, ready after ${Math.round(ready)} ms`);
        }
        await measure(page);
        await kit.closePage(page);
    }
} finally {
    await kit.stopBrowser();
}
