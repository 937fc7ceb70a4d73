/* walk.test.mjs: the agent that walks: by hand, in a world that is painted meanwhile, and by scripts, which must do in the page what the program does. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync, readdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as kit from './support.mjs';
const { program, test } = kit;

before(kit.startBrowser);
after(kit.stopBrowser);

async function openFolded(page, name) {
    await page.evaluate((wanted) => document.querySelector(`[data-test="${wanted}"]`).setAttribute('open', ''), name);
}

const phase = (page, ...wanted) => page.waitForFunction((phases) => phases.includes(document.querySelector('[data-test=walk-status]').dataset.phase), wanted, { timeout: 1800000 });
const turnsOf = (page) => page.evaluate(() => playground.walk.turns.map(({ at, kind, from, to, work, expanded, plans, syncs, broken, arrived }) => ({ at, kind, from, to, work, expanded, plans, syncs, broken, arrived })));
const walkValue = async (page, name) => Number(await page.getAttribute(test(`walk-${name}`), 'data-value'));
const logText = (page) => page.textContent(test('walk-log'));

/* The steps so far are so many. */
const stepsMade = (page, steps) => page.waitForFunction((wanted) => playground.walk.sums?.moves >= wanted, steps, { timeout: 1800000 });

async function walkSteps(page, steps) {
    for (let i = 1; i <= steps; i++) {
        await page.click(test('walk-step'));
        await stepsMade(page, i);
    }
}

const small = ['..........', '..........', '..........', '..........', '..........', '..........'].join('\n');

async function openRows(page, rows, from, to) {
    await page.evaluate(async ([text, a, b]) => {
        const width = text.indexOf('\n');
        await playground.files.open(new TextEncoder().encode(text), 'rows.txt', undefined, { query: { from: a[1] * width + a[0], to: b[1] * width + b[0] } });
    }, [rows, from, to]);
    await kit.idle(page);
}

