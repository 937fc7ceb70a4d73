/* policy.test.mjs: what the content security policy keeps out of the page, wherever it comes from: the built file, a page that `cairn view` saved, one that it serves. What must work under
 * the policy is tested by all other tests: they fail if a page violates it.
 */
import assert from 'node:assert/strict';
import { execFileSync, spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as kit from './support.mjs';
const { program } = kit;

const village = join(kit.project, 'maps/village.txt');

let folder, elsewhere, asked = 0;
const other = createServer((request, response) => { // a machine that the page must not talk to
    asked++;
    response.end();
});
before(async () => {
    await new Promise((listening) => other.listen(0, '127.0.0.1', listening));
    elsewhere = `http://127.0.0.1:${other.address().port}/`;
    folder = mkdtempSync(join(tmpdir(), 'cairn-policy-'));
    await kit.startBrowser();
});
after(async () => {
    await kit.stopBrowser();
    other.close();
    rmSync(folder, { recursive: true });
});

/* What somebody else's words might do if they became part of the page. */
function intrude(elsewhere) {
    const made = (tag, values) => Object.assign(document.createElement(tag), values), { body } = document;
    body.append(made('script', { textContent: 'globalThis.intruder = "script"' }));
    body.append(made('style', { textContent: 'body { opacity: 0.5 }' }));
    const div = document.createElement('div');
    div.innerHTML = '<i onclick="globalThis.intruder = 1" style="color: red">x</i>';
    body.append(div);
    div.firstChild.click();
    body.append(made('img', { src: elsewhere + 'picture.png' }), made('iframe', { src: elsewhere }), made('script', { src: elsewhere + 'script.js' }));
    body.append(made('base', { href: elsewhere }));
    const evaluated = new Promise((done) => {
        setTimeout(() => { // what the browser runs for its debugger may do more
            try {
                done(String(new Function('return 7')()));
            } catch (error) {
                done(error.name);
            }
        });
    });
    const fetched = fetch(elsewhere + 'data').then(() => 'fetched', () => 'refused');
    return Promise.all([evaluated, fetched]);
}

async function keepsOut(page) {
    assert.deepEqual(await page.evaluate(intrude, elsewhere), ['EvalError', 'refused']);
    assert.equal(await page.evaluate(() => globalThis.intruder ?? getComputedStyle(document.body).opacity), '1');
    const kinds = new Set((await kit.violations(page)).map((violation) => violation.split(':')[0]));
    for (const kind of ['script-src-elem', 'script-src-attr', 'script-src', 'style-src-elem', 'style-src-attr', 'img-src', 'frame-src', 'connect-src', 'base-uri'])
        assert.ok(kinds.has(kind), `${kind} of ${[...kinds].join(', ')}`);
    assert.equal(asked, 0);
    page.faults.length = 0; // the console has told of all these
    await kit.closePage(page);
}

/* The map is searched, by a worker, and drawn. */
async function works(page) {
    assert.equal(await kit.status(page), 'found');
    await kit.chooseAlgorithm(page, 'jps');
    assert.equal(await kit.status(page), 'found');
    assert.deepEqual([await kit.violations(page), page.faults], [[], []]);
}

describe('the content security policy', () => {
    it('keeps foreign scripts, styles and requests out of the page', { timeout: 1800000 }, async () => {
        const page = await kit.openPage();
        await works(page);
        await keepsOut(page);
    });

    it('names the script of the page: another one does not run', { timeout: 1800000 }, async () => {
        const file = join(folder, 'changed.html');
        writeFileSync(file, readFileSync(kit.pageFile, 'utf8').replace("<script>\n'use strict';", "<script>\n'use strict'; globalThis.intruder = 1;"));
        const page = await kit.openRaw(file);
        assert.equal(await page.evaluate(() => globalThis.intruder ?? document.documentElement.dataset.ready ?? 'nothing runs'), 'nothing runs');
        assert.match((await kit.violations(page)).join(), /^script-src-elem: inline/);
        await page.context().close();
    });

    it('holds in pages that the program saves', { timeout: 1800000, skip: !existsSync(program) && `no program at ${program}` }, async () => {
        const file = join(folder, 'village.html');
        execFileSync(program, ['view', village, '-o', file, '--page', kit.pageFile], { stdio: 'pipe' });
        const page = await kit.openPage({ file });
        assert.equal(await page.evaluate(() => globalThis.playground.world.name), 'village.txt');
        await works(page);
        await keepsOut(page);
    });

    it('holds in pages that the program serves, which no frame may show', { timeout: 1800000, skip: !existsSync(program) && `no program at ${program}` }, async () => {
        const child = spawn(program, ['view', village, '--port', '0', '--no-browser', '--json', '--page', kit.pageFile], { stdio: ['ignore', 'pipe', 'inherit'] });
        const ended = new Promise((resolve) => child.on('exit', resolve));
        try {
            let said = '';
            for await (const part of child.stdout) if ((said += part).includes('}')) break;
            const address = JSON.parse(said).url, page = await kit.openPage({ address });
            await works(page);
            await keepsOut(page);
            const frame = join(folder, 'frame.html');
            writeFileSync(frame, `<!doctype html><iframe src="${address}"></iframe>`);
            const outer = await kit.openRaw(frame);
            assert.match(outer.faults.join(), /frame-ancestors/);
            await outer.context().close();
        } finally {
            child.kill('SIGINT');
        }
        assert.equal(await ended, 0);
    });
});
