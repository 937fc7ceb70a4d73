/* fog.test.mjs: fog of war: an agent that sees only so far plans in what it knows; what it has not seen, and where it is wrong, is shown. */
import assert from 'node:assert/strict';
import { after, before, describe, it } from 'node:test';
import * as kit from './support.mjs';
const { test } = kit;

before(kit.startBrowser);
after(kit.stopBrowser);

/* The world of examples/fog.c: the way to the east is a bay. */
const bay = ['..............', '.###########..', '.............#', '.............#', '.############.', '..............'].join('\n');
const hall = Array(7).fill('.'.repeat(20)).join('\n');

const over = (page) => page.waitForFunction(() => ['arrived', 'stopped'].includes(playground.walk.phase), undefined, { timeout: 1800000 });
const value = async (page, name) => Number(await page.getAttribute(test(`walk-${name}`), 'data-value'));

async function openRows(page, rows, from, to) {
    await page.evaluate(async ([text, a, b]) => {
        const width = text.indexOf('\n');
        await playground.files.open(new TextEncoder().encode(text), 'rows.txt', undefined, { query: { from: a[1] * width + a[0], to: b[1] * width + b[0] } });
    }, [rows, from, to]);
    await kit.idle(page);
}

async function setFog(page, sensor, known = 'nothing') {
    await page.fill(test('walk-sensor'), String(sensor));
    if (sensor) await page.selectOption(test('walk-known'), known);
    await page.selectOption(test('walk-speed'), 'most');
}

async function walkAll(page) {
    await page.click(test('walk'));
    await over(page);
    await page.waitForSelector(test('walk-moves'));
}

/* So many turns are made, and shown. */
async function turnsMade(page, turns) {
    if (!(await page.evaluate(() => playground.walk.turns.length))) {
        await page.click(test('walk-step'));
        await page.waitForFunction(() => playground.walk.turns.length === 1);
    }
    await page.evaluate((wanted) => playground.walk.time.seek(wanted), turns);
    await kit.settled(page);
}

/* What the agent thinks of every cell, in words. */
const beliefs = (page) => page.evaluate(() => Array.from(playground.world.open, (unused, node) => playground.walk.beliefOf(node)));
const unseen = 'The agent has not seen it yet.', open = 'The agent takes it for open.', blocked = 'The agent takes it for blocked.';

/* Rows and columns, or steps on hexagons of which odd rows lie half a cell to the right. */
function distance(isHex, width, a, b) {
    const [ax, ay, bx, by] = [a % width, Math.floor(a / width), b % width, Math.floor(b / width)], dy = by - ay;
    if (!isHex) return Math.max(Math.abs(bx - ax), Math.abs(dy));
    const column = (x, y) => x - (y - (y & 1)) / 2, dx = column(bx, by) - column(ax, ay);
    return Math.max(Math.abs(dx), Math.abs(dy), Math.abs(dx + dy));
}