describe('walking by hand', () => {
    it('shows what the plan has visited, on hexagons too', async () => {
        const page = await kit.openPage({ map: 'u-trap.txt' });
        await page.evaluate(() => playground.player.seek(0));
        for (const neighbours of ['8', 'hex']) {
            await page.selectOption(test('neighbours'), neighbours);
            await kit.idle(page);
            await page.click(test('walk-step'));
            await page.waitForFunction(() => playground.panes[0].scene.walk && playground.walk.turns.length === 1);
            const [x, y] = await page.evaluate(() => {
                const { world, walk, panes } = playground, near = new Set([...walk.trail, ...walk.ahead].map((place) => world.geometry.at(place.x, place.y)));
                const alone = (node) => [0, 1, -1, world.width, -world.width].every((by) => !near.has(node + by));
                const node = world.open.findIndex((open, one) => open && alone(one) && panes[0].scene.walk.fill.lastEvent(one) >= 0);
                return [node % world.width, Math.floor(node / world.width)];
            });
            await kit.settled(page);
            const shown = await kit.colourAt(page, x, y);
            await page.click(test('walk-end'));
            await kit.settled(page);
            assert.notDeepEqual(shown, await kit.colourAt(page, x, y), neighbours);
        }
        await kit.closePage(page);
    });

    it('arrives, and tells what it did', async () => {
        const page = await kit.openPage({ map: 'rooms-small.txt' });
        await page.selectOption(test('walk-speed'), 'most');
        await page.click(test('walk'));
        await phase(page, 'arrived');
        const turns = await turnsOf(page), { query, length } = await page.evaluate(() => ({ query: playground.store.get('problem.query'), length: playground.panes[0].result.cost }));
        assert.equal(turns[0].from, query.from);
        assert.equal(turns.at(-1).to, query.to);
        await page.waitForSelector(test('walk-moves'));
        assert.equal(await walkValue(page, 'moves'), turns.length);
        assert.equal(await walkValue(page, 'cost'), length, 'by the best path');
        assert.equal(await walkValue(page, 'plans'), 1);
        assert.match(await logText(page), /step 0: planned in .* units of work/);
        assert.match(await page.textContent(test('walk-status')), /Arrived after \d+ steps/);
        await page.click(test('walk-end'));
        await phase(page, 'none');
        await kit.closePage(page);
    });

    it('is stepped, paused, and finds a way round what is painted', async () => {
        const page = await kit.openPage();
        await openRows(page, small, [0, 2], [9, 2]);
        await walkSteps(page, 2);
        await kit.dragCells(page, [5, 1], [5, 4]);
        await kit.shot(page, 'walk-blocked');
        await page.selectOption(test('walk-speed'), '100');
        await page.click(test('walk'));
        await phase(page, 'arrived');
        const turns = await turnsOf(page), { width, open } = await page.evaluate(() => ({ width: playground.world.width, open: [...playground.world.open] }));
        assert.ok(turns.some((turn) => turn.broken));
        assert.ok(turns.every((turn) => open[turn.to] === 1 && Math.abs((turn.to % width) - (turn.from % width)) <= 1));
        assert.match(await logText(page), /step 2: the way is blocked.*planned anew/);
        await kit.closePage(page);
    });

    it('stops when no path is left, says so, and goes on when one opens', async () => {
        const page = await kit.openPage();
        await openRows(page, small, [0, 2], [9, 2]);
        await walkSteps(page, 1);
        await kit.dragCells(page, [6, 0], [6, 5]);
        await page.selectOption(test('walk-speed'), '30');
        await page.click(test('walk'));
        await phase(page, 'stopped');
        assert.match(await page.textContent(test('walk-status')), /no path is left/);
        await page.click(test('tool-erase'));
        await kit.clickCell(page, 6, 4);
        await phase(page, 'arrived');
        await kit.closePage(page);
    });

    it('follows the goal, with an index that is repaired', async () => {
        const page = await kit.openPage({ map: 'rooms-small.txt' });
        await kit.chooseAlgorithm(page, 'hpa');
        await walkSteps(page, 3);
        const { width } = await page.evaluate(() => ({ width: playground.world.width }));
        const goal = await page.evaluate(() => playground.walk.goal);
        await kit.dragCells(page, [goal % width, Math.floor(goal / width)], [3, 3]);
        await kit.clickCell(page, 20, 20);
        await page.selectOption(test('walk-speed'), 'most');
        await page.click(test('walk'));
        await phase(page, 'arrived');
        assert.equal((await turnsOf(page)).at(-1).to, 3 * width + 3);
        const log = await logText(page);
        assert.match(log, /step 0: index built in/);
        assert.match(log, /step 3: the goal moves/);
        assert.match(log, /index repaired/);
        assert.ok(await walkValue(page, 'index') > 0);
        await kit.closePage(page);
    });

    it('follows its old path while its index is built again in the background', async () => {
        const page = await kit.openPage();
        await kit.generate(page, 'pseudo-rts', { width: 512, height: 512 });
        await kit.chooseAlgorithm(page, 'pra');
        await page.check(test('walk-background'));
        await page.evaluate(() => { // what the other worker answers is held back until it is let go
            const { client } = playground, helper = client.helper;
            client.helper = () => {
                const { port, end } = helper(), relay = new MessageChannel();
                const free = new Promise((letGo) => { globalThis.letGo = letGo; });
                relay.port1.onmessage = ({ data }) => port.postMessage(data);
                port.onmessage = ({ data }) => free.then(() => relay.port1.postMessage(data));
                return { port: relay.port2, end };
            };
        });
        await page.click(test('walk-step'));
        await stepsMade(page, 1);
        const painted = await page.evaluate(async () => {
            const { world, planning, walk } = playground, { x, y } = walk.ahead[Math.floor(walk.ahead.length / 2)], node = world.geometry.at(x, y);
            world.beginStroke();
            world.paint([node], { open: 0 });
            world.endStroke();
            planning.flush();
            for (let i = 0; i < 3; i++) await walk.stepOnce();
            return node;
        });
        const strolled = await page.evaluate(() => playground.walk.turns.slice(1).map(({ kind, strolls, plans }) => [kind, strolls, plans]));
        assert.deepEqual(strolled, [['step', true, 0], ['step', true, 0], ['step', true, 0]], 'it goes on at once');
        assert.match(await logText(page), /built again in the background/);
        await page.evaluate(() => globalThis.letGo());
        await page.selectOption(test('walk-speed'), 'most');
        await page.click(test('walk'));
        await phase(page, 'arrived');
        const turns = await page.evaluate(() => playground.walk.turns.map(({ from, to, at, kind, rebuilt, syncs }) => ({ from, to, at, kind, rebuilt, syncs })));
        assert.equal(turns.filter(({ rebuilt }) => rebuilt).length, 1);
        assert.ok(turns.every(({ syncs, to }) => !syncs && to !== painted), 'nobody waited for a repair, and the wall is gone round');
        assert.ok(turns.every(({ from }, i) => i === 0 || from === turns[i - 1].to), 'every step follows the one before');
        assert.equal(await walkValue(page, 'moves'), turns.filter(({ kind }) => kind === 'step').length);
        await kit.closePage(page);
    });

    it('thinks within its work', async () => {
        const page = await kit.openPage({ map: 'rooms-small.txt' });
        await page.fill(test('walk-work'), '20');
        await page.selectOption(test('walk-speed'), 'most');
        await page.click(test('walk'));
        await phase(page, 'arrived');
        const turns = await turnsOf(page);
        assert.ok(turns.some((turn) => turn.kind === 'think'));
        assert.ok(turns.every((turn) => turn.work <= 20));
        assert.match(await logText(page), /step 0: planned in .* units of work in \d+ turns/);
        await kit.closePage(page);
    });

    it('builds its index with a word about it, and ends that when asked to', async () => {
        const page = await kit.openPage();
        await kit.generate(page, 'random', { width: 700, height: 700 });
        await kit.chooseAlgorithm(page, 'dhpa');
        await page.click(test('walk'));
        await page.waitForFunction(() => /Building the index: \d+ %/.test(document.querySelector('[data-test=walk-status]').textContent));
        await page.click(test('walk-end'));
        await page.waitForFunction(() => /cancelled/.test(document.querySelector('[data-test=walk-status]').textContent));
        await kit.chooseAlgorithm(page, 'astar');
        await page.click(test('walk'));
        await stepsMade(page, 3);
        await kit.closePage(page);
    });

    it('walks on a large map while its world is painted, no more than a few events a frame', async () => {
        const page = await kit.openPage();
        await kit.generate(page, 'pseudo-rts', { width: 512, height: 512 });
        await kit.settled(page);
        await kit.countFrames(page);
        await page.selectOption(test('walk-speed'), '100');
        await page.click(test('walk'));
        await stepsMade(page, 50);
        await kit.dragCells(page, [150, 150], [300, 300]);
        await stepsMade(page, 150);
        const frames = await kit.countedFrames(page);
        assert.ok(Math.max(...frames.map(({ draws }) => draws)) === 1, 'drawn once a frame');
        assert.ok(Math.max(...frames.map(({ ground }) => ground)) < (512 * 512) / 4, 'an edit costs what it touches');
        await kit.closePage(page);
    });

    it('says why an algorithm cannot lead it', async () => {
        const page = await kit.openPage({ map: 'rooms-small.txt' });
        await page.selectOption(test('neighbours'), 'hex');
        await kit.chooseAlgorithm(page, 'jps');
        await page.click(test('walk'));
        await page.waitForFunction(() => document.querySelector('[data-test=walk-status]').classList.contains('error'));
        assert.match(await page.textContent(test('walk-status')), /jps/);
        await kit.closePage(page);
    });
});

