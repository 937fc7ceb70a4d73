// The examples of the README run as they stand, in a folder where the package is installed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { folder } from './support.mjs';

const readme = await readFile(path.join(folder, 'README.md'), 'utf8');

/* What an example prints, a line each. */
async function run(example) {
    const place = await mkdtemp(path.join(os.tmpdir(), 'cairn-js-'));
    try {
        await mkdir(path.join(place, 'node_modules'));
        await symlink(path.resolve(folder), path.join(place, 'node_modules', 'cairn'));
        await writeFile(path.join(place, 'example.mjs'), example);
        return execFileSync(process.execPath, ['--no-warnings', '--preserve-symlinks', 'example.mjs'], { cwd: place, encoding: 'utf8' }).trim().split('\n');
    } finally {
        await rm(place, { recursive: true });
    }
}

test('the examples of the README', async () => {
    const [path, service] = [...readme.matchAll(/```js\n([\s\S]*?)```/g)].map(([, example]) => example);
    const lines = await run(path);
    assert.match(lines[0], /^found 6 \[/);
    assert.equal(lines.at(-1), '6');
    assert.deepEqual(await run(service), ['true 0']);
});
