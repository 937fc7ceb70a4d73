/* registry.test.mjs: an algorithm that is new to the library appears in the page without a change of the page: the example of docs/adding-an-algorithm.md is
 * added to a copy of the sources, the package and the page are built from it, and the page is used.
 */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { appendFileSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as kit from './support.mjs';
const { test } = kit;

let folder;
before(async () => {
    folder = mkdtempSync(join(tmpdir(), 'cairn-toy-'));
    await kit.startBrowser();
});
after(async () => {
    await kit.stopBrowser();
    rmSync(folder, { recursive: true, force: true });
});

function copySources() {
    for (const name of ['CMakeLists.txt', 'CMakePresets.json', 'cmake', 'include', 'src', 'bindings', 'maps', 'playground', 'tools', 'tests'])
        if (existsSync(join(kit.project, name))) cpSync(join(kit.project, name), join(folder, name), { recursive: true });
}

function addAlgorithm() {
    const source = /```c\n([\s\S]*?)```/.exec(readFileSync(join(kit.project, 'docs/adding-an-algorithm.md'), 'utf8'))[1];
    writeFileSync(join(folder, 'src/search/pinch.c'), source);
    appendFileSync(join(folder, 'src/algorithms.def'), 'CRN_ALGORITHM(search, pinch)\n');
}

describe('the registry', () => {
    it('brings a new algorithm into the menu, with its parameters, and it runs', { timeout: 1800000 }, async () => {
        copySources();
        addAlgorithm();
        const run = (command, ...words) => execFileSync(command, words, { cwd: folder, stdio: ['ignore', 'ignore', 'inherit'] });
        run('cmake', '--preset', 'wasm', '-DCAIRN_JS_FLAGS=-O0', '-DCAIRN_ALGORITHMS=astar;dijkstra;pinch'); // built sooner, and as right
        run('cmake', '--build', 'build/wasm', '--target', 'cairn_js', 'cairn_js_package');
        run('node', 'playground/build.mjs');
        const page = await kit.openPage({ file: join(folder, 'build/playground/playground.html') });
        await kit.chooseAlgorithm(page, 'pinch');
        assert.match(await page.textContent(test('algorithm-about')), /a tenth of the estimate/);
        assert.equal(await page.locator(test('parameter-heuristic')).count(), 1);
        assert.equal(await kit.status(page), 'found');
        assert.ok((await kit.value(page, 'expanded')) > 0);
        assert.equal(await kit.value(page, 'above-optimal'), 0);
        await kit.closePage(page);
    });
});
