/* subgoals.test.mjs: agents that walk from subgoal to subgoal: the page shows the one of now, the climb to it, those that lie behind and those to come, now and at any earlier turn. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as kit from './support.mjs';
import { createSubgoals } from '../src/walk_subgoals.js';
const { test } = kit;

before(kit.startBrowser);
after(kit.stopBrowser);

/* What is drawn, as nodes. */
const drawn = (page) => page.evaluate(() => {
    const { world, panes } = playground, { at, ahead, subgoals } = panes[0].scene.walk, node = (place) => world.geometry.at(place.x, place.y);
    return { at: node(at), ahead: ahead.map(node), coming: subgoals?.coming.map(node) ?? [], passed: subgoals?.passed.map(node) ?? [] };
});

async function step(page, turn) {
    await page.click(test('walk-step'));
    await page.waitForFunction((made) => playground.walk.turns.length === made, turn);
    await kit.settled(page);
    return drawn(page);
}

async function prepare(map, spec, options) {
    const page = await kit.openPage({ map, ...options });
    const [algorithm, given = ''] = spec.split(':'), parameters = Object.fromEntries(given.split(',').filter(Boolean).map((word) => word.split('=')));
    await page.selectOption(test('walk-speed'), 'most'); // it jumps from cell to cell
    await page.evaluate((pane) => playground.store.set('problem.panes', [pane]), { algorithm, parameters });
    await kit.idle(page);
    return page;
}

const isTail = (tail, all) => tail.every((node, i) => node === all[all.length - tail.length + i]);

