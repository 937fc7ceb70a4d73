// The path service: the same paths as searches find, within the budget, in a world that changes; answers by asking and by functions; and what is refused.
import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import test from 'node:test';
import { bytes, fresh, random, refused, ROOMS, source } from './support.mjs';

const CORRIDOR = ['.........', '.#######.', '.........'].join('\n'); // two ways from the left to the right: along the top and along the bottom

async function rooms(spec = 'astar', options, share) {
    const cairn = await fresh(), world = cairn.generate('rooms', { width: 64, height: 64, seed: 3 });
    const space = world.space(), planner = space.planner(spec), service = cairn.service(options);
    assert.equal(service.add(planner, share), 0);
    return { cairn, world, space, planner, service };
}

// The first and the last cell that an agent can stand on.
const ends = (space) => ({ from: space.usable().indexOf(1), to: space.usable().lastIndexOf(1) });

// Pairs of cells that an agent can walk between, and some that are blocked.
function pairs(space, count) {
    const pick = random(7), found = [];
    while (found.length < count) found.push([pick(space.nodeCount), pick(space.nodeCount)]);
    return found;
}

test('a service answers as searches do, in the order of tickets, and never exceeds the budget', async () => {
    for (const spec of ['astar', 'hpa', 'jps', 'theta']) {
        const { space, planner, service } = await rooms(spec);
        planner.build();
        const wanted = pairs(space, 200), search = planner.search(), open = new Map();
        for (const [from, to] of wanted) open.set(service.request({ from, to }), { from, to });
        const tickets = [...open.keys()];
        assert.ok(tickets.every((ticket, i) => typeof ticket === 'bigint' && (!i || ticket > tickets[i - 1])));
        assert.equal(service.answer(tickets[0]), null);
        assert.equal(service.status(tickets[0]), 'running');
        let frames = 0;
        for (; open.size && frames < 5000; frames++) {
            const frame = service.update({ work: 100 });
            assert.ok(frame.used <= 100);
            let answered = 0;
            for (const [ticket, query] of open) {
                const answer = service.answer(ticket);
                if (!answer) continue;
                answered++;
                const alone = search.find(query);
                assert.deepEqual([answer.status, answer.cost, answer.hash, [...answer.cells()]], [alone.status, alone.cost, alone.hash, [...alone.cells()]]);
                service.release(ticket);
                open.delete(ticket);
            }
            assert.equal(answered, frame.answered);
        }
        assert.equal(open.size, 0);
        assert.ok(frames > 10, `${spec}: the budget was used over ${frames} frames`);
        assert.deepEqual([service.usage().tickets, service.usage().frames, service.usage().requests], [0, frames, 200]);
    }
});

test('the example of the C library says the same', async () => {
    const example = await readFile(path.join(source, '../../examples/service.c'), 'utf8'), names = ['scout', 'unit 1', 'unit 2', 'unit 3', 'unit 4', 'unit 5', 'tank', 'hero'];
    const rows = [...example.matchAll(/"([.#]+)\\n"/g)].map(([, row]) => row), output = /Output:\n([^]*?)\*\//.exec(example)[1].split('\n').map((line) => line.slice(3)).filter(Boolean);
    const cairn = await fresh(), world = cairn.worldFromFile(bytes(rows.join('\n'))), service = cairn.service(), said = [], at = (x, y) => y * world.width + x;
    const onFoot = service.add(world.space().planner('astar')), onTracks = service.add(world.space({ footprint: 2 }).planner('astar'));
    names.forEach((name, i) => {
        const ends = [{ to: at(0, 0) }, {}, {}, {}, {}, {}, { from: at(0, 7), to: at(30, 7) }, { from: at(20, 6) }][i];
        service.request({ planner: i === 6 ? onTracks : onFoot, from: at(12, 4), to: at(31, 0), ...ends, priority: i === 7 ? 8 : 0,
            answer: (ticket, { status, length }) => said.push(`  ${name}: ${status}, length ${length.toFixed(1)}`) });
    });
    for (let frame = { waiting: 1 }; frame.waiting || frame.running;) {
        frame = service.update({ work: 60 });
        said.push(`${frame.used} units of work, ${frame.answered} answer${frame.answered === 1 ? '' : 's'}`);
    }
    said.push(`${service.usage().requests} requests, ${service.usage().shared} of them shared a search`);
    assert.equal(rows.length, 9);
    assert.deepEqual(said, output);
});

