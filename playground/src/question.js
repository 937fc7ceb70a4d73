/* question.js: what a .cairn file brings besides its world, an agent, a start and a goal, an algorithm, as the page keeps them; and the other way round. What the page cannot
 * show as the file has it is told.
 */
import { parseSpec, specOf } from './spec.js';

/* An agent as the page keeps one: of the prices only those that are not as usual. */
export function profileOf(registry, { terrainCost, ...profile }) {
    const prices = [...terrainCost.entries()].filter(([terrain, price]) => price !== registry.profile.terrainCost[terrain]);
    return { ...profile, terrainCost: Object.fromEntries(prices) };
}

/* `contents` as the library reads them: { profile, query, panes, notes }; what the file does not say, or the page has no cell for, is missing. */
export function questionFrom(contents, registry, cellCount) {
    const notes = [], { profile, query, algorithm = contents.index } = contents;
    return {
        notes, profile: profile && profileOf(registry, profile), query: query && queryFrom(query, cellCount, notes),
        panes: algorithm && panesFrom(algorithm, registry, notes),
    };
}

function queryFrom({ from, to, goals, goalKind, maxCost, maxWork }, cellCount, notes) {
    const query = {}, put = (name, node, what) => {
        if (node < cellCount) query[name] = node;
        else notes.push(`its ${what} is no cell of the world`);
    };
    put('from', from, 'start');
    put('to', goals ? goals[0] : to, 'goal');
    if (goals?.length > 1) notes.push(`it has ${goals.length} goals, and the page shows the first`);
    if (goalKind) notes.push(`its goal is "${goalKind}", and the page goes to the cell itself`);
    if (maxCost || maxWork) notes.push('its search is limited, and that of the page is not');
    return query;
}

function panesFrom(algorithm, registry, notes) {
    try {
        return [parseSpec(registry, algorithm)];
    } catch (error) {
        notes.push(`it asks for ${algorithm}, but ${error.message}`);
        return undefined;
    }
}

/* What the first map shows, for a file that `cairn path` runs again. */
export function questionOf({ store, registry }) {
    return { query: { ...store.get('problem.query'), partial: true }, algorithm: specOf(registry, store.get('problem.panes.0')) };
}
