// Loading, the registry, and what is written down about the package.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { CairnError, folder, fresh, library, load, source, wasm } from './support.mjs';

test('loads from bytes, from a buffer and from a module, several side by side', async () => {
    const module = await WebAssembly.compile(wasm);
    const buffer = wasm.buffer.slice(wasm.byteOffset, wasm.byteOffset + wasm.byteLength);
    const all = await Promise.all([load(wasm), load(buffer), load(module)]);
    const worlds = all.map((cairn) => cairn.generate('random', { width: 20, height: 20, seed: 5 }));
    worlds[0].edit({ nodes: [0], open: [1 - worlds[0].cells().open[0]] });
    assert.deepEqual(worlds.map((world) => world.version), [worlds[1].version + 1, worlds[1].version, worlds[1].version]);
    await assert.rejects(load('no bytes'), CairnError);
    await assert.rejects(load(new Uint8Array(8)));
});

test('asks for nothing but progress, what a service calls, and a console that is not there', async () => {
    const imports = WebAssembly.Module.imports(await WebAssembly.compile(wasm)).map(({ module, name }) => `${module}.${name}`);
    const allowed = ['cairn.progress', 'cairn.answered', 'cairn.clock', 'wasi_snapshot_preview1.fd_close', 'wasi_snapshot_preview1.fd_seek', 'wasi_snapshot_preview1.fd_write'];
    assert.deepEqual(imports.filter((name) => !allowed.includes(name)), []);
});

test('the registry has every algorithm of the library with its parameters', async () => {
    const cairn = await fresh();
    const registry = cairn.registry();
    const definitions = await readFile(path.join(source, '../../src/algorithms.def'), 'utf8');
    const names = [...definitions.matchAll(/^CRN_ALGORITHM\([a-z_]+, ([a-z0-9_]+)\)/gm)].map((match) => match[1].replaceAll('_', '-'));
    assert.deepEqual(registry.algorithms.map((algorithm) => algorithm.name), names);
    const astar = registry.algorithms.find((algorithm) => algorithm.name === 'astar');
    assert.equal(astar.kind, 'planner');
    assert.ok(astar.flags.optimal && !astar.flags.needsIndex && !astar.overlay);
    assert.deepEqual(astar.neighbours, ['4', '8', 'hex']);
    const heuristic = astar.parameters.find((parameter) => parameter.name === 'heuristic');
    assert.equal(heuristic.type, 'choice');
    assert.ok(heuristic.choices.includes('octile') && heuristic.choices.includes(heuristic.default));
    const hpa = registry.algorithms.find((algorithm) => algorithm.name === 'hpa');
    assert.ok(hpa.overlay && hpa.flags.needsIndex && hpa.flags.repairs);
    for (const { parameters } of registry.algorithms) {
        for (const parameter of parameters) {
            if (parameter.type === 'choice') continue;
            assert.ok(parameter.minimum <= parameter.default && parameter.default <= parameter.maximum, parameter.name);
        }
    }
});

test('the registry has the other tables', async () => {
    const cairn = await fresh();
    const registry = cairn.registry();
    assert.ok(registry.generators.length >= 8);
    assert.equal(registry.generators.filter((generator) => generator.fromSource).length, 1);
    for (const name of ['source', 'expand', 'close', 'end']) assert.ok(registry.events.includes(name), name);
    assert.deepEqual(registry.overlays, ['area', 'border', 'node', 'edge']);
    assert.deepEqual(registry.colourings, ['order', 'g', 'h', 'f', 'none']);
    assert.deepEqual(registry.terrains, ['ground', 'swamp', 'water', 'trees']);
    assert.deepEqual(registry.layouts, ['square', 'hex']);
    assert.equal(registry.colours.length, 257);
    assert.deepEqual(registry.colours.slice(0, 2), [[0, 0, 0], [255, 255, 255]]);
    for (const { name, text } of registry.statuses.slice(1)) {
        if (name !== 'invalid') assert.equal(name.replaceAll('-', ' '), text);
    }
    assert.equal(registry.profile.neighbours, '8');
    assert.equal(registry.profile.terrainCost[2], 0);
    registry.algorithms.length = 0; // a copy
    assert.ok(cairn.registry().algorithms.length > 0);
    assert.equal(cairn.memory().bytes, 0);
});

test('the version is that of the package and of the library', async () => {
    const cairn = await fresh();
    const description = JSON.parse(await readFile(path.join(folder, 'package.json'), 'utf8'));
    assert.equal(cairn.version, description.version);
    for (const file of description.files) await readFile(path.join(folder, file));
});

// Members of the interfaces and classes of cairn.d.ts, by name.
function declared(types) {
    const members = new Map();
    for (const [, name, body] of types.matchAll(/^export (?:interface|class) (\w+)[^{]*\{\n([\s\S]*?)^\}/gm)) {
        members.set(name, [...body.matchAll(/^ {4}(?:readonly )?(\w+)\??(?:\(|:)/gm)].map((match) => match[1]));
    }
    return members;
}

test('everything that the types declare is there', async () => {
    const types = await readFile(path.join(folder, 'cairn.d.ts'), 'utf8');
    const members = declared(types);
    const cairn = await fresh();
    const world = cairn.generate('random', { width: 8, height: 8, percent: 0 });
    const space = world.space();
    const planner = space.planner('hpa');
    planner.build();
    const search = planner.search();
    search.trace(true);
    const result = search.find({ from: 0, to: 63 });
    const graph = cairn.worldFromGraph(new TextEncoder().encode('p sp 2 1\na 1 2 5\n'));
    const navigator = planner.navigator();
    navigator.start(0, 63);
    const script = cairn.scriptParse(new TextEncoder().encode('cairn-walk 1\nfrom 0,0\nto 3,3\nat 2 block 1,1\n'));
    const registry = cairn.registry();
    const samples = { Cairn: cairn, World: world, Space: space, Planner: planner, Search: search, Result: result, GraphWorld: graph,
        Registry: registry, Algorithm: registry.algorithms[0], AlgorithmFlags: registry.algorithms[0].flags, Generator: registry.generators[0],
        GeneratorParameter: registry.generators[0].parameters[0], Profile: registry.profile, Metrics: result.metrics, Trace: search.takeTrace(),
        Overlay: planner.overlay(), Explanation: space.explain(0, 0), Upkeep: space.upkeep(), MemoryUse: cairn.memory(),
        CellArrays: world.cells(), Commit: world.edit({ nodes: [] }), PathData: result,
        Navigator: navigator, Move: navigator.next(), WalkSums: navigator.sums(), WalkScript: script, WalkChange: script.changes[0], ScriptWalk: navigator.walk(script),
        CairnError: new CairnError('invalid', 'x') };
    for (const [name, sample] of Object.entries(samples)) {
        assert.ok(members.get(name)?.length, `${name} is not declared`);
        for (const member of members.get(name)) assert.ok(member in sample, `${name}.${member} is declared, but not there`);
    }
    for (const [, name] of types.matchAll(/^export (?:class|function) (\w+)/gm)) assert.ok(name in library, name);
});
