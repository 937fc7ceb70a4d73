// Runs a wasm32-wasi program in Node 18 or later:
//   node --no-warnings --experimental-wasi-unstable-preview1 run.mjs PROGRAM.wasm [ARGS…]
// Nothing of the file system is given to it; it may only print and end.
import { readFile } from 'node:fs/promises';
import { WASI } from 'node:wasi';

const [program, ...args] = process.argv.slice(2);
const wasi = new WASI({ version: 'preview1', args: [program, ...args], env: {}, returnOnExit: true });
const module = await WebAssembly.compile(await readFile(program));
const instance = await WebAssembly.instantiate(module, { wasi_snapshot_preview1: wasi.wasiImport });
process.exitCode = wasi.start(instance);
