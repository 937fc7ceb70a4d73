/* share.test.mjs: a link holds all that is shown, and opens it again; what is wrong with a link is told. */
import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import { pathToFileURL } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import * as kit from './support.mjs';
const { test } = kit;

before(kit.startBrowser);
after(kit.stopBrowser);

async function linkOf(page) {
    await page.click(`${test('share')} summary`);
    await page.waitForFunction(() => document.querySelector('[data-test=share-note]').textContent);
    await page.evaluate(() => globalThis.playground.share.refresh());
    const link = await page.inputValue(test('share-link'));
    await page.keyboard.press('Escape');
    return link;
}

const hashOf = (link) => link.slice(link.indexOf('#'));

/* Runs in a page before it is loaded: the timers after which the address follows (share.js) end when they are let go. */
function holdLinks() {
    const begin = globalThis.setTimeout.bind(globalThis), end = globalThis.clearTimeout.bind(globalThis), held = new Map();
    let number = 0;
    globalThis.heldLinks = held;
    globalThis.setTimeout = (run, ms, ...words) => {
        if (ms !== 400) return begin(run, ms, ...words);
        held.set(--number, run);
        return number;
    };
    globalThis.clearTimeout = (id) => held.delete(id) || end(id);
    globalThis.letLinksGo = () => {
        const runs = [...held.values()];
        held.clear();
        runs.forEach((run) => run());
    };
}

/* What a link must bring back. */
const state = (page) => page.evaluate(() => {
    const { store, world, view } = globalThis.playground;
    return {
        problem: store.get('problem'), overlay: store.get('ui.overlay'), fog: [store.get('ui.walk').sensor, store.get('ui.walk').known], simulation: store.get('ui.simulation'), open: world.open.join(''), terrain: world.terrain.join(''), width: world.width, layout: world.layout,
        view: view.fitted ? 'fit' : [view.scale, view.x, view.y].map((value) => Math.round(value * 100)),
        results: globalThis.playground.panes.map(({ result }) => [result.hash, result.metrics.expanded]),
    };
});

async function reopened(page) {
    const link = await linkOf(page), before = await state(page);
    await kit.closePage(page);
    const other = await kit.openPage({ hash: hashOf(link) });
    await kit.idle(other);
    return { link, before, other, after: await state(other) };
}