test('functions are told, and may ask for more', async () => {
    const { space, service } = await rooms('astar');
    const told = [], log = [];
    const first = service.request({ ...ends(space), answer: (ticket, answer) => {
        told.push([ticket, answer.status]);
        log.push(service.request({ from: ends(space).to, to: ends(space).from, answer: (again, { status }) => told.push([again, status]) }));
        service.follow(ticket, 'never'); // so it stays
    } });
    const second = service.request({ from: ends(space).from, to: space.usable().indexOf(0), answer: (ticket, answer) => {
        told.push([ticket, answer.status]);
        assert.equal(answer.cells().length, 0);
    } });
    while (told.length < 3) service.update({ work: 500 });
    assert.deepEqual(told.map(([ticket]) => ticket).sort(), [first, second, ...log].sort());
    assert.equal(told.find(([ticket]) => ticket === second)[1], 'blocked-goal');
    assert.deepEqual([service.status(first), service.status(second), service.status(log[0])], ['found', 'invalid', 'invalid']);
    assert.equal(service.followed(first).at, ends(space).from);
    service.release(first);
    assert.equal(service.usage().tickets, 0);
});

test('a function that is told may not change what is in use, and what it throws comes out', async () => {
    const { cairn, world, space, planner, service } = await rooms('astar');
    const other = cairn.worldFromFile(bytes(ROOMS)), walker = planner.navigator(), still = refused('invalid', /may not edit/);
    walker.start(0, 1);
    const uses = [() => world.edit({ nodes: [1], open: [0] }), () => world.addLinks([]), () => world.removeLinks([]), () => planner.build(), () => planner.sync(), () => planner.destroy(),
        () => world.destroy(), () => other.destroy(), () => service.destroy(), () => service.update(), () => walker.next(), () => planner.loadIndex(new Uint8Array(8))];
    let times = 0;
    service.request({ from: 0, to: 9, answer: () => {
        for (const use of uses) assert.throws(use, still, String(use));
        assert.equal(planner.search().find({ from: 0, to: 1 }).status, 'found'); // looking is no harm
        times++;
    } });
    service.request({ from: 0, to: 9, answer: () => { throw new Error('one'); } });
    service.request({ from: 0, to: 9, answer: () => { times++; } });
    assert.throws(() => { for (;;) service.update(); }, /one/);
    assert.equal(times, 2);
    assert.equal(service.usage().tickets, 0);
    world.edit({ nodes: [space.nodeCount - 1], open: [0] }); // and afterwards all is allowed
    service.update();
    world.destroy();
    other.destroy();
    assert.equal(service.destroyed, true);
    assert.equal(cairn.memory().bytes, 0);
});

test('a followed path that an edit breaks is replaced, from where the agent is', async () => {
    const cairn = await fresh(), world = cairn.worldFromFile(bytes(CORRIDOR)), space = world.space({ corners: 'never' }), service = cairn.service();
    service.add(space.planner('astar'));
    const ticket = service.request({ from: 0, to: 8 });
    assert.deepEqual([...service.ahead(ticket)], []);
    service.update();
    assert.throws(() => service.followed(ticket), refused('invalid'));
    service.follow(ticket);
    assert.deepEqual([...service.ahead(ticket, 100)], [1, 2, 3, 4, 5, 6, 7, 8]);
    service.walked(ticket, 1);
    assert.deepEqual([...service.ahead(ticket, 2)], [2, 3]);
    assert.equal(service.followed(ticket).at, 1);
    world.edit({ nodes: [13], open: [0] }); // a wall already: nothing breaks
    assert.equal(service.update().broken, 0);
    world.edit({ nodes: [5], open: [0] });
    assert.equal(service.update({ work: 10000 }).broken, 1);
    assert.equal(service.status(ticket), 'found');
    const cells = [...service.ahead(ticket, 100)];
    assert.deepEqual([cells[0], cells.at(-1), cells.includes(22)], [0, 8, true]); // back, and along the bottom
    world.edit({ nodes: [22], open: [0] });
    service.update();
    assert.deepEqual([service.status(ticket), service.followed(ticket).left, service.ahead(ticket, 9).length], ['unreachable', null, 0]);
    world.edit({ nodes: [5], open: [1] });
    service.update();
    assert.deepEqual([service.status(ticket), service.ahead(ticket)[0]], ['found', 2]);
    world.destroy();
    assert.equal(cairn.memory().bytes, 0);
});

