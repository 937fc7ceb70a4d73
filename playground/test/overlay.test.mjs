/* overlay.test.mjs: every index that has something to show shows it, layer by layer; regions, room to walls, and what searches show of themselves. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import * as kit from './support.mjs';
const { test } = kit;

let page;
before(kit.startBrowser);
after(kit.stopBrowser);

const areaColours = () => page.evaluate(() => new Set(globalThis.playground.panes[0].scene.areas.pixels).size - 1);

async function show(what) {
    await page.selectOption(test('overlay'), what);
    await page.waitForFunction(() => document.querySelector('[data-test=overlay-about]').textContent.length > 0);
    await kit.idle(page);
}

/* One after the other, each alone; then all again. */
async function lookAtLayers(name) {
    const layers = await page.evaluate(() => globalThis.playground.panes[0].scene.overlay.layers);
    assert.ok(layers.length > 0, name);
    for (const [i, layer] of layers.entries()) {
        if (layers.length > 1) await page.fill(test('overlay-level'), String(i));
        await page.waitForFunction(([field, text]) => document.querySelector(field).textContent === text,
            [test('overlay-level-text'), `level ${layer} of ${layers.at(-1)}`]);
        await kit.idle(page);
        const shown = await page.evaluate(() => {
            const { overlay } = globalThis.playground.panes[0].scene;
            return [...new Set(['borders', 'nodes', 'edges'].flatMap((kind) => [...overlay[kind].layer]))];
        });
        if (shown.length) assert.deepEqual(shown, [Number(layer)], name);
        else assert.ok((await areaColours()) > 1, `${name}: nothing but areas, and none of them`);
        assert.match(await page.textContent(test('overlay-about')), /^[1-9]/, name);
    }
    await page.check(test('overlay-all'));
    await kit.idle(page);
    await page.uncheck(test('overlay-all'));
    await kit.idle(page);
}

