/* build.mjs: puts the playground into one file.
 *
 *     node playground/build.mjs --package build/wasm/js --out build/playground/playground.html
 *
 * A page opened from disk may load neither modules nor anything by fetch, so everything goes into the HTML: the style, the script of the
 * page, that of its worker, the library as WebAssembly and the maps that come with it. Modules become one classic script: each is
 * a function that returns what it exports, in an order in which every module follows those it imports. Only the forms of
 * import and export that our sources use are understood; anything else ends the build. The same sources give the same bytes.
 *
 * The page says itself what a browser may run in it, so that this holds for saved pages too: its one script and its one style, which the content security policy
 * names by their hashes, WebAssembly, and workers from blobs. Nothing else runs, and nothing is loaded.
 */
import { createHash } from 'node:crypto';
import { readFileSync, readdirSync, mkdirSync, writeFileSync } from 'node:fs';
import { basename, dirname, join, relative, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { deflateRawSync } from 'node:zlib';
import { Script } from 'node:vm';

const here = dirname(fileURLToPath(import.meta.url));
const project = dirname(here);

function options(words) {
    const found = { package: join(project, 'build/wasm/js'), out: join(project, 'build/playground/playground.html') };
    for (let i = 0; i < words.length; i += 2) {
        const name = words[i].replace(/^--/, '');
        if (!(name in found) || words[i + 1] === undefined) throw new Error(`what is ${words[i]}? known: --package DIR, --out FILE`);
        found[name] = resolve(words[i + 1]);
    }
    return found;
}

/* ---- modules ---- */

const importForm = /^import\s+(?:\{([^}]*)\}|\*\s+as\s+(\w+))\s+from\s+'([^']+)';?[ \t]*$/gm;
const exportForm = /^export\s+((?:async\s+)?function\*?|class|const|let)\s+(\w+)/gm;
const exportList = /^export\s+\{([^}]*)\};?[ \t]*$/gm;

/* "a, b as c" → [[a, a], [b, c]] */
function names(list) {
    return list.split(',').map((one) => one.trim()).filter(Boolean).map((one) => {
        const [from, to] = one.split(/\s+as\s+/);
        return [from, to ?? from];
    });
}

/* Modules of the page by their path in it, the library by its name: where that lies must not change the page. */
function variable(file) {
    const inside = relative(here, file);
    return 'module_' + (inside.startsWith('..') ? basename(file) : inside).replace(/\W/g, '_');
}

/* One module as text, and what it needs. */
function translate(file, aliases) {
    const needs = [], exported = [];
    let text = readFileSync(file, 'utf8');
    text = text.replace(importForm, (whole, list, all, from) => {
        const target = aliases[from] ?? resolve(dirname(file), from);
        needs.push(target);
        if (all) return `const ${all} = ${variable(target)};`;
        return `const { ${names(list).map(([a, b]) => (a === b ? a : `${a}: ${b}`)).join(', ')} } = ${variable(target)};`;
    });
    text = text.replace(exportForm, (whole, what, name) => {
        exported.push(name);
        return `${what} ${name}`;
    });
    text = text.replace(exportList, (whole, list) => {
        for (const [from, to] of names(list)) exported.push(from === to ? to : `${to}: ${from}`);
        return '';
    });
    const left = /^(?:import|export)\s.*$/m.exec(text);
    if (left) throw new Error(`${relative(project, file)}: the build does not understand "${left[0]}"`);
    text = text.replace(/\bimport\.meta\.url\b/g, "''");
    return { needs, text: `const ${variable(file)} = (() => {\n${text}\nreturn { ${exported.join(', ')} };\n})();\n` };
}

function bundle(entry, aliases) {
    const done = new Map(), open = new Set();
    const visit = (file) => {
        if (done.has(file)) return;
        if (open.has(file)) throw new Error(`${relative(project, file)} imports itself in a circle`);
        open.add(file);
        const { needs, text } = translate(file, aliases);
        needs.forEach(visit);
        done.set(file, text);
    };
    visit(entry);
    const script = `'use strict';\n(() => {\n${[...done.values()].join('')}})();\n`;
    new Script(script, { filename: relative(project, entry) }); // a syntax error ends the build
    return script;
}

/* ---- the page ---- */

function packed(bytes) {
    return deflateRawSync(bytes, { level: 9 }).toString('base64');
}

/* The maps that come with the project, with their problems, and walks on them. */
function bundledMaps() {
    const folder = join(project, 'maps'), maps = {}, names = readdirSync(folder).sort();
    for (const name of names.filter((one) => one.endsWith('.cairn'))) maps[name] = { base64: readFileSync(join(folder, name)).toString('base64') };
    for (const kind of [/\.(map|txt|tmx|tmj|scen)$/, /\.walk$/])
        for (const name of names.filter((one) => kind.test(one))) maps[name] = readFileSync(join(folder, name), 'utf8');
    return JSON.stringify(maps);
}

function inline(script) {
    return script.replace(/<\/(script)/gi, '<\\/$1').replace(/<!--/g, '<\\!--');
}

function fill(template, parts) {
    return template.replace(/<!-- build: (\w+) -->/g, (whole, name) => {
        if (!(name in parts)) throw new Error(`index.html asks for "${name}", which the build does not have`);
        return parts[name];
    });
}

function policyFor(script, style) {
    const hash = (text) => `'sha256-${createHash('sha256').update(text).digest('base64')}'`;
    return [
        "default-src 'none'", `script-src ${hash(script)} 'wasm-unsafe-eval'`, `style-src ${hash(style)}`, 'img-src data:', 'worker-src blob:', "base-uri 'none'", "form-action 'none'",
    ].join('; ');
}

const { package: packageFolder, out } = options(process.argv.slice(2));
const aliases = { cairn: join(packageFolder, 'cairn.js') };
const style = `\n${readFileSync(join(here, 'style.css'), 'utf8')}`, script = `\n${inline(bundle(join(here, 'src/main.js'), aliases))}`;
const page = fill(readFileSync(join(here, 'index.html'), 'utf8'), {
    policy: `<meta http-equiv="Content-Security-Policy" content="${policyFor(script, style)}">`,
    style: `<style>${style}</style>`,
    worker: `<script type="text/plain" id="worker">\n${inline(bundle(join(here, 'src/worker.js'), aliases))}</script>`,
    wasm: `<script type="application/octet-stream" id="wasm">${packed(readFileSync(join(packageFolder, 'cairn.wasm')))}</script>`,
    maps: `<script type="application/octet-stream" id="maps">${packed(bundledMaps())}</script>`,
    script: `<script>${script}</script>`,
});
mkdirSync(dirname(out), { recursive: true });
writeFileSync(out, page);
console.log(`${out}: ${Math.round(page.length / 1024)} KiB`);
