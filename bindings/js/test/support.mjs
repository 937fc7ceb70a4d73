// What the tests share: the package as it was built (CAIRN_JS names its folder), and a few worlds.
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';

export const here = path.dirname(fileURLToPath(import.meta.url));
export const source = path.resolve(here, '..');
export const folder = process.env.CAIRN_JS ?? path.resolve(source, '../../build/wasm/js');
export const wasm = await readFile(path.join(folder, 'cairn.wasm'));

export const library = await import(pathToFileURL(path.join(folder, 'cairn.js')));
export const { load, CairnError, xmlElements } = library;

const module = await WebAssembly.compile(wasm);
export const fresh = () => load(module);

export const bytes = (text) => new TextEncoder().encode(text);
export const text = (data) => new TextDecoder().decode(data);

// Two rooms and a door; the second row of the right room is out of reach of nobody.
export const ROOMS = ['.....@.....', '.....@.....', '...........', '.....@.....', '.....@.....'].join('\n');

// The same numbers on every machine.
export function random(seed) {
    let state = BigInt(seed);
    return (below) => {
        state = (state * 6364136223846793005n + 1442695040888963407n) & 0xffffffffffffffffn;
        return Number((state >> 33n) % BigInt(below));
    };
}

// Every field of an error that is expected.
export function refused(status, pattern, line) {
    return (error) => error instanceof CairnError && error.name === 'CairnError' && error.status === status &&
        error.statusText.length > 0 && (!pattern || pattern.test(error.message)) && (line === undefined || error.line === line);
}
