// `.cairn` files with more than a world: what was put in comes out, and nothing else is made of it.
import assert from 'node:assert/strict';
import test from 'node:test';
import { bytes, fresh, refused, ROOMS, text } from './support.mjs';

test('a question comes back as it was stored', async () => {
    const cairn = await fresh(), world = cairn.worldFromFile(bytes(ROOMS));
    const { profile } = world.space({ neighbours: '4', radius: 1.25, maxDrop: 3, links: 5, terrainCost: { swamp: 9, water: 0 } });
    const queries = [
        { from: 3, to: 40 }, { from: 3, goals: [7, 8, 50], goalKind: 'within', radius: 1.5, maxCost: 900, maxWork: 77, partial: true }, { from: 0, goals: [] },
        { from: 4294967295 }, { from: 2, goalKind: 'none' }, { from: 0, to: 0 },
    ];
    for (const query of queries) {
        const file = world.toArchive({ profile, query, algorithm: 'hpa:size=16' });
        assert.deepEqual(cairn.archiveContents(file), { profile, query, algorithm: 'hpa:size=16' });
        assert.deepEqual(cairn.worldFromFile(file).cells(), world.cells());
    }
});

test('each part may be missing', async () => {
    const cairn = await fresh(), world = cairn.worldFromFile(bytes(ROOMS)), standard = world.space().profile;
    assert.deepEqual(cairn.archiveContents(world.toArchive()), {});
    assert.deepEqual(cairn.archiveContents(world.toArchive({})), {});
    assert.deepEqual(cairn.archiveContents(world.toArchive({ profile: {} })), { profile: standard });
    assert.deepEqual(cairn.archiveContents(world.toArchive({ query: { from: 1, to: 2 } })), { query: { from: 1, to: 2 } });
    assert.deepEqual(cairn.archiveContents(world.toArchive({ algorithm: 'no such one' })), { algorithm: 'no such one' });
});

test('a file with a question gives the same answer', async () => {
    const cairn = await fresh(), world = cairn.generate('caves', { width: 40, height: 40, seed: 3 });
    const query = { from: 0, to: 1599, partial: true }, space = world.space({ corners: 'always' });
    const file = world.toArchive({ profile: space.profile, query, algorithm: 'wastar:weight=2' });
    const held = cairn.archiveContents(file), again = cairn.worldFromFile(file).space(held.profile);
    assert.equal(again.hash, space.hash);
    const [here, there] = [space.planner('wastar:weight=2'), again.planner(held.algorithm)].map((planner) => planner.search().find(query));
    assert.deepEqual([there.status, there.cost, there.metrics.expanded], [here.status, here.cost, here.metrics.expanded]);
});

test('other files hold nothing, damaged ones are refused', async () => {
    const cairn = await fresh(), world = cairn.worldFromFile(bytes(ROOMS));
    for (const file of [bytes(ROOMS), world.toMap(), new Uint8Array(0), bytes('{"a":1}')]) assert.deepEqual(cairn.archiveContents(file), {});
    const file = world.toArchive({ profile: {}, query: { from: 1, to: 2 }, algorithm: 'astar' }), before = cairn.memory().bytes;
    for (let at = 4; at < file.length; at += 7) {
        const spoilt = file.slice();
        spoilt[at] ^= 4;
        assert.throws(() => cairn.archiveContents(spoilt), refused('bad-data'), `byte ${at}`);
        assert.throws(() => cairn.archiveContents(file.slice(0, at)), refused('bad-data'), `${at} bytes`);
    }
    assert.equal(cairn.memory().bytes, before);
    assert.throws(() => cairn.archiveContents('text'), refused('invalid'));
});

test('questions that cannot be are not written', async () => {
    const cairn = await fresh(), world = cairn.worldFromFile(bytes(ROOMS)), before = cairn.memory().bytes;
    for (const question of [{ algorithm: '' }, { algorithm: 'a\nb' }, { algorithm: 'é' }, { algorithm: 'a'.repeat(256) }, { query: {} }, { query: { from: -1 } },
        { profile: { corners: 'sometimes' } }, { profile: { colour: 'red' } }])
        assert.throws(() => world.toArchive(question), refused('invalid'), JSON.stringify(question));
    assert.equal(cairn.memory().bytes, before);
    assert.equal(cairn.archiveContents(world.toArchive({ algorithm: 'a'.repeat(255) })).algorithm.length, 255);
});

test('any section of a file can be read, if its elements have the size that is meant', async () => {
    const cairn = await fresh(), world = cairn.worldFromFile(bytes(ROOMS)), file = world.toArchive({ algorithm: 'hpa:size=8' });
    assert.equal(text(cairn.archiveSection(file, 'repro.algorithm')), 'hpa:size=8');
    assert.equal(cairn.archiveSection(file, 'repro.algorithm', 4), null);
    assert.equal(cairn.archiveSection(file, 'sim.events', 4), null);
    assert.equal(cairn.archiveSection(bytes(ROOMS), 'grid'), null);
    assert.throws(() => cairn.archiveSection(file.slice(0, file.length - 9), 'repro.algorithm'), refused('bad-data'));
    assert.throws(() => cairn.archiveSection(file, 'grid', 0), refused('invalid', /elementBytes/));
    world.destroy();
    assert.equal(cairn.memory().bytes, 0);
});