describe('overlays', () => {
    beforeEach(async () => { page = await kit.openPage({ map: 'rooms-small.txt' }); });
    afterEach(() => kit.closePage(page));

    it('shows every index of the registry, and each of its layers', async () => {
        const names = await page.evaluate(() => globalThis.playground.registry.algorithms.filter(({ flags, worlds }) => flags.needsIndex && worlds.includes('grid')).map(({ name }) => name));
        assert.ok(names.length >= 7, names.join());
        for (const name of names) {
            await kit.chooseAlgorithm(page, name);
            await page.selectOption(test('overlay'), 'none');
            await show('index');
            assert.match(await page.textContent(test('overlay-about')), /^[1-9]/, name);
            assert.notEqual(await page.evaluate(() => globalThis.playground.panes[0].scene.overlay), null, name);
            await kit.shot(page, `overlay-${name}`);
            await lookAtLayers(name);
        }
        await kit.chooseAlgorithm(page, 'astar');
        assert.equal(await page.locator(`${test('overlay')} option[value=index]`).count(), 0, 'nothing to show');
        assert.equal(await page.inputValue(test('overlay')), 'none');
    });

    it('shows one layer, and the kinds that are wanted', async () => {
        await kit.chooseAlgorithm(page, 'pra');
        await show('index');
        assert.deepEqual(await page.evaluate(() => [...new Set(globalThis.playground.panes[0].scene.overlay.nodes.layer)]), [1], 'one level at a time');
        await page.check(test('overlay-all'));
        await kit.idle(page);
        const counts = () => page.evaluate(() => { const { overlay } = globalThis.playground.panes[0].scene; return [overlay.nodes.layer.length, new Set(overlay.nodes.layer).size]; });
        const [all, layers] = await counts();
        assert.ok(layers > 1);
        await page.uncheck(test('overlay-all'));
        await page.fill(test('overlay-level'), '1');
        await kit.idle(page);
        const [second, one] = await counts();
        assert.ok(second < all && one === 1);
        assert.ok((await areaColours()) > 1);
        await page.uncheck(test('overlay-area'));
        await kit.idle(page);
        assert.equal(await page.evaluate(() => globalThis.playground.panes[0].scene.areas.empty), true);
    });

    it('draws the edges of HPA* along their paths, on every level, never through a wall', async () => {
        await kit.openMap(page, 'rooms.map');
        await kit.chooseAlgorithm(page, 'hpa');
        await page.fill(test('parameter-levels'), '3');
        await page.fill(test('parameter-size'), '8');
        await kit.idle(page);
        await show('index');
        for (const level of [1, 2, 3]) {
            await page.fill(test('overlay-level'), String(level - 1));
            await kit.idle(page);
            const { lines, walls, far } = await page.evaluate(() => {
                const { world, panes } = playground, { edges } = panes[0].scene.overlay, walls = [];
                let far = 0;
                for (let i = 0; i < edges.layer.length; i++) {
                    const [x0, y0, dx, dy] = [edges.x0[i], edges.y0[i], edges.x1[i] - edges.x0[i], edges.y1[i] - edges.y0[i]], steps = Math.max(Math.abs(dx), Math.abs(dy));
                    if (dx && dy && Math.abs(dx) !== Math.abs(dy)) far++;
                    for (let k = 0; k <= steps; k++) if (!world.open[world.geometry.at(x0 + (dx * k) / steps, y0 + (dy * k) / steps)]) walls.push(i);
                }
                return { lines: edges.layer.length, walls: walls.length, far };
            });
            assert.ok(lines > 20, `level ${level} has edges`);
            assert.deepEqual([walls, far], [0, 0], `level ${level}: of steps, and on open ground`);
        }
        await kit.shot(page, 'hpa-edges');
    });

    it('lies above the search, each layer as strongly as is wanted, in colours of its own', async () => {
        await show('clearance');
        await page.uncheck(test('show-arrows'));
        const [x, y] = await page.evaluate(() => {
            const { fill, scene } = { fill: playground.panes[0].fill, scene: playground.panes[0].scene }, { world } = playground, path = new Set(scene.path.map(({ x: a, y: b }) => world.geometry.at(a, b)));
            const node = world.open.findIndex((open, i) => open && fill.pixels[i] && scene.areas.pixels[i] && ![...path].some((other) => Math.hypot((other % world.width) - (i % world.width), Math.floor(other / world.width) - Math.floor(i / world.width)) < 3));
            return [node % world.width, Math.floor(node / world.width)];
        });
        const pixelOf = (name) => page.evaluate(([layer, node]) => {
            const { scene, fill } = playground.panes[0], value = (layer === 'areas' ? scene.areas : fill).pixels[node];
            return [value & 255, (value >> 8) & 255, (value >> 16) & 255];
        }, [name, y * 50 + x]);
        const search = await pixelOf('search'), area = await pixelOf('areas'), both = await kit.colourAt(page, x, y);
        assert.ok(both.every((value, i) => value >= Math.min(search[i], area[i]) - 2 && value <= Math.max(search[i], area[i]) + 2) && String(both) !== String(search), 'both are seen');
        await page.fill(test('opacity-areas'), '100');
        await kit.idle(page);
        assert.deepEqual(await kit.colourAt(page, x, y), area);
        await page.click(test('layer-areas'));
        await kit.idle(page);
        assert.deepEqual(await kit.colourAt(page, x, y), search);
        await page.click(test('layer-search'));
        await kit.idle(page);
        assert.deepEqual(await kit.colourAt(page, x, y), [0xf6, 0xf4, 0xee], 'the ground');
        const shared = await page.evaluate(() => playground.palette.heat.filter((colour) => playground.palette.ramps.includes(colour)).length);
        assert.equal(shared, 0, 'no colour of a field is one of a search');
    });

    it('follows edits', async () => {
        await show('regions');
        const regions = async () => Number((await page.textContent(test('overlay-about'))).split(' ')[0]);
        const before = await regions();
        await page.click(test('shape-rectangle'));
        await kit.dragCells(page, [0, 10], [await page.evaluate(() => globalThis.playground.world.width - 1), 10]);
        await page.waitForFunction((count) => Number(document.querySelector('[data-test=overlay-about]').textContent.split(' ')[0]) > count, before);
        assert.ok((await areaColours()) > 1);
    });

    it('shows room to walls as heat', async () => {
        await show('clearance');
        assert.ok((await areaColours()) > 2);
        await page.fill(test('overlay-limit'), '2');
        await kit.idle(page);
        assert.match(await page.textContent(test('overlay-about')), /2 cells/);
    });

    it('shows lines and sub-goals of searches that have them', async () => {
        await kit.openMap(page, 'u-trap.txt');
        await kit.chooseAlgorithm(page, 'sga');
        assert.match(await page.textContent(test('trace-note')), /segment [1-9].*/);
        await kit.shot(page, 'sga');
        const { x, y } = await page.evaluate(() => {
            const { scene } = globalThis.playground.panes[0], kind = scene.eventNames.indexOf('subgoal'), event = scene.trace.kind.indexOf(kind);
            return { x: scene.trace.node[event] % scene.world.width, y: Math.floor(scene.trace.node[event] / scene.world.width) };
        });
        assert.deepEqual(await kit.colourAt(page, x, y), [0xf0, 0x3c, 0xb4]);
        await page.click(`${test('events')} summary`);
        await page.uncheck(test('mark-subgoal'));
        await kit.settled(page);
        assert.notDeepEqual(await kit.colourAt(page, x, y), [0xf0, 0x3c, 0xb4]);
    });

    it('marks events of any kind that a search has', async () => {
        await kit.chooseAlgorithm(page, 'jps');
        await page.click(`${test('events')} summary`);
        const kinds = await page.$$eval(`${test('events')} input`, (inputs) => inputs.map((input) => input.dataset.test.replace('mark-', '')));
        const counted = (await page.textContent(test('trace-note'))).match(/[a-z]+ (?=\d)/g).map((name) => name.trim());
        assert.deepEqual(kinds, counted);
        for (const kind of kinds) await page.check(test(`mark-${kind}`));
        await kit.settled(page);
        await kit.shot(page, 'jump-points');
    });
});
