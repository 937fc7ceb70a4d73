/* view.test.mjs: the page as `cairn view` serves it, with its content security policy, and files with a question in them: the page shows what `cairn path FILE` answers. Needs the
 * program (CAIRN_PROGRAM, or build/dev/cairn).
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import * as kit from './support.mjs';
const { program, test } = kit;

const caves = join(kit.project, 'maps/caves.map'), village = join(kit.project, 'maps/village.txt');

let folder;
before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-view-'));
    await kit.startBrowser();
});
after(async () => {
    await kit.stopBrowser();
    rmSync(folder, { recursive: true });
});

/* ---- the program ---- */

/* Ends with 1 if there is no path. */
function answer(...words) {
    return JSON.parse(spawnSync(program, ['path', ...words, '--json'], { encoding: 'utf8' }).stdout);
}

function repro(name, ...words) {
    const file = join(folder, name);
    answer(...words, '--repro', file);
    return file;
}

/* Serves the page with a world for as long as `use` takes. */
async function viewed(file, use) {
    const child = spawn(program, ['view', file, '--port', '0', '--no-browser', '--json', '--page', kit.pageFile], { stdio: ['ignore', 'pipe', 'inherit'] });
    const ended = new Promise((resolve) => child.on('exit', resolve));
    try {
        let said = '';
        for await (const part of child.stdout) {
            said += part;
            if (said.includes('}')) break;
        }
        await use(JSON.parse(said).url);
    } finally {
        child.kill('SIGINT');
    }
    assert.equal(await ended, 0);
}

/* The package that the page was built from. */
async function loadPackage() {
    const { load } = await import(pathToFileURL(join(kit.project, 'build/wasm/js/cairn.js')));
    return load(readFileSync(join(kit.project, 'build/wasm/js/cairn.wasm')));
}

/* ---- the page ---- */

const shown = (page) => page.evaluate(() => {
    const { world, store, panes } = globalThis.playground, { profile, query, panes: choices } = store.get('problem'), { result } = panes[0];
    const cell = (node) => `${node % world.width},${Math.floor(node / world.width)}`;
    return { name: world.name, profile, from: cell(query.from), to: cell(query.to), choices, status: result?.status, cost: result?.cost, expanded: result?.metrics.expanded };
});

const rows = (page) => page.evaluate(() => {
    const { world } = globalThis.playground;
    return Array.from({ length: world.height }, (unused, y) => Array.from({ length: world.width }, (none, x) => world.open[y * world.width + x]).join(''));
});

function agrees(found, { status, cost_units, expanded }) {
    assert.deepEqual([found.status === 'found', found.cost, found.expanded], [status === 'found', cost_units, expanded]);
}

async function upload(page, file) {
    const chooser = page.waitForEvent('filechooser');
    await page.click(test('open'));
    await (await chooser).setFiles(file);
    await kit.idle(page);
}

async function downloaded(page, menu, button) {
    await page.click(`${test(menu)} summary`);
    const download = page.waitForEvent('download');
    await page.click(test(button));
    return readFileSync(await (await download).path());
}

/* Files with questions that the program does not write. */
async function writeQuestion(name, question) {
    const cairn = await loadPackage(), file = join(folder, name);
    writeFileSync(file, cairn.worldFromFile(readFileSync(caves)).toArchive(question));
    return file;
}

