/* world.test.mjs: worlds come from maps, generators and files; hands paint them, undo, zoom and push; they are saved. */
import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import * as kit from './support.mjs';
const { test } = kit;

let page;
before(kit.startBrowser);
after(kit.stopBrowser);

async function upload(name, content) {
    const chooser = page.waitForEvent('filechooser');
    await page.click(test('open'));
    await (await chooser).setFiles({ name, mimeType: 'application/octet-stream', buffer: Buffer.from(content) });
    await kit.idle(page);
}

async function saved(format) {
    await page.click(`${test('save')} summary`);
    const download = page.waitForEvent('download');
    await page.click(test(`save-${format}`));
    return readFileSync(await (await download).path());
}

const size = () => page.evaluate(() => [globalThis.playground.world.width, globalThis.playground.world.height]);
const room = '......\n.####.\n.#..#.\n.####.\n......\n';

describe('worlds', () => {
    beforeEach(async () => { page = await kit.openPage(); });
    afterEach(() => kit.closePage(page));

    it('opens the maps that come with the page', async () => {
        await kit.openMap(page, 'rooms.map');
        assert.match(await page.textContent(test('world-name')), /rooms\.map · 127 × 95/);
        assert.equal(await kit.status(page), 'found');
    });

    it('generates a map with numbers of the registry, the same for the same seed', async () => {
        await kit.generate(page, 'caves', { width: 48, height: 32, seed: 7 });
        assert.deepEqual(await size(), [48, 32]);
        const first = await page.evaluate(() => globalThis.playground.world.open.join(''));
        await page.fill(test('generator-seed'), '8');
        await page.click(test('generate'));
        await kit.idle(page);
        const second = await page.evaluate(() => globalThis.playground.world.open.join(''));
        await page.fill(test('generator-seed'), '7');
        await page.click(test('generate'));
        await kit.idle(page);
        assert.notEqual(first, second);
        assert.equal(await page.evaluate(() => globalThis.playground.world.open.join('')), first);
        assert.equal(await kit.status(page), 'found');
    });

    it('shows a control for every number of every generator', async () => {
        const generators = await page.evaluate(() => globalThis.playground.registry.generators);
        for (const generator of generators) {
            await page.selectOption(test('generator'), generator.name);
            for (const parameter of generator.parameters) {
                const input = page.locator(test(`generator-${parameter.name}`));
                assert.equal(Number(await input.inputValue()), parameter.default, `${generator.name} ${parameter.name}`);
                assert.equal(Number(await input.getAttribute('max')), parameter.maximum);
            }
        }
    });

    it('enlarges the map that is there', async () => {
        await kit.openMap(page, 'spiral.txt');
        const [width, height] = await size(), scaled = await page.evaluate(() => globalThis.playground.registry.generators.find(({ fromSource }) => fromSource));
        await page.selectOption(test('generator'), scaled.name);
        assert.equal(await page.locator(test('generator-width')).count(), 0);
        await page.fill(test('generator-factor'), '2');
        await page.click(test('generate'));
        await kit.idle(page);
        assert.deepEqual(await size(), [2 * width, 2 * height]);
    });

    it('says what is wrong with numbers that make no map', async () => {
        await kit.generate(page, 'rooms', { width: 2, height: 2 });
        const told = await page.isVisible('#notice');
        assert.ok(told ? (await page.textContent(test('notice'))).startsWith('rooms 1: ') : (await size())[0] === 2);
    });

    it('opens a file by the picker', async () => {
        await upload('room.txt', room);
        assert.deepEqual(await size(), [6, 5]);
        assert.deepEqual(await kit.cell(page, 1, 1), { open: 0, terrain: 0 });
    });

    it('opens rows of text that carry start and goal, and says what is wrong with them', async () => {
        const query = () => page.evaluate(() => { const { from, to } = playground.store.get('problem.query'); return [from, to]; });
        await upload('ends.txt', '.....\n.B.#.\n...A.\n');
        assert.deepEqual(await query(), [13, 6]);
        assert.deepEqual(await size(), [5, 3]);
        assert.deepEqual(await kit.cell(page, 3, 2), { open: 1, terrain: 0 });
        await upload('ends.map', 'type octile\nheight 2\nwidth 3\nmap\nA..\n..B\n');
        assert.deepEqual(await query(), [0, 5]);
        await upload('two.txt', 'A.A\n..B\n');
        assert.match(await page.textContent(test('notice')), /two\.txt: a map has one start \(A\) and one goal \(B\), this one has 2 and 1/);
        assert.deepEqual(await size(), [3, 2]);
    });

    it('has a map with doors that comes with the page, with its start and goal', async () => {
        await kit.openMap(page, 'doors.cairn');
        assert.ok(await page.evaluate(() => playground.world.links.length) > 20);
        assert.equal(await kit.status(page), 'found');
        assert.ok(await page.evaluate(() => playground.panes[0].result.links.length) >= 3, 'the path goes through doors');
        assert.deepEqual(await page.evaluate(() => playground.store.get('problem.query')), { from: 102, to: 1096 });
    });

    it('opens a file that is dropped', async () => {
        await page.evaluate((text) => {
            const data = new DataTransfer();
            data.items.add(new File([text], 'dropped.txt'));
            for (const type of ['dragenter', 'dragover', 'drop']) document.body.dispatchEvent(new DragEvent(type, { dataTransfer: data, bubbles: true, cancelable: true }));
        }, room);
        await page.waitForFunction(() => globalThis.playground.world.name === 'dropped.txt');
        assert.deepEqual(await size(), [6, 5]);
        assert.equal(await page.isVisible('#drop'), false);
        await kit.idle(page);
    });

    /* Its header, which is all that is looked at before it is refused. */
    const hugePicture = Buffer.from('\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\x75\x30\0\0\x75\x30\x08\0\0\0\0', 'latin1');

    it('says in which line a bad file is wrong, and keeps the world', async () => {
        await upload('bad.txt', '....\n..?.\n....\n');
        assert.match(await page.textContent(test('notice')), /bad\.txt: .*line 2/);
        assert.deepEqual(await size(), [60, 30]);
        assert.equal(await kit.status(page), 'found');
        await page.click(test('notice-close'));
        assert.equal(await page.isVisible('#notice'), false);
        for (const [name, bytes] of [['empty.map', ''], ['noise.bin', Buffer.from([0, 1, 2, 3, 255, 254])], ['cut.map', 'type octile\nheight 5\nwidth 5\nmap\n..'],
            ['bad.png', Buffer.from('\x89PNG\r\n\x1a\nrubbish', 'latin1')], ['huge.png', hugePicture], ['bad.tmj', '{"a": '], ['bad.tmx', '<map><open>']]) {
            await upload(name, bytes);
            await page.waitForSelector(test('notice'));
            assert.ok((await page.textContent(test('notice'))).startsWith(name + ': '), name);
            if (name === 'huge.png') assert.match(await page.textContent(test('notice')), /it has 30000 × 30000 cells; the page shows worlds of up to 4096 × 4096/);
            await page.click(test('notice-close'));
        }
        /* The browser's own report of malformed XML, which nobody sees, has style attributes, and the policy blocks them. */
        assert.ok((await kit.violations(page)).every((violation) => violation.startsWith('style-src-attr:')));
        page.faults.splice(0, page.faults.length, ...page.faults.filter((fault) => !fault.startsWith('console: Applying inline style violates')));
        await kit.clickCell(page, 30, 2);
        assert.equal((await kit.cell(page, 30, 2)).open, 0, 'painting goes on');
    });

    it('opens Tiled maps', async () => {
        for (const [name, wanted] of [['farm.tmx', null], ['hills.tmj', null]]) {
            await upload(name, readFileSync(join(kit.project, 'maps', name)));
            assert.equal(await page.isVisible('#notice'), false, wanted);
            assert.equal(await page.evaluate(() => globalThis.playground.world.name), name);
        }
    });

    it('takes tilesets that are files of their own from beside the map', async () => {
        const farm = readFileSync(join(kit.project, 'maps/farm.tmx'), 'utf8');
        const [, inner] = /<tileset [^>]*>([^]*?)<\/tileset>/.exec(farm), head = '<tileset name="farm" tilewidth="16" tileheight="16" tilecount="8" columns="0">';
        const map = farm.replace(/<tileset [^]*?<\/tileset>/, '<tileset firstgid="1" source="sets/farm.tsx"/>'), tileset = `${head}${inner}</tileset>`;
        const cells = () => page.evaluate(() => globalThis.playground.world.terrain.join('') + globalThis.playground.world.open.join(''));
        await upload('farm.tmx', farm);
        const whole = await cells();
        await upload('alone.tmx', map);
        assert.match(await page.textContent(test('notice')), /open it together with the map/);
        const chooser = page.waitForEvent('filechooser');
        await page.click(test('open'));
        await (await chooser).setFiles([{ name: 'farm.tsx', mimeType: 'text/xml', buffer: Buffer.from(tileset) }, { name: 'parts.tmx', mimeType: 'text/xml', buffer: Buffer.from(map) }]);
        await page.waitForFunction(() => globalThis.playground.world.name === 'parts.tmx');
        assert.equal(await cells(), whole);
        await kit.idle(page);
    });

    it('saves what can be opened again: .map, .cairn, .txt, .png', async () => {
        await kit.openMap(page, 'village.txt');
        await page.click(test('tool-terrain'));
        await kit.dragCells(page, [20, 2], [28, 2]);
        const cells = () => page.evaluate(() => [globalThis.playground.world.open.join(''), globalThis.playground.world.terrain.join('')]);
        const before = await cells();
        for (const format of ['map', 'cairn', 'txt', 'png']) {
            const bytes = await saved(format);
            await kit.openMap(page, 'spiral.txt');
            await upload(`again.${format}`, bytes);
            const [open, terrain] = await cells();
            assert.equal(open, before[0], format);
            const openOnly = (values, mask) => [...values].filter((unused, i) => mask[i] === '1').join('');
            assert.equal(openOnly(terrain, open), openOnly(before[1], open), format);
        }
    });
});

