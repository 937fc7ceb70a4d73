/* units_simulation.test.mjs: parts of the simulation that need no browser: recordings that are shown at any turn, recordings in files that are not as they should be, and the figures. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { createRecording, nowhere, readOptions, readRecording } from '../src/recording.js';
import { quantile } from '../src/panel_simulation.js';
import { createRandom } from '../src/simulator.js';

const cellCount = 30;

/* Agents that come, go anywhere, leave, and cells that change; as a list of what happens in each turn. */
function randomHistory(seed) {
    const { pick } = createRandom(seed), open = Uint8Array.from({ length: cellCount }, () => pick(2)), agents = 1 + pick(4), turns = 1 + pick(20);
    const events = [], edits = [], cells = open.slice();
    for (let agent = 0; agent < agents; agent++) events.push([0, agent, ...(pick(3) ? [pick(cellCount), pick(cellCount)] : [nowhere, nowhere])]);
    for (let turn = 0; turn < turns; turn++) {
        for (let cell = 0; cell < cellCount; cell++) if (!pick(12)) edits.push([turn, cell, (cells[cell] = cells[cell] ? 0 : 1)]);
        for (let agent = 0; agent < agents; agent++) if (pick(2)) events.push([turn + 1, agent, ...(pick(5) ? [pick(cellCount), pick(cellCount)] : [nowhere, nowhere])]);
    }
    return { open, events, edits, turns };
}

/* All of it, from the list. */
function stateAfter({ open, events, edits }, turns) {
    const agents = new Map(), trails = new Map(), cells = open.slice();
    let reached = 0;
    for (const [turn, agent, cell, goal] of events.filter((event) => event[0] <= turns)) {
        const before = agents.get(agent);
        if (before && cell === before[1] && before[0] !== before[1]) reached++;
        if (cell === nowhere) {
            agents.delete(agent);
            trails.delete(agent);
            continue;
        }
        if (before && before[0] !== cell) trails.set(agent, [before[0], ...(trails.get(agent) ?? [])]);
        agents.set(agent, [cell, goal]);
        assert.ok(turn <= turns);
    }
    for (const [turn, cell, isOpen] of edits) if (turn < turns) cells[cell] = isOpen;
    return { agents, trails, cells, reached };
}

function words({ events, edits, turns }) {
    return { options: 'agents 3\nservice\n', events: Uint32Array.from(events.flat()), edits: Uint32Array.from(edits.flat()), frames: new Uint32Array(turns).fill(2e6) };
}

