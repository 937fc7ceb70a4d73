/* simulation.test.mjs: many agents in a world that changes: simulated in the page, and recordings of `cairn simulate`, played. What is shown is compared with what the program says, and each step is looked at in a copy
 * of the map that is edited as the world is. Recordings need the program (CAIRN_PROGRAM, or build/dev/cairn).
 */
import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import * as kit from './support.mjs';
const { program, test } = kit;

const nowhere = 0xffffffff;
let folder, page;
before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-simulation-'));
    await kit.startBrowser();
});
after(async () => {
    await kit.stopBrowser();
    rmSync(folder, { recursive: true });
});

/* ---- the page ---- */

const value = async (name) => Number(await page.getAttribute(test(`simulation-${name}`), 'data-value'));
const place = async () => [Number(await page.getAttribute(test('place'), 'data-at')), Number(await page.getAttribute(test('place'), 'data-count'))];
const drawn = () => page.evaluate(() => new Promise((done) => setTimeout(() => requestAnimationFrame(() => requestAnimationFrame(done)))));
const seek = async (turn) => {
    await page.evaluate((wanted) => playground.simulation.time.seek(wanted), turn);
    await drawn();
};
const set = (change) => page.evaluate((more) => playground.store.set('ui.simulation', { ...playground.store.get('ui.simulation'), ...more }), change);

/* What the page knows of all turns: { width, open, events, edits, frames }, rows of numbers. */
const history = () => page.evaluate(() => {
    const { recording } = playground.simulation, { width, open } = playground.world, rows = (list, wide) => Array.from({ length: list.count }, (unused, i) => [...list.words.subarray(i * wide, (i + 1) * wide)]);
    return { width, open: [...open], events: rows(recording.events, 4), edits: rows(recording.edits, 3), frames: recording.frames };
});

/* What it shows: agents with their goals, and cells that are not open. */
const shown = () => page.evaluate(() => {
    const { recording } = playground.panes[0].scene.simulation, agents = {};
    recording.each((agent, cell, goal) => { agents[agent] = [cell, goal]; });
    return { agents, closed: [...recording.cells].flatMap((isOpen, cell) => (isOpen ? [] : [cell])), brown: [...recording.closed].flatMap((is, cell) => (is ? [cell] : [])) };
});

/* The same after so many turns, from all that happened. */
function stateAfter({ open, events, edits }, turns) {
    const agents = {}, cells = [...open];
    for (const [turn, agent, cell, goal] of events) {
        if (turn > turns) continue;
        if (cell === nowhere) delete agents[agent];
        else agents[agent] = [cell, goal];
    }
    for (const [turn, cell, isOpen] of edits) if (turn < turns) cells[cell] = isOpen;
    return { agents, closed: cells.flatMap((isOpen, cell) => (isOpen ? [] : [cell])), brown: cells.flatMap((isOpen, cell) => (!isOpen && open[cell] ? [cell] : [])) };
}

/* Every step leads to a neighbour that is open, and cuts no corner; every goal given can be reached then. Nothing closes where agents stand, or their goals, unless it was `painted`. */
function checkSteps({ width, open, events, edits }, { painted = false } = {}) {
    const cells = [...open], last = new Map(), faults = [], leaving = new Set(events.filter(([, , cell]) => cell === nowhere).map(([turn, agent]) => `${turn} ${agent}`)); // before the edits of that turn
    let edit = 0, steps = 0, reached = 0;
    const isFree = (x, y) => x >= 0 && x < width && cells[y * width + x] === 1;
    const reach = (from) => {
        const found = new Set([from]), queue = [from];
        for (const node of queue)
            for (const [dx, dy] of [[1, 0], [-1, 0], [0, 1], [0, -1]]) {
                const x = (node % width) + dx, y = Math.floor(node / width) + dy, next = y * width + x;
                if (isFree(x, y) && !found.has(next)) queue.push(next) && found.add(next);
            }
        return found;
    };
    for (const [turn, agent, cell, goal] of events) {
        while (edit < edits.length && edits[edit][0] < turn) {
            const [editTurn, at, isOpen] = edits[edit++];
            if (cells[at] === isOpen) faults.push(`edit ${edit} changes nothing`);
            cells[at] = isOpen;
            if (!isOpen && !painted && [...last].some(([one, places]) => places.includes(at) && !leaving.has(`${editTurn + 1} ${one}`))) faults.push(`edit ${edit} closes the place or the goal of an agent`);
        }
        const before = last.get(agent);
        last.set(agent, [cell, goal]);
        if (!before || cell === nowhere || before[0] === nowhere) continue;
        if (goal !== before[1] && !reach(cell).has(goal)) faults.push(`turn ${turn}: agent ${agent} cannot come to its goal`);
        if (before[0] === cell) continue;
        steps++;
        reached += cell === before[1] ? 1 : 0;
        const [ax, ay, bx, by] = [before[0] % width, Math.floor(before[0] / width), cell % width, Math.floor(cell / width)];
        const isNear = Math.max(Math.abs(ax - bx), Math.abs(ay - by)) === 1;
        if (!isNear || !isFree(bx, by) || !isFree(ax, by) || !isFree(bx, ay)) faults.push(`turn ${turn}: agent ${agent} steps from ${ax},${ay} to ${bx},${by}`);
    }
    assert.deepEqual(faults, []);
    return { steps, reached };
}