describe('painting', () => {
    beforeEach(async () => {
        page = await kit.openPage();
        await page.fill(test('blank-width'), '40');
        await page.fill(test('blank-height'), '25');
        await page.click(test('blank'));
        await kit.idle(page);
    });
    afterEach(() => kit.closePage(page));

    it('paints a line without gaps, and the path goes round it', async () => {
        const before = await kit.value(page, 'cost');
        await kit.dragCells(page, [20, 1], [20, 23], 3);
        for (let y = 1; y <= 23; y++) assert.equal((await kit.cell(page, 20, y)).open, 0, `row ${y}`);
        assert.ok((await kit.value(page, 'cost')) > before);
        const [red] = await kit.colourAt(page, 20, 5);
        assert.ok(red < 0x40, 'walls are drawn dark');
    });

    it('paints with larger brushes, terrain and erases', async () => {
        await page.selectOption(test('brush'), '5');
        await kit.clickCell(page, 20, 12);
        assert.equal((await kit.cell(page, 22, 12)).open, 0);
        assert.equal((await kit.cell(page, 23, 12)).open, 1);
        await page.selectOption(test('brush'), '1');
        await page.click(test('tool-erase'));
        await kit.clickCell(page, 20, 12);
        assert.deepEqual(await kit.cell(page, 20, 12), { open: 1, terrain: 0 });
        await page.selectOption(test('terrain'), '2');
        await kit.clickCell(page, 5, 20);
        assert.deepEqual(await kit.cell(page, 5, 20), { open: 1, terrain: 2 });
    });

    it('fills rectangles and what hangs together', async () => {
        await page.click(test('shape-rectangle'));
        await kit.dragCells(page, [10, 5], [14, 9]);
        assert.equal(await page.evaluate(() => globalThis.playground.world.open.filter((open) => !open).length), 25);
        await page.click(test('tool-erase'));
        await kit.dragCells(page, [11, 6], [13, 8]);
        await page.click(test('shape-fill'));
        await page.selectOption(test('terrain'), '3');
        await kit.clickCell(page, 12, 7);
        assert.equal(await page.evaluate(() => globalThis.playground.world.terrain.filter((terrain) => terrain === 3).length), 9);
    });

    it('undoes and redoes stroke by stroke', async () => {
        const blocked = () => page.evaluate(() => globalThis.playground.world.open.filter((open) => !open).length);
        await kit.dragCells(page, [5, 5], [9, 5]);
        await kit.dragCells(page, [5, 7], [7, 7]);
        assert.equal(await blocked(), 8);
        await page.click(test('undo'));
        assert.equal(await blocked(), 5);
        await page.keyboard.press('Control+z');
        assert.equal(await blocked(), 0);
        assert.equal(await page.isDisabled(test('undo')), true);
        await page.keyboard.press('Control+Shift+z');
        await page.click(test('redo'));
        assert.equal(await blocked(), 8);
        await kit.idle(page);
        const worker = await page.evaluate(async () => (await globalThis.playground.client.ask('save', { format: 'txt' })).filter((byte) => byte !== 46 && byte !== 10).length);
        assert.equal(worker, 8, 'the worker has the same cells');
    });

    it('drags start and goal with instant replanning', async () => {
        const { from, to } = await page.evaluate(() => globalThis.playground.store.get('problem.query'));
        await kit.dragCells(page, [to % 40, Math.floor(to / 40)], [10, 3]);
        const query = await page.evaluate(() => globalThis.playground.store.get('problem.query'));
        assert.deepEqual(query, { from, to: 3 * 40 + 10 });
        const dx = Math.abs(10 - (from % 40)), dy = Math.abs(3 - Math.floor(from / 40));
        const octile = Math.max(dx, dy) + (Math.SQRT2 - 1) * Math.min(dx, dy);
        assert.ok(Math.abs((await kit.value(page, 'length')) - octile) < 1e-6);
    });

    it('zooms at the pointer, pushes the map, and fits it again', async () => {
        const at = await kit.pointOf(page, 30, 10);
        await page.mouse.move(at.x, at.y);
        await page.mouse.wheel(0, -600);
        await page.waitForFunction(() => globalThis.playground.view.scale > 40);
        const zoomed = await kit.pointOf(page, 30, 10);
        assert.ok(Math.hypot(zoomed.x - at.x, zoomed.y - at.y) < 3, 'the place under the pointer stays');
        for (const hold of ['space', 'middle', 'tool']) {
            const before = await page.evaluate(() => globalThis.playground.view.x);
            if (hold === 'space') await page.keyboard.down('Space');
            if (hold === 'tool') await page.click(test('tool-pan'));
            await page.mouse.move(600, 400);
            await page.mouse.down({ button: hold === 'middle' ? 'middle' : 'left' });
            await page.mouse.move(560, 380, { steps: 3 });
            await page.mouse.up({ button: hold === 'middle' ? 'middle' : 'left' });
            if (hold === 'space') await page.keyboard.up('Space');
            const after = await page.evaluate(() => globalThis.playground.view.x);
            assert.ok(after > before, hold);
        }
        assert.equal(await page.evaluate(() => globalThis.playground.world.open.includes(0)), false, 'nothing was painted');
        await page.click(test('fit'));
        const corner = await kit.pointOf(page, 39, 24);
        assert.ok(corner.x < 940 && corner.y < 760);
    });

    it('takes touch: one finger paints, two push and zoom', async () => {
        await kit.closePage(page);
        page = await kit.openPage({ viewport: { width: 390, height: 844 }, hasTouch: true, isMobile: true });
        const client = await page.context().newCDPSession(page);
        const touch = (type, ...points) => client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map(({ x, y }, id) => ({ x, y, id })) });
        const a = await kit.pointOf(page, 30, 2), b = await kit.pointOf(page, 36, 2);
        await touch('touchStart', a);
        await touch('touchMove', b);
        await touch('touchEnd');
        await kit.idle(page);
        for (let x = 30; x <= 36; x++) assert.equal((await kit.cell(page, x, 2)).open, 0);
        const scale = () => page.evaluate(() => globalThis.playground.view.scale), first = await scale();
        await touch('touchStart', { x: 150, y: 250 });
        await touch('touchStart', { x: 150, y: 250 }, { x: 250, y: 250 });
        await touch('touchMove', { x: 100, y: 250 }, { x: 300, y: 250 });
        await touch('touchEnd');
        assert.ok((await scale()) > first * 1.7);
        await kit.idle(page);
    });

    it('takes nothing back but what the first of two fingers has painted', async () => {
        await kit.closePage(page);
        page = await kit.openPage({ hasTouch: true });
        const client = await page.context().newCDPSession(page), { x, y } = await kit.pointOf(page, 30, 2);
        const touch = (type, ...points) => client.send('Input.dispatchTouchEvent', { type, touchPoints: points.map((point, id) => ({ ...point, id })) });
        await kit.clickCell(page, 30, 2);
        for (const shape of ['brush', 'fill']) {
            await page.click(test(`shape-${shape}`));
            await touch('touchStart', { x, y }); // on a wall already
            await touch('touchStart', { x, y }, { x: x + 100, y });
            await touch('touchEnd');
            await kit.idle(page);
            assert.equal((await kit.cell(page, 30, 2)).open, 0);
        }
        assert.equal(await page.isDisabled(test('redo')), true);
    });
});