test('a path comes in pieces', async () => {
    const { space, planner, service } = await rooms('hpa');
    planner.build();
    const query = ends(space), whole = planner.search().find(query);
    const ticket = service.request({ ...query, piece: 10 }), walked = [query.from];
    let pieces = 0;
    for (; pieces < 100; pieces++) {
        while (service.status(ticket) === 'running') service.update({ work: 100 });
        const answer = service.answer(ticket), cells = [...answer.cells()];
        assert.equal(cells[0], walked.at(-1));
        walked.push(...cells.slice(1));
        if (!answer.partial) break;
        assert.ok(cells.length > 10);
        service.continue(ticket);
    }
    assert.ok(pieces > 1);
    assert.equal(walked.at(-1), query.to);
    assert.ok(walked.length >= whole.cells().length * 0.8);
    for (let i = 1; i < walked.length; i++) assert.notEqual(space.stepCost(walked[i - 1], walked[i]), null);
    assert.throws(() => service.continue(ticket), refused('invalid'));
});

test('microseconds end a frame, by any clock; one that fails ends it too', async () => {
    const { space, service } = await rooms('dijkstra');
    const ask = () => { for (const [from, to] of pairs(space, 100)) service.request({ from, to }); };
    ask();
    let time = 0, looks = 0;
    const clock = () => {
        looks++;
        return (time += 100);
    };
    const frame = service.update({ microseconds: 1000, clock });
    assert.ok(looks > 2 && looks < 40, `${looks} looks`);
    assert.ok(frame.waiting + frame.running > 0);
    assert.throws(() => service.update({ microseconds: 1000, clock: () => { throw new Error('no time'); } }), /no time/);
    assert.throws(() => service.update({ microseconds: 1000, clock: () => 'noon' }), refused('invalid', /what clock returns/));
    assert.throws(() => service.update({ microseconds: 1000, clock: () => space.stepCost(0, 1) }), refused('invalid', /report/));
    assert.ok(service.update({ microseconds: 50 }).used > 0); // performance.now
});

test('the limit of bytes, deadlines, priorities and work of a query hold', async () => {
    const { space, service } = await rooms('astar', { byteLimit: 2000000, slice: 64, ageing: 10 }, { searches: 1 });
    const all = pairs(space, 40).map(([from, to], i) => service.request({ from, to, priority: i === 39 ? 15 : 0, deadline: i === 20 ? 1 : 0 })), turnOf = new Map();
    for (let turn = 1; turn < 4000 && turnOf.size < 40; turn++) {
        service.update({ work: 64 });
        for (const ticket of all) if (service.status(ticket) !== 'running' && !turnOf.has(ticket)) turnOf.set(ticket, turn);
    }
    assert.equal(turnOf.size, 40);
    const found = all.filter((ticket) => service.status(ticket) === 'found');
    assert.ok(found.length > 10);
    assert.equal(Math.min(...found.map((ticket) => turnOf.get(ticket))), turnOf.get(all[39]), 'the urgent one is the first');
    assert.deepEqual([turnOf.get(all[20]), service.status(all[20])], [1, 'out-of-budget']);
    const { bytes: held, peakBytes } = service.usage();
    assert.ok(held > 0 && peakBytes <= 2000000);
    const short = service.request({ ...ends(space), maxWork: 3 });
    while (service.status(short) === 'running') service.update({ work: 64 });
    assert.equal(service.status(short), 'out-of-budget');
    const tight = (await fresh());
    assert.throws(() => tight.service({ byteLimit: 10 }), refused('out-of-memory'));
    assert.throws(() => { for (;;) service.request({ from: 0, to: 1 }); }, refused('out-of-memory'));
    assert.ok(service.usage().refused > 0);
});

