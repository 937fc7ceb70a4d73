/* scenario.test.mjs: whole scenarios: opened, made, run and cancelled; figures and plots; ways from them to single problems; the same numbers as the program's. */
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import * as kit from './support.mjs';
const { program, test } = kit;

let page;
before(kit.startBrowser);
after(kit.stopBrowser);
beforeEach(async () => { page = await kit.openPage(); });
afterEach(() => kit.closePage(page));

const mapFile = (name) => join(kit.project, 'maps', name);

async function upload(button, file) {
    const chooser = page.waitForEvent('filechooser');
    await page.click(test(button));
    await (await chooser).setFiles(file);
}

async function run() {
    await page.click(test('scenario-run'));
    await page.waitForSelector(test('plot-scatter'), { timeout: 1800000 });
    await kit.idle(page);
}

const problems = async () => Number(await page.getAttribute(test('scenario-about'), 'data-count'));
const figure = async (name, i) => Number(await page.getAttribute(test(`scenario-${name}-${i}`), 'data-value'));
const query = () => page.evaluate(() => {
    const { store, world: { width } } = globalThis.playground, { from, to } = store.get('problem.query');
    return [from % width, Math.floor(from / width), to % width, Math.floor(to / width)];
});

async function csv() {
    const saving = page.waitForEvent('download');
    await page.click(test('scenario-csv'));
    const file = await saving, lines = readFileSync(await file.path(), 'utf8').trim().split('\n'), names = lines[0].split(',');
    return { name: file.suggestedFilename(), rows: lines.slice(1).map((line) => Object.fromEntries(line.split(',').map((value, i) => [names[i], value]))) };
}

function linesOf(name) {
    return readFileSync(mapFile(name), 'utf8').trim().split('\n').slice(1).map((line) => line.split('\t'));
}

