// Runs a wasm32-wasi program in Node 18 or later:
//   node --no-warnings --experimental-wasi-unstable-preview1 run.mjs PROGRAM.wasm [ARGS…]
// Nothing of the file system is given to it; it may only print and end.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [program, ...args] = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args: [program, ...args], env: {}, returnOnExit: true });
const module = await WebAssembly.compile(await readFile(program));
// Called by way of JavaScript: where WebAssembly calls Node's functions itself, Node 20 crashes after long runs.
const imports = Object.fromEntries(Object.entries(wasi.wasiImport).map(([name, call]) => [name, (...words) => call(...words)]));
const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: imports });
process.exitCode = wasi.start(instance);