describe('an agent in fog', () => {
    it('goes into a bay that it does not know, as examples/fog.c does', async () => {
        const page = await kit.openPage();
        await openRows(page, bay, [2, 2], [13, 5]);
        await kit.chooseAlgorithm(page, 'dstar-lite');
        const walked = {};
        for (const [sensor, known] of [[0, 'nothing'], [2, 'map'], [2, 'nothing']]) {
            await setFog(page, sensor, known);
            await walkAll(page);
            walked[`${sensor} ${known}`] = await value(page, 'moves');
            if (sensor) assert.equal(await value(page, 'seen'), known === 'map' ? 0 : 25);
            else assert.equal(await page.locator(test('walk-seen')).count(), 0);
        }
        assert.equal(walked['2 nothing'], 35);
        assert.ok(walked['0 nothing'] < 35);
        assert.equal(walked['2 map'], walked['0 nothing']);
        await kit.closePage(page);
    });

    it('plans through walls that it has not seen', async () => {
        const page = await kit.openPage();
        await openRows(page, bay, [2, 2], [13, 2]);
        await setFog(page, 1);
        await turnsMade(page, 1);
        const ahead = await page.evaluate(() => playground.walk.ahead.map(({ x, y }) => playground.world.geometry.at(x, y)));
        assert.deepEqual([ahead[0], ahead.at(-1)], [2 * 14 + 3, 2 * 14 + 13]);
        assert.equal(await page.evaluate((node) => playground.world.open[node], ahead.at(-1)), 0, 'its goal is a wall');
        assert.equal((await beliefs(page))[2 * 14 + 13], open);
        await walkAll(page);
        assert.match(await page.textContent(test('walk-status')), /it knows of no path/);
        assert.match(await page.textContent(test('walk-log')), /it knows of no path/);
        await kit.closePage(page);
    });

    for (const neighbours of ['8', 'hex'])
        it(`has seen what was within range, and is right there, at every turn (${neighbours})`, async () => {
            const page = await kit.openPage({ map: 'rooms-small.txt' }), range = 3;
            await page.selectOption(test('neighbours'), neighbours);
            await kit.idle(page);
            await setFog(page, range);
            await walkAll(page);
            const { turns, width, truth } = await page.evaluate(() => ({ turns: playground.walk.turns.map(({ from, seen }) => ({ from, seen })), width: playground.world.width, truth: [...playground.world.open] }));
            assert.ok(turns.length > 15);
            for (const at of [0, 1, 2, 9, turns.length, 5, turns.length - 1]) {
                await page.evaluate((turn) => playground.walk.time.seek(turn), at);
                const looks = turns.slice(0, at), isSeen = (node) => looks.some(({ from }) => distance(neighbours === 'hex', width, from, node) <= range);
                const expected = truth.map((isOpen, node) => (isSeen(node) ? '' : isOpen ? unseen : open));
                assert.deepEqual(await beliefs(page), expected, `after ${at} turns`);
                assert.equal(looks.reduce((sum, { seen }) => sum + seen, 0), truth.filter((isOpen, node) => !isOpen && isSeen(node)).length);
            }
            await kit.closePage(page);
        });

    it('arrives with every algorithm', async () => {
        const page = await kit.openPage({ map: 'rooms-small.txt' });
        const algorithms = await page.evaluate(() => playground.registry.algorithms.filter(({ worlds }) => worlds.includes('grid')));
        await setFog(page, 3);
        for (const name of kit.sampled(algorithms)) {
            await page.evaluate(() => playground.walk.end());
            await kit.chooseAlgorithm(page, name);
            await walkAll(page);
            const { last, turns, goal, cells } = await page.evaluate(() => {
                const { walk, world } = playground;
                return { last: walk.turns.at(-1), turns: walk.turns.map(({ kind, to }) => ({ kind, to })), goal: walk.goal, cells: [...world.open] };
            });
            assert.ok(turns.every(({ to }) => cells[to]), `${name} walks into a wall`);
            const { exponential } = algorithms.find((one) => one.name === name).flags;
            if (!(exponential && last.status === 'out-of-budget')) assert.deepEqual([last.arrived, last.to], [true, goal], `${name}: ${last.kind} ${last.status}`);
            assert.ok(await value(page, 'seen') > 10, name);
        }
        await kit.closePage(page);
    });

    it('notices what is painted when it comes near, and not what was undone before', async () => {
        const page = await kit.openPage();
        await openRows(page, hall, [0, 3], [19, 3]);
        await setFog(page, 2, 'map');
        await turnsMade(page, 2);
        await kit.dragCells(page, [12, 1], [12, 5]);
        const wall = [1, 2, 3, 4, 5].map((y) => y * 20 + 12), thinks = async () => (await beliefs(page)).filter((unused, node) => wall.includes(node));
        assert.deepEqual(await thinks(), wall.map(() => open));
        const tint = async () => {
            const [red, , blue] = await kit.colourAt(page, 12, 1);
            return red - blue;
        };
        assert.ok(await tint() > 20, 'brownish: it is wrong there');
        await turnsMade(page, 8);
        await page.click(test('undo'));
        await kit.idle(page);
        assert.deepEqual(await thinks(), wall.map(() => unseen));
        assert.ok(await tint() < 0, 'bluish: it has not been there');
        await page.click(test('redo'));
        await kit.idle(page);
        await walkAll(page);
        const turns = await page.evaluate(() => playground.walk.turns.map(({ from, to, seen, broken, plans }) => ({ from, to, seen, broken, plans }))), first = turns.findIndex(({ seen }) => seen);
        assert.deepEqual([turns[first].from % 20, turns[first].broken, turns[first].plans], [10, true, 1], 'two cells before it');
        assert.ok(turns.slice(1, first).every(({ plans }) => !plans), 'it goes straight on until then');
        assert.ok(turns.every(({ to }) => !wall.includes(to)));

        await page.click(test('walk-end'));
        await page.click(test('undo'));
        await kit.idle(page);
        await turnsMade(page, 2);
        await kit.dragCells(page, [12, 1], [12, 5]);
        await turnsMade(page, 8);
        await page.click(test('undo'));
        await kit.idle(page);
        await walkAll(page);
        assert.deepEqual([await value(page, 'seen'), await value(page, 'plans'), await value(page, 'moves')], [0, 1, 19]);
        await kit.closePage(page);
    });

    it('takes a door that was opened behind its back for closed, now and at earlier turns', async () => {
        const page = await kit.openPage();
        await openRows(page, hall.split('\n').map((row, y) => (y === 3 ? row : row.slice(0, 5) + '#' + row.slice(6))).join('\n'), [0, 3], [19, 3]);
        await setFog(page, 1);
        await turnsMade(page, 9);
        assert.deepEqual((await beliefs(page))[2 * 20 + 5], '');
        await page.click(test('tool-erase'));
        await kit.clickCell(page, 5, 2);
        const at = async (turn) => {
            await page.evaluate((wanted) => playground.walk.time.seek(wanted), turn);
            return (await beliefs(page))[2 * 20 + 5];
        };
        assert.equal(await at(9), blocked);
        assert.equal(await at(8), '', 'it was closed then');
        assert.equal(await at(2), open, 'and not seen yet');
        assert.equal(await at(9), blocked);
        await page.evaluate(() => playground.hint.show(2 * 20 + 5));
        await page.waitForFunction((wanted) => document.querySelector('[data-test=hint]').textContent.includes(wanted), blocked);
        await kit.closePage(page);
    });

    it('walks by a script, which changes the truth', async () => {
        const page = await kit.openPage();
        await setFog(page, 2, 'map');
        await page.evaluate(() => playground.walkScript.openBundled('blocked-ahead.walk'));
        await page.evaluate(() => playground.walkScript.run());
        await over(page);
        const { turns, width, changes } = await page.evaluate(() => ({ turns: playground.walk.turns.map(({ at, from, seen, arrived }) => ({ at, from, seen, arrived })), width: playground.world.width, changes: playground.walk.script.changes }));
        const first = turns.findIndex(({ seen }) => seen), near = ({ x0, y0, x1 = x0, y1 = y0 }) => {
            const x = turns[first].from % width, y = Math.floor(turns[first].from / width);
            return x >= x0 - 2 && x <= x1 + 2 && y >= y0 - 2 && y <= y1 + 2;
        };
        assert.ok(turns.at(-1).arrived && turns[first].at >= changes[0].at && changes.some(near));
        await kit.closePage(page);
    });

    it('of whom ground is forbidden takes unseen cells for what it may walk on', async () => {
        const page = await kit.openPage();
        await openRows(page, 'WWWWWWWW\nWW####WW\nWWWWWW.W\nWW####WW\nWWWWWWWW', [0, 2], [7, 2]);
        await page.evaluate(() => playground.store.set('problem.profile', { ...playground.store.get('problem.profile'), terrainCost: { 0: 0, 2: 1 } }));
        await kit.idle(page);
        await setFog(page, 1);
        await walkAll(page);
        assert.equal(await page.getAttribute(test('walk-status'), 'data-phase'), 'arrived');
        assert.ok(await value(page, 'seen') > 0);
        await kit.closePage(page);
    });

    it('is told why it cannot have such a sensor', async () => {
        const page = await kit.openPage();
        await openRows(page, hall, [3, 3], [16, 3]);
        await page.fill(test('radius'), '2');
        await kit.idle(page);
        await setFog(page, 1);
        await page.click(test('walk'));
        await page.waitForFunction(() => document.querySelector('[data-test=walk-status]').classList.contains('error'));
        assert.match(await page.textContent(test('walk-status')), /range/);
        await page.fill(test('walk-sensor'), '6');
        await walkAll(page);
        assert.equal(await page.getAttribute(test('walk-status'), 'data-phase'), 'arrived');
        await kit.closePage(page);
    });

    it('leaves nothing behind: the next world and the next walk begin afresh', async () => {
        const page = await kit.openPage();
        await openRows(page, hall, [0, 3], [19, 3]);
        await setFog(page, 2);
        await turnsMade(page, 5);
        assert.ok((await beliefs(page)).includes(unseen));
        await kit.openMap(page, 'village.txt');
        assert.ok((await beliefs(page)).every((text) => text === ''));
        await setFog(page, 0);
        await turnsMade(page, 3);
        assert.ok((await beliefs(page)).every((text) => text === ''));
        await kit.closePage(page);
    });
});

