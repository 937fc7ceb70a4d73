/* tour.test.mjs: the tour is offered, runs every step for real, by buttons and by keys, and can be left. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as kit from './support.mjs';
const { test } = kit;

before(kit.startBrowser);
after(kit.stopBrowser);

const ran = (page, number) => page.waitForFunction((wanted) => document.querySelector('[data-test=tour]').dataset.ran === String(wanted), number, { timeout: 1800000 });

describe('the tour', () => {
    for (const [name, viewport] of [['laptop', { width: 1280, height: 800 }], ['phone', { width: 390, height: 844 }]])
        it(`runs every step on a ${name}`, async () => {
            const page = await kit.openPage({ viewport, hasTouch: name === 'phone' });
            await page.click(test('tour-start'));
            const algorithms = new Set(), indoors = [];
            for (let i = 0; ; i++) {
                await ran(page, i);
                const state = await page.evaluate(() => ({
                    result: playground.panes[0].result?.status, walk: playground.walk.phase, algorithm: playground.store.get('problem.panes.0.algorithm'),
                    world: playground.world.name, expanded: playground.panes[0].result?.metrics.expanded,
                    place: document.querySelector('[data-test=tour-place]').textContent, target: document.querySelectorAll('.tour-target').length,
                }));
                algorithms.add(state.algorithm);
                if (state.world === 'rooms.map') indoors.push(state.expanded);
                assert.equal(state.target, 1, state.place);
                assert.ok(state.result === 'found' || state.walk !== 'none', state.place);
                const [at, all] = state.place.split(' of ').map(Number);
                await page.waitForTimeout(400);
                await kit.shot(page, `tour-${name}-${at}`);
                if (at === all) break;
                if (i % 2) await page.keyboard.press('PageDown');
                else await page.click(test('tour-next'));
            }
            assert.ok(algorithms.size >= 5);
            assert.ok(indoors.length === 4 && indoors.every((expanded, i) => !i || expanded < indoors[i - 1]), `each fill indoors is smaller than the one before: ${indoors}`);
            await page.waitForFunction(() => playground.walk.story.lines.some((line) => /blocked/.test(line.text)), undefined, { timeout: 1800000 });
            await page.click(test('tour-next'));
            assert.equal(await page.isVisible(test('tour')), false);
            await kit.closePage(page);
        });

    it('can be declined, left, and taken again', async () => {
        const page = await kit.openPage();
        await page.click(test('tour-decline'));
        assert.equal(await page.isVisible(test('tour')), false);
        await page.keyboard.press('t');
        await ran(page, 0);
        await page.keyboard.press('PageDown');
        await ran(page, 1);
        await page.keyboard.press('PageUp');
        await ran(page, 0);
        await page.keyboard.press('Escape');
        assert.equal(await page.isVisible(test('tour')), false);
        assert.equal(await page.locator('.tour-target').count(), 0);
        await page.click(`${test('about')} > summary`);
        await page.click(test('tour-open'));
        await ran(page, 0);
        await page.click(test('tour-leave'));
        await page.reload();
        await page.waitForSelector('html[data-ready]');
        assert.equal(await page.isVisible(test('tour')), false, 'not offered twice');
        await kit.closePage(page);
    });

    it('gives back what was being painted', async () => {
        const page = await kit.openPage({ map: 'u-trap.txt' });
        await kit.clickCell(page, 3, 3);
        const state = () => page.evaluate(() => ({ open: [...playground.world.open], name: playground.world.name, problem: playground.store.get('problem') }));
        const mine = await state();
        await page.keyboard.press('t');
        await ran(page, 0);
        await page.keyboard.press('PageDown');
        await ran(page, 1);
        await page.keyboard.press('Escape');
        await page.waitForFunction(() => playground.world.name === 'u-trap.txt' && !playground.planning.isLoading());
        await kit.idle(page);
        assert.deepEqual(await state(), mine);
        assert.equal(await kit.status(page), 'found');
        await kit.closePage(page);
    });

    it('gives it back too when the walk is left at once', async () => {
        const page = await kit.openPage({ map: 'u-trap.txt' });
        await kit.clickCell(page, 3, 3);
        await page.keyboard.press('t');
        for (let step = 0; step < 7; step++) {
            await ran(page, step);
            await page.keyboard.press('PageDown');
        }
        await page.evaluate(() => playground.tour.leave());
        await kit.idle(page);
        await page.waitForTimeout(300);
        assert.deepEqual(await page.evaluate(() => [playground.world.name, playground.walk.phase, playground.walk.error]), ['u-trap.txt', 'none', '']);
        assert.equal((await kit.cell(page, 3, 3)).open, 0);
        await kit.closePage(page);
    });

    it('does not move for those who do not want that', async () => {
        const page = await kit.openPage({ reducedMotion: 'reduce' });
        await page.keyboard.press('t');
        await ran(page, 0);
        await page.keyboard.press('PageDown');
        await ran(page, 1);
        assert.equal(await page.evaluate(() => playground.panes[0].player.running), false);
        await kit.closePage(page);
    });
});