/* ---- simulations of the page ---- */

/* So many turns are made, and the last one is shown. */
async function simulate(turns, settings = {}) {
    await set(settings);
    await page.click(test('simulation-step'));
    await page.waitForFunction(() => playground.simulation.recording?.turns === 1);
    await seek(turns);
    await page.waitForFunction((wanted) => playground.simulation.recording.turns === wanted, turns);
    await drawn();
}

describe('a simulation', () => {
    beforeEach(async () => { page = await kit.openPage({ map: 'rooms.map' }); });
    afterEach(() => kit.closePage(page));

    it('lets agents walk legal steps to goals in reach, in a world that changes', async () => {
        await simulate(600, { agents: 100, edits: 20, editLife: 90, speed: 30 });
        const all = await history(), { steps, reached } = checkSteps(all);
        assert.ok(steps > 5000 && reached > 50 && all.edits.length > 500, `${steps} steps, ${reached} goals, ${all.edits.length} edits`);
        assert.equal(all.frames.length, 600);
        assert.deepEqual(await shown(), stateAfter(all, 600));
        assert.equal(await value('goals-reached'), reached);
        assert.deepEqual(await page.evaluate(() => [playground.simulation.about.reached, playground.simulation.about.overBudget]), [reached, 0]);
        assert.ok(await value('broken-paths') > 0);
        assert.ok(await value('memory') > 0);
        assert.equal(await value('cells-closed'), stateAfter(all, 600).brown.length);
        const sorted = [...all.frames].sort((a, b) => a - b);
        assert.deepEqual([await value('frame-time-p50'), await value('frame-time-p99'), await value('frame-time-worst')], [sorted[299], sorted[593], sorted[599]]);
    });

    it('shows any turn again, and goes on from the last one', async () => {
        await simulate(200, { agents: 50, edits: 30, speed: 20 });
        const all = await history();
        for (const turn of [0, 1, 57, 200, 130, 199, 3]) {
            await seek(turn);
            assert.deepEqual(await shown(), stateAfter(all, turn), `after ${turn} turns`);
            assert.equal((await place())[0], turn);
        }
        await page.keyboard.press('Shift+ArrowRight');
        await drawn();
        assert.ok(all.edits.some(([turn]) => turn === 4) ? (await place())[0] === 4 : (await place())[0] > 3);
        await page.selectOption(test('timeline-simulation-speed'), 'most');
        await page.keyboard.press('p');
        await page.waitForFunction(() => playground.simulation.recording.turns > 210);
        await page.keyboard.press('p');
        await page.waitForFunction(() => playground.simulation.phase === 'paused');
        assert.deepEqual((await history()).events.slice(0, all.events.length), all.events, 'what happened stays');
        checkSteps(await history());
    });

    it('is the same again with the same seed and a budget in units of work', async () => {
        const settings = { agents: 60, edits: 12, budget: 500, seed: 5 };
        await simulate(150, settings);
        const first = await history();
        await page.click(test('simulation-end'));
        await simulate(150, settings);
        const again = await history();
        assert.deepEqual([again.events, again.edits], [first.events, first.edits]);
        await page.click(test('simulation-end'));
        await simulate(150, { seed: 6 });
        assert.notDeepEqual((await history()).events, first.events);
    });

    it('follows its sliders while it runs', async () => {
        await simulate(20, { agents: 300, edits: 0 });
        const slide = (name, wanted) => page.evaluate(([control, number]) => {
            const input = document.querySelector(`[data-test="${control}"]`);
            input.value = number;
            input.dispatchEvent(new Event('input'));
        }, [`simulation-${name}`, wanted]);
        assert.equal(Object.keys((await shown()).agents).length, 300);
        await slide('agents', 40);
        await slide('edits', 60);
        await slide('budget', 0);
        assert.deepEqual(await Promise.all(['agents', 'edits', 'budget'].map((name) => page.textContent(test(`simulation-${name}-text`)))), ['40', '60', '50']);
        await seek(60);
        const all = await history();
        assert.deepEqual(Object.keys((await shown()).agents).length, 40);
        assert.ok(all.edits.length > 100);
        assert.equal(all.edits[0][0], 20);
        checkSteps(all);
        await slide('agents', 500);
        await seek(80);
        assert.equal(Object.keys((await shown()).agents).length, 500);
        checkSteps(await history());
        assert.equal(await page.evaluate(() => playground.simulation.about.overBudget), 0);
        await page.selectOption(test('simulation-unit'), 'time');
        assert.equal(await page.textContent(test('simulation-budget-text')), '1\u202f000 µs');
        await seek(100);
        checkSteps(await history());
    });

    it('feels what is painted, and its agents go round', async () => {
        await simulate(30, { agents: 80, edits: 0 });
        const wall = await page.evaluate(() => {
            const { world, simulation } = playground, taken = new Set();
            simulation.recording.each((agent, cell) => taken.add(cell));
            const nodes = Array.from({ length: 30 }, (unused, i) => 40 * world.width + 20 + i).filter((node) => world.open[node] && !taken.has(node));
            world.beginStroke();
            world.paint(nodes, { open: 0 });
            world.endStroke();
            return nodes;
        });
        assert.ok(wall.length > 5);
        await page.waitForFunction(() => playground.simulation.recording.turns > 30);
        await drawn();
        const { brown } = await shown();
        assert.deepEqual(brown, wall);
        await seek(200);
        const all = await history();
        assert.deepEqual(all.edits.map(([, cell]) => cell), wall);
        checkSteps({ ...all, open: all.open.map((isOpen, cell) => (wall.includes(cell) ? 1 : isOpen)) }, { painted: true });
    });

    it('works with an algorithm that has an index, and ends with the world, the agent and the walk', async () => {
        await kit.chooseAlgorithm(page, 'hpa');
        await simulate(60, { agents: 40, edits: 6 });
        checkSteps(await history());
        assert.ok(await value('index') > 0);
        assert.equal(await page.textContent(test('timeline-of')), 'Simulation');
        await page.selectOption(test('neighbours'), '4');
        await page.waitForFunction(() => playground.simulation.phase === 'none');
        await kit.idle(page);
        assert.equal(await kit.status(page), 'found', 'the search is back');
        assert.equal(await page.textContent(test('timeline-of')), 'Search');
        await simulate(5);
        await page.click(test('walk-step'));
        await page.waitForFunction(() => playground.walk.turns.length === 1);
        assert.equal(await page.evaluate(() => playground.simulation.phase), 'none');
        await simulate(5);
        assert.equal(await page.evaluate(() => playground.walk.phase), 'none');
        await kit.openMap(page, 'caves.map');
        assert.equal(await page.evaluate(() => playground.simulation.phase), 'none');
        await page.evaluate(() => playground.files.open(new TextEncoder().encode('#.#\n###\n'), 'none.txt'));
        await kit.idle(page);
        await page.click(test('simulate'));
        await page.waitForFunction(() => playground.simulation.error);
        await drawn();
        assert.match(await page.textContent(test('simulation-status')), /no place for an agent/);
    });

    it('runs by itself, by keys, and names who is under the pointer', async () => {
        await set({ agents: 30, edits: 3 });
        await page.keyboard.press('m');
        await page.waitForFunction(() => playground.simulation.recording?.turns > 5);
        assert.equal(await page.textContent(test('simulate')), 'Pause');
        await page.keyboard.press('m');
        await page.waitForFunction(() => playground.simulation.phase === 'paused');
        await drawn();
        const [number, [cell]] = Object.entries((await shown()).agents)[0], at = await kit.pointOf(page, cell % 127, Math.floor(cell / 127));
        await page.mouse.move(at.x, at.y);
        await page.waitForFunction((wanted) => document.querySelector('[data-test="hint"]').textContent.includes(wanted), `gent ${number}, `);
        await page.evaluate(() => playground.client.restart());
        await page.click(test('simulation-step'));
        await page.waitForFunction(() => playground.simulation.phase === 'none');
        await drawn();
        assert.match(await page.textContent(test('simulation-status')), /ended: the page had to begin anew/);
        await page.keyboard.press('m');
        await page.waitForFunction(() => playground.simulation.recording?.turns > 1);
        await page.keyboard.press('Backspace');
        await page.waitForFunction(() => playground.simulation.phase === 'none');
        await kit.idle(page);
        assert.equal(await kit.status(page), 'found');
    });

    it('overlaps nothing, light and dark, on a desk and on a phone', async () => {
        await simulate(40, { agents: 60, edits: 30 });
        await kit.inLightAndDark(page, async (scheme) => {
            await page.evaluate(() => document.querySelector('[data-test="panel-simulation"]').scrollIntoView());
            assert.deepEqual(await page.evaluate(kit.overlaps), []);
            await kit.shot(page, `simulation-${scheme}`);
        });
        await page.setViewportSize({ width: 390, height: 844 });
        await page.evaluate(() => document.querySelector('[data-test="panel-simulation"]').scrollIntoView());
        await drawn();
        assert.deepEqual(await page.evaluate(kit.overlaps), []);
        await kit.shot(page, 'simulation-phone');
    });
});

