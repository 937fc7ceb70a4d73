/* traps.test.mjs: what users tripped over once: times, keys, hints, bars, pictures that are too large, folders, playbacks that jumped. */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import * as kit from './support.mjs';
import { leastOf } from '../src/measure.js';
const { test } = kit;

let page;
before(kit.startBrowser);
after(kit.stopBrowser);

describe('times', () => {
    it('are the least of several runs: the first, cold one does not count', () => {
        let clock = 0, runs = 0;
        const measured = leastOf(() => { clock += runs++ ? 2 : 5; }, () => clock);
        assert.equal(measured.ms, 2);
        assert.ok(measured.runs >= 3 && measured.runs === runs + 1);
        let quick = 0;
        assert.ok(Math.abs(leastOf(() => { quick += 0.05; }, () => Math.floor(quick * 10) / 10).ms - 0.05) < 0.01, 'below the grain of the clock');
        assert.ok(leastOf(() => { quick += 0.0002; }, () => Math.floor(quick * 10) / 10).ms < 0.001, 'far below it, and no end is missed');
    });

    it('say how they were measured', async () => {
        page = await kit.openPage({ map: 'rooms.map' });
        await kit.chooseAlgorithm(page, 'hpa');
        const runs = Number(await page.getAttribute(test('result-time'), 'data-runs'));
        assert.ok(runs >= 3);
        assert.match(await page.textContent(test('result-time')), /\(least of \d+\)/);
        await page.evaluate(() => playground.panes[0].run(false)); // as while something is dragged
        await kit.settled(page);
        assert.match(await page.textContent(test('result-time')), /\(cold\)/);
        await kit.closePage(page);
    });
});

