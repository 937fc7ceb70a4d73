/* timeline.test.mjs: one timeline for the search and the walk: played, stepped and dragged; the world as it was; changes of a script as flags that can be moved. */
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import * as kit from './support.mjs';
const { test } = kit;

let page;
before(kit.startBrowser);
after(kit.stopBrowser);

const script = ['cairn-walk 1', 'title A door that closes', 'rows', '.........', '####.####', '.........', 'end', 'from 0,0', 'to 0,2', 'at 3 block 4,1', 'at 5 open 4,1', ''].join('\n');
const place = async () => [Number(await page.getAttribute(test('place'), 'data-at')), Number(await page.getAttribute(test('place'), 'data-count'))];
const settle = () => page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
const agent = () => page.evaluate(() => { const { x, y } = playground.panes[0].scene.walk.at; return [Math.floor(x), Math.floor(y)]; });
const wall = [0x2c, 0x2f, 0x38];

async function run() {
    await page.evaluate((text) => {
        playground.walkScript.set({ text, name: 'door.walk' });
        playground.store.set('ui.walk', { ...playground.store.get('ui.walk'), speed: 'most' });
        return playground.walkScript.run();
    }, script);
    await page.waitForFunction(() => playground.walk.over);
    await settle();
}

describe('the timeline', () => {
    beforeEach(async () => { page = await kit.openPage(); });
    afterEach(() => kit.closePage(page));

    it('is that of the walk while somebody walks, and of the search again afterwards', async () => {
        const [, events] = await place();
        assert.equal(await page.textContent(test('timeline-of')), 'Search');
        await run();
        assert.equal(await page.textContent(test('timeline-of')), 'Walk');
        const turns = await page.evaluate(() => playground.walk.turns.length);
        assert.deepEqual(await place(), [turns, turns]);
        assert.notEqual(turns, events);
        await page.keyboard.press('Backspace');
        await kit.idle(page);
        assert.equal(await page.textContent(test('timeline-of')), 'Search');
        assert.equal((await place())[1], await page.evaluate(() => playground.player.count));
    });

    it('shows the agent and the world as they were, and plays on from there', async () => {
        await run();
        await page.keyboard.press('Home');
        await settle();
        assert.deepEqual(await agent(), [0, 0]);
        const doorAt = async (turn) => {
            await page.fill(test('scrub'), String(turn));
            await settle();
            return kit.colourAt(page, 4, 1);
        };
        const blocked = await page.evaluate(() => playground.walk.turns.findIndex(({ changes }) => changes?.[0] === 0)), opened = await page.evaluate(() => playground.walk.turns.findIndex(({ changes }) => changes?.[0] === 1));
        assert.ok(blocked >= 0 && opened > blocked);
        assert.notDeepEqual(await doorAt(blocked), wall, 'before the door closes');
        assert.deepEqual(await doorAt(blocked + 1), wall, 'when it is closed');
        assert.notDeepEqual(await doorAt(opened + 1), wall, 'when it is open again');
        await page.keyboard.press('Home');
        await page.keyboard.press('ArrowRight');
        await settle();
        assert.deepEqual(await place(), [1, await page.evaluate(() => playground.walk.turns.length)]);
        assert.deepEqual(await agent(), await page.evaluate(() => [playground.walk.turns[0].to % 9, 0]));
        await page.keyboard.press('p');
        await page.waitForFunction(() => playground.timeline.at === playground.walk.turns.length && !playground.timeline.running);
        await settle();
        assert.deepEqual(await agent(), [0, 2], 'arrived again');
        assert.equal(await page.evaluate(() => playground.walk.phase), 'arrived', 'nothing was walked anew');
    });

    it('has the changes of a script as flags; dragged, they come at another step', async () => {
        await run();
        const flags = () => page.$$eval(test('flag'), (all) => all.map(({ dataset }) => Number(dataset.step)));
        assert.deepEqual(await flags(), [3, 5]);
        const before = await page.evaluate(() => playground.walk.turns.length);
        const [box, track] = await Promise.all([page.locator(test('flag')).first().boundingBox(), page.locator(test('scrub')).boundingBox()]);
        const middle = box.x + box.width / 2, per = (track.width - 16) / before;
        await page.mouse.move(middle, box.y + 4);
        await page.mouse.down();
        await page.mouse.move(middle - 2 * per, box.y + 4, { steps: 4 });
        await page.mouse.up();
        await page.waitForFunction(() => playground.walkScript.text.includes('at 1 block'));
        await page.waitForFunction(() => playground.walk.script?.changes[0].at === 1 && playground.walk.turns.length > 0);
        assert.deepEqual(await flags(), [1, 5]);
        assert.match(await page.inputValue(test('walk-text')), /at 1 block 4,1\nat 5 open 4,1/);
        await page.locator(test('flag')).nth(1).focus();
        await page.keyboard.press('ArrowRight');
        await page.waitForFunction(() => playground.walkScript.text.includes('at 6 open'));
    });

    it('plays and pauses a walk by the same key as a search', async () => {
        await page.evaluate(() => playground.store.set('ui.walk', { ...playground.store.get('ui.walk'), speed: '5' }));
        await page.click(test('walk-step'));
        await page.waitForFunction(() => playground.walk.turns.length === 1);
        await page.keyboard.press('p');
        await page.waitForFunction(() => playground.walk.phase === 'running');
        await page.keyboard.press('p');
        await page.waitForFunction(() => playground.walk.phase === 'paused');
        assert.equal(await page.evaluate(() => playground.player.running), false, 'the search stays where it is');
        const made = await page.evaluate(() => playground.walk.turns.length);
        await page.fill(test('scrub'), String(made + 4));
        await page.waitForFunction((wanted) => playground.walk.turns.length === wanted, made + 4);
        await page.keyboard.press('Home');
        await settle();
        await kit.clickCell(page, 30, 1);
        assert.equal((await place())[0], made + 4, 'what is painted is painted now');
    });
});
