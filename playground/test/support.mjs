/* support.mjs: what the tests of the playground share: a browser, the page opened from disk, and ways to read it.
 *
 * Every page counts what it must not do: errors on the console, violations of its content security policy, requests over a network. `closePage` fails the test
 * if there were any.
 */
import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const project = resolve(dirname(fileURLToPath(import.meta.url)), '../..');
const tools = process.env.CAIRN_PLAYWRIGHT ?? join(project, 'build/playground-test');
export const pageFile = resolve(process.env.CAIRN_PAGE ?? join(project, 'build/playground/playground.html'));
export const program = process.env.CAIRN_PROGRAM ?? join(project, 'build/dev/cairn');
const patience = Number(process.env.CAIRN_PATIENCE ?? 1800000); // ms; how long something takes is no fault, so it is long
export const sample = Number(process.env.CAIRN_TEST_SAMPLE ?? 1); // one in so many of the checks that repeat the same with other numbers
/* The names of these algorithms of the registry, or in a sample of one of each family. */
export const sampled = (algorithms) => algorithms.filter(({ family }, i) => sample === 1 || algorithms.findIndex((one) => one.family === family) === i).map(({ name }) => name);
export const shots = join(project, 'build/playground/shots');
const { chromium } = createRequire(join(tools, 'package.json'))('playwright-core');

/* --no-zygote: the browser itself starts its processes and waits for them, so that ./test counts their processor time. One process for all pages of a context, and of
 * the library only what is called is compiled: most of the time of a test is that of opening the page. */
const flags = [
    '--headless', '--no-sandbox', '--no-zygote', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-background-networking', '--disable-component-update',
    '--disable-sync', '--renderer-process-limit=1', '--js-flags=--wasm-lazy-compilation',
];

/* Counts from now on what the page does in each frame: { draws: maps drawn, marks: lines and shapes, pixels: put into pictures, ground: those of them that show the world, events: of
 * searches played }. The page gets a clock that goes on by a millisecond whenever it looks, so that as much fits into a frame on every machine. */
export async function countFrames(page) {
    await page.evaluate(() => {
        const { panes, layers } = globalThis.playground, canvas = CanvasRenderingContext2D.prototype, request = globalThis.requestAnimationFrame.bind(globalThis);
        const drawn = () => panes.reduce((sum, { map }) => sum + map.frames, 0);
        let time = performance.now(), number = 0, frame = { draws: 0, marks: 0, pixels: 0, ground: 0, events: 0 }, before = drawn();
        const close = () => {
            counter.frames.push({ ...frame, draws: drawn() - before });
            frame = { draws: 0, marks: 0, pixels: 0, ground: 0, events: 0 };
            before = drawn();
        };
        const counter = { frames: [], step: 1, close };
        globalThis.counter = counter;
        performance.now = () => (time += counter.step);
        globalThis.requestAnimationFrame = (draw) => {
            const asked = number; // what is asked for in a frame comes with the next one
            return request(() => {
                if (asked === number) {
                    number++;
                    close();
                    time += 16;
                }
                draw(time);
            });
        };
        for (const name of ['lineTo', 'fillRect', 'arc', 'drawImage']) {
            const original = canvas[name];
            canvas[name] = function count(...words) {
                frame.marks++;
                return original.apply(this, words);
            };
        }
        const put = canvas.putImageData;
        canvas.putImageData = function count(image, x, y, left, top, width = image.width, height = image.height) {
            frame.pixels += width * height;
            if (this.canvas === layers.base.canvas) frame.ground += width * height;
            return put.call(this, image, x, y, left ?? 0, top ?? 0, width, height);
        };
        for (const { fill } of panes) {
            const { play } = fill;
            fill.play = (from, to) => {
                frame.events += Math.abs(to - from);
                play(from, to);
            };
        }
    });
}

/* What was counted since the last time. */
export async function countedFrames(page) {
    return page.evaluate(() => {
        globalThis.counter.close();
        return globalThis.counter.frames.splice(0);
    });
}

/* The clock of a page that counts goes on by so many milliseconds at each look. */
export async function slowClock(page, step) {
    await page.evaluate((ms) => { globalThis.counter.step = ms; }, step);
}

let browser, folder;

/* Contexts that no page uses: { context, options, keeper }. An empty page in each, the keeper, keeps its process alive, so that the next page need not start one. */
const spare = [];

async function contextFor(given) {
    const options = JSON.stringify(given), place = spare.findIndex((one) => one.options === options);
    if (place >= 0) return spare.splice(place, 1)[0];
    const context = await browser.newContext(given);
    const keeper = await context.newPage();
    await keeper.goto(pathToFileURL(join(folder, 'empty.html')).href);
    return { context, options, keeper };
}

