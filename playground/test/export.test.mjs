/* export.test.mjs: what is shown as files: pictures, the library's drawing, and the steps of a search, the last two byte by byte as the program writes them. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, afterEach, before, beforeEach, describe, it } from 'node:test';
import * as kit from './support.mjs';
const { program, test } = kit;

let page;
before(kit.startBrowser);
after(kit.stopBrowser);
beforeEach(async () => { page = await kit.openPage(); });
afterEach(() => kit.closePage(page));

/* Downloads that a click brings, by name. */
async function exported(button, count = 1) {
    const files = new Map(), heard = [];
    const hear = (file) => heard.push(file);
    page.on('download', hear);
    await page.click(`${test('export')} summary`);
    await page.click(test(button));
    for (let tries = 0; heard.length < count && tries < 10000; tries++) await page.waitForTimeout(50);
    page.off('download', hear);
    for (const file of heard) files.set(file.suggestedFilename(), readFileSync(await file.path()));
    return files;
}

const sizeOf = (png) => [png.readUInt32BE(16), png.readUInt32BE(20)];

/* The colour of a pixel of a PNG, decoded by the browser. */
const pixel = (png, x, y) => page.evaluate(async ([data, column, row]) => {
    const picture = await createImageBitmap(new Blob([Uint8Array.from(atob(data), (letter) => letter.charCodeAt(0))]));
    const canvas = new OffscreenCanvas(picture.width, picture.height), context = canvas.getContext('2d');
    context.drawImage(picture, 0, 0);
    return [...context.getImageData(column, row, 1, 1).data];
}, [png.toString('base64'), x, y]);

describe('exports', () => {
    it('what is seen, as PNG', async () => {
        const files = await exported('export-view'), png = files.get('village-astar-view.png');
        const box = await page.locator(test('map')).boundingBox();
        assert.deepEqual(sizeOf(png), [Math.round(box.width), Math.round(box.height)]);
        const at = await kit.pointOf(page, 6, 3), wall = await kit.colourAt(page, 6, 3);
        assert.deepEqual((await pixel(png, Math.round(at.x - box.x), Math.round(at.y - box.y))).slice(0, 3), wall);
    });

    it('all maps that are compared in one picture', async () => {
        await page.click(test('compare-add'));
        await page.selectOption(test('algorithm-1'), 'jps');
        await kit.idle(page);
        const files = await exported('export-view'), png = files.get('village-astar-jps-view.png'), boxes = await page.$$eval('.map-box', (list) => list.map((box) => box.getBoundingClientRect().toJSON()));
        assert.deepEqual(sizeOf(png), [Math.round(Math.max(...boxes.map(({ right }) => right)) - boxes[0].left), Math.round(Math.max(...boxes.map(({ bottom }) => bottom)) - boxes[0].top)]);
        assert.deepEqual([...(await exported('export-whole', 2)).keys()].sort(), ['village-astar-8px.png', 'village-jps-8px.png']);
    });

    it('the whole map, so many pixels a cell', async () => {
        for (let i = 0; i < 4; i++) await page.click(test('zoom-in'));
        await page.click(`${test('export')} summary`);
        await page.fill(test('export-pixels'), '5');
        await page.keyboard.press('Escape');
        const png = (await exported('export-whole')).get('village-astar-5px.png');
        assert.deepEqual(sizeOf(png), [300, 150]);
        const colours = await page.evaluate(() => [globalThis.playground.palette.wallCss, globalThis.playground.palette.groundCss(3)]);
        const css = ([red, green, blue]) => '#' + [red, green, blue].map((value) => value.toString(16).padStart(2, '0')).join('');
        assert.equal(css(await pixel(png, 6 * 5 + 2, 3 * 5 + 2)), colours[0]);
        assert.equal(css(await pixel(png, 2, 2)), colours[1]);
    });

    it('says when a picture would be too large', async () => {
        await kit.openMap(page, 'caves.map');
        await page.fill(test('blank-width'), '1000');
        await page.click(test('blank'));
        await kit.idle(page);
        await page.click(`${test('export')} summary`);
        await page.fill(test('export-pixels'), '64');
        await page.click(test('export-whole'));
        await page.waitForSelector(test('notice'));
        assert.match(await page.textContent(test('notice')), /64000 × 2560 pixels is too large/);
    });

    it('the drawing and the steps are those of the program', { skip: !existsSync(program) && `no program at ${program}` }, async () => {
        const folder = mkdtempSync(join(tmpdir(), 'cairn-export-')), map = join(kit.project, 'maps/caves.map');
        await kit.openMap(page, 'caves.map');
        await kit.chooseAlgorithm(page, 'hpa');
        await page.fill(test('parameter-size'), '12');
        await page.selectOption(test('colouring'), 'g');
        await page.selectOption(test('smooth'), 'sight');
        await page.selectOption(test('overlay'), 'index');
        await kit.idle(page);
        const ends = await page.evaluate(() => {
            const { store, world: { width } } = globalThis.playground, { from, to } = store.get('problem.query');
            return [from, to].map((node) => `${node % width},${Math.floor(node / width)}`);
        });
        const drawing = (await exported('export-svg')).get('caves-hpa-size-12.svg').toString(), steps = (await exported('export-trace')).get('caves-hpa-size-12.trace.yaml').toString();
        const common = ['path', map, '--from', ends[0], '--to', ends[1], '-a', 'hpa:size=12'];
        execFileSync(program, [...common, '--svg', join(folder, 'a.svg'), '--colour', 'g', '--smooth', 'sight', '--overlay=all'], { stdio: 'pipe' });
        execFileSync(program, [...common, '--trace', join(folder, 'a.yaml')], { stdio: 'pipe' });
        assert.equal(drawing, readFileSync(join(folder, 'a.svg'), 'utf8'));
        assert.equal(steps, readFileSync(join(folder, 'a.yaml'), 'utf8'));
        rmSync(folder, { recursive: true });
    });
});
