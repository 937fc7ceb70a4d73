/* panel_compare.js: two to four algorithms on the same problem: which ones, how they are played together, and a table of what each has done. The first
 * is that of the search panel. The best value of every row is marked, where all have one.
 */
import { button, el, field, replaceChildren, section, select } from './dom.js';
import { bytes, count, decimal, milliseconds, percent } from './format.js';
import { badge } from './pane.js';
import { counterAt } from './panel_result.js';
import { createChooser } from './panel_search.js';
import { togethers } from './player.js';
import { algorithmOf, specOf } from './spec.js';
import { mostPanes } from './stage.js';

/* [name, value of a result, text of a value, help]: less is better. */
export const measures = [
    ['cost', ({ cost, scale }) => (cost === null ? null : cost / scale.straight), (value) => decimal(value), 'in straight steps'],
    ['above optimal', ({ cost, best }) => (best && cost !== null ? cost / best - 1 : null), percent, 'against the best path of steps'],
    ['expanded', ({ metrics }) => metrics.expanded, short, 'nodes whose neighbours were looked at'],
    ['time', ({ ms }) => ms, milliseconds, 'of the search alone, in this browser, warm: the least of several runs'],
    ['memory', ({ metrics }) => metrics.peakBytes, bytes, 'of records and open list'],
    ['index', ({ indexBytes }) => indexBytes || null, bytes, 'precomputed for this world and agent'],
    ['built in', ({ indexBytes, buildMs }) => (indexBytes ? buildMs : null), milliseconds, 'the last build or repair'],
];

/* A count that fits a narrow column. */
export function short(value) {
    if (value < 100000) return count(value);
    return value < 10000000 ? `${count(value / 1000)} k` : `${decimal(value / 1000000, 1)} M`;
}

/* The least of a row, if it tells some from others. */
export function bestOf(values) {
    const known = values.filter((value) => value !== null && value !== undefined);
    const least = Math.min(...known);
    return known.length > 1 && known.some((value) => value > least * 1.0000001) ? least : null;
}

export function comparisonTable(head, rows, test) {
    return el('table', { class: 'compare', test },
        el('thead', {}, el('tr', {}, el('th', {}), head.map((content) => el('th', { scope: 'col' }, content)))),
        el('tbody', {}, rows.map(([name, values, text, help]) => {
            const best = bestOf(values);
            return el('tr', { title: help }, el('th', { scope: 'row' }, name), values.map((value, i) =>
                el('td', { class: value !== null && value === best ? 'best' : undefined, test: `${test}-${name.replaceAll(' ', '-')}-${i}`, 'data-value': value ?? '' },
                    value === null || value === undefined ? '–' : text(value, i))));
        })));
}

export function createComparePanel(app) {
    const { registry, store, player, panes } = app;
    const list = el('div', { class: 'section-body flush' }), table = el('div', { class: 'wide-table' });
    const choices = () => store.get('problem.panes');

    /* The next in the registry that is not there yet. */
    function add() {
        const used = new Set(choices().map(({ algorithm }) => algorithm));
        const usable = registry.algorithms.filter(({ worlds, neighbours }) => worlds.includes('grid') && neighbours.includes(store.get('problem.profile.neighbours')));
        const next = ['dijkstra', 'jps', 'hpa', 'astar'].map((name) => usable.find((one) => one.name === name)).concat(usable).find((one) => one && !used.has(one.name));
        store.set('problem.panes', [...choices(), { algorithm: (next ?? usable[0]).name, parameters: {} }]);
    }

    function remove(index) {
        store.set('problem.panes', choices().filter((choice, i) => i !== index));
    }

    const more = button('compare-add', 'Add an algorithm', add);
    const how = select({ test: 'together' }, togethers, store.get('problem.together'), (value) => store.set('problem.together', value));
    store.on('problem.together', (value) => {
        how.value = value;
        player.setTogether(value);
    });
    const together = field('Played to', how, 'whether all maps show the same event, or the same part of their search');

    /* The choosers of the second and further maps, made when they are first wanted; their parameters are folded. */
    const choosers = [];
    function chooserOf(index) {
        choosers[index] ??= createChoice(index);
        return choosers[index];
    }

    function createChoice(index) {
        const spec = el('span', {}), parameters = el('details', { test: `parameters-${index}` }, el('summary', {}, spec));
        const { algorithm, controls } = createChooser(app, `problem.panes.${index}`, `parameter-${index}`, `algorithm-${index}`, (choice) => {
            spec.textContent = specOf(registry, choice).replace(/^\w+:?/, '') || 'parameters as usual';
            parameters.hidden = !algorithmOf(registry, choice.algorithm).parameters.length;
        });
        parameters.append(controls);
        return el('div', { class: 'choice' },
            el('div', { class: 'choice-head' }, badge(index), algorithm,
                button(`compare-remove-${index}`, '×', () => remove(index), { 'aria-label': `Take ${'ABCD'[index]} away`, title: 'Take it away' })),
            parameters);
    }

    let shown = 1;
    function showList() {
        const { length } = choices();
        more.disabled = length >= mostPanes;
        together.hidden = table.hidden = length < 2;
        if (length === shown) return;
        shown = length;
        replaceChildren(list, Array.from({ length: length - 1 }, (unused, i) => chooserOf(i + 1)));
        showTable();
    }

    function showTable() {
        if (choices().length < 2) return;
        const results = panes.map(({ result, error }) => (error ? null : result));
        const status = el('tr', {}, el('th', { scope: 'row' }, 'status'), panes.map(({ result, error }, i) =>
            el('td', { test: `compare-status-${i}`, 'data-value': error ? error.status : result?.status ?? '', title: error?.message ?? result?.statusText }, error ? 'no answer' : result?.status ?? '…')));
        const made = comparisonTable(panes.map(({ index }) => badge(index)), measures.map(([name, valueOf, text, help]) =>
            [name, results.map((result) => (result ? valueOf(result) : null)), text, help]), 'compare');
        made.tBodies[0].prepend(status);
        replaceChildren(table, made);
        showCounters();
    }

    /* What has been played of each search so far. */
    function showCounters() {
        if (choices().length < 2) return;
        for (const { index, result, error } of panes) {
            const cell = table.querySelector(`[data-test=compare-expanded-${index}]`);
            if (!cell || !result || error) continue;
            const value = counterAt(result, 'expanded', player.placeOn(index), registry.events) ?? result.metrics.expanded;
            cell.textContent = short(value);
            cell.dataset.value = value;
        }
    }

    player.on(showCounters);
    store.on('problem.panes', showList);
    app.onPane(showTable);
    showList();
    return section('panel-compare', 'Compare', table, list, more, together);
}
