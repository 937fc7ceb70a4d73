// The same answers as the library gives on this machine: reference.txt is what js_reference (reference.c) prints.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { bytes, CairnError, fresh, here, random } from './support.mjs';

const PROBLEMS = 25, EDITS = 40, TRIES = 100, TURNS = 500;
const MASK = 0xffffffffffffffffn;

// FNV-1a over 32-bit words, low byte first.
function hashWord(hash, word) {
    for (let shift = 0; shift < 32; shift += 8) hash = ((hash ^ BigInt((word >>> shift) & 255)) * 0x100000001b3n) & MASK;
    return hash;
}

function makeWorld(cairn, [generator, width, height, seed, neighbours, , , ground]) {
    const numbers = { width: Number(width), height: Number(height), seed: Number(seed) };
    const world = cairn.generate(generator, numbers);
    if (neighbours === 'hex') world.setLayout('hex');
    if (ground === 'swamp') {
        const draw = random(seed);
        const nodes = Array.from({ length: world.width * world.height }, (_, i) => i).filter(() => draw(8) === 0);
        world.edit({ nodes, terrain: nodes.map(() => 1) });
    }
    return world;
}

function makeSpace(world, [, , , , neighbours, corners, radius, ground]) {
    return world.space({ neighbours, corners, radius: Number(radius), terrainCost: { swamp: ground === 'swamp' ? 3 : 1 } });
}

// A node that can be stood on, if luck finds one.
function drawNode(draw, usable) {
    let node = 0;
    for (let i = 0; i < TRIES; i++) {
        node = draw(usable.length);
        if (usable[node]) break;
    }
    return node;
}

function runAlgorithm(cairn, settings, name) {
    const world = makeWorld(cairn, settings), space = makeSpace(world, settings);
    const { statuses, limits } = cairn.registry();
    const codes = new Map(statuses.map((status, i) => [status.name, i]).concat([['found', 0]]));
    let planner;
    try {
        planner = space.planner(name);
    } catch (error) {
        assert.ok(error instanceof CairnError);
        world.destroy();
        return null;
    }
    planner.build();
    const search = planner.search();
    const draw = random(settings[3]);
    let usable = space.usable(), hash = 0xcbf29ce484222325n, found = 0, cost = 0, expanded = 0;
    const addProblem = () => {
        const from = drawNode(draw, usable);
        const result = search.find({ from, to: drawNode(draw, usable) });
        found += result.status === 'found';
        cost += result.status === 'found' ? result.cost : 0;
        expanded += result.metrics.expanded;
        for (const word of [codes.get(result.status), result.cost ?? limits.noCost, result.metrics.expanded, ...result.points]) hash = hashWord(hash, word);
    };
    for (let i = 0; i < PROBLEMS; i++) addProblem();
    const nodes = [], open = [];
    for (let i = 0; i < EDITS; i++) {
        nodes.push(draw(usable.length));
        open.push(draw(2));
    }
    world.edit({ nodes, open });
    usable = space.usable();
    planner.sync();
    for (let i = 0; i < PROBLEMS; i++) addProblem();
    world.destroy();
    return `${name} ${found} ${cost} ${expanded} ${hash.toString(16).padStart(16, '0')}`;
}

function runFog(cairn, settings, name) {
    const truth = makeWorld(cairn, settings), known = truth.known(), space = makeSpace(truth, settings);
    const { moves } = cairn.registry(), draw = random(settings[3]), usable = space.usable();
    const from = drawNode(draw, usable), to = drawNode(draw, usable);
    try {
        const navigator = makeSpace(known, settings).planner(name).navigator();
        navigator.setSensor(space, Number(settings[8]));
        navigator.start(from, to);
        let move = {}, hash = 0xcbf29ce484222325n;
        for (let i = 0; i < TURNS && !move.arrived && move.kind !== 'stop'; i++) {
            move = navigator.next();
            for (const word of [moves.indexOf(move.kind), move.to, move.seen]) hash = hashWord(hash, word);
        }
        const sums = navigator.sums();
        return `fog ${name} ${sums.moves} ${sums.cost} ${sums.expanded} ${sums.seen} ${hash.toString(16).padStart(16, '0')}`;
    } catch (error) {
        assert.ok(error instanceof CairnError);
        return null;
    } finally {
        known.destroy();
        truth.destroy();
    }
}

function hashText(words) {
    let hash = 0xcbf29ce484222325n;
    for (const byte of bytes(words)) hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & MASK;
    return `${bytes(words).length} ${hash.toString(16).padStart(16, '0')}`;
}

function exportLines(cairn, settings) {
    const world = makeWorld(cairn, settings), space = makeSpace(world, settings);
    const draw = random(settings[3]), usable = space.usable();
    const from = drawNode(draw, usable), query = { from, to: drawNode(draw, usable) };
    const planner = space.planner('astar');
    const lines = [`posthoc ${hashText(planner.posthoc(query))}`, `svg ${hashText(space.svg({ planner, query, colour: 'f', smooth: 'spline' }))}`];
    world.destroy();
    return lines;
}

const expected = (await readFile(path.join(here, 'reference.txt'), 'utf8')).split(/^world /m).slice(1);
for (const block of expected) {
    const [head, ...lines] = block.trimEnd().split('\n');
    test(`50 problems, every algorithm: ${head}`, async () => {
        const cairn = await fresh();
        const settings = head.split(' ');
        const names = cairn.registry().algorithms.map(({ name }) => name), printed = names.map((name) => runAlgorithm(cairn, settings, name));
        const walked = Number(settings[8]) ? names.map((name) => runFog(cairn, settings, name)) : [];
        assert.deepEqual([...[...printed, ...walked].filter(Boolean), ...exportLines(cairn, settings)], lines);
        assert.equal(cairn.memory().bytes, 0);
    });
}
