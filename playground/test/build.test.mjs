/* build.test.mjs: the page is one file, the same for the same sources, that names nothing outside itself. */
import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, it } from 'node:test';
import { pageFile, project } from './support.mjs';

function build(...words) {
    return execFileSync('node', [join(project, 'playground/build.mjs'), ...words], { stdio: ['ignore', 'pipe', 'pipe'], encoding: 'utf8' });
}

describe('the build', () => {
    it('makes the same page from the same sources, wherever they lie', () => {
        const folder = mkdtempSync(join(tmpdir(), 'cairn-build-'));
        cpSync(join(project, 'build/wasm/js'), join(folder, 'elsewhere'), { recursive: true });
        build('--package', join(folder, 'elsewhere'), '--out', join(folder, 'a/page.html'));
        build('--out', join(folder, 'b.html'));
        assert.deepEqual(readFileSync(join(folder, 'a/page.html')), readFileSync(join(folder, 'b.html')));
        rmSync(folder, { recursive: true });
    });

    it('refers to nothing outside the page', () => {
        const page = readFileSync(pageFile, 'utf8').replace(/<script type="application[^]*?<\/script>/g, '');
        const named = [...page.matchAll(/\b(?:src|href)\s*=\s*["']?([^"'\s>]+)/g)].map(([, address]) => address).filter((address) => !address.startsWith('data:'));
        assert.deepEqual(named.filter((address) => /^(https?:)?\/\//.test(address)), []);
        assert.equal(/\bfetch\(|XMLHttpRequest|WebSocket|sendBeacon/.test(page), false);
    });

    it('says in the page what may run in it, before anything that could', () => {
        const page = readFileSync(pageFile, 'utf8'), [meta, policy] = /<meta http-equiv="Content-Security-Policy" content="([^"]*)">/.exec(page);
        assert.match(policy, /^default-src 'none'; script-src 'sha256-[\w+/=]{44}' 'wasm-unsafe-eval'; style-src 'sha256-[\w+/=]{44}'; img-src data:; worker-src blob:; base-uri 'none'; form-action 'none'$/);
        assert.equal(/<(?:script|style|link)/.test(page.slice(0, page.indexOf(meta))), false);
    });

    it('says what it does not understand', () => {
        assert.throws(() => build('--nonsense', 'x'), /known: --package DIR, --out FILE/);
    });
});
