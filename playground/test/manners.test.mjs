/* manners.test.mjs: can it be read, and can it be hit: contrast of the colours in style.css, sizes of text, sizes of what fingers must touch. */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as kit from './support.mjs';
const { test } = kit;

before(kit.startBrowser);
after(kit.stopBrowser);

const style = readFileSync(join(kit.project, 'playground/style.css'), 'utf8');

/* The variables of a theme: { paper: [r, g, b], … }. */
function variables(selector) {
    const block = new RegExp(`^${selector.replace('.', '\\.')} \\{([^}]*)\\}`, 'm').exec(style)[1];
    return Object.fromEntries([...block.matchAll(/--([\w-]+): #([0-9a-f]{6})/g)].map(([, name, hex]) => [name, [0, 2, 4].map((i) => parseInt(hex.slice(i, i + 2), 16))]));
}

/* As WCAG 2 counts it. */
function contrast(a, b) {
    const channel = (value) => (value / 255 <= 0.04045 ? value / 255 / 12.92 : ((value / 255 + 0.055) / 1.055) ** 2.4);
    const luminance = ([red, green, blue]) => 0.2126 * channel(red) + 0.7152 * channel(green) + 0.0722 * channel(blue);
    const [light, dark] = [luminance(a), luminance(b)].sort((p, q) => q - p);
    return (light + 0.05) / (dark + 0.05);
}

describe('contrast', () => {
    for (const selector of [':root', ':root.dark'])
        it(`is at least 4.5 to 1 in ${selector}`, () => {
            const colours = variables(selector), grounds = ['paper', 'panel', 'field', 'hover', 'map'];
            const pairs = [
                ...grounds.map((ground) => ['ink', ground]), ...grounds.slice(0, 4).map((ground) => ['faint', ground]), ...grounds.slice(0, 3).map((ground) => ['wrong', ground]),
                ['accent', 'panel'], ['accent', 'field'], ['on-accent', 'accent'], ...[0, 1, 2, 3].flatMap((i) => [['on-series', `series-${i}`], [`series-${i}`, 'panel']]),
            ];
            const faint = pairs.map(([text, ground]) => [text, ground, contrast(colours[text], colours[ground])]).filter(([, , ratio]) => !(ratio >= 4.5));
            assert.deepEqual(faint, []);
        });
});

describe('sizes', () => {
    it('no text is smaller than 12 pixels', async () => {
        const page = await kit.openPage({ map: 'rooms-small.txt' });
        await page.click(test('walk-step'));
        await page.waitForFunction(() => playground.walk.sums?.moves === 1);
        await page.evaluate(() => document.querySelectorAll('details.section, .section details').forEach((one) => one.setAttribute('open', '')));
        const small = await page.evaluate(() => [...document.querySelectorAll('body *:not(script):not(style)')]
            .filter((one) => one.checkVisibility() && [...one.childNodes].some((child) => child.nodeType === 3 && child.data.trim()) && parseFloat(getComputedStyle(one).fontSize) < 12)
            .map((one) => `${one.tagName} ${one.textContent.slice(0, 20)}`));
        assert.deepEqual(small, []);
        assert.deepEqual([...style.matchAll(/font(?:-size)?:[^;]*?(\d+(?:\.\d+)?)px/g)].map(([, size]) => Number(size)).filter((size) => size < 12), []);
        await kit.closePage(page);
    });

    it('fingers find everything on a phone', async () => {
        const page = await kit.openPage({ viewport: { width: 390, height: 844 }, hasTouch: true });
        await page.evaluate(() => document.querySelectorAll('details.section, .section details').forEach((one) => one.setAttribute('open', '')));
        const small = await page.evaluate(() => [...document.querySelectorAll('button:not(.link), select, summary, input, label.check')]
            .filter((one) => one.checkVisibility() && one.type !== 'checkbox' && !one.matches('.skip'))
            .map((one) => [one.dataset.test ?? one.textContent.slice(0, 20), one.getBoundingClientRect()])
            .filter(([, box]) => box.height < 39.5 || box.width < 39.5).map(([name, box]) => `${name}: ${box.width.toFixed(0)} × ${box.height.toFixed(0)}`));
        assert.deepEqual(small, []);
        await kit.closePage(page);
    });
});

describe('touch', () => {
    it('one finger paints and drags the goal of an agent that walks, two push the map', async () => {
        const page = await kit.openPage({ map: 'rooms-small.txt', viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
        const client = await page.context().newCDPSession(page);
        const touch = (type, ...points) => client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(({ x, y }, id) => ({ x, y, id })) });
        await page.evaluate(() => playground.walk.stepOnce());
        await page.waitForFunction(() => playground.walk.sums?.moves === 1);
        const { goal, width } = await page.evaluate(() => ({ goal: playground.walk.goal, width: playground.world.width }));
        const a = await kit.pointOf(page, goal % width, Math.floor(goal / width)), b = await kit.pointOf(page, 3, 12);
        await touch('touchStart', a);
        await touch('touchMove', { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2 });
        await touch('touchMove', b);
        await touch('touchEnd');
        await page.waitForFunction((wanted) => playground.walk.goal === wanted, 12 * width + 3);
        const before = await page.evaluate(() => playground.view.scale);
        await touch('touchStart', { x: 150, y: 250 }, { x: 250, y: 250 });
        await touch('touchMove', { x: 100, y: 250 }, { x: 300, y: 250 });
        await touch('touchEnd');
        assert.ok(await page.evaluate(() => playground.view.scale) > before * 1.5);
        await kit.closePage(page);
    });
});
