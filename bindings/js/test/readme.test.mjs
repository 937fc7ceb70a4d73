// The example of the README runs as it stands, in a folder where the package is installed.
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, mkdir, readFile, rm, symlink, writeFile } from 'node:fs/promises';
import os from 'node:os';
import path from 'node:path';
import test from 'node:test';
import { folder } from './support.mjs';

test('the example of the README', async () => {
    const readme = await readFile(path.join(folder, 'README.md'), 'utf8');
    const example = /```js\n([\s\S]*?)```/.exec(readme)[1];
    const place = await mkdtemp(path.join(os.tmpdir(), 'cairn-js-'));
    try {
        await mkdir(path.join(place, 'node_modules'));
        await symlink(path.resolve(folder), path.join(place, 'node_modules', 'cairn'));
        await writeFile(path.join(place, 'example.mjs'), example);
        const printed = execFileSync(process.execPath, ['--no-warnings', '--preserve-symlinks', 'example.mjs'], { cwd: place, encoding: 'utf8' });
        const lines = printed.trim().split('\n');
        assert.match(lines[0], /^found 6 \[/);
        assert.equal(lines.at(-1), '6');
    } finally {
        await rm(place, { recursive: true });
    }
});