describe('scenarios', () => {
    it('come with the maps of the page, by picker and by drop', async () => {
        assert.equal(await problems(), linesOf('village.txt.scen').length);
        await kit.openMap(page, 'farm.tmx');
        assert.equal(await problems(), 0);
        assert.ok(await page.isDisabled(test('scenario-run')));
        await kit.openMap(page, 'cave.txt');
        await upload('scenario-open', mapFile('cave.txt.scen'));
        await page.waitForFunction(() => document.querySelector('[data-test=scenario-about]').dataset.count > 0);
        assert.equal(await problems(), linesOf('cave.txt.scen').length);
        await kit.openMap(page, 'maze.map');
        const text = readFileSync(mapFile('maze.map.scen'), 'utf8');
        await page.evaluate((data) => {
            const transfer = new DataTransfer();
            transfer.items.add(new File([data], 'dropped.scen'));
            dispatchEvent(new DragEvent('drop', { dataTransfer: transfer, bubbles: true, cancelable: true }));
        }, text);
        await page.waitForFunction(() => document.querySelector('[data-test=scenario-about]').textContent.startsWith('dropped.scen'));
        assert.equal(await problems(), linesOf('maze.map.scen').length);
    });

    it('are opened together with their map', async () => {
        await upload('open', [mapFile('maze.map'), mapFile('maze.map.scen')]);
        await page.waitForFunction(() => document.querySelector('[data-test=scenario-about]').textContent.startsWith('maze.map.scen'));
        assert.equal(await page.evaluate(() => globalThis.playground.world.name), 'maze.map');
        await kit.idle(page);
    });

    it('for another map, damaged or empty ones are told', async () => {
        await upload('scenario-open', mapFile('caves.map.scen'));
        await page.waitForSelector(test('notice'));
        assert.match(await page.textContent(test('notice')), /caves\.map\.scen: this scenario is for caves\.map of 128 × 96 cells, but the world here has 60 × 30/);
        assert.equal(await problems(), linesOf('village.txt.scen').length);
        await upload('open', { name: 'bad.scen', mimeType: 'text/plain', buffer: Buffer.from('version 1\n0\tvillage.txt\t60\t30\t1\n') });
        await page.waitForFunction(() => document.querySelector('[data-test=notice]').textContent.startsWith('bad.scen'));
        assert.match(await page.textContent(test('notice')), /line 2/);
        await upload('open', { name: 'empty.scen', mimeType: 'text/plain', buffer: Buffer.from('version 1\n') });
        await page.waitForFunction(() => document.querySelector('[data-test=notice]').textContent.startsWith('empty.scen'));
    });

    it('are run for every algorithm that is shown; figures agree with those of single problems', async () => {
        await kit.openMap(page, 'caves.map');
        await page.click(test('compare-add'));
        await page.selectOption(test('algorithm-1'), 'hpa');
        await kit.idle(page);
        await run();
        const { name, rows } = await csv(), lines = linesOf('caves.map.scen');
        assert.equal(name, 'caves.map-results.csv');
        assert.equal(rows.length, 2 * lines.length);
        const of = (algorithm) => rows.filter((row) => row.algorithm === algorithm), expanded = of('hpa').map((row) => Number(row.expanded));
        assert.equal(await figure('nodes:-mean', 1), expanded.reduce((sum, value) => sum + value, 0) / expanded.length);
        assert.equal(await figure('nodes:-worst', 1), Math.max(...expanded));
        assert.equal(await figure('unsolved', 0), 0);
        assert.equal(await figure('above:-worst', 0), 0);
        const above = of('hpa').map((row) => row.cost_units / row.optimal_units - 1);
        assert.ok(Math.abs((await figure('above:-worst', 1)) - Math.max(...above)) < 1e-12);
        const { straight } = await page.evaluate(() => globalThis.playground.panes[0].result.scale);
        of('astar').forEach((row, i) => {
            assert.deepEqual([row.from_x, row.from_y, row.to_x, row.to_y], lines[i].slice(4, 8), `problem ${i + 1}`);
            assert.ok(Math.abs(row.cost_units / straight - Number(lines[i][8])) < 0.02, `problem ${i + 1}: length`);
            assert.equal(row.cost_units, row.optimal_units);
        });
        await page.fill(test('problem'), '40');
        await kit.idle(page);
        assert.deepEqual((await query()).map(String), lines[39].slice(4, 8));
        assert.equal(await kit.value(page, 'cost'), Number(of('astar')[39].cost_units));
        assert.equal(await kit.value(page, 'expanded'), Number(of('astar')[39].expanded));
    });

    it('lead to the worst problem, and to any by a click on its point', async () => {
        await kit.openMap(page, 'caves.map');
        await page.click(test('compare-add'));
        await page.selectOption(test('algorithm-1'), 'hpa');
        await kit.idle(page);
        await run();
        const { rows } = await csv(), ofHpa = rows.filter((row) => row.algorithm === 'hpa');
        const above = ofHpa.map((row) => row.cost_units / row.optimal_units), worst = ofHpa[above.indexOf(Math.max(...above))];
        await page.click(test('worst-above-1'));
        await kit.idle(page);
        assert.deepEqual((await query()).map(String), [worst.from_x, worst.from_y, worst.to_x, worst.to_y]);
        assert.equal(await page.inputValue(test('problem')), worst.problem);
        assert.equal(Number(await page.getAttribute(test('compare-expanded-1'), 'data-value')), Number(worst.expanded));
        for (const plot of ['plot-scatter', 'plot-distribution', 'plot-above']) {
            await page.locator(test(plot)).scrollIntoViewIfNeeded();
            const point = await page.evaluate((name) => {
                const svg = document.querySelector(`[data-test=${name}]`), box = svg.getBoundingClientRect(), scale = box.width / svg.viewBox.baseVal.width;
                const { left, top, problem, index } = svg.points[svg.points.length - 1];
                return { x: box.left + left * scale, y: box.top + top * scale, problem, index };
            }, plot);
            await page.mouse.click(point.x, point.y);
            await kit.idle(page);
            const row = ofHpa[point.problem];
            assert.deepEqual((await query()).map(String), [row.from_x, row.from_y, row.to_x, row.to_y], plot);
        }
        await page.selectOption(test('distribution'), 'time');
        assert.match(await page.textContent(test('plot-distribution')), /time/);
        await page.click(test('plots-enlarge'));
        assert.ok((await page.locator(`${test('plots-sheet')} svg`).first().boundingBox()).width > 600);
        await page.keyboard.press('Escape');
        await page.waitForSelector(test('plots-sheet'), { state: 'detached' });
    });

    it('are made at random, saved, and the same again', async () => {
        await kit.openMap(page, 'farm.tmx');
        await page.click(`${test('random-problems')} summary`);
        await page.fill(test('random-count'), '20');
        await page.fill(test('random-seed'), '5');
        await page.click(test('random-make'));
        await page.waitForFunction(() => document.querySelector('[data-test=scenario-about]').dataset.count === '20');
        const save = async () => {
            const saving = page.waitForEvent('download');
            await page.click(test('scenario-save'));
            return readFileSync(await (await saving).path(), 'utf8');
        };
        const first = await save();
        assert.equal(first.trim().split('\n').length, 21);
        await page.fill(test('random-seed'), '6');
        await page.click(test('random-make'));
        await page.waitForFunction(() => !globalThis.playground.scenario.progress);
        assert.notEqual(await save(), first);
        await page.fill(test('random-seed'), '5');
        await page.click(test('random-make'));
        await page.waitForFunction(() => !globalThis.playground.scenario.progress);
        assert.equal(await save(), first);
        await run();
        assert.equal(await figure('unsolved', 0), 0);
    });

    it('can be cancelled, and the page answers meanwhile', async () => {
        await kit.openMap(page, 'pseudo-rts.map');
        await page.click(`${test('random-problems')} summary`);
        await page.fill(test('random-count'), '1500');
        await page.click(test('random-make'));
        await page.waitForFunction(() => document.querySelector('[data-test=scenario-about]').dataset.count === '1500');
        await kit.chooseAlgorithm(page, 'dijkstra');
        await page.click(test('scenario-run'));
        await page.waitForFunction(() => globalThis.playground.scenario.progress?.done > 3);
        const before = await query();
        await page.fill(test('problem'), '700');
        await kit.idle(page);
        assert.notDeepEqual(await query(), before);
        assert.equal(await kit.status(page), 'found');
        assert.ok(await page.isVisible(test('scenario-progress')));
        await page.click(test('scenario-cancel'));
        await page.waitForSelector(test('scenario-progress'), { state: 'hidden' });
        assert.equal(await page.locator(test('plot-scatter')).count(), 0);
        assert.match(await page.textContent(test('scenario-about')), /Ended before all was done/);
        assert.equal(await page.isDisabled(test('scenario-run')), false);
    });

    it('that take long to make can be cancelled', async () => {
        await kit.generate(page, 'random', { width: 512, height: 512 });
        await page.click(`${test('random-problems')} summary`);
        await page.fill(test('random-count'), '2000');
        await page.click(test('random-make'));
        await page.waitForFunction(() => { // seen and clicked at once: it may be made before a click from here arrives
            if (!(globalThis.playground.scenario.progress?.done > 3)) return false;
            document.querySelector('[data-test=scenario-cancel]').click();
            return true;
        });
        await page.waitForSelector(test('scenario-progress'), { state: 'hidden' });
        assert.equal(await problems(), 0);
        await kit.chooseAlgorithm(page, 'jps');
        assert.equal(await kit.status(page), 'found');
    });

    it('forget their figures when the world or the agent changes', async () => {
        await run();
        await kit.dragCells(page, [30, 12], [30, 20]);
        assert.equal(await page.isVisible(test('plot-scatter')), false);
        assert.equal(await problems(), linesOf('village.txt.scen').length);
        await run();
        await page.selectOption(test('neighbours'), '4');
        await kit.idle(page);
        assert.equal(await page.isVisible(test('plot-scatter')), false);
    });

    it('are forgotten with their world, whatever the next one is called', async () => {
        await page.fill(test('generator-width'), '64');
        await page.fill(test('generator-height'), '64');
        await page.click(test('generate'));
        await kit.idle(page);
        await page.click(`${test('random-make')} >> xpath=ancestor::details[1]/summary`);
        await page.click(test('random-make'));
        await page.waitForFunction(() => globalThis.playground.scenario.problems.length > 0);
        await page.selectOption(test('neighbours'), 'hex');
        await kit.idle(page);
        assert.ok((await problems()) > 0, 'the same cells');
        await page.fill(test('generator-percent'), '10');
        await page.click(test('generate'));
        await kit.idle(page);
        assert.equal(await problems(), 0);
    });
});

