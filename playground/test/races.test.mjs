/* races.test.mjs: whatever is asked for while something else is under way, the page and its worker stay of one mind. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import * as kit from './support.mjs';
const { test } = kit;

let page;
before(kit.startBrowser);
after(kit.stopBrowser);

/* How many cells the worker's world has otherwise than the page's; -1 = its size is another one. */
async function differences() {
    await kit.idle(page);
    return page.evaluate(async () => {
        const { client, world } = globalThis.playground;
        const rows = new TextDecoder().decode(await client.ask('save', { format: 'txt' })).trimEnd().split('\n');
        if (rows.length !== world.height || rows[0].length !== world.width) return -1;
        return [...rows.join('')].filter((letter, node) => '#@O'.includes(letter) === Boolean(world.open[node])).length;
    });
}

const name = () => page.evaluate(() => globalThis.playground.world.name);

async function generate(side) {
    await page.evaluate((wide) => {
        const numbers = { width: wide, height: wide, percent: 20, seed: 1 };
        return globalThis.playground.planning.open('generate', { kind: 'random', numbers }, 'large', { kind: 'generator', generator: 'random', numbers });
    }, side);
    await kit.settled(page);
}

describe('the page and its worker', () => {
    beforeEach(async () => {
        page = await kit.openPage();
    });
    afterEach(() => kit.closePage(page));

    it('have the same world when one is opened right after a bad file', async () => {
        await page.evaluate(() => {
            const { files } = globalThis.playground;
            files.open(new TextEncoder().encode('##\n#\n'), 'bad.txt');
            files.openBundled('u-trap.txt');
        });
        assert.equal(await differences(), 0);
        assert.equal(await name(), 'u-trap.txt');
        assert.equal(await kit.status(page), 'found');
    });

    it('have the same world when the one that was left is painted on', async () => {
        await page.evaluate(() => {
            const { planning, world } = globalThis.playground, numbers = { width: 400, height: 400, percent: 20, seed: 1 };
            planning.open('generate', { kind: 'random', numbers }, 'large', { kind: 'generator', generator: 'random', numbers });
            queueMicrotask(() => queueMicrotask(() => {
                world.beginStroke();
                world.paint(Array.from({ length: 200 }, (unused, i) => i), { open: 0 });
                world.endStroke();
            }));
        });
        assert.equal(await differences(), 0);
        assert.equal(await name(), 'large');
    });

    it('go on with the agent that they had after one that cannot be', async () => {
        await page.evaluate(() => {
            const { store } = globalThis.playground;
            store.set('problem.profile', { ...store.get('problem.profile'), maxClimb: -5 });
        });
        await kit.idle(page);
        assert.match(await page.textContent(test('notice')), /must not be negative/);
        await page.evaluate(() => globalThis.playground.client.restart());
        await kit.clickCell(page, 30, 3);
        assert.equal(await differences(), 0);
        assert.equal(await kit.status(page), 'found');
        await kit.openMap(page, 'u-trap.txt');
        assert.equal(await kit.status(page), 'found');
        assert.match(await page.textContent(test('notice')), /must not be negative/);
        assert.equal(await page.evaluate(() => globalThis.playground.store.get('problem.profile.maxClimb')), undefined);
    });

    it('search again for a map whose search was lost with the worker', async () => {
        await generate(700);
        await page.evaluate(() => globalThis.playground.store.set('problem.panes', [{ algorithm: 'dhpa', parameters: {} }, { algorithm: 'dijkstra', parameters: {} }]));
        await page.waitForFunction(() => globalThis.playground.panes[0].building);
        await page.waitForTimeout(600);
        await page.selectOption(test('algorithm'), 'astar');
        await kit.idle(page);
        assert.ok(await page.evaluate(() => globalThis.playground.client.restarts >= 1));
        assert.deepEqual(await page.evaluate(() => globalThis.playground.panes.map(({ result }) => result?.spec)), ['astar', 'dijkstra']);
    });
});