describe('a recording', () => {
    it('is shown as it was after any turn, whatever was shown before', () => {
        for (let seed = 1; seed <= 200; seed++) {
            const history = randomHistory(seed), { recording } = readRecording(words(history), history.open), { pick } = createRandom(seed + 1000), touched = history.open.slice();
            assert.equal(recording.turns, history.turns);
            for (let look = 0; look < 30; look++) {
                const turn = pick(history.turns + 1), expected = stateAfter(history, turn), agents = new Map();
                recording.goTo(turn, (cell) => { touched[cell] = recording.cells[cell]; });
                recording.each((agent, cell, goal, number) => {
                    agents.set(agent, [cell, goal]);
                    assert.deepEqual(recording.trail(number, 3), (expected.trails.get(agent) ?? []).slice(0, 3), `trail of ${agent} after ${turn} turns`);
                });
                assert.deepEqual([agents, recording.cells, recording.reached()], [new Map([...expected.agents].sort(([a], [b]) => a - b)), expected.cells, expected.reached], `${seed}: after ${turn} turns`);
                assert.deepEqual(touched, expected.cells, 'whoever listens knows of every change');
                assert.deepEqual([...recording.closed], [...expected.cells].map((isOpen, cell) => (history.open[cell] && !isOpen ? 1 : 0)));
                assert.equal(recording.closedCount, recording.closed.reduce((sum, one) => sum + one, 0));
                const after = history.edits.find((edit) => edit[0] > turn)?.[0] ?? history.turns, before = history.edits.findLast((edit) => edit[0] < turn)?.[0] ?? 0;
                assert.deepEqual([recording.editTurn(turn, 1), recording.editTurn(turn, -1)], [after, before]);
            }
        }
    });

    it('may grow while it is shown', () => {
        const history = randomHistory(7), recording = createRecording(history.open);
        for (let turn = 0; turn <= history.turns; turn++) {
            for (const event of history.events.filter(([at]) => at === turn)) recording.addEvent(...event);
            for (const edit of history.edits.filter(([at]) => at === turn - 1)) recording.addEdit(...edit);
            if (turn) recording.frames.push(1);
            recording.goTo(turn, () => {});
            const agents = new Map();
            recording.each((agent, cell, goal) => agents.set(agent, [cell, goal]));
            assert.deepEqual([agents, recording.cells], [new Map([...stateAfter(history, turn).agents].sort(([a], [b]) => a - b)), stateAfter(history, turn).cells]);
        }
    });

    it('that is malformed is refused', () => {
        const open = new Uint8Array(4).fill(1), good = { options: '', events: [0, 0, 1, 2, 1, 0, 2, 2], edits: [0, 3, 0, 1, 3, 1], frames: [5, 6] };
        const read = (change) => {
            const { options, ...lists } = { ...good, ...change };
            return readRecording({ options, ...Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, Uint32Array.from(list)])) }, open);
        };
        assert.deepEqual(read({}).recording.frames, [5e-6, 6e-6]);
        const bad = [
            [{ frames: [] }, /no turns/], [{ events: [0, 0, 1] }, /events are cut/], [{ edits: [0, 3, 0, 1] }, /edits are cut/], [{ events: [0, 0, 1, 2, 3, 0, 2, 2] }, /events are not in order/],
            [{ events: [0, 0, 1, 2, 2, 0, 2, 2, 1, 0, 1, 1] }, /events are not in order/], [{ edits: [2, 3, 0] }, /edits are not in order/], [{ edits: [1, 3, 0, 0, 2, 0] }, /edits are not in order/],
            [{ events: [0, 0, 4, 2] }, /agent 0 is outside/], [{ events: [0, 0, 1, 4] }, /outside/], [{ events: [0, 0, nowhere, 2] }, /outside/], [{ events: [0, 1, 1, 1] }, /no agent 1/],
            [{ events: [0, 0, 1, 1, 1, 1, 2, 2] }, /no agent 1/], [{ events: [0, 4294967295, 1, 1] }, /no agent/], [{ edits: [0, 3, 1] }, /changes nothing/], [{ edits: [0, 3, 2] }, /changes nothing/],
            [{ edits: [0, 4, 0] }, /changes nothing/], [{ edits: [0, 3, 0, 1, 3, 0] }, /changes nothing/],
        ];
        for (const [change, pattern] of bad) assert.throws(() => read(change), pattern, JSON.stringify(change));
    });

    it('has its options as lines', () => {
        assert.deepEqual(readOptions('agents 40\nservice\nedit-life 120\n'), { agents: '40', service: '', 'edit-life': '120' });
        assert.deepEqual(readOptions(''), {});
    });
});

describe('figures', () => {
    it('are the value that a part of all does not exceed', () => {
        const sorted = Array.from({ length: 200 }, (unused, i) => i + 1);
        assert.deepEqual([0.5, 0.99, 0.999, 1].map((part) => quantile(sorted, part)), [100, 198, 200, 200]);
        assert.deepEqual([quantile([], 0.5), quantile([7], 0.5), quantile([7], 0)], [0, 7, 7]);
    });

    it('random numbers are spread, and the same for the same seed', () => {
        const draw = (seed) => Array.from({ length: 10000 }, ((random) => () => random.pick(10))(createRandom(seed)));
        assert.deepEqual(draw(3), draw(3));
        assert.notDeepEqual(draw(3), draw(4));
        const counts = draw(5).reduce((found, one) => found.with(one, found[one] + 1), Array(10).fill(0));
        assert.ok(Math.min(...counts) > 850 && Math.max(...counts) < 1150, counts.join());
    });
});
