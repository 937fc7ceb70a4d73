// The types are sound, and fit a program that uses them, as far as the compiler (tsc) is there.
import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import path from 'node:path';
import test from 'node:test';
import { here } from './support.mjs';

const compiler = spawnSync('tsc', ['--version'], { encoding: 'utf8' });
test('the types compile', { skip: compiler.status === 0 ? false : 'tsc is not installed' }, () => {
    const options = ['--noEmit', '--strict', '--target', 'es2022', '--module', 'es2022', '--moduleResolution', 'node', '--lib', 'es2022,dom'];
    const { status, stdout } = spawnSync('tsc', [...options, path.join(here, 'usage.ts')], { encoding: 'utf8' });
    assert.equal(status, 0, stdout);
});