describe('an agent that walks along subgoals', () => {
    it('is shown with the climb that it makes, step by step (hcdps)', async () => {
        const page = await prepare('village.txt', 'hcdps:direct=off');
        const { open, width, goal } = await page.evaluate(() => ({ open: [...playground.world.open], width: playground.world.width, goal: playground.store.get('problem.query').to }));
        const near = (a, b) => Math.max(Math.abs((a % width) - (b % width)), Math.abs(Math.floor(a / width) - Math.floor(b / width))) === 1;
        const seen = [];
        for (let turn = 1; seen.at(-1)?.at !== goal; turn++) seen.push(await step(page, turn));
        seen.slice(0, -1).forEach(({ at, ahead, coming }, i) => {
            assert.equal(coming.at(-1), goal);
            assert.deepEqual([ahead[0], ahead.at(-1)], [at, coming[0]], 'the climb leads from the agent to its subgoal');
            assert.ok(ahead.every((node, k) => open[node] && (!k || near(node, ahead[k - 1]))), 'cell by cell');
            const next = seen[i + 1];
            if (next.coming[0] === coming[0]) assert.equal(next.at, ahead[1], 'it goes where the climb leads');
            assert.ok(isTail(next.coming, coming), 'it knew what comes');
            assert.deepEqual(next.passed, next.coming[0] === coming[0] ? seen[i].passed : [...seen[i].passed, coming[0]]);
        });
        assert.ok(Math.max(...seen.map(({ coming }) => coming.length)) > 2, 'several to come');
        assert.ok(seen.at(-1).passed.length > 2, 'several lie behind');
        assert.deepEqual([seen.at(-1).coming, seen.at(-1).passed.at(-1)], [[], goal]);
        await kit.closePage(page);
    });

    it('has its subgoals in colours of their own, and told in words', async () => {
        const page = await prepare('village.txt', 'hcdps:direct=off');
        let now = await step(page, 1);
        for (let turn = 2; !now.passed.length || now.passed[0] === now.at || now.coming.length < 2 || now.ahead.length < 4; turn++) now = await step(page, turn);
        const { width, marks } = await page.evaluate(() => ({ width: playground.world.width, marks: playground.palette.marks })), hex = (colour) => colour.match(/[0-9a-f]{2}/g).map((part) => parseInt(part, 16));
        const colour = (node) => kit.colourAt(page, node % width, Math.floor(node / width));
        assert.deepEqual(await colour(now.coming[0]), hex(marks.path));
        assert.deepEqual(await colour(now.coming[1]), hex(marks.casing));
        assert.deepEqual(await colour(now.passed[0]), hex(marks.trail));
        assert.deepEqual(await colour(now.ahead[1]), hex(marks.path), 'the climb');
        assert.equal(await page.textContent(test('walk-subgoals')), `${now.passed.length} passed, ${now.coming.length} to come`);
        await kit.closePage(page);
    });

    it('is shown as it was at every earlier turn', async () => {
        const page = await prepare('village.txt', 'hcdps:direct=off'), seen = [];
        for (let turn = 1; turn <= 30; turn++) seen.push(await step(page, turn));
        for (const turn of [29, 17, 8, 1, 23]) {
            await page.evaluate((wanted) => playground.walk.time.seek(wanted), turn);
            await kit.settled(page);
            const { at, coming, passed } = await drawn(page);
            assert.deepEqual({ at, coming, passed }, { at: seen[turn - 1].at, coming: seen[turn - 1].coming, passed: seen[turn - 1].passed }, `turn ${turn}`);
        }
        await kit.closePage(page);
    });

    for (const spec of ['knn-lrtastar', 'dlrtastar:level=2'])
        it(`knows what is to come (${spec})`, async () => {
            const page = await prepare('village.txt', spec), goal = await page.evaluate(() => playground.store.get('problem.query').to);
            let before = await step(page, 1), passed = 0;
            for (let turn = 2; before.at !== goal; turn++) {
                assert.equal(before.coming.at(-1), goal);
                const now = await step(page, turn);
                assert.ok(isTail(now.coming, before.coming) || now.at === goal);
                passed = now.passed.length;
                before = now;
            }
            assert.ok(passed > 1);
            await kit.closePage(page);
        });

    it('that follows a path has none', async () => {
        const page = await prepare('village.txt', 'astar');
        const { coming, passed, ahead } = await step(page, 1);
        assert.deepEqual([coming, passed], [[], []]);
        assert.ok(ahead.length > 1);
        assert.equal(await page.locator(test('walk-subgoals')).count(), 0);
        await kit.closePage(page);
    });

    for (const [name, width, height] of [['desktop', 1280, 800], ['phone', 390, 844]])
        it(`looks well on a ${name}`, async () => {
            const page = await prepare('village.txt', 'hcdps:direct=off', { viewport: { width, height }, hasTouch: name === 'phone' });
            for (let turn = 1; turn <= 30; turn++) await step(page, turn);
            await kit.inLightAndDark(page, async (scheme) => {
                assert.deepEqual(await page.evaluate(kit.overlaps), []);
                await kit.shot(page, `subgoals-${name}-${scheme}`);
            });
            await kit.closePage(page);
        });
});

describe('subgoals', () => {
    const places = (...nodes) => nodes.map((node) => ({ node, x: node, y: 0 }));
    const passed = ({ passed: list }) => list.map(({ node }) => node);

    it('lie behind when another one is the first, whether they were reached or not', () => {
        const subgoals = createSubgoals();
        subgoals.add(places(1, 2, 3, 9), { plans: 1 });
        assert.deepEqual(passed(subgoals), []);
        subgoals.add(places(3, 9), { plans: 0 });
        subgoals.add([], { plans: 0 });
        assert.deepEqual(passed(subgoals), [1, 3]);
        subgoals.clear();
        assert.deepEqual([subgoals.coming, subgoals.passed], [[], []]);
    });

    it('are left by another plan, and lie behind only once', () => {
        const subgoals = createSubgoals();
        subgoals.add(places(1, 9), { plans: 1 });
        subgoals.add(places(5, 9), { plans: 1 });
        subgoals.add(places(5, 8), { plans: 0 });
        assert.deepEqual(passed(subgoals), []);
        assert.deepEqual(subgoals.coming.map(({ node }) => node), [5, 8]);
    });
});
