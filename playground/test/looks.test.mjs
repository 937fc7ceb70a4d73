/* looks.test.mjs: nothing overlaps and nothing is cut off, at the sizes people have, light and dark; the screenshots are there to be looked at. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as kit from './support.mjs';
const { test } = kit;

before(kit.startBrowser);
after(kit.stopBrowser);

const sizes = [['laptop', 1280, 800], ['desktop', 1920, 1080], ['phone', 390, 844]];

describe('looks', () => {
    for (const [name, width, height] of sizes)
        for (const colorScheme of ['light', 'dark'])
            it(`${name} ${colorScheme}`, async () => {
                const page = await kit.openPage({ viewport: { width, height }, colorScheme, hasTouch: name === 'phone' });
                assert.equal(await page.evaluate(() => document.documentElement.classList.contains('dark')), colorScheme === 'dark');
                assert.deepEqual(await page.evaluate(kit.overlaps), []);
                await kit.shot(page, `${name}-${colorScheme}`);
                await kit.openMap(page, 'caves.map');
                await kit.chooseAlgorithm(page, 'hpa');
                await page.selectOption(test('overlay'), 'index');
                await kit.idle(page);
                assert.deepEqual(await page.evaluate(kit.overlaps), []);
                await kit.shot(page, `${name}-${colorScheme}-hpa`);
                await kit.closePage(page);
            });

    it('every control has a name that can be read aloud', async () => {
        const page = await kit.openPage();
        const nameless = await page.evaluate(() => [...document.querySelectorAll('button, select, input')]
            .filter((control) => !(control.textContent.trim() && control.tagName === 'BUTTON') && !control.getAttribute('aria-label') && !control.closest('label'))
            .map((control) => control.dataset.test));
        assert.deepEqual(nameless, []);
        await kit.closePage(page);
    });

    it('switches the theme by hand', async () => {
        const page = await kit.openPage();
        const wall = await kit.colourAt(page, 6, 3);
        await page.click(test('theme'));
        await kit.settled(page);
        assert.notDeepEqual(await kit.colourAt(page, 6, 3), wall);
        assert.equal(await page.evaluate(() => document.documentElement.classList.contains('dark')), true);
        await kit.closePage(page);
    });
});