/* ---- recordings ---- */

/* A recording, and what the program says of the run. */
function record(name, ...words) {
    const file = join(folder, name), { stdout } = spawnSync(program, ['simulate', ...words, '--record', file, '--json'], { encoding: 'utf8' }); // it ends with 1 if not all have arrived
    return { file, said: JSON.parse(stdout) };
}

const rooms = join(kit.project, 'maps/rooms.map'), caves = join(kit.project, 'maps/caves.map');
const service = [rooms, '--service', '--agents', '60', '--goals', '3', '--work', '3000', '--edits', '6', '--edit-life', '90', '--edit-ahead', '6', '--edit-share', '50', '--speed', '20', '--arrivals', '30', '--turns', '900'];

async function viewed(file) {
    const saved = `${file}.html`;
    execFileSync(program, ['view', file, '-o', saved, '--page', kit.pageFile], { stdio: 'pipe' });
    page = await kit.openPage({ file: saved });
    await page.waitForFunction(() => playground.simulation.phase !== 'none');
    await drawn();
}

describe('a recording that is malformed', () => {
    it('is told, and the world is shown', async () => {
        page = await kit.openPage();
        const notes = await page.evaluate(() => {
            const found = [], words = (...list) => Uint32Array.from(list);
            playground.simulation.openRecording({ options: '', events: words(0, 0, 1, 99999999), edits: words(), frames: words(1) }, 'bad.cairn', found);
            return found;
        });
        assert.deepEqual(notes, ['its recording is malformed: agent 0 is outside of the world']);
        assert.equal(await page.evaluate(() => playground.simulation.phase), 'none');
        assert.equal(await kit.status(page), 'found');
        await kit.closePage(page);
    });
});