describe('the page as the program serves it', { skip: !existsSync(program) && `no program at ${program}` }, () => {
    it('shows the world, the agent, the query and the algorithm of the file', { timeout: 1800000 }, async () => {
        const file = repro('bug.cairn', caves, '--from', '14,22', '--to', '34,33', '-a', 'wastar:weight=2', '--corners', 'one', '--terrain', 'swamp=9,water=5');
        await viewed(file, async (address) => {
            const { headers } = await fetch(address), page = await kit.openPage({ address });
            assert.match(headers.get('content-security-policy'), /^default-src 'none'; script-src 'sha256-.*; frame-ancestors 'none'$/);
            assert.equal(headers.get('content-security-policy').includes('unsafe-inline'), false);
            const found = await shown(page);
            assert.deepEqual([found.name, found.from, found.to], ['bug.cairn', '14,22', '34,33']);
            assert.deepEqual(found.choices, [{ algorithm: 'wastar', parameters: { weight: 2 } }]);
            assert.deepEqual([found.profile.neighbours, found.profile.corners, found.profile.terrainCost], ['8', 'one', { 1: 9, 2: 5 }]);
            assert.deepEqual(await rows(page), readFileSync(caves, 'utf8').trimEnd().split('\n').slice(4).map((row) => row.replace(/[^@OTW]/g, '1').replace(/[@OTW]/g, '0')));
            assert.deepEqual(await Promise.all(['algorithm', 'parameter-weight', 'corners', 'cost-1'].map((name) => page.inputValue(test(name)))), ['wastar', '2', 'one', '9']);
            agrees(found, answer(file));

            const png = await downloaded(page, 'export', 'export-view'), whole = await downloaded(page, 'export', 'export-whole'), svg = await downloaded(page, 'export', 'export-svg');
            for (const picture of [png, whole]) assert.deepEqual([...picture.subarray(0, 4)], [0x89, 0x50, 0x4e, 0x47]);
            execFileSync(program, ['path', file, '--svg', join(folder, 'bug.svg')], { stdio: 'pipe' });
            assert.equal(svg.toString(), readFileSync(join(folder, 'bug.svg'), 'utf8'));

            const others = page.requests.filter((url) => url !== address);
            assert.ok(others.every((url) => url.startsWith('blob:')), others.join('\n'));
            assert.equal(page.requests.filter((url) => url === address).length, 1);
            await kit.closePage(page);
        });
    });

    it('says why a file is not shown', { timeout: 1800000 }, async () => {
        await viewed(await writeQuestion('refused.cairn', { profile: { neighbours: 'hex' } }), async (address) => {
            const page = await kit.openPage({ address });
            assert.match(await page.textContent(test('notice')), /^refused\.cairn: the hexagonal neighbourhood needs/);
            await kit.closePage(page);
        });
    });

    it('shows a map without a question', { timeout: 1800000 }, async () => {
        await viewed(village, async (address) => {
            const page = await kit.openPage({ address }), found = await shown(page);
            assert.equal(found.name, 'village.txt');
            agrees(found, answer(village, '--from', found.from, '--to', found.to));
            await kit.chooseAlgorithm(page, 'hpa');
            agrees(await shown(page), answer(village, '--from', found.from, '--to', found.to, '-a', 'hpa'));
            await kit.closePage(page);
        });
    });
});

describe('files with a question', { skip: !existsSync(program) && `no program at ${program}` }, () => {
    let page;
    beforeEach(async () => { page = await kit.openPage(); });
    afterEach(() => kit.closePage(page));
    const notice = async () => ((await page.isVisible(test('notice'))) ? page.textContent(test('notice')) : '');

    it('give the answers of the program', { timeout: 1800000 }, async () => {
        await page.click(test('compare-add'));
        const questions = [
            ['found', '-a', 'hpa:size=12'], ['found', '-a', 'jps', '--corners', 'one'], ['found', '-a', 'theta', '--radius', '0.6'], ['unreachable', '--radius', '1.2'],
            ['found', '--neighbours', '4', '--footprint', '2'], ['found', '--neighbours', 'hex'],
        ];
        for (const [i, [status, ...words]] of questions.entries()) {
            const file = repro(`question-${i}.cairn`, caves, '--from', '14,22', '--to', '34,33', ...words);
            await upload(page, file);
            const found = await shown(page);
            agrees(found, answer(file));
            assert.deepEqual([found.status, found.choices.length], [status, 1]);
            assert.equal(await notice(), '');
        }
    });

    it('are saved by the page, for the program', { timeout: 1800000 }, async () => {
        await kit.openMap(page, 'caves.map');
        await page.selectOption(test('neighbours'), '4');
        await page.fill(test('radius'), '0.8');
        await kit.chooseAlgorithm(page, 'hpa');
        await page.fill(test('parameter-size'), '12');
        await kit.idle(page);
        const before = await shown(page), file = join(folder, 'saved.cairn');
        writeFileSync(file, await downloaded(page, 'save', 'save-cairn'));
        agrees(before, answer(file));
        assert.notEqual(before.expanded, answer(file, '-a', 'astar').expanded);
        await page.selectOption(test('neighbours'), '8');
        await kit.openMap(page, 'village.txt');
        await kit.chooseAlgorithm(page, 'astar');
        await upload(page, file);
        const { name, profile, ...after } = await shown(page);
        assert.deepEqual({ ...after, name: before.name, profile: before.profile }, before);
        assert.deepEqual([name, profile.neighbours, profile.radius], ['saved.cairn', '4', 0.8]);
    });

    it('of the program are read by the package: a question, an index', async () => {
        const cairn = await loadPackage(), index = join(folder, 'index.cairn');
        execFileSync(program, ['build', caves, '-a', 'hpa:size=12', '-o', index], { stdio: 'pipe' });
        assert.match(cairn.archiveContents(readFileSync(index)).index, /^hpa:size=12,/);
        const { profile, query, algorithm } = cairn.archiveContents(readFileSync(repro('read.cairn', caves, '--from', '14,22', '--to', '999,33', '--footprint', '3', '-a', 'jps')));
        assert.deepEqual([profile.footprint, query, algorithm], [3, { from: 22 * 128 + 14, partial: true }, 'jps']);
    });

    it('say what the page cannot show', async () => {
        await upload(page, repro('outside.cairn', caves, '--from', '14,22', '--to', '999,30'));
        assert.equal(await notice(), 'outside.cairn: its goal is no cell of the world.');
        assert.equal((await shown(page)).from, '14,22');
        assert.equal(await kit.status(page), 'found');
        await kit.openMap(page, 'village.txt');
        assert.equal(await notice(), '');
        await upload(page, await writeQuestion('unknown.cairn', { query: { from: 2830, to: 2831 }, algorithm: 'teleport' }));
        assert.equal(await notice(), 'unknown.cairn: it asks for teleport, but there is no algorithm "teleport".');
        assert.deepEqual([(await shown(page)).from, (await shown(page)).choices[0].algorithm], ['14,22', 'astar']);
    });

    it('are refused if the agent does not fit the world, and what was there stays', async () => {
        await kit.openMap(page, 'spiral.txt');
        const before = await shown(page);
        await upload(page, await writeQuestion('odd.cairn', { profile: { neighbours: 'hex' }, query: { from: 2830, to: 2831 } }));
        assert.match(await notice(), /^odd\.cairn: the hexagonal neighbourhood needs a grid of hexagons/);
        assert.deepEqual(await shown(page), before);
    });
});
