/* units_question.test.mjs: what the page makes of the contents of a .cairn file. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { questionFrom, questionOf } from '../src/question.js';

const usual = Uint8Array.from({ length: 256 }, (unused, i) => (i === 2 ? 0 : 1));
const registry = {
    profile: { terrainCost: usual },
    algorithms: [{ name: 'astar', aliases: ['a*'], parameters: [] }, { name: 'hpa', aliases: [], parameters: [{ name: 'size', type: 'integer', minimum: 4, maximum: 64, default: 16 }] }],
};
const from = (contents) => questionFrom(contents, registry, 100);

describe('a question', () => {
    it('may be missing, whole or in parts', () => {
        assert.deepEqual(from({}), { notes: [], profile: undefined, query: undefined, panes: undefined });
        assert.deepEqual(from({ query: { from: 0, to: 99 } }).query, { from: 0, to: 99 });
    });

    it('has an agent with the prices that are not as usual', () => {
        const terrainCost = usual.slice();
        terrainCost[2] = 7;
        terrainCost[255] = 0;
        assert.deepEqual(from({ profile: { neighbours: '4', costScale: 3, terrainCost } }).profile, { neighbours: '4', costScale: 3, terrainCost: { 2: 7, 255: 0 } });
    });

    it('has an algorithm, else that of the index', () => {
        assert.deepEqual(from({ algorithm: 'hpa:size=12' }).panes, [{ algorithm: 'hpa', parameters: { size: 12 } }]);
        assert.deepEqual(from({ algorithm: 'a*', index: 'hpa' }).panes, [{ algorithm: 'astar', parameters: {} }]);
        assert.deepEqual(from({ index: 'hpa:size=8' }).panes, [{ algorithm: 'hpa', parameters: { size: 8 } }]);
    });

    it('tells what cannot be shown', () => {
        const notesOf = (contents) => from(contents).notes.join('; ');
        assert.equal(notesOf({ algorithm: 'teleport:far=1' }), 'it asks for teleport:far=1, but there is no algorithm "teleport"');
        assert.match(notesOf({ algorithm: 'hpa:size=1' }), /^it asks for hpa:size=1, but size of hpa should be/);
        assert.equal(notesOf({ query: { from: 4294967295, to: 100 } }), 'its start is no cell of the world; its goal is no cell of the world');
        assert.equal(notesOf({ query: { from: 0 } }), 'its goal is no cell of the world');
        assert.equal(notesOf({ query: { from: 0, goals: [] } }), 'its goal is no cell of the world');
        const several = from({ query: { from: 0, goals: [5, 6], goalKind: 'next-to', maxWork: 9 } });
        assert.deepEqual([several.query, several.notes.length], [{ from: 0, to: 5 }, 3]);
    });

    it('is made of what the first map shows', () => {
        const problem = { query: { from: 1, to: 2 }, panes: [{ algorithm: 'hpa', parameters: { size: 12 } }, { algorithm: 'astar', parameters: {} }] };
        const store = { get: (path) => path.split('.').reduce((value, key) => value[key], { problem }) };
        assert.deepEqual(questionOf({ store, registry }), { query: { from: 1, to: 2, partial: true }, algorithm: 'hpa:size=12' });
    });
});