test('an index that cannot be divided is made beside the frames, or within one', async () => {
    for (const [background, made] of [[undefined, 'beside'], [3, 'beside'], ['never', 'undivided']]) {
        const { space, service } = await rooms('alt', undefined, { background }), sums = { beside: 0, undivided: 0 };
        const ticket = service.request(ends(space));
        while (service.status(ticket) === 'running') {
            const frame = service.update({ work: 500 });
            assert.ok(frame.used - frame.undivided <= 500);
            sums.beside += frame.beside;
            sums.undivided += frame.undivided;
        }
        assert.equal(service.status(ticket), 'found');
        assert.deepEqual(Object.keys(sums).filter((name) => sums[name] > 0), [made]);
        const { copyBytes, failedSyncs } = service.usage();
        assert.deepEqual([copyBytes > 0, failedSyncs], [made === 'beside', 0]);
    }
});

test('what cannot be is refused', async () => {
    const { cairn, planner, service } = await rooms(), elsewhere = (await rooms()).planner, empty = cairn.service();
    assert.throws(() => empty.request({ from: 0, to: 1 }), refused('invalid', /no planner/));
    assert.throws(() => service.add(elsewhere), refused('invalid', /this instance/));
    assert.throws(() => service.add(planner, { searches: 65 }), refused('invalid'));
    assert.throws(() => service.add(planner, { background: 'always' }), refused('invalid', /background/));
    assert.throws(() => cairn.service({ ageing: 4294967295 }), refused('invalid'));
    const bad = [{ to: 1 }, { from: 0 }, { from: 0, to: 1, planner: 1 }, { from: 0, to: 1, priority: 16 }, { from: 0.5, to: 1 }, { from: 0, to: 1, answer: 'me' }, { from: 0, to: 1, deadline: -1 }];
    for (const request of bad) assert.throws(() => service.request(request), refused('invalid'), JSON.stringify(request));
    for (const call of ['release', 'continue', 'followed', 'answer']) {
        assert.throws(() => service[call](99n), refused('invalid'), call);
        assert.throws(() => service[call](99), refused('invalid', /BigInt/), call);
    }
    assert.equal(service.status(99n), 'invalid');
    const ticket = service.request({ from: 0, to: 9 });
    service.update();
    assert.throws(() => service.follow(ticket, 'sometimes'), refused('invalid', /shortcuts/));
    service.follow(ticket);
    assert.throws(() => service.walked(ticket, 1e8), refused('out-of-bounds'));
    assert.throws(() => service.update({ work: 10, soft: 20 }), refused('invalid'));
    assert.throws(() => service.update({ work: -1 }), refused('invalid', /work/));
    const outside = service.request({ from: 0, to: 1e8 });
    service.update();
    assert.equal(service.status(outside), 'out-of-bounds');
    service.destroy();
    service.destroy();
    assert.throws(() => service.usage(), refused('invalid', /Service was destroyed/));
    assert.equal(planner.destroyed, false);
});

test('two machines stay equal, frame by frame', async () => {
    const run = async () => {
        const { world, space, service } = await rooms('astar'), pick = random(11), frames = [], tickets = [];
        for (let turn = 0; turn < 120; turn++) {
            for (let i = 0; i < 3; i++) tickets.push(service.request({ from: pick(space.nodeCount), to: pick(space.nodeCount), priority: pick(16) }));
            if (turn % 5 === 0) world.edit({ nodes: [pick(space.nodeCount)], open: [pick(2)] });
            frames.push(service.update({ work: 200, soft: 100 }));
            frames.push(tickets.map((ticket) => (service.status(ticket) === 'running' ? '' : service.answer(ticket).hash)).join());
        }
        return frames;
    };
    assert.deepEqual(await run(), await run());
});

test('random goals can be reached, and are the same for the same seed', async () => {
    const { space } = await rooms();
    const components = space.components(), seen = new Set(), from = space.usable().indexOf(1);
    for (let seed = 0; seed < 200; seed++) {
        const goal = space.randomReachable(from, seed);
        assert.equal(components[goal], components[from]);
        assert.equal(space.randomReachable(from, BigInt(seed)), goal);
        seen.add(goal);
    }
    assert.ok(seen.size > 150);
    assert.throws(() => space.randomReachable(space.usable().indexOf(0), 1), refused('blocked-start'));
    assert.throws(() => space.randomReachable(0, 0.5), refused('invalid', /seed/));
});
