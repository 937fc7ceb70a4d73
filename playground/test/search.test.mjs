/* search.test.mjs: every algorithm of the registry can be chosen and run, with its parameters; searches are played, coloured and explained. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import * as kit from './support.mjs';
const { test } = kit;

let page;
before(kit.startBrowser);
after(kit.stopBrowser);
beforeEach(async () => { page = await kit.openPage(); });
afterEach(() => kit.closePage(page));

const registry = () => page.evaluate(() => globalThis.playground.registry);
const place = async () => Number(await page.getAttribute(test('place'), 'data-at'));
const total = async () => Number(await page.getAttribute(test('place'), 'data-count'));

describe('algorithms', () => {
    it('lists all planners for grids, by family, and each finds a path with its own controls', async () => {
        const { algorithms } = await registry();
        const wanted = algorithms.filter(({ worlds }) => worlds.includes('grid'));
        const groups = await page.$$eval(`${test('algorithm')} optgroup`, (list) => list.map((group) => [group.label, [...group.children].map((option) => option.value)]));
        assert.deepEqual(groups.flatMap(([, names]) => names).sort(), wanted.map(({ name }) => name).sort());
        await kit.openMap(page, 'u-trap.txt');
        let best = Infinity;
        for (const algorithm of wanted) {
            await kit.chooseAlgorithm(page, algorithm.name);
            const status = await kit.status(page);
            // some give up long paths
            assert.ok(status === 'found' || (algorithm.flags.exponential && status === 'out-of-budget'), `${algorithm.name}: ${status}`);
            if (status !== 'found') continue;
            best = Math.min(best, algorithm.flags.anyAngle ? Infinity : await kit.value(page, 'cost'));
            assert.equal(await page.locator(`${test('panel-search')} [data-test^=parameter-]`).count(), algorithm.parameters.length, algorithm.name);
            assert.equal(await page.isVisible(test('index')), algorithm.flags.needsIndex, `${algorithm.name}: index`);
            if (algorithm.flags.optimal) assert.equal(await kit.value(page, 'cost'), best, algorithm.name);
        }
    });

    it('takes parameters of every type', async () => {
        await kit.chooseAlgorithm(page, 'wastar');
        const { algorithms } = await registry();
        for (const parameter of algorithms.find(({ name }) => name === 'wastar').parameters) {
            const control = test(`parameter-${parameter.name}`);
            if (parameter.type === 'choice') await page.selectOption(control, parameter.choices.find((choice) => choice !== parameter.default));
            else await page.fill(control, String(parameter.type === 'number' ? 2.5 : parameter.maximum));
            await kit.idle(page);
            assert.match(await page.textContent(test('spec')), new RegExp(`${parameter.name}=`));
        }
    });

    it('clamps numbers to their range', async () => {
        await kit.chooseAlgorithm(page, 'wastar');
        await page.fill(test('parameter-weight'), '9999999');
        await page.press(test('parameter-weight'), 'Tab');
        await kit.idle(page);
        const { algorithms } = await registry(), weight = algorithms.find(({ name }) => name === 'wastar').parameters.find(({ name }) => name === 'weight');
        assert.equal(Number(await page.inputValue(test('parameter-weight'))), weight.maximum);
        assert.equal(await kit.status(page), 'found');
    });

    it('says why an algorithm cannot serve a world, and keeps the last picture, pale', async () => {
        const { algorithms } = await registry();
        const unable = algorithms.find(({ neighbours, worlds }) => worlds.includes('grid') && !neighbours.includes('hex'));
        await page.selectOption(test('neighbours'), 'hex');
        await kit.idle(page);
        assert.equal(await kit.status(page), 'found');
        await kit.chooseAlgorithm(page, unable.name);
        assert.match(await page.textContent(test('search-error')), /neighbourhood/);
        assert.equal(await kit.status(page), 'unsupported');
        assert.deepEqual(await page.evaluate(() => { const { stale, trace } = globalThis.playground.panes[0].scene; return [stale, trace !== null]; }), [true, true]);
        await page.selectOption(test('neighbours'), '8');
        await kit.idle(page);
        assert.equal(await kit.status(page), 'found');
        assert.equal(await page.isVisible(test('search-error')), false);
    });

    it('tells when no way leads to the goal, and when it is blocked', async () => {
        await page.click(test('shape-rectangle'));
        const { to } = await page.evaluate(() => globalThis.playground.store.get('problem.query'));
        const x = to % 60, y = Math.floor(to / 60);
        await kit.dragCells(page, [x + 5, y - 3], [x + 5, y + 3]);
        await kit.dragCells(page, [0, y - 3], [x + 5, y - 3]);
        await kit.dragCells(page, [0, y + 3], [x + 5, y + 3]);
        assert.equal(await kit.status(page), 'unreachable');
        assert.ok((await page.textContent(test('status'))).length > 8);
        await kit.dragCells(page, [x, y], [6, 3]);
        assert.equal(await kit.status(page), 'blocked-goal');
    });

    it('measures how far above the optimum a path is', async () => {
        await kit.openMap(page, 'u-trap.txt');
        const best = await kit.value(page, 'cost');
        await kit.chooseAlgorithm(page, 'greedy');
        const above = await kit.value(page, 'above-optimal');
        assert.ok(Math.abs(above - ((await kit.value(page, 'cost')) / best - 1)) < 1e-9);
    });

    it('smooths paths in every way it offers', async () => {
        await kit.openMap(page, 'u-trap.txt');
        const length = await kit.value(page, 'length');
        for (const kind of ['sight', 'string', 'rays', 'box', 'spline']) {
            await page.selectOption(test('smooth'), kind);
            await kit.idle(page);
            assert.ok((await kit.value(page, 'smoothed-length')) <= length + 1e-6, kind);
            assert.ok(await page.evaluate(() => globalThis.playground.panes[0].scene.smoothed.length > 1), kind);
        }
        await page.selectOption(test('smooth'), 'none');
        await kit.idle(page);
        assert.equal(await page.locator(test('result-smoothed-length')).count(), 0);
    });

    it('builds large indexes with a bar, and ends a build when asked to', async () => {
        await kit.generate(page, 'random', { width: 700, height: 700 });
        await page.selectOption(test('algorithm'), 'dhpa');
        await page.waitForFunction(() => { // at once: a build may be over before a hand is there
            const cancel = document.querySelector('[data-test=build-cancel]');
            return cancel.checkVisibility() && (cancel.click(), true);
        });
        await kit.chooseAlgorithm(page, 'astar');
        assert.equal(await kit.status(page), 'found');
        assert.ok(await page.evaluate(() => globalThis.playground.client.restarts >= 1));
    });
});

describe('profiles that cannot be', () => {
    it('are refused with a reason, and searching goes on', async () => {
        const cost = await kit.value(page, 'cost');
        await page.evaluate(() => globalThis.playground.store.set('problem.profile', { ...globalThis.playground.store.get('problem.profile'), radius: 2, footprint: 3 }));
        await page.waitForSelector(test('notice'));
        await page.fill(test('footprint'), '0');
        await page.fill(test('radius'), '0');
        await kit.idle(page);
        assert.equal(await kit.value(page, 'cost'), cost);
    });
});

describe('playback', () => {
    it('steps forwards and backwards and comes to the same picture', async () => {
        const count = await total();
        assert.equal(await place(), count);
        await page.click(test('to-start'));
        await kit.settled(page);
        assert.equal(await place(), 0);
        for (let i = 0; i < 3; i++) await page.click(test('step'));
        await kit.settled(page);
        assert.equal(await place(), 3);
        await page.click(test('step-back'));
        await kit.settled(page);
        assert.equal(await place(), 2);
        const pixels = () => page.evaluate(() => globalThis.playground.panes[0].fill.pixels.join(' '));
        await page.evaluate(() => globalThis.playground.panes[0].player.seek(200));
        await kit.settled(page);
        const forwards = await pixels();
        await page.click(test('to-end'));
        await kit.settled(page);
        await page.evaluate(() => globalThis.playground.panes[0].player.seek(200));
        await kit.settled(page);
        assert.equal(await pixels(), forwards, 'backwards');
        await page.keyboard.press('Shift+ArrowRight');
        await kit.settled(page);
        assert.ok((await place()) > 200);
    });

    it('colours as many cells as were expanded, and those waiting otherwise', async () => {
        const expanded = await kit.value(page, 'expanded');
        const counted = await page.evaluate(() => {
            const { panes, palette, world } = globalThis.playground, seen = new Set(palette.seenPixels);
            let closed = 0, open = 0;
            for (const pixel of panes[0].fill.pixels) if (pixel) seen.has(pixel) ? open++ : closed++;
            return { closed, open, cells: world.open.length };
        });
        assert.equal(counted.closed, expanded);
        assert.ok(counted.open > 0);
    });

    it('plays, pauses, and ends', async () => {
        await page.selectOption(test('speed'), '50');
        await page.click(test('play'));
        await page.waitForFunction(() => globalThis.playground.panes[0].player.at > 5);
        await page.click(test('play'));
        const at = await place();
        assert.ok(at > 5 && at < (await total()));
        await page.waitForTimeout(100);
        assert.equal(await place(), at);
        await page.selectOption(test('speed'), 'once');
        await page.click(test('play'));
        await kit.settled(page);
        assert.equal(await place(), await total());
    });

    it('scrubs', async () => {
        await page.locator(test('scrub')).fill('100');
        await kit.settled(page);
        assert.equal(await place(), 100);
    });

    it('colours by order, g, h and f, with a legend', async () => {
        const looks = new Set();
        for (const by of ['order', 'g', 'h', 'f']) {
            await page.selectOption(test('colouring'), by);
            await kit.settled(page);
            looks.add(await page.evaluate(() => globalThis.playground.panes[0].fill.pixels.join(' ')));
            assert.ok((await page.textContent(test('legend-most'))).length);
        }
        assert.equal(looks.size, 4);
        await page.selectOption(test('colouring'), 'none');
        assert.equal(await page.isVisible(test('legend')), false);
    });

    it('shows the search whole again after a change when it was at its end', async () => {
        await kit.dragCells(page, [45, 14], [45, 25]);
        assert.equal(await place(), await total());
    });
});

describe('hovering', () => {
    const hint = async (x, y) => {
        const at = await kit.pointOf(page, x, y);
        await page.mouse.move(at.x + 1, at.y + 1);
        await page.waitForFunction(([column, row]) => {
            const text = document.querySelector('[data-test=hint]').textContent;
            return text.startsWith(`(${column},${row}) `);
        }, [x, y]);
        await page.waitForTimeout(60);
        return page.textContent(test('hint'));
    };

    it('explains blocked cells, forbidden terrain, narrow places and other regions', async () => {
        assert.match(await hint(6, 3), /blocked|not open|wall/i);
        assert.match(await hint(0, 0), /trees/);
        assert.match(await hint(57, 14), /g 0\.00/);
        await page.fill(test('radius'), '2');
        await kit.idle(page);
        assert.match(await hint(7, 4), /near|narrow|radius|room|large/i);
        await page.fill(test('radius'), '0');
        await kit.idle(page);
        await kit.clickCell(page, 13, 6);
        assert.match(await hint(8, 6), /another region/);
    });
});