describe('links', () => {
    it('hold a painted world, the agent, the query, algorithms with parameters, colours, overlay and view', async () => {
        const page = await kit.openPage();
        await kit.dragCells(page, [20, 5], [20, 25]);
        await page.selectOption(test('terrain'), '1');
        await kit.dragCells(page, [25, 4], [30, 4]);
        await page.selectOption(test('corners'), 'one');
        await page.click(`${test('costs')} summary`);
        await page.fill(test('cost-1'), '7');
        await kit.dragCells(page, [57, 14], [50, 3]);
        await kit.chooseAlgorithm(page, 'wastar');
        await page.fill(test('parameter-weight'), '2.5');
        await page.click(test('compare-add'));
        await page.selectOption(test('algorithm-1'), 'hpa');
        await page.click(`${test('parameters-1')} summary`);
        await page.fill(test('parameter-1-size'), '8');
        await page.selectOption(test('colouring'), 'g');
        await page.selectOption(test('smooth'), 'sight');
        await page.selectOption(test('together'), 'part');
        await page.selectOption(test('overlay'), 'index');
        await page.uncheck(test('overlay-border'));
        await page.click(test('zoom-in'));
        await kit.idle(page);
        const { link, before, other, after: restored } = await reopened(page);
        assert.ok(link.length < 8192);
        assert.deepEqual(restored, before);
        assert.equal(await other.inputValue(test('algorithm')), 'wastar');
        assert.equal(await other.inputValue(test('parameter-weight')), '2.5');
        assert.equal(await other.inputValue(test('algorithm-1')), 'hpa');
        assert.equal(await other.inputValue(test('parameter-1-size')), '8');
        assert.equal(await other.inputValue(test('colouring')), 'g');
        assert.equal(await other.inputValue(test('together')), 'part');
        assert.equal(await other.inputValue(test('overlay')), 'index');
        assert.equal(await other.isChecked(test('overlay-border')), false);
        assert.equal(await other.isVisible(test('notice')), false);
        await kit.closePage(other);
    });

    it('hold hexagons', async () => {
        const page = await kit.openPage();
        await page.selectOption(test('neighbours'), 'hex');
        await kit.idle(page);
        const { before, other, after: restored } = await reopened(page);
        assert.equal(restored.layout, 'hex');
        assert.deepEqual(restored, before);
        await kit.closePage(other);
    });

    it('hold heights and what the agent makes of them', async () => {
        const page = await kit.openPage();
        await page.evaluate(() => globalThis.playground.planning.open('cells', {
            cells: { width: 24, height: 16, elevation: Int16Array.from({ length: 24 * 16 }, (unused, i) => (i * 7) % 11), layer: Uint8Array.from({ length: 24 * 16 }, (unused, i) => i % 3) },
        }, 'hills', { kind: 'file' }));
        await page.fill(test('max-climb'), '8');
        await page.press(test('max-climb'), 'Tab');
        await page.fill(test('gradient'), '40');
        await page.fill(test('layer-weight'), '9');
        await kit.idle(page);
        const { before, other, after: restored } = await reopened(page);
        assert.deepEqual(restored, before);
        assert.deepEqual(await Promise.all(['max-climb', 'max-drop', 'gradient', 'layer-weight'].map((name) => other.inputValue(test(name)))), ['8', '', '40', '9']);
        await kit.closePage(other);
    });

    it('hold how far an agent sees and what it knows', async () => {
        const page = await kit.openPage();
        assert.doesNotMatch(await linkOf(page), /sensor|known/);
        await page.fill(test('walk-sensor'), '4');
        assert.match(await linkOf(page), /&sensor=4&(?!known)/);
        await page.selectOption(test('walk-known'), 'map');
        const { link, before, other, after: restored } = await reopened(page);
        assert.match(link, /&sensor=4&known=map&/);
        assert.deepEqual(restored.fog, [4, 'map']);
        assert.deepEqual(restored, before);
        assert.deepEqual(await Promise.all(['walk-sensor', 'walk-known'].map((name) => other.inputValue(test(name)))), ['4', 'map']);
        await kit.closePage(other);
    });

    it('hold the settings of a simulation', async () => {
        const page = await kit.openPage(), set = (change) => page.evaluate((more) => playground.store.set('ui.simulation', { ...playground.store.get('ui.simulation'), ...more }), change);
        assert.doesNotMatch(await linkOf(page), /simulation/);
        await set({ agents: 300, editLife: 60, budget: 5000 });
        assert.match(await linkOf(page), /&simulation=agents(:|%3A)300(,|%2C)budget(:|%3A)5000(,|%2C)edit-life(:|%3A)60(&|$)/);
        await page.selectOption(test('simulation-unit'), 'time');
        const { before, other, after: restored } = await reopened(page);
        assert.deepEqual(restored.simulation, { agents: 300, edits: 6, budget: 1000, unit: 'time', speed: 8, editSize: 3, editLife: 60, seed: 1 });
        assert.deepEqual(restored, before);
        assert.deepEqual(await Promise.all(['agents', 'editLife', 'unit'].map((name) => other.inputValue(test(`simulation-${name}`)))), ['300', '60', 'time']);
        assert.equal(await other.textContent(test('simulation-budget-text')), '1\u202f000 µs');
        await kit.closePage(other);
    });

    it('name the generator of a large world, until it is painted on', async () => {
        const page = await kit.openPage();
        await kit.generate(page, 'random', { width: 300, height: 300, seed: 77 });
        const link = await linkOf(page);
        assert.match(link, /generator=random&numbers=.*seed:77/);
        assert.match(await page.textContent(test('share-note')), /generator/);
        await kit.dragCells(page, [140, 150], [160, 150]);
        await linkOf(page);
        assert.match(await page.textContent(test('share-note')), /too large.*Save it as a file/);
        assert.equal(await page.isVisible(test('share-link')), false);
        assert.equal(new URL(page.url()).hash, '');
        await page.click(test('undo'));
        await kit.idle(page);
        const { before, other, after: restored } = await reopened(page);
        assert.deepEqual(restored, before);
        await kit.closePage(other);
    });

    it('name a large map that comes with the page', async () => {
        const page = await kit.openPage();
        const name = await page.evaluate(async () => {
            const { maps } = globalThis.playground;
            return Object.keys(maps).filter((one) => one.endsWith('.map')).sort((a, b) => maps[b].length - maps[a].length)[0];
        });
        await kit.openMap(page, name);
        const link = await linkOf(page);
        assert.ok(link.length <= 8192);
        if (!link.includes('world=')) assert.match(link, new RegExp(`bundled=${name}`));
        await kit.closePage(page);
        const other = await kit.openPage({ hash: `#cairn=1&bundled=${name}&algorithm=jps&from=1,1&to=2,2` });
        assert.equal(await other.evaluate(() => globalThis.playground.world.name), name);
        assert.equal(await other.inputValue(test('algorithm')), 'jps');
        await kit.closePage(other);
    });

    it('are in the address bar, which follows, and are copied', async () => {
        const page = await kit.openPage({ prepare: (unopened) => unopened.addInitScript(holdLinks) }), hash = () => new URL(page.url()).hash;
        assert.equal(hash(), '', 'nothing has been done yet');
        await kit.chooseAlgorithm(page, 'jps');
        assert.equal(hash(), '', 'it follows after a while');
        assert.equal(await page.evaluate(() => globalThis.heldLinks.size), 1, 'the last change counts');
        await page.evaluate(() => globalThis.letLinksGo());
        await page.waitForFunction(() => location.hash.includes('algorithm=jps'));
        await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
        await page.click(`${test('share')} summary`);
        await page.click(test('share-copy'));
        await page.waitForFunction(() => document.querySelector('[data-test=share-note]').textContent.startsWith('Copied'));
        assert.equal(await page.evaluate(() => navigator.clipboard.readText()), page.url());
        await page.reload();
        await page.waitForSelector('html[data-ready]');
        await kit.idle(page);
        assert.equal(await page.inputValue(test('algorithm')), 'jps');
        await kit.closePage(page);
    });

    it('can be typed into the page that is open', async () => {
        const page = await kit.openPage();
        await page.evaluate(() => { location.hash = '#cairn=1&bundled=u-trap.txt&algorithm=greedy&from=26,10&to=46,10'; });
        await page.waitForFunction(() => globalThis.playground.world.name === 'u-trap.txt');
        await kit.idle(page);
        assert.equal(await page.inputValue(test('algorithm')), 'greedy');
        assert.deepEqual(await page.evaluate(() => globalThis.playground.store.get('problem.query')), await page.evaluate(() => {
            const { width } = globalThis.playground.world;
            return { from: 10 * width + 26, to: 10 * width + 46 };
        }));
        await kit.closePage(page);
    });

    it('work over http too', async () => {
        const server = createServer((request, response) => {
            response.writeHead(200, { 'content-type': 'text/html; charset=utf-8' });
            response.end(readFileSync(kit.pageFile));
        });
        await new Promise((listening) => server.listen(0, '127.0.0.1', listening));
        const page = await kit.openPage(), { port } = server.address(), address = `http://127.0.0.1:${port}/`;
        page.faults.length = 0;
        await page.goto(`${address}#cairn=1&bundled=cave.txt&algorithm=dijkstra`);
        await page.waitForSelector('html[data-ready]');
        await kit.idle(page);
        assert.equal(await page.evaluate(() => globalThis.playground.world.name), 'cave.txt');
        const link = await linkOf(page);
        assert.ok(link.startsWith(`${address}#cairn=1&`));
        assert.equal(page.url(), link);
        assert.deepEqual([...new Set(page.faults)], [`request: ${address}`]);
        await page.context().close();
        server.close();
    });

    const broken = [
        ['#cairn=1', /names no world/],
        ['#cairn=9&bundled=cave.txt', /version 9/],
        ['#cairn=1&bundled=nowhere.map', /no map "nowhere.map"/],
        ['#cairn=1&bundled=__proto__', /no map/],
        ['#cairn=1&generator=nothing', /generator should be one of/],
        ['#cairn=1&generator=random&numbers=width:99999,height:10', /width should be from 1 to 4096/],
        ['#cairn=1&generator=random&numbers=width:40,height:30,nonsense:3', /nonsense/],
        ['#cairn=1&bundled=cave.txt&from=a,b', /from should be a cell/],
        ['#cairn=1&bundled=cave.txt&from=9999,3', /outside the world/],
        ['#cairn=1&bundled=cave.txt&algorithm=nobody', /no algorithm "nobody"/],
        ['#cairn=1&bundled=cave.txt&algorithm=wastar:weight=x', /weight of wastar should be a number/],
        ['#cairn=1&bundled=cave.txt&radius=-3', /radius should be a number/],
        ['#cairn=1&bundled=cave.txt&colour=pink', /colour should be one of/],
        ['#cairn=1&bundled=cave.txt&sensor=2000', /sensor should be a number from 0 to 1024/],
        ['#cairn=1&bundled=cave.txt&sensor=1.5', /sensor should be a whole number/],
        ['#cairn=1&bundled=cave.txt&sensor=3&known=half', /known should be one of nothing, map/],
        ['#cairn=1&bundled=cave.txt&simulation=agents:5', /agents of a simulation should be a whole number from 10 to 1000, not 5/],
        ['#cairn=1&bundled=cave.txt&simulation=horses:50', /"horses" is no number of a simulation/],
        ['#cairn=1&bundled=cave.txt&overlay=soup', /no overlay "soup"/],
        ['#cairn=1&world=AAAA', /damaged or cut off/],
        ['#cairn=1&world=%F0%28', /damaged or cut off/],
        ['#cairn=1&world=S0xKTgEA', /cannot be opened/],
        ['#cairn=1&bundled=village.txt.scen', /no map "village.txt.scen"/],
        ['#cairn=1&bundled=blocked-ahead.walk', /no map/],
    ];
    it('say what is wrong with them, and the page works all the same', async () => {
        const told = async (page, hash, wanted) => {
            assert.match(await page.textContent(test('notice')), /^This link cannot be opened: /, hash);
            assert.match(await page.textContent(test('notice')), wanted, hash);
            assert.equal(await kit.status(page), 'found', hash);
        };
        /* Some when the page is opened: without a world, with a good one, and with one that is damaged; and all in a page that is open. */
        for (const [hash, wanted] of broken.filter((unused, i) => i % 7 === 0)) {
            const page = await kit.openPage({ hash });
            await told(page, hash, wanted);
            await kit.closePage(page);
        }
        const page = await kit.openPage({ prepare: (unopened) => unopened.addInitScript(holdLinks) }); // so that the address stays what was typed
        for (const [hash, wanted] of broken) {
            await page.evaluate((text) => {
                globalThis.playground.notice.clear();
                location.hash = text;
            }, hash);
            await page.waitForFunction(() => globalThis.playground.notice.text());
            await kit.idle(page);
            await told(page, hash, wanted);
        }
        await kit.closePage(page);
    });

    /* Few letters that hold many bytes, or many cells. */
    it('are refused if they unpack to much, and the page works all the same', { timeout: 1800000 }, async () => {
        const library = join(kit.project, 'build/wasm/js'), { load } = await import(pathToFileURL(join(library, 'cairn.js')));
        const cairn = await load(readFileSync(join(library, 'cairn.wasm'))), side = 5000;
        const large = cairn.worldFromCells({ width: side, height: side, open: new Uint8Array(side * side).fill(1) }).toArchive();
        const packed = (bytes) => deflateRawSync(bytes, { level: 9 }).toString('base64url');
        for (const [bytes, wanted] of [[new Uint8Array(48e6), /the world in it is too large/], [large, /5000 × 5000 cells; the page shows worlds of up to 4096 × 4096/]]) {
            const page = await kit.openPage({ hash: `#cairn=1&world=${packed(bytes)}` });
            assert.match(await page.textContent(test('notice')), wanted);
            assert.equal(await kit.status(page), 'found');
            await kit.closePage(page);
        }
    });

    it('with an agent that cannot be show the world with the usual one', async () => {
        for (const field of ['radius=2&footprint=2', 'neighbours=hex&footprint=3', 'terrain=999:1']) {
            const page = await kit.openPage({ hash: `#cairn=1&bundled=caves.map&${field}` });
            assert.match(await page.textContent(test('notice')), /the usual agent walks instead/, field);
            assert.equal(await kit.status(page), 'found', field);
            await kit.openMap(page, 'u-trap.txt');
            assert.equal(await kit.status(page), 'found', field);
            await kit.closePage(page);
        }
    });

    it('with the index of an algorithm that has none show nothing of it', async () => {
        const page = await kit.openPage({ hash: '#cairn=1&bundled=caves.map&algorithm=astar&overlay=index.0' });
        assert.equal(await page.textContent(test('overlay-about')), '');
        await kit.closePage(page);
    });

    it('that are cut off anywhere never break the page', async () => {
        const page = await kit.openPage();
        await kit.clickCell(page, 20, 20);
        const hash = hashOf(await linkOf(page));
        for (let part = 1; part < 8; part++) {
            await page.evaluate((text) => { location.hash = text; }, hash.slice(0, Math.round((hash.length * part) / 8)));
            await page.waitForTimeout(150);
            await kit.idle(page);
            assert.equal(await kit.status(page), 'found');
        }
        await kit.closePage(page);
    });
});
