/* looks_compare.test.mjs: comparisons, scenarios and menus at the sizes people have, light and dark: nothing overlaps, and the screenshots are there to be looked at. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as kit from './support.mjs';
const { test } = kit;

before(kit.startBrowser);
after(kit.stopBrowser);

const sizes = [['laptop', 1280, 800], ['desktop', 1920, 1080], ['phone', 390, 844]];

const toTop = (page, name) => page.evaluate((one) => document.querySelector(`[data-test=${one}]`).scrollIntoView(), name);

describe('looks of comparisons', () => {
    for (const [name, width, height] of sizes)
        it(`${name}, light and dark`, async () => {
            const page = await kit.openPage({ viewport: { width, height }, hasTouch: name === 'phone', map: 'caves.map' });
            const shot = (what) => kit.inLightAndDark(page, (scheme) => kit.shot(page, `${name}-${scheme}-${what}`));
            const look = (what) => kit.inLightAndDark(page, async (scheme) => {
                assert.deepEqual(await page.evaluate(kit.overlaps), [], `${scheme} ${what}`);
                await kit.shot(page, `${name}-${scheme}-${what}`);
            });
            await page.click(test('compare-add'));
            await page.selectOption(test('algorithm-1'), 'jps');
            await kit.idle(page);
            await toTop(page, 'panel-compare');
            await look('compare-2');
            for (const [i, algorithm] of [[2, 'hpa'], [3, 'sga']]) {
                await page.click(test('compare-add'));
                await page.selectOption(test(`algorithm-${i}`), algorithm);
            }
            await kit.idle(page);
            await page.selectOption(test('overlay'), 'index');
            await page.waitForFunction(() => globalThis.playground.panes[2].scene.overlay);
            await kit.idle(page);
            await toTop(page, 'panel-compare');
            await look('compare-4');
            await page.click(test('scenario-run'));
            await page.waitForSelector(test('plot-scatter'));
            await toTop(page, 'panel-scenario');
            await look('scenario');
            await toTop(page, 'plot-distribution');
            await look('plots');
            await page.click(test('plots-enlarge'));
            await shot('plots-large');
            await page.click(test('plots-close'));
            for (const menu of ['share', 'export']) {
                await page.click(`${test(menu)} summary`);
                await page.waitForTimeout(300);
                const box = await page.locator(`${test(menu)} > div`).boundingBox();
                assert.ok(box.x >= 0 && box.x + box.width <= width && box.y + box.height <= height, `${menu} fits`);
                await shot(menu);
                await page.keyboard.press('Escape');
            }
            await kit.closePage(page);
        });
});