export async function startBrowser() {
    folder = mkdtempSync(join(tmpdir(), 'cairn-page-'));
    browser = await chromium.launch({ executablePath: process.env.CAIRN_CHROMIUM ?? '/usr/bin/chromium-headless-shell', args: flags });
    writeFileSync(join(folder, 'empty.html'), '<!doctype html>');
    mkdirSync(shots, { recursive: true });
}

/* The processes that these have started, and those in turn, and that have not been waited for: [{ id, words }]. */
function startedBy(parents) {
    const children = readdirSync('/proc').filter((name) => /^\d+$/.test(name)).flatMap((name) => {
        try {
            const [, parent] = readFileSync(`/proc/${name}/stat`, 'utf8').split(') ').at(-1).split(' ');
            return parents.includes(Number(parent)) ? [{ id: Number(name), words: readFileSync(`/proc/${name}/cmdline`, 'utf8') }] : [];
        } catch {
            return []; // it has ended meanwhile
        }
    });
    return children.length ? [...children, ...startedBy(children.map(({ id }) => id))] : [];
}

/* The browser waits for the processes of its pages while it runs, but not when it ends. */
export async function stopBrowser() {
    const ofPages = startedBy([process.pid]).filter(({ words }) => words.includes('--type=renderer')).map(({ id }) => id);
    for (const { context } of spare.splice(0)) await context.close();
    for (let tries = 0; tries < 600 && startedBy([process.pid]).some(({ id }) => ofPages.includes(id)); tries++) await new Promise((later) => setTimeout(later, 50));
    await browser.close();
    rmSync(folder, { recursive: true, force: true });
}

/* Any page, with what it must not do counted. The browser remembers nothing of the pages before it. */
async function openAddress(address, hash, { prepare, ...options }) {
    const lent = await contextFor({ viewport: { width: 1280, height: 800 }, acceptDownloads: true, ...options }), page = await lent.context.newPage();
    page.lent = lent;
    page.setDefaultTimeout(patience); // for what hangs; how long something takes is no fault
    page.faults = [];
    page.requests = [];
    await page.addInitScript(() => {
        globalThis.violations = [];
        addEventListener('securitypolicyviolation', ({ effectiveDirective, blockedURI, sample }) => globalThis.violations.push(`${effectiveDirective}: ${blockedURI} ${sample}`));
    });
    page.on('console', (message) => message.type() === 'error' && page.faults.push(`console: ${message.text()}`));
    page.on('pageerror', (error) => page.faults.push(`error: ${error.message}`));
    page.on('request', (request) => {
        page.requests.push(request.url());
        if (!/^(file|blob|data):/.test(request.url()) && request.url() !== address) page.faults.push(`request: ${request.url()}`);
    });
    await prepare?.(page);
    await page.goto(address + hash);
    return page;
}

/* A file that need not be the playground. */
export const openRaw = (file) => openAddress(pathToFileURL(file).href, '', {});

/* Options as for a browser context: viewport, colorScheme, hasTouch. `file`: another page; `address`: one that is served; `map`: a bundled map to open; `prepare`: is given
 * the page before it is loaded. */
export async function openPage({ file = pageFile, address = pathToFileURL(file).href, map, hash = '', ...options } = {}) {
    const page = await openAddress(address, hash, options);
    await page.waitForSelector('html[data-ready]', { timeout: patience });
    if (map) await openMap(page, map);
    await settled(page);
    return page;
}

export const violations = (page) => page.evaluate(() => globalThis.violations.splice(0));

export async function closePage(page) {
    const { faults } = page;
    for (const violation of await violations(page)) faults.push(`policy: ${violation}`);
    await page.close();
    await page.lent.keeper.evaluate(() => localStorage.clear()); // pages from disk share theirs
    await page.lent.context.clearPermissions();
    spare.push(page.lent);
    assert.deepEqual(faults, []);
}

export const test = (name) => `[data-test="${name}"]`;

/* Until the worker has answered everything and the playback stands where it should. */
export async function settled(page) {
    await page.waitForFunction(() => {
        const { panes, planning } = globalThis.playground;
        return !planning.isLoading() && panes.every((pane) => !pane.busy() && !pane.building && !pane.player.running && pane.player.at === pane.player.target);
    }, undefined, { timeout: patience });
    await page.evaluate(() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done))));
}

export async function openMap(page, name) {
    await page.selectOption(test('bundled'), '');
    await page.selectOption(test('bundled'), name);
    await page.waitForFunction((wanted) => globalThis.playground.world.name === wanted, name);
    await idle(page);
}

/* A moment for requests to begin, then until they have ended. */
export async function idle(page) {
    await page.waitForTimeout(60);
    await settled(page);
}

