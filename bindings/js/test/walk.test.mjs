// Agents that walk: step by step in a world that changes, and by the bundled scripts.
import assert from 'node:assert/strict';
import { readdir, readFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { bytes, CairnError, fresh, random, refused, ROOMS, source, text } from './support.mjs';

const maps = path.join(source, '../../maps');

test('an agent walks, finds its way blocked, and goes round', async () => {
    const cairn = await fresh();
    const world = cairn.worldFromCells({ width: 9, height: 9 });
    const navigator = world.space().planner('astar').navigator();
    assert.deepEqual([navigator.at, navigator.goal, navigator.next().status], [null, null, 'invalid']);
    navigator.start(0, 8);
    navigator.trace(true);
    const first = navigator.next();
    assert.deepEqual([first.kind, first.status, first.from, first.to, first.plans, first.link], ['step', 'ok', 0, 1, 1, null]);
    assert.deepEqual([...navigator.ahead()], [1, 8]);
    assert.ok(navigator.takeTrace().total > 0);
    world.edit({ nodes: [3, 12, 21], open: [0, 0, 0] });
    let broken = 0, moves = 1, move;
    do {
        move = navigator.next();
        broken += move.broken;
        moves++;
        assert.ok(world.cells().open[move.to]);
    } while (!move.arrived);
    const sums = navigator.sums();
    assert.deepEqual([broken, navigator.at, sums.moves, sums.plans, sums.breaks], [1, 8, moves, 2, 1]);
    assert.ok(sums.cost > 8 * 5741 && sums.bytes > 0 && sums.peakBytes > 0);
    assert.equal(navigator.next().kind, 'arrived');
    navigator.retarget(80);
    assert.equal(navigator.next().kind, 'step');
    navigator.moved(navigator.ahead()[0]);
    assert.equal(navigator.next().plans, 0);
    navigator.moved(60);
    assert.deepEqual([navigator.at, navigator.next().plans], [60, 1]);
    assert.throws(() => navigator.moved(81), refused('out-of-bounds'));
    assert.throws(() => navigator.retarget(81), refused('out-of-bounds'));
    assert.throws(() => navigator.start(0, 99), refused('out-of-bounds'));
    world.destroy();
    assert.throws(() => navigator.next(), refused('invalid', /Navigator was destroyed/));
    assert.equal(cairn.memory().bytes, 0);
});

test('an agent of subgoals names them, and climbs from one to the next', async () => {
    const cairn = await fresh();
    const world = cairn.worldFromFile(bytes(ROOMS));
    for (const spec of ['hcdps:direct=off,spacing=4', 'knn-lrtastar', 'dlrtastar', 'astar']) {
        const planner = world.space().planner(spec);
        planner.build();
        const navigator = planner.navigator();
        navigator.start(0, 10);
        assert.deepEqual([...navigator.subgoals()], []);
        let seen = 0;
        for (let move = navigator.next(); !move.arrived; move = navigator.next()) {
            const subgoals = navigator.subgoals(), ahead = navigator.ahead();
            seen += subgoals.length > 0;
            if (!subgoals.length) continue;
            assert.equal(subgoals.at(-1), 10);
            if (ahead.length > 1) assert.deepEqual([ahead[0], spec.startsWith('hcdps') ? ahead.at(-1) : subgoals[0]], [move.to, subgoals[0]]);
        }
        assert.equal(seen > 0, spec !== 'astar', spec);
        assert.deepEqual([...navigator.subgoals()], []);
    }
    world.destroy();
    assert.equal(cairn.memory().bytes, 0);
});

test('it stops without a path, thinks within its work, and replans as it is told', async () => {
    const cairn = await fresh();
    const world = cairn.worldFromFile(bytes(ROOMS));
    const planner = world.space().planner('astar');
    const careful = planner.navigator({ work: 5 }), curious = planner.navigator({ replan: 'changed' });
    careful.start(0, 10);
    assert.deepEqual([careful.next().kind, careful.next().status], ['think', 'running']);
    let move = careful.next();
    while (move.kind === 'think') {
        assert.ok(move.work <= 5);
        move = careful.next();
    }
    assert.equal(move.kind, 'step');
    curious.start(0, 10);
    curious.next();
    world.edit({ nodes: [54], open: [0] });
    assert.equal(curious.next().plans, 1);
    world.edit({ nodes: [27], open: [0] });
    move = curious.next();
    assert.deepEqual([move.kind, move.status, move.statusText], ['stop', 'unreachable', 'unreachable']);
    world.edit({ nodes: [27], open: [1] });
    assert.equal(curious.next().kind, 'step');
    assert.throws(() => planner.navigator({ replan: 'never' }), refused('invalid', /blocked, changed/));
});

test('every planner walks to the goal, and its index follows', async () => {
    const cairn = await fresh();
    for (const { name, flags } of cairn.registry().algorithms) {
        const world = cairn.generate('rooms', { width: 33, height: 33, seed: 2 });
        const space = world.space();
        const components = space.components();
        const navigator = space.planner(name).navigator();
        navigator.start(components.indexOf(1), components.lastIndexOf(1));
        const draw = random(1);
        let move = navigator.next(), steps = 0;
        for (; (move.kind === 'step' || move.kind === 'think') && !move.arrived && steps < 3000; steps++) {
            const node = draw(components.length);
            if (steps % 8 === 0 && node !== navigator.at && node !== navigator.goal) world.edit({ nodes: [node], open: [1] });
            move = navigator.next();
        }
        // some give up long paths
        assert.ok(move.arrived || (flags.exponential && move.status === 'out-of-budget'), `${name}: ${move.kind} ${move.status} after ${steps}`);
        world.destroy();
    }
    assert.equal(cairn.memory().bytes, 0);
});

async function bundled() {
    const names = (await readdir(maps)).filter((name) => name.endsWith('.walk'));
    return Promise.all(names.map(async (name) => ({ name, data: await readFile(path.join(maps, name)) })));
}

test('the bundled walks end as they say, with several planners', async () => {
    const cairn = await fresh();
    const scripts = await bundled();
    assert.ok(scripts.length >= 5);
    for (const { name, data } of scripts) {
        const script = cairn.scriptParse(data);
        for (const spec of ['astar', 'jps', 'hpa']) {
            const world = script.map.kind === 'file' ? cairn.worldFromFile(await readFile(path.join(maps, script.map.file))) : cairn.scriptWorld(script);
            const space = world.space({ ...script.profile, neighbours: world.layout === 'hex' ? 'hex' : script.profile.neighbours });
            let planner;
            try {
                planner = space.planner(spec);
            } catch (error) {
                assert.ok(error instanceof CairnError && error.status === 'unsupported');
                world.destroy();
                continue;
            }
            const walk = planner.navigator().walk(script);
            let move, turns = 0, made = 0;
            while (!walk.over && turns++ < 5000) {
                move = walk.turn();
                made += walk.made;
            }
            assert.ok(walk.over, name);
            assert.ok(script.end === 'any' || (script.end === 'arrived') === move.arrived, `${name} ${spec}: ${move.kind}`);
            assert.ok(made === walk.next && made <= script.changes.length);
            world.destroy();
        }
    }
    assert.equal(cairn.memory().bytes, 0);
});

test('scripts are written as they were read', async () => {
    const cairn = await fresh();
    for (const { name, data } of await bundled()) {
        const script = cairn.scriptParse(data);
        const written = cairn.scriptFormat(script);
        assert.deepEqual(cairn.scriptParse(written), script, name);
        assert.deepEqual(cairn.scriptFormat(cairn.scriptParse(written)), written);
    }
    const made = { title: 'A wall', map: { kind: 'generated', generator: { kind: 'random', width: 10, height: 8, seed: 3, percent: 5 } }, profile: { corners: 'one' },
        from: { x: 0, y: 0 }, to: { x: 9, y: 7 }, changes: [{ at: 5, action: 'open', x0: 3, y0: 2, x1: 1 }, { at: 2, action: 'terrain', x0: 3, y0: 3, terrain: 2 }], end: 'arrived' };
    const words = text(cairn.scriptFormat(made));
    assert.match(words, /generate random 10x8 seed=3 percent=5/);
    assert.match(words, /at 2 terrain 3,3 2\nat 5 open 1,2 3,2\n/);
    assert.deepEqual([cairn.scriptWorld(made).width, cairn.scriptParse(bytes(words)).profile.corners], [10, 'one']);
    assert.throws(() => cairn.scriptParse(bytes('cairn-walk 1\nfrom here\n')), refused('bad-data', /./, 2));
    assert.throws(() => cairn.scriptFormat({ ...made, title: ' blank' }), refused('invalid', /title/));
    assert.throws(() => cairn.scriptFormat({ ...made, changes: [{ at: 1, action: 'burn', x0: 0, y0: 0 }] }), refused('invalid', /block/));
    assert.throws(() => cairn.scriptWorld({ ...made, map: { kind: 'file', file: 'a.map' } }), refused('invalid', /a\.map/));
    const world = cairn.worldFromCells({ width: 5, height: 5 });
    const navigator = world.space().planner('astar').navigator();
    assert.throws(() => navigator.walk(made), refused('invalid'));
    const walk = navigator.walk({ ...made, to: { x: 4, y: 4 }, changes: [{ at: 0, action: 'block', x0: 9, y0: 9 }] });
    assert.throws(() => walk.turn(), refused('out-of-bounds', /9,9/));
    assert.equal(walk.over, true);
});
