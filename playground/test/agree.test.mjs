/* agree.test.mjs: the page and the native program give the same answers: 50 random problems (or a sample, another for each algorithm), every algorithm, cost and expansions exactly. Needs the
 * program (CAIRN_PROGRAM, or build/dev/cairn).
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, it } from 'node:test';
import * as kit from './support.mjs';
const { program, test } = kit;

before(kit.startBrowser);
after(kit.stopBrowser);

/* What the program prints; it ends with 1 if there is no path. */
function native(words) {
    return new Promise((resolve, reject) => execFile(program, words, (error, out) => (out ? resolve(JSON.parse(out)) : reject(error))));
}

async function inPage(page, spec, queries) {
    return page.evaluate(async ([name, list]) => {
        const answers = [];
        for (const query of list) {
            const { status, cost, metrics } = await globalThis.playground.client.ask('search', { spec: name, query, traceLimit: 0, smooth: null, exact: false });
            answers.push({ status, cost, expanded: metrics.expanded });
        }
        return answers;
    }, [spec, queries]);
}

describe('the page and the program', { skip: !existsSync(program) && `no program at ${program}` }, () => {
    for (const [generator, neighbours, problemCount] of [['caves', '8', 50], ['random', '4', 10], ['rooms', 'hex', 10]])
        it(`agree on ${generator} with ${neighbours} neighbours`, { timeout: 1800000 }, async () => {
            const folder = mkdtempSync(join(tmpdir(), 'cairn-agree-')), page = await kit.openPage();
            await page.selectOption(test('neighbours'), '8');
            await page.selectOption(test('generator'), generator);
            await page.fill(test('generator-width'), '48');
            await page.fill(test('generator-height'), '40');
            await page.click(test('generate'));
            await kit.idle(page);
            await page.selectOption(test('neighbours'), neighbours);
            await kit.idle(page);
            const file = join(folder, 'world.cairn');
            writeFileSync(file, Buffer.from(await page.evaluate(async () => [...(await globalThis.playground.client.ask('save', { format: 'cairn' }))])));
            const open = await page.evaluate(() => [...globalThis.playground.world.open.keys()].filter((node) => globalThis.playground.world.open[node]));
            let seed = 12345;
            const draw = () => open[(seed = (seed * 1103515245 + 12345) % 2147483648) % open.length];
            const queries = Array.from({ length: problemCount }, () => ({ from: draw(), to: draw(), partial: true }));
            const algorithms = await page.evaluate((wanted) => globalThis.playground.registry.algorithms
                .filter((algorithm) => algorithm.worlds.includes('grid') && algorithm.neighbours.includes(wanted)).map(({ name }) => name), neighbours);
            assert.ok(algorithms.length > 5);
            const place = (node) => `${node % 48},${Math.floor(node / 48)}`;
            for (const [number, name] of algorithms.entries()) {
                const asked = queries.filter((unused, i) => (i + number) % kit.sample === 0);
                const [here, there] = await Promise.all([inPage(page, name, asked), (async () => {
                    const answers = [];
                    for (const { from, to } of asked) {
                        const answer = await native(['path', file, '--from', place(from), '--to', place(to), '-a', name, '--neighbours', neighbours, '--json']);
                        answers.push({ status: answer.status.replaceAll(' ', '-'), cost: answer.cost_units, expanded: answer.expanded });
                    }
                    return answers;
                })()]);
                here.forEach((answer, i) => assert.deepEqual([answer.status === 'found', answer.cost, answer.expanded],
                    [there[i].status === 'found', there[i].cost, there[i].expanded], `${name}, ${place(asked[i].from)} to ${place(asked[i].to)}`));
            }
            await kit.closePage(page);
            rmSync(folder, { recursive: true });
        });
});