export async function chooseAlgorithm(page, name) {
    await page.selectOption(test('algorithm'), name);
    await idle(page);
}

export async function value(page, name) {
    const text = await page.getAttribute(test(`result-${name}`), 'data-value');
    return Number(text);
}

export async function status(page) {
    return page.getAttribute(test('status'), 'data-status');
}

/* Where the middle of a cell is on the page. */
export async function pointOf(page, x, y) {
    return page.evaluate(([column, row]) => {
        const { world, view, panes } = globalThis.playground, box = panes[0].map.canvas.getBoundingClientRect();
        const centre = world.geometry.centre(row * world.width + column), at = view.toScreen(centre.x, centre.y);
        return { x: box.left + at.x, y: box.top + at.y };
    }, [x, y]);
}

export async function dragCells(page, from, to, steps = 8) {
    const a = await pointOf(page, ...from), b = await pointOf(page, ...to);
    await page.mouse.move(a.x, a.y);
    await page.mouse.down();
    await page.mouse.move(b.x, b.y, { steps });
    await page.mouse.up();
    await idle(page);
}

export async function clickCell(page, x, y) {
    const at = await pointOf(page, x, y);
    await page.mouse.click(at.x, at.y);
    await idle(page);
}

/* The colour that the map shows in the middle of a cell, as [red, green, blue]. */
export async function colourAt(page, x, y) {
    return page.evaluate(([column, row]) => {
        const { world, view, panes } = globalThis.playground, { canvas } = panes[0].map;
        const centre = world.geometry.centre(row * world.width + column), at = view.toScreen(centre.x, centre.y);
        const ratio = canvas.width / canvas.clientWidth;
        return [...canvas.getContext('2d').getImageData(Math.round(at.x * ratio), Math.round(at.y * ratio), 1, 1).data.slice(0, 3)];
    }, [x, y]);
}

export async function cell(page, x, y) {
    return page.evaluate(([column, row]) => {
        const { world } = globalThis.playground;
        return { open: world.open[row * world.width + column], terrain: world.terrain[row * world.width + column] };
    }, [x, y]);
}

/* Does it in both colour schemes; the page follows the system. */
export async function inLightAndDark(page, look) {
    for (const colorScheme of ['light', 'dark']) {
        await page.emulateMedia({ colorScheme });
        await page.waitForFunction((dark) => document.documentElement.classList.contains('dark') === dark, colorScheme === 'dark');
        await settled(page);
        await look(colorScheme);
    }
}

export async function shot(page, name) {
    await page.screenshot({ path: join(shots, `${name}.png`) });
}

/* Pairs of controls that lie on each other, and what sticks out of the page. */
export function overlaps() {
    const faults = [], boxes = [];
    for (const element of document.querySelectorAll('button, select, input, summary, h1, canvas.map, td, th, .status')) {
        const style = getComputedStyle(element), box = element.getBoundingClientRect();
        if (!element.checkVisibility() || style.visibility === 'hidden' || box.width === 0) continue;
        let clip = { left: 0, top: 0, right: innerWidth, bottom: innerHeight };
        for (let parent = element.parentElement; parent; parent = parent.parentElement) {
            if (getComputedStyle(parent).overflow === 'visible') continue;
            const edge = parent.getBoundingClientRect();
            clip = { left: Math.max(clip.left, edge.left), top: Math.max(clip.top, edge.top), right: Math.min(clip.right, edge.right), bottom: Math.min(clip.bottom, edge.bottom) };
        }
        const seen = { left: Math.max(box.left, clip.left), top: Math.max(box.top, clip.top), right: Math.min(box.right, clip.right), bottom: Math.min(box.bottom, clip.bottom) };
        if (seen.right - seen.left < 2 || seen.bottom - seen.top < 2) continue;
        boxes.push({ element, name: element.dataset.test ?? element.textContent.slice(0, 20), ...seen });
    }
    for (const a of boxes)
        for (const b of boxes)
            if (a !== b && !a.element.contains(b.element) && !b.element.contains(a.element) && a.left < b.right - 1.5 && b.left < a.right - 1.5 && a.top < b.bottom - 1.5 && b.top < a.bottom - 1.5)
                faults.push(`${a.name} on ${b.name}`);
    if (document.documentElement.scrollWidth > innerWidth) faults.push('the page is wider than the window');
    return faults;
}

/* Another world from a generator, with these of its numbers. */
export async function generate(page, kind, numbers) {
    await page.selectOption(test('generator'), kind);
    for (const [name, value] of Object.entries(numbers)) await page.fill(test(`generator-${name}`), String(value));
    await page.click(test('generate'));
    await page.waitForFunction(([width, height]) => globalThis.playground.world.width === width && globalThis.playground.world.height === height, [numbers.width, numbers.height]);
    await idle(page);
}