describe('the agent', () => {
    beforeEach(async () => { page = await kit.openPage(); });
    afterEach(() => kit.closePage(page));

    it('walks with four neighbours, and with other corner rules', async () => {
        await kit.openMap(page, 'bridge.txt');
        const eight = await kit.value(page, 'cost');
        await page.selectOption(test('corners'), 'always');
        await kit.idle(page);
        assert.ok((await kit.value(page, 'cost')) <= eight);
        await page.selectOption(test('neighbours'), '4');
        await kit.idle(page);
        assert.ok((await kit.value(page, 'cost')) > eight);
    });

    it('walks on hexagons', async () => {
        await page.selectOption(test('neighbours'), 'hex');
        await kit.idle(page);
        assert.equal(await page.evaluate(() => globalThis.playground.world.layout), 'hex');
        assert.equal(await kit.status(page), 'found');
        await kit.dragCells(page, [30, 1], [34, 3]);
        assert.equal((await kit.cell(page, 34, 3)).open, 0);
        assert.ok((await kit.colourAt(page, 34, 3))[0] < 0x40);
        await kit.shot(page, 'hexagons');
        await page.selectOption(test('neighbours'), '8');
        await kit.idle(page);
        assert.equal(await kit.status(page), 'found');
    });

    it('has a size: narrow places are shown and avoided', async () => {
        await kit.openMap(page, 'rooms-small.txt');
        const thin = await kit.value(page, 'cost');
        await page.fill(test('radius'), '1.2');
        await kit.idle(page);
        assert.equal(await page.evaluate(() => globalThis.playground.world.usable !== null), true);
        assert.notEqual(await kit.status(page) + (await page.textContent(test('status'))), '');
        await page.fill(test('radius'), '0');
        await page.fill(test('footprint'), '2');
        await kit.idle(page);
        await page.fill(test('footprint'), '0');
        await kit.idle(page);
        assert.equal(await kit.value(page, 'cost'), thin);
    });

    it('pays for terrain', async () => {
        const before = await kit.value(page, 'expanded');
        await page.click(`${test('costs')} summary`);
        await page.fill(test('cost-2'), '3');
        await page.fill(test('cost-0'), '5');
        await kit.idle(page);
        assert.equal(await kit.status(page), 'found');
        assert.notEqual(await kit.value(page, 'expanded'), before);
    });
});

