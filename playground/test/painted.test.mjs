/* painted.test.mjs: what is painted is seen, kept, and can be undone, also across other maps and a reload; links, heights, extra costs and swamp are painted and matter. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import * as kit from './support.mjs';
const { test } = kit;

let page;
before(kit.startBrowser);
after(kit.stopBrowser);

const wall = [0x2c, 0x2f, 0x38];
const field = Array.from({ length: 8 }, () => '.'.repeat(12)).join('\n');

async function openRows(rows, from, to) {
    await page.evaluate(async ([text, a, b]) => {
        const width = text.indexOf('\n');
        await playground.files.open(new TextEncoder().encode(text), 'rows.txt', undefined, { query: { from: a[1] * width + a[0], to: b[1] * width + b[0] } });
    }, [rows, from, to]);
    await kit.idle(page);
}

const walked = (steps) => page.waitForFunction((wanted) => playground.walk.sums?.moves >= wanted && !playground.player.running, steps);

describe('walls', () => {
    beforeEach(async () => { page = await kit.openPage(); });
    afterEach(() => kit.closePage(page));

    it('painted during and after a walk are seen above what it has visited', async () => {
        await openRows(field, [1, 4], [10, 4]);
        await kit.chooseAlgorithm(page, 'dijkstra');
        await page.click(test('walk-step'));
        await walked(1);
        await page.waitForFunction(() => playground.panes[0].scene.walk.fill.lastEvent(3 * 12 + 3) >= 0);
        await kit.clickCell(page, 3, 3);
        await page.mouse.move(5, 5);
        await kit.idle(page);
        assert.deepEqual(await kit.colourAt(page, 3, 3), wall, 'during');
        await page.selectOption(test('walk-speed'), 'most');
        await page.click(test('walk'));
        await page.waitForFunction(() => playground.walk.phase === 'arrived');
        await page.click(test('tool-wall'));
        await kit.clickCell(page, 2, 3);
        await page.mouse.move(5, 5);
        await kit.idle(page);
        assert.equal(await page.evaluate(() => playground.walk.phase), 'arrived');
        assert.deepEqual(await kit.colourAt(page, 2, 3), wall, 'after');
    });

    it('are seen above the areas of an overlay at once', async () => {
        await openRows(field, [1, 4], [10, 4]);
        await page.selectOption(test('overlay'), 'regions');
        await page.waitForFunction(() => !playground.panes[0].scene.areas.empty);
        const pixel = await page.evaluate(() => {
            const { world, panes } = playground;
            world.beginStroke();
            world.paint([14], { open: 0 });
            world.endStroke();
            return panes[0].scene.areas.pixels[14];
        });
        assert.equal(pixel, 0);
        await kit.idle(page);
    });
});

describe('work', () => {
    const open = (name) => page.evaluate(() => playground.world.name).then((now) => assert.equal(now, name));

    it('comes back by undo after another map was opened, and the page says so', async () => {
        page = await kit.openPage();
        await kit.clickCell(page, 30, 2);
        await kit.clickCell(page, 31, 2);
        const query = await page.evaluate(() => playground.store.get('problem.query'));
        await kit.openMap(page, 'cave.txt');
        assert.match(await page.textContent(test('notice')), /painted on village\.txt.*Undo brings it back/);
        await kit.openMap(page, 'spiral.txt');
        await page.click(test('undo'));
        await kit.idle(page);
        await open('village.txt');
        assert.deepEqual([(await kit.cell(page, 30, 2)).open, (await kit.cell(page, 31, 2)).open], [0, 0]);
        assert.deepEqual(await page.evaluate(() => playground.store.get('problem.query')), query);
        assert.equal(await kit.status(page), 'found');
        await page.click(test('undo'));
        await kit.idle(page);
        assert.equal((await kit.cell(page, 31, 2)).open, 1, 'and the stroke before');
        await page.click(test('redo'));
        await page.click(test('redo'));
        await kit.idle(page);
        await open('spiral.txt');
        assert.equal(await kit.status(page), 'found');
        await kit.closePage(page);
    });

    it('is kept by the browser: a reload brings it back, with start, goal and algorithm', async () => {
        page = await kit.openPage();
        await kit.generate(page, 'random', { width: 300, height: 200 }); // too large for a link
        await page.selectOption(test('algorithm'), 'jps');
        await page.click(test('shape-rectangle'));
        await kit.dragCells(page, [100, 100], [120, 120]);
        await page.waitForFunction(() => playground.keep.isKept());
        const before = await page.evaluate(() => ({ cells: playground.world.open.join(''), query: playground.store.get('problem.query') }));
        await page.reload();
        await page.waitForSelector('html[data-ready]');
        await kit.settled(page);
        assert.deepEqual(await page.evaluate(() => ({ cells: playground.world.open.join(''), query: playground.store.get('problem.query') })), before);
        assert.equal(await page.inputValue(test('algorithm')), 'jps');
        assert.match(await page.textContent(test('notice')), /back as you have painted it/);
        await kit.openMap(page, 'cave.txt');
        await page.reload();
        await page.waitForSelector('html[data-ready]');
        await kit.settled(page);
        const kept = await page.$$eval(`${test('kept')} option`, (options) => options.map(({ textContent }) => textContent));
        assert.deepEqual(kept, ['choose…', 'random 1'], 'what is not on show is listed');
        await page.selectOption(test('kept'), { label: 'random 1' });
        await page.waitForFunction(() => playground.world.width === 300);
        await kit.idle(page);
        assert.equal(await page.evaluate(() => playground.world.open.join('')), before.cells);
        await page.click(test('kept-forget'));
        assert.equal(await page.isVisible(test('kept')), false);
        await kit.closePage(page);
    });

    it('on a world that is in the page comes back too, and on no other page', async () => {
        const folder = mkdtempSync(join(tmpdir(), 'cairn-kept-')), file = join(folder, 'page.html');
        const world = '<script type="application/octet-stream" id="world" data-name="field.txt">' + Buffer.from(`${field}\n`).toString('base64') + '</script>';
        writeFileSync(file, readFileSync(kit.pageFile, 'utf8').replace('</body>', () => `${world}</body>`));
        page = await kit.openPage({ file });
        await kit.clickCell(page, 5, 5);
        await page.waitForFunction(() => playground.keep.isKept());
        const reopened = async (address) => {
            await page.goto('about:blank');
            await page.goto(address);
            await page.waitForSelector('html[data-ready]');
            await kit.settled(page);
        };
        await reopened(pathToFileURL(file).href);
        await open('field.txt');
        assert.equal((await kit.cell(page, 5, 5)).open, 0);
        await reopened(pathToFileURL(kit.pageFile).href);
        await open('village.txt');
        await kit.closePage(page);
        rmSync(folder, { recursive: true });
    });

    it('that the browser cannot keep is asked about before the page is left', async () => {
        page = await kit.openPage();
        const asked = () => page.evaluate(() => !dispatchEvent(new Event('beforeunload', { cancelable: true })));
        assert.equal(await asked(), false, 'nothing was painted');
        await page.evaluate(() => { Storage.prototype.setItem = () => { throw new Error('full'); }; });
        await kit.clickCell(page, 30, 2);
        assert.equal(await asked(), true);
        await page.click(`${test('save')} summary`);
        const download = page.waitForEvent('download');
        await page.click(test('save-cairn'));
        await (await download).path();
        await page.waitForFunction(() => !playground.world.isUnsaved());
        assert.equal(await asked(), false, 'it is in a file');
        await kit.closePage(page);
    });
});

describe('what is painted matters', () => {
    beforeEach(async () => {
        page = await kit.openPage();
        await openRows(field, [0, 4], [11, 4]);
    });
    afterEach(() => kit.closePage(page));

    it('swamp costs something without a word about costs', async () => {
        const before = await kit.value(page, 'cost');
        await page.click(test('tool-terrain'));
        await page.click(test('shape-rectangle'));
        await kit.dragCells(page, [5, 0], [6, 7]);
        assert.ok((await kit.value(page, 'cost')) > before);
        assert.match(await page.textContent(test('terrain')), /swamp × 3/);
        assert.equal(await page.inputValue(test('cost-1')), '3');
    });

    it('extra costs and heights cost, are seen, and can be undone', async () => {
        await page.click(test('shape-rectangle'));
        for (const [tool, name] of [['extra', 'layer'], ['height', 'elevation']]) {
            const before = await kit.value(page, 'cost'), colour = await kit.colourAt(page, 6, 1);
            await page.click(test(`tool-${tool}`));
            await page.fill(test(`tool-${tool}-value`), '7');
            await kit.dragCells(page, [5, 0], [6, 7]);
            await page.mouse.move(5, 5);
            await kit.idle(page);
            assert.equal(await page.evaluate((kind) => playground.world[kind][17], name), 7);
            assert.ok((await kit.value(page, 'cost')) > before, tool);
            assert.notDeepEqual(await kit.colourAt(page, 6, 1), colour, `${tool} is seen`);
            assert.ok(await page.isVisible(test(tool === 'extra' ? 'layer-weight' : 'gradient')));
            await page.click(test('undo'));
            await kit.idle(page);
            assert.equal(await kit.value(page, 'cost'), before, `${tool} undone`);
        }
    });

    it('links lead through walls; clicked, they go; undo brings them back', async () => {
        await page.click(test('shape-rectangle'));
        await kit.dragCells(page, [5, 0], [6, 7]);
        assert.notEqual(await kit.status(page), 'found');
        await page.click(test('tool-link'));
        await kit.dragCells(page, [3, 2], [9, 2]);
        assert.equal(await kit.status(page), 'found');
        assert.deepEqual(await page.evaluate(() => playground.world.links.map(({ from, to, cost }) => [from, to, cost])), [[27, 33, 256], [33, 27, 256]], 'both ways');
        await kit.clickCell(page, 9, 2);
        assert.deepEqual(await page.evaluate(() => playground.world.links), []);
        assert.notEqual(await kit.status(page), 'found');
        await page.click(test('undo'));
        await kit.idle(page);
        assert.equal(await kit.status(page), 'found');
        await page.uncheck(test('tool-link-both'));
        await page.fill(test('tool-link-cost'), '2.5');
        await kit.dragCells(page, [2, 6], [9, 6]);
        assert.deepEqual(await page.evaluate(() => playground.world.links.slice(2).map(({ from, to, cost }) => [from, to, cost])), [[74, 81, 640]]);
    });
});
