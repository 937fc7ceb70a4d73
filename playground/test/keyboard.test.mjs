/* keyboard.test.mjs: everything by keys: the table of keys, the cell cursor, focus that can be seen, and the walk. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as kit from './support.mjs';
const { test } = kit;

before(kit.startBrowser);
after(kit.stopBrowser);

const cursorAt = (page) => page.evaluate(() => {
    const node = playground.mapCursor.at();
    return [node % playground.world.width, Math.floor(node / playground.world.width)];
});

describe('keys', () => {
    it('are listed by "?", all of them', async () => {
        const page = await kit.openPage();
        await page.keyboard.press('?');
        await page.waitForSelector(`${test('help')}[open]`);
        const text = await page.textContent(test('help')), entries = await page.evaluate(() => playground.keyboard.table.map(([, what]) => what));
        const manual = readFileSync(join(kit.project, 'docs/playground.md'), 'utf8');
        for (const what of entries) {
            assert.ok(text.includes(what), what);
            assert.ok(manual.includes(what), `docs/playground.md does not say "${what}"`);
        }
        await kit.shot(page, 'help');
        await page.keyboard.press('Escape');
        await page.waitForSelector(test('help'), { state: 'detached' });
        await kit.closePage(page);
    });

    it('say each thing once', async () => {
        const page = await kit.openPage();
        const keys = await page.evaluate(() => playground.keyboard.table.flatMap(([list]) => list));
        assert.equal(new Set(keys).size, keys.length);
        await kit.closePage(page);
    });

    it('move a cell cursor that paints and sets start and goal', async () => {
        const page = await kit.openPage({ map: 'u-trap.txt' });
        await page.keyboard.press('c');
        const [x, y] = await cursorAt(page);
        await page.keyboard.press('Shift+ArrowDown');
        await page.keyboard.press('ArrowUp');
        await page.keyboard.press('ArrowRight');
        assert.deepEqual(await cursorAt(page), [x + 1, Math.min(19, y + 8) - 1]);
        const [cx, cy] = await cursorAt(page), was = await kit.cell(page, cx, cy);
        assert.equal(was.open, 1);
        await page.keyboard.press('Enter');
        assert.equal((await kit.cell(page, cx, cy)).open, 0);
        await page.waitForFunction(() => /blocked/.test(document.querySelector('[data-test=hint]').textContent));
        await kit.shot(page, 'cell-cursor');
        await page.keyboard.press('Delete');
        assert.equal((await kit.cell(page, cx, cy)).open, 1);
        await page.keyboard.press('q');
        await page.keyboard.press('ArrowLeft');
        await page.keyboard.press('ArrowLeft');
        await page.keyboard.press('e');
        await kit.idle(page);
        const { query, width } = await page.evaluate(() => ({ query: playground.store.get('problem.query'), width: playground.world.width }));
        assert.deepEqual(query, { from: cy * width + cx, to: cy * width + cx - 2 });
        assert.equal(await kit.status(page), 'found');
        await kit.closePage(page);
    });

    it('paint a box from corner to corner', async () => {
        const page = await kit.openPage({ map: 'u-trap.txt' });
        await page.keyboard.press('r');
        await page.keyboard.press('c');
        const [x, y] = await cursorAt(page);
        await page.keyboard.press('Enter');
        await page.keyboard.press('ArrowRight');
        await page.keyboard.press('ArrowDown');
        await page.keyboard.press('Enter');
        for (const [dx, dy] of [[0, 0], [1, 0], [0, 1], [1, 1]]) assert.equal((await kit.cell(page, x + dx, y + dy)).open, 0);
        await page.keyboard.press('Control+z');
        assert.equal((await kit.cell(page, x, y)).open, 1);
        await kit.closePage(page);
    });

    it('leave the arrows to the playback once the mouse is used', async () => {
        const page = await kit.openPage({ map: 'u-trap.txt' });
        await page.keyboard.press('c');
        await kit.clickCell(page, 2, 2);
        await page.keyboard.press('Home');
        await kit.idle(page);
        await page.keyboard.press('ArrowRight');
        await kit.idle(page);
        assert.equal(await page.getAttribute(test('place'), 'data-at'), '1');
        await kit.closePage(page);
    });

    it('push and zoom the map', async () => {
        const page = await kit.openPage({ map: 'u-trap.txt' });
        const view = () => page.evaluate(() => ({ x: playground.view.x, y: playground.view.y, scale: playground.view.scale }));
        const first = await view();
        await page.keyboard.press('+');
        const nearer = await view();
        assert.ok(nearer.scale > first.scale);
        await page.keyboard.press('Control+ArrowRight');
        assert.ok((await view()).x > nearer.x);
        await page.keyboard.press('0');
        assert.deepEqual(await view(), first);
        await kit.closePage(page);
    });

    it('let the agent walk', async () => {
        const page = await kit.openPage({ map: 'rooms-small.txt' });
        await page.keyboard.press('.');
        await page.waitForFunction(() => playground.walk.sums?.moves === 1);
        await page.keyboard.press('g');
        await page.waitForFunction(() => playground.walk.sums.moves > 3);
        await page.keyboard.press('g');
        await page.waitForFunction(() => playground.walk.phase === 'paused');
        await page.keyboard.press('Backspace');
        await page.waitForFunction(() => playground.walk.phase === 'none');
        await kit.closePage(page);
    });

    it('reach every control by Tab, with a focus that is seen', async () => {
        const page = await kit.openPage();
        const wanted = await page.evaluate(() => [...document.querySelectorAll('button, select, input, summary, textarea, canvas.map')]
            .filter((one) => one.checkVisibility() && !one.disabled).length);
        const seen = new Set();
        for (let i = 0; i < wanted + 12; i++) {
            await page.keyboard.press('Tab');
            const one = await page.evaluate(() => {
                const element = document.activeElement, style = getComputedStyle(element);
                element.dataset.number ??= String(document.querySelectorAll('[data-number]').length);
                return { number: element.dataset.number, name: element.dataset.test ?? element.textContent.slice(0, 20), tag: element.tagName, outline: parseFloat(style.outlineWidth) };
            });
            if (one.tag === 'BODY') continue;
            assert.ok(one.outline >= 1, `${one.name} shows its focus`);
            seen.add(one.number);
        }
        assert.ok(seen.size >= wanted, `${seen.size} of ${wanted}`);
        await kit.closePage(page);
    });
});