describe('a recording', { skip: !existsSync(program) && `no program at ${program}` }, () => {
    afterEach(() => kit.closePage(page));

    it('is played by the page that cairn view makes: agents, goals and closed squares of every turn, as the program counted them', async () => {
        const { file, said } = record('service.cairn', ...service);
        await viewed(file);
        assert.equal(await page.textContent(test('timeline-of')), 'Simulation');
        assert.deepEqual(await place(), [0, said.frames]);
        assert.match(await page.textContent(test('simulation-status')), /^Recording service\.cairn: turn 0 of \d+, 0 agents\.$/);
        const all = await history(), { steps, reached } = checkSteps(all);
        assert.deepEqual([steps, reached], [said.moves, said.goals_reached]);
        assert.equal(Math.round(Math.max(...all.frames) * 1000), Math.round(said.frame_us_max));
        assert.ok(all.edits.length > 300);
        for (const turn of [1, 400, 399, 130, said.frames, 0, 77]) {
            await seek(turn);
            assert.deepEqual(await shown(), stateAfter(all, turn), `after ${turn} turns`);
        }
        await page.keyboard.press('End');
        await drawn();
        assert.deepEqual([await value('goals-reached'), await value('frame-time-worst')], [reached, Math.max(...all.frames)]);
        assert.equal(Object.keys((await shown()).agents).length, 60);
        assert.match(await page.textContent(test('simulation-options')), /agents 60, .*service/);
        await page.selectOption(test('timeline-simulation-speed'), 'most');
        await page.keyboard.press('p'); // from the beginning
        await page.waitForFunction((turns) => playground.simulation.phase === 'paused' && playground.timeline.at === turns, said.frames);
        await page.keyboard.press('Home');
        await page.keyboard.press('ArrowRight');
        await drawn();
        assert.deepEqual(await place(), [1, said.frames]);
    });

    it('shows agents, goals and closed squares on the map', async () => {
        const { file } = record('drawn.cairn', ...service);
        await viewed(file);
        await seek(500);
        const { agents, brown } = await shown(), taken = new Set(Object.values(agents).flat());
        const colour = (cell) => kit.colourAt(page, cell % 127, Math.floor(cell / 127)), isNear = (cell, other) => Math.abs((cell % 127) - (other % 127)) < 2 && Math.abs(Math.floor(cell / 127) - Math.floor(other / 127)) < 2;
        const alone = brown.find((cell) => ![...taken].some((other) => isNear(cell, other)));
        assert.deepEqual(await colour(alone), [0xc7, 0x93, 0x5a]);
        const [number, [cell]] = Object.entries(agents).findLast(([, [at]]) => Object.values(agents).filter(([other]) => isNear(at, other)).length === 1);
        const wanted = await page.evaluate((one) => ['#1f7fd1', '#d9601a', '#0f9d76', '#c85aa5', '#a87b08', '#1f9fc0', '#8a63d2', '#c0394f'][one % 8], Number(number));
        assert.equal(`#${(await colour(cell)).map((part) => part.toString(16).padStart(2, '0')).join('')}`, wanted);
        await seek(0);
        assert.notDeepEqual(await colour(alone), [0xc7, 0x93, 0x5a], 'it was open');
        assert.notEqual(`#${(await colour(cell)).map((part) => part.toString(16).padStart(2, '0')).join('')}`, wanted, 'nobody has come');
    });

    it('is shown when it is opened, has agents that are navigators, and gives way to what is painted', async () => {
        const { file, said } = record('walk.cairn', caves, '-a', 'dstar-lite', '--agents', '12', '--edits', '4', '--edit-life', '15', '--edit-ahead', '4', '--goals', '2');
        page = await kit.openPage();
        const chooser = page.waitForEvent('filechooser');
        await page.click(test('open'));
        await (await chooser).setFiles(file);
        await page.waitForFunction(() => playground.simulation.phase === 'paused');
        await drawn();
        const all = await history(), { steps, reached } = checkSteps(all);
        assert.deepEqual([all.frames.length, steps, reached], [said.frames, said.moves, said.goals_reached]);
        const free = all.open.indexOf(1);
        await kit.clickCell(page, free % all.width, Math.floor(free / all.width));
        await page.waitForFunction(() => playground.simulation.phase === 'none');
        await kit.idle(page);
        assert.equal(await kit.status(page), 'found', 'the search is shown');
        await page.click(test('simulation-recording'));
        await page.waitForFunction(() => playground.simulation.phase === 'paused');
        await seek(all.frames.length);
        assert.deepEqual(await shown(), stateAfter(all, all.frames.length), 'of the world as it was');
        assert.ok(await page.isHidden(test('simulation-recording')));
        await page.click(test('simulation-step'));
        await page.waitForFunction(() => playground.simulation.isLive && playground.simulation.recording.turns === 1);
        await kit.openMap(page, 'village.txt');
        assert.ok(await page.isHidden(test('simulation-recording')), 'it belongs to its world');
    });
});