describe('the page', () => {
    beforeEach(async () => { page = await kit.openPage(); });
    afterEach(() => kit.closePage(page));

    it('looks at the header of a PNG before it is decoded', async () => {
        const told = await page.evaluate(async () => {
            const bytes = new Uint8Array(64), header = new DataView(bytes.buffer);
            bytes.set([0x89, 0x50, 0x4e, 0x47, 13, 10, 26, 10]);
            [13, 0x49484452, 10000, 10000].forEach((value, i) => header.setUint32(8 + 4 * i, value));
            let decoded = 0;
            const original = globalThis.createImageBitmap;
            globalThis.createImageBitmap = (...words) => {
                decoded++;
                return original(...words);
            };
            await playground.files.open(bytes, 'large.png');
            globalThis.createImageBitmap = original;
            return { decoded, text: playground.notice.text(), width: playground.world.width };
        });
        assert.deepEqual(told, { decoded: 0, text: 'large.png: it has 10000 × 10000 cells; the page shows worlds of up to 4096 × 4096', width: 60 });
    });

    it('has its keys back after an algorithm was chosen with the pointer, and leaves them to who came by the keyboard', async () => {
        await page.locator(test('algorithm')).click();
        await page.selectOption(test('algorithm'), 'jps');
        await kit.idle(page);
        await page.keyboard.press('Home');
        await page.keyboard.press('p');
        await page.waitForFunction(() => playground.player.running || playground.player.target > 0);
        assert.equal(await page.inputValue(test('algorithm')), 'jps');
        await page.keyboard.press('End');
        await page.focus(test('algorithm'));
        await page.keyboard.press('ArrowDown');
        assert.equal(await page.evaluate(() => document.activeElement.dataset.test), 'algorithm');
        await kit.idle(page);
    });

    it('tells of the cell under the pointer what it is now', async () => {
        const hint = () => page.textContent(test('hint'));
        const at = await kit.pointOf(page, 30, 2);
        await page.mouse.move(at.x, at.y);
        await page.waitForFunction(() => document.querySelector('[data-test=hint]').textContent.includes('(30,2)'));
        const open = await hint();
        await page.mouse.down();
        await page.mouse.up();
        await kit.idle(page);
        await page.waitForFunction((before) => document.querySelector('[data-test=hint]').textContent !== before, open);
        assert.match(await hint(), /blocked/);
        await kit.openMap(page, 'cave.txt');
        assert.equal(await page.isVisible(test('hint')), false, 'of another map nothing is known yet');
    });

    it('stays where it was played to when something is painted, again and again', async () => {
        const count = await page.evaluate(() => playground.player.count), place = Math.floor(count / 2);
        await page.evaluate((event) => playground.player.seek(event), place);
        for (const x of [30, 32, 34]) {
            await kit.clickCell(page, x, 1);
            assert.deepEqual(await page.evaluate(() => [playground.player.at, playground.panes[0].scene.at]), [place, place]);
        }
    });

    it('counts with the playback', async () => {
        const whole = await kit.value(page, 'expanded'), generated = await kit.value(page, 'generated');
        await page.evaluate(() => playground.player.seek(Math.floor(playground.player.count / 2)));
        await kit.settled(page);
        const counted = await page.evaluate(() => {
            const { trace } = playground.panes[0].result, { events } = playground.registry, upTo = (name) => trace.kind.subarray(0, playground.player.at).filter((kind) => kind === events.indexOf(name)).length;
            return [upTo('expand'), upTo('generate')];
        });
        assert.deepEqual([await kit.value(page, 'expanded'), await kit.value(page, 'generated')], counted);
        assert.ok(counted[0] > 0 && counted[0] < whole && counted[1] < generated);
        assert.match(await page.textContent(test('result-expanded')), / of /);
        await page.keyboard.press('Home');
        await kit.settled(page);
        assert.equal(await kit.value(page, 'expanded'), 0);
        await page.keyboard.press('End');
        await kit.settled(page);
        assert.equal(await kit.value(page, 'expanded'), whole);
    });

    it('opens the map in a folder that is dropped, with its tilesets and problems', async () => {
        const folder = mkdtempSync(join(tmpdir(), 'cairn-folder-')), inner = join(folder, 'levels');
        mkdirSync(inner);
        writeFileSync(join(folder, 'readme.md'), 'not a map');
        writeFileSync(join(inner, 'first.txt'), '....\n.##.\n....\n');
        writeFileSync(join(inner, 'second.txt'), '......\n......\n');
        const session = await page.context().newCDPSession(page), drop = async (path) => {
            for (const type of ['dragEnter', 'dragOver', 'drop'])
                await session.send('Input.dispatchDragEvent', { type, x: 300, y: 300, data: { items: [], files: [path], dragOperationsMask: 1 } });
        };
        await drop(folder);
        await page.waitForFunction(() => playground.world.name === 'first.txt');
        await kit.idle(page);
        assert.match(await page.textContent(test('notice')), /has 2 maps/);
        rmSync(inner, { recursive: true });
        await drop(folder);
        await page.waitForFunction(() => /has no map/.test(playground.notice.text()));
        rmSync(folder, { recursive: true });
    });
});

describe('bars and tables', () => {
    it('are seen whole at every width', async () => {
        page = await kit.openPage();
        for (const width of [761, 900, 1024, 1100, 1260, 1440]) {
            await page.setViewportSize({ width, height: 800 });
            await kit.idle(page);
            const cut = await page.evaluate(() => ['toolbar', 'player', 'topbar'].flatMap((id) => {
                const bar = document.getElementById(id), box = bar.getBoundingClientRect();
                return [...bar.querySelectorAll('button, select, input, .count, .legend')].filter((one) => one.checkVisibility() && !one.closest('.menu > div, .skip'))
                    .filter((one) => { const inner = one.getBoundingClientRect(); return inner.right > box.right + 1 || inner.left < box.left - 1 || inner.bottom > box.bottom + 1; }).map((one) => `${id}: ${one.dataset.test}`);
            }));
            assert.deepEqual(cut, [], `${width} pixels`);
            assert.deepEqual(await page.evaluate(kit.overlaps), [], `${width} pixels`);
        }
        await kit.closePage(page);
    });

    it('show four algorithms without a column being cut', async () => {
        page = await kit.openPage({ map: 'facility.map' });
        for (let i = 0; i < 3; i++) await page.click(test('compare-add'));
        await page.selectOption(test('algorithm-2'), 'dhpa');
        await kit.idle(page);
        const { table, shown } = await page.evaluate(() => {
            const box = document.querySelector('.wide-table');
            return { table: box.scrollWidth, shown: box.clientWidth };
        });
        assert.ok(table <= shown, `${table} of ${shown} pixels`);
        await kit.closePage(page);
    });
});