describe('the page and the program', { skip: !existsSync(program) && `no program at ${program}` }, () => {
    it('agree on a whole scenario: cost and expansions of every problem, for every algorithm', { timeout: 1800000 }, async () => {
        await kit.openMap(page, 'cave.txt');
        const names = kit.sampled(await page.evaluate(() => globalThis.playground.registry.algorithms.filter(({ worlds, neighbours }) => worlds.includes('grid') && neighbours.includes('8'))));
        for (let i = 0; i < 3; i++) await page.click(test('compare-add'));
        for (let first = 0; first < names.length; first += 4) {
            const group = names.slice(first, first + 4);
            for (const [i, name] of group.entries()) await page.selectOption(test(i ? `algorithm-${i}` : 'algorithm'), name);
            await kit.idle(page);
            await run();
            for (const row of (await csv()).rows.filter(({ algorithm }) => group.includes(algorithm))) {
                const there = JSON.parse(spawnSync(program, ['path', mapFile('cave.txt'), '--from', `${row.from_x},${row.from_y}`, '--to', `${row.to_x},${row.to_y}`, '-a', row.algorithm, '--json'], { encoding: 'utf8' }).stdout);
                assert.deepEqual([row.status, Number(row.cost_units), Number(row.expanded)], [there.status.replaceAll(' ', '-'), there.partial ? 0 : there.cost_units, there.expanded], `${row.algorithm}, problem ${row.problem}`);
            }
        }
    });
});