describe('scripts', () => {
    const folder = join(kit.project, 'maps');

    async function run(page, text) {
        await openFolded(page, 'walk-script');
        await page.fill(test('walk-text'), text);
        await page.click(test('walk-run'));
    }

    /* Every turn as the program prints it. */
    function native(file, algorithm, options = []) {
        const { stdout } = spawnSync(program, ['path', '--script', file, '-a', algorithm, '--json', '--moves', ...options], { encoding: 'utf8' });
        return JSON.parse(stdout);
    }

    const figures = ({ kind, from, to, work, expanded, plans, syncs, broken }) => ({ kind, from, to, work, expanded, plans, syncs, broken });

    /* Runs a bundled script in the page and in the program: every turn is the same. */
    async function compare(page, name, algorithm) {
        const expected = native(join(folder, name), algorithm);
        await page.evaluate(() => playground.walk.end());
        await phase(page, 'none');
        await page.selectOption(test('walk-bundled'), '');
        await page.selectOption(test('walk-bundled'), name);
        await page.click(test('walk-run'));
        await phase(page, 'arrived', 'stopped');
        const turns = await turnsOf(page), width = await page.evaluate(() => playground.world.width), cell = (node) => [node % width, Math.floor(node / width)];
        assert.deepEqual(turns.map((turn) => figures({ ...turn, from: cell(turn.from), to: cell(turn.to) })), expected.events.map(figures), `${name} with ${algorithm}`);
    }

    /* All of them by each; or each by one of the three. */
    for (const [number, algorithm] of ['astar', 'hpa', 'pra'].entries())
        it(`do the same as the program with ${algorithm}`, async () => {
            const page = await kit.openPage();
            await page.selectOption(test('walk-speed'), 'most');
            await kit.chooseAlgorithm(page, algorithm);
            await openFolded(page, 'walk-script');
            const walks = readdirSync(folder).filter((file) => file.endsWith('.walk')).sort();
            for (const [i, name] of walks.entries()) if (kit.sample === 1 || i % 3 === number) await compare(page, name, algorithm);
            await kit.closePage(page);
        });

    it('are walked by every algorithm', async () => {
        const page = await kit.openPage();
        await page.selectOption(test('walk-speed'), 'most');
        await openFolded(page, 'walk-script');
        const algorithms = await page.evaluate(() => playground.registry.algorithms.filter(({ worlds }) => worlds.includes('grid')));
        for (const algorithm of kit.sampled(algorithms)) {
            await page.evaluate(() => playground.walk.end());
            await kit.chooseAlgorithm(page, algorithm);
            await compare(page, 'blocked-ahead.walk', algorithm);
        }
        await kit.closePage(page);
    });

    it('are complained about with line and reason', async () => {
        const page = await kit.openPage();
        await run(page, 'cairn-walk 1\nfrom 1,1\nto 2,2\nat x block 3,3\n');
        await page.waitForSelector(`${test('walk-script-error')}:not([hidden])`);
        assert.match(await page.textContent(test('walk-script-error')), /line 4/);
        await run(page, 'cairn-walk 1\nmap nowhere.map\nfrom 1,1\nto 2,2\n');
        await page.waitForFunction(() => /nowhere\.map/.test(document.querySelector('[data-test=walk-script-error]').textContent));
        await run(page, 'cairn-walk 1\nfrom 1,1\nto 2,2000\n');
        await page.waitForFunction(() => /outside the map/.test(document.querySelector('[data-test=walk-script-error]').textContent));
        await kit.closePage(page);
    });

    it('are opened and saved as files', async () => {
        const page = await kit.openPage();
        await page.evaluate(() => playground.files.open(new TextEncoder().encode('cairn-walk 1\nfrom 1,1\nto nowhere\n'), 'bad.walk'));
        assert.match(await page.textContent(test('walk-script-error')), /line 3/, 'at once');
        await openFolded(page, 'walk-script');
        const chooser = page.waitForEvent('filechooser');
        await page.click(test('walk-open'));
        await (await chooser).setFiles(join(folder, 'door-twice.walk'));
        await page.waitForFunction(() => document.querySelector('[data-test=walk-text]').value.includes('closes twice'));
        const saved = page.waitForEvent('download');
        await page.click(test('walk-save'));
        const download = await saved;
        assert.equal(download.suggestedFilename(), 'door-twice.walk');
        assert.equal(readFileSync(await download.path(), 'utf8'), readFileSync(join(folder, 'door-twice.walk'), 'utf8'));
        await kit.closePage(page);
    });

    it('are recorded from a walk, and play again in the page and in the program', async () => {
        const page = await kit.openPage();
        await openRows(page, small, [0, 2], [9, 2]);
        await walkSteps(page, 2);
        await kit.dragCells(page, [5, 0], [5, 5]);
        await walkSteps(page, 2);
        await page.click(test('walk-step'));
        await page.waitForFunction(() => playground.walk.turns.at(-1).kind === 'stop');
        await page.click(test('tool-erase'));
        await kit.clickCell(page, 5, 5);
        await page.selectOption(test('walk-speed'), '100');
        await page.click(test('walk'));
        await stepsMade(page, 4);
        await kit.dragCells(page, [9, 2], [9, 0]);
        await phase(page, 'arrived');
        const moves = (turns) => turns.filter(({ kind }) => kind === 'step').map(({ to }) => to), first = moves(await turnsOf(page));
        await openFolded(page, 'walk-script');
        await page.click(test('walk-record'));
        await page.waitForFunction(() => document.querySelector('[data-test=walk-text]').value.startsWith('cairn-walk'));
        const text = await page.inputValue(test('walk-text'));
        assert.match(text, /at 2 block 5,0 5,5/);
        assert.match(text, /goal 9,0/);
        await page.click(test('walk-run'));
        await page.waitForFunction(() => playground.walk.script && playground.walk.over);
        assert.deepEqual(moves(await turnsOf(page)), first);
        assert.equal(await page.evaluate(() => playground.world.isEdited()), true, 'a script changes the world');
        const place = mkdtempSync(join(tmpdir(), 'cairn-walk-'));
        writeFileSync(join(place, 'recorded.walk'), text);
        const played = native(join(place, 'recorded.walk'), 'astar');
        assert.deepEqual(played.events.filter(({ kind }) => kind === 'step').map(({ to: [x, y] }) => y * 10 + x), first);
        rmSync(place, { recursive: true });
        await kit.closePage(page);
    });
});

describe('looks of a walk', () => {
    for (const [name, width, height] of [['laptop', 1280, 800], ['desktop', 1920, 1080], ['phone', 390, 844]])
        it(`${name}, light and dark`, async () => {
            const page = await kit.openPage({ viewport: { width, height }, hasTouch: name === 'phone' });
            await page.selectOption(test('walk-speed'), 'most');
            await openFolded(page, 'walk-script');
            await page.selectOption(test('walk-bundled'), 'cut-off.walk');
            await page.click(test('walk-run'));
            await phase(page, 'stopped');
            await page.evaluate(() => document.querySelector('[data-test=panel-walk]').scrollIntoView());
            await kit.idle(page);
            await kit.inLightAndDark(page, async (scheme) => {
                assert.deepEqual(await page.evaluate(kit.overlaps), []);
                await kit.shot(page, `walk-${name}-${scheme}`);
            });
            await page.keyboard.press('Escape');
            await page.evaluate(() => playground.help.open());
            await kit.inLightAndDark(page, (scheme) => kit.shot(page, `help-${name}-${scheme}`));
            await page.keyboard.press('Escape');
            await kit.closePage(page);
        });
});