describe('fog', () => {
    it('is a veil over what was never seen, and another colour where the agent is wrong', async () => {
        const page = await kit.openPage();
        await openRows(page, bay, [2, 2], [13, 5]);
        await setFog(page, 2);
        assert.equal(await page.isVisible(test('layer-fog')), true);
        const colours = () => Promise.all([[6, 0], [8, 1], [1, 3], [1, 1]].map(([x, y]) => kit.colourAt(page, x, y))); // open and a wall far away, open and a wall in sight
        for (const layer of ['search', 'path']) await page.click(test(`layer-${layer}`));
        await page.uncheck(test('show-arrows'));
        await kit.settled(page);
        const clear = await colours();
        await turnsMade(page, 1);
        const [far, wrong, near, wall] = await colours();
        assert.deepEqual([near, wall], clear.slice(2));
        assert.notDeepEqual(far, clear[0]);
        assert.notDeepEqual(wrong, clear[1]);
        const tint = ([red, , blue]) => red - blue;
        assert.ok(tint(far) < 0 && tint(wrong) > 20, 'bluish where it has not been, brownish where it is wrong');
        await page.click(test('layer-fog'));
        await kit.settled(page);
        assert.deepEqual(await colours(), clear);
        await page.click(test('layer-fog'));
        await page.click(test('walk-end'));
        await kit.settled(page);
        assert.deepEqual(await colours(), clear);
        await setFog(page, 0);
        assert.equal(await page.isVisible(test('layer-fog')), false);
        assert.equal(await page.isVisible(test('walk-known')), false);
        await kit.closePage(page);
    });

    it('is drawn where it changes, and only there', async () => {
        const page = await kit.openPage();
        await kit.generate(page, 'pseudo-rts', { width: 512, height: 512 });
        await page.fill(test('walk-sensor'), '5');
        await turnsMade(page, 1);
        await page.click(test('layer-search')); // what was visited is drawn over many frames
        await kit.settled(page);
        await kit.countFrames(page);
        for (let turns = 2; turns <= 30; turns++) await turnsMade(page, turns);
        const frames = await kit.countedFrames(page);
        assert.ok(Math.max(...frames.map(({ pixels }) => pixels)) < (512 * 512) / 4);
        await kit.closePage(page);
    });

    for (const [name, width, height] of [['laptop', 1280, 800], ['phone', 390, 844]])
        it(`looks as it should on a ${name}, light and dark`, async () => {
            const page = await kit.openPage({ viewport: { width, height }, hasTouch: name === 'phone', map: 'caves.map' });
            await setFog(page, 5);
            await turnsMade(page, 40);
            await page.evaluate(() => document.querySelector('[data-test=panel-walk]').scrollIntoView());
            await kit.idle(page);
            await kit.inLightAndDark(page, async (scheme) => {
                assert.deepEqual(await page.evaluate(kit.overlaps), []);
                await kit.shot(page, `fog-${name}-${scheme}`);
            });
            await kit.closePage(page);
        });
});
