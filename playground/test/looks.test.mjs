/* looks.test.mjs: nothing overlaps and nothing is cut off, at the sizes people have, light and dark; the screenshots are there to be looked at. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as kit from './support.mjs';
const { test } = kit;

before(kit.startBrowser);
after(kit.stopBrowser);

const sizes = [['laptop', 1280, 800], ['desktop', 1920, 1080], ['phone', 390, 844]];

/* Pairs of controls that lie on each other, and what sticks out of the page. */
function overlaps() {
    const faults = [], boxes = [];
    for (const element of document.querySelectorAll('button, select, input, summary, h1, canvas.map, td, th, .status')) {
        const style = getComputedStyle(element), box = element.getBoundingClientRect();
        if (!element.checkVisibility() || style.visibility === 'hidden' || box.width === 0) continue;
        let clip = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
        for (let parent = element.parentElement; parent; parent = parent.parentElement) {
            if (getComputedStyle(parent).overflow === 'visible') continue;
            const edge = parent.getBoundingClientRect();
            clip = { left: Math.max(clip.left, edge.left), top: Math.max(clip.top, edge.top), right: Math.min(clip.right, edge.right), bottom: Math.min(clip.bottom, edge.bottom) };
        }
        const seen = { left: Math.max(box.left, clip.left), top: Math.max(box.top, clip.top), right: Math.min(box.right, clip.right), bottom: Math.min(box.bottom, clip.bottom) };
        if (seen.right - seen.left < 2 || seen.bottom - seen.top < 2) continue;
        boxes.push({ element, name: element.dataset.test ?? element.textContent.slice(0, 20), ...seen });
    }
    for (const a of boxes)
        for (const b of boxes)
            if (a !== b && !a.element.contains(b.element) && !b.element.contains(a.element) && a.left < b.right - 1.5 && b.left < a.right - 1.5 && a.top < b.bottom - 1.5 && b.top < a.bottom - 1.5)
                faults.push(`${a.name} on ${b.name}`);
    if (document.documentElement.scrollWidth > innerWidth) faults.push('the page is wider than the window');
    return faults;
}

describe('looks', () => {
    for (const [name, width, height] of sizes)
        for (const colorScheme of ['light', 'dark'])
            it(`${name} ${colorScheme}`, async () => {
                const page = await kit.openPage({ viewport: { width, height }, colorScheme, hasTouch: name === 'phone' });
                assert.equal(await page.evaluate(() => document.documentElement.classList.contains('dark')), colorScheme === 'dark');
                assert.deepEqual(await page.evaluate(overlaps), []);
                await kit.shot(page, `${name}-${colorScheme}`);
                await kit.openMap(page, 'caves.map');
                await kit.chooseAlgorithm(page, 'hpa');
                await page.selectOption(test('overlay'), 'index');
                await kit.idle(page);
                assert.deepEqual(await page.evaluate(overlaps), []);
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
