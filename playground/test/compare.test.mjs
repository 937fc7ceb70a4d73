/* compare.test.mjs: several algorithms on the same problem: maps that move and play together, and a table that says what each has done. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import * as kit from './support.mjs';
const { test } = kit;

let page;
before(kit.startBrowser);
after(kit.stopBrowser);
beforeEach(async () => { page = await kit.openPage(); });
afterEach(() => kit.closePage(page));

async function compare(...names) {
    for (const [i, name] of names.entries()) {
        if (i) await page.click(test('compare-add'));
        await page.selectOption(test(i ? `algorithm-${i}` : 'algorithm'), name);
    }
    await kit.idle(page);
}

const figure = async (name, i) => {
    const text = await page.getAttribute(test(`compare-${name}-${i}`), 'data-value');
    return text === '' ? null : Number(text);
};
const places = () => page.evaluate(() => globalThis.playground.panes.map(({ scene }) => scene.at));
const counts = () => page.evaluate(() => globalThis.playground.panes.map(({ result }) => result.trace.count));

describe('comparing', () => {
    it('shows two to four maps, and one again', async () => {
        assert.equal(await page.isVisible(test('label-0')), false);
        for (let shown = 2; shown <= 4; shown++) {
            await page.click(test('compare-add'));
            await kit.idle(page);
            assert.equal(await page.locator('canvas.map').count(), shown);
            const boxes = await page.$$eval('.map-box', (list) => list.map((box) => box.getBoundingClientRect().toJSON()));
            for (const box of boxes) assert.deepEqual([box.width, box.height].map(Math.round), [boxes[0].width, boxes[0].height].map(Math.round));
        }
        assert.ok(await page.isDisabled(test('compare-add')));
        const names = await page.$$eval('.map-label b', (list) => list.map((label) => label.textContent));
        assert.equal(new Set(names).size, 4);
        await page.click(test('compare-remove-1'));
        await kit.idle(page);
        assert.deepEqual(await page.$$eval('.map-label b', (list) => list.map((label) => label.textContent)), [names[0], names[2], names[3]]);
        for (let i = 0; i < 2; i++) await page.click(test('compare-remove-1'));
        await kit.idle(page);
        assert.equal(await page.locator('canvas.map').count(), 1);
        assert.equal(await page.isVisible(test('label-0')), false);
        assert.equal(await page.isVisible('table.compare'), false);
    });

    it('has a table with the same figures as the result of each alone, the best marked', async () => {
        await kit.openMap(page, 'caves.map');
        const names = ['astar', 'dijkstra', 'jps', 'hpa'], alone = [];
        for (const name of names) {
            await kit.chooseAlgorithm(page, name);
            alone.push({ cost: await kit.value(page, 'cost'), expanded: await kit.value(page, 'expanded'), above: await kit.value(page, 'above-optimal') });
        }
        await compare(...names);
        const { straight } = await page.evaluate(() => globalThis.playground.panes[0].result.scale);
        for (const [i, { cost, expanded, above }] of alone.entries()) {
            assert.equal(await page.getAttribute(test(`compare-status-${i}`), 'data-value'), 'found');
            assert.equal(await figure('cost', i), cost / straight, names[i]);
            assert.equal(await figure('expanded', i), expanded, names[i]);
            assert.equal(await figure('above-optimal', i), above, names[i]);
            assert.ok((await figure('time', i)) > 0 && (await figure('memory', i)) > 0);
            assert.equal((await figure('index', i)) === null, names[i] !== 'hpa');
            assert.equal((await figure('built-in', i)) === null, names[i] !== 'hpa');
        }
        const marked = async (name) => page.$$eval(`[data-test^="compare-${name}-"]`, (cells) => cells.map((cell) => cell.classList.contains('best')));
        assert.deepEqual(await marked('cost'), [true, true, true, false]);
        assert.deepEqual(await marked('expanded'), alone.map(({ expanded }) => expanded === Math.min(...alone.map((one) => one.expanded))));
        assert.deepEqual(await marked('index'), [false, false, false, false]);
    });

    it('plays all together: at the same event, or at the same part', async () => {
        await compare('astar', 'dijkstra');
        const [first, second] = await counts();
        assert.ok(first < second);
        assert.equal(Number(await page.getAttribute(test('place'), 'data-count')), second);
        await page.locator(test('scrub')).fill('100');
        await kit.settled(page);
        assert.deepEqual(await places(), [100, 100]);
        await page.locator(test('scrub')).fill(String(first + 50));
        await kit.settled(page);
        assert.deepEqual(await places(), [first, first + 50]);
        await page.selectOption(test('together'), 'part');
        await page.locator(test('scrub')).fill(String(Math.round(second / 2)));
        await kit.settled(page);
        assert.deepEqual(await places(), [Math.round((Math.round(second / 2) * first) / second), Math.round(second / 2)]);
        const filled = await page.evaluate(() => globalThis.playground.panes.map(({ fill }) => fill.pixels.reduce((sum, pixel) => sum + (pixel ? 1 : 0), 0)));
        assert.ok(filled[0] > 0 && filled[1] > filled[0]);
        await page.selectOption(test('speed'), 'once');
        await page.click(test('play'));
        await kit.settled(page);
        assert.deepEqual(await places(), [first, second]);
        await page.click(test('step-back'));
        await kit.settled(page);
        assert.equal((await places())[1], second - 1);
    });

    it('moves all maps together, and a mark dragged on one is dragged on all', async () => {
        await compare('astar', 'greedy');
        const box = await page.locator('[data-test=map-1]').boundingBox(), before = await page.evaluate(() => globalThis.playground.view.scale);
        await page.mouse.move(box.x + 200, box.y + 200);
        await page.mouse.wheel(0, -300);
        await kit.settled(page);
        assert.ok((await page.evaluate(() => globalThis.playground.view.scale)) > before);
        const picture = (i) => page.evaluate((at) => globalThis.playground.panes[at].map.frames, i);
        const frames = [await picture(0), await picture(1)];
        await page.click(test('fit'));
        await kit.settled(page);
        assert.ok((await picture(0)) > frames[0] && (await picture(1)) > frames[1]);
        const from = await page.evaluate(() => {
            const { world, view, store } = globalThis.playground, at = world.geometry.centre(store.get('problem.query').to);
            return view.toScreen(at.x, at.y);
        });
        const small = await page.locator('[data-test=map-1]').boundingBox(), costs = [await figure('cost', 0), await figure('cost', 1)];
        await page.mouse.move(small.x + from.x, small.y + from.y);
        await page.mouse.down();
        await page.mouse.move(small.x + from.x + 60, small.y + from.y, { steps: 6 });
        await page.mouse.up();
        await kit.idle(page);
        assert.ok((await figure('cost', 0)) < costs[0] && (await figure('cost', 1)) < costs[1]);
        assert.equal((await kit.cell(page, 30, 17)).open, 1);
        await kit.clickCell(page, 30, 17);
        assert.equal((await kit.cell(page, 30, 17)).open, 0);
    });

    it('takes parameters for each, and the same algorithm twice', async () => {
        await kit.openMap(page, 'caves.map');
        await compare('wastar', 'wastar');
        assert.equal(await figure('expanded', 0), await figure('expanded', 1));
        await page.click(`${test('parameters-1')} summary`);
        await page.fill(test('parameter-1-weight'), '4');
        await kit.idle(page);
        assert.ok((await figure('expanded', 1)) < (await figure('expanded', 0)));
        assert.match(await page.textContent(test('label-1')), /wastar:weight=4/);
        assert.equal(await page.textContent(test('spec')), 'wastar');
    });

    it('keeps long searches of the same algorithm apart', async () => {
        await page.selectOption(test('generator'), 'random');
        await page.fill(test('generator-percent'), '10');
        await page.click(test('generate'));
        await page.waitForFunction(() => globalThis.playground.world.width === 512);
        await compare('dijkstra', 'dijkstra', 'astar', 'dijkstra');
        await kit.dragCells(page, [200, 200], [260, 200]);
        const hashes = await page.evaluate(() => globalThis.playground.panes.map(({ result }) => `${result.cost} ${result.metrics.expanded} ${result.trace.total}`));
        assert.equal(new Set([hashes[0], hashes[1], hashes[3]]).size, 1, hashes.join(', '));
        assert.equal(hashes[2].split(' ')[0], hashes[0].split(' ')[0]);
    });

    it('says which one cannot serve the world, while others do', async () => {
        const unable = await page.evaluate(() => globalThis.playground.registry.algorithms.find(({ neighbours, worlds }) => worlds.includes('grid') && !neighbours.includes('hex')).name);
        await compare('astar', unable);
        await page.selectOption(test('neighbours'), 'hex');
        await kit.idle(page);
        assert.equal(await page.getAttribute(test('compare-status-0'), 'data-value'), 'found');
        assert.equal(await page.textContent(test('compare-status-1')), 'no answer');
        assert.ok((await page.getAttribute(test('compare-status-1'), 'title')).length > 10);
        assert.equal(await figure('cost', 1), null);
    });

    it('shows on each map the index of its own algorithm', async () => {
        await compare('astar', 'mm');
        await page.selectOption(test('overlay'), 'index');
        await kit.idle(page);
        await page.waitForFunction(() => globalThis.playground.panes[1].scene.overlay);
        const shown = () => page.evaluate(() => globalThis.playground.panes.map(({ scene }) => [Boolean(scene.overlay), !scene.areas.empty, Boolean(scene.overlay?.areas)]));
        assert.deepEqual(await shown(), [[false, false, false], [true, true, true]]);
        await page.selectOption(test('overlay'), 'regions');
        await page.waitForFunction(() => globalThis.playground.panes.every(({ scene }) => !scene.overlay && !scene.areas.empty));
        await page.selectOption(test('overlay'), 'none');
        await page.waitForFunction(() => globalThis.playground.panes.every(({ scene }) => !scene.overlay && scene.areas.empty));
    });
});