describe('a world in the page', () => {
    it('is shown, as `cairn view` puts it there', async () => {
        const folder = mkdtempSync(join(tmpdir(), 'cairn-given-')), file = join(folder, 'page.html');
        const world = `<script type="application/octet-stream" id="world" data-name="my &quot;room&quot;.txt">${Buffer.from(room).toString('base64')}</script>`;
        writeFileSync(file, readFileSync(kit.pageFile, 'utf8').replace('</body>', () => world + '</body>'));
        page = await kit.openPage({ file });
        assert.deepEqual(await size(), [6, 5]);
        assert.match(await page.textContent(test('world-name')), /^my "room"\.txt/);
        await kit.closePage(page);
        rmSync(folder, { recursive: true });
    });
});

describe('under the policy of `cairn view`', () => {
    it('works: nothing but what is in the page is needed', async () => {
        const folder = mkdtempSync(join(tmpdir(), 'cairn-policy-')), file = join(folder, 'page.html');
        const policy = "default-src 'none'; script-src 'unsafe-inline' 'wasm-unsafe-eval'; style-src 'unsafe-inline'; img-src data:; worker-src blob:; base-uri 'none'; form-action 'none'";
        writeFileSync(file, readFileSync(kit.pageFile, 'utf8').replace('<head>', `<head><meta http-equiv="Content-Security-Policy" content="${policy}">`));
        page = await kit.openPage({ file });
        assert.equal(await kit.status(page), 'found');
        await upload('room.txt', room);
        assert.deepEqual(await size(), [6, 5]);
        const png = await saved('png');
        await upload('again.png', png);
        assert.deepEqual(await size(), [6, 5]);
        assert.equal(await page.isVisible('#notice'), false);
        await kit.closePage(page);
        rmSync(folder, { recursive: true });
    });
});
