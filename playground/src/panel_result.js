/* panel_result.js: what came out of the search, in words and numbers. */
import { el, replaceChildren, section } from './dom.js';
import { bytes, count, decimal, milliseconds, percent } from './format.js';
import { countUpTo } from './trace.js';

/* Counters that run with the playback: row → the event that it counts. */
const counters = { expanded: 'expand', generated: 'generate', reopened: 'reopen' };

/* How far such a counter is when the playback is at event `at`; null = at its end, or the trace does not have these events. */
export function counterAt({ trace }, row, at, events) {
    const kind = events.indexOf(counters[row] ?? '');
    if (!trace || kind < 0 || !trace.counts[kind] || at >= trace.count) return null;
    return countUpTo(trace, kind, at);
}

/* How long the search takes, and how that was measured. */
export function timeText({ ms, runs }) {
    return runs > 1 ? `${milliseconds(ms)} (least of ${count(runs)})` : `${milliseconds(ms)} (${runs ? 'one run' : 'cold'})`;
}

const timeHelp = ({ runs }) => (runs > 1 ? `of the search alone, in this browser, warm: the least of ${count(runs)} runs`
    : runs ? 'of the search alone, in this browser: it takes too long to be run again' : 'of one run, cold and with its events recorded: it is measured when the hand rests');

/* [name, text, exact value, help]: what is missing is left out. Other tables (comparisons) use the same rows. */
export function resultRows(result) {
    const { metrics, scale } = result, inSteps = (cost) => decimal(cost / scale.straight);
    const rows = [];
    if (result.cost !== null) {
        rows.push(['cost', inSteps(result.cost), result.cost, 'in straight steps']);
        rows.push(['length', decimal(result.length), result.length, 'in cells']);
    }
    if (result.best) rows.push(['above optimal', percent(result.cost / result.best - 1), result.cost / result.best - 1,
        result.anyAngle ? 'against the best path of steps: lines of any angle can be shorter' : 'against the best path']);
    if (result.smoothed && !result.smoothed.error) rows.push(['smoothed length', decimal(result.smoothed.length), result.smoothed.length, 'in cells']);
    if (result.answeredBy && result.answeredBy !== result.algorithm) rows.push(['answered by', result.answeredBy, result.answeredBy,
        `${result.algorithm} delegates such queries`]);
    rows.push(
        ['expanded', count(metrics.expanded), metrics.expanded, 'nodes whose neighbours were looked at'],
        ['generated', count(metrics.generated), metrics.generated, 'nodes seen'],
        ['work', count(metrics.work), metrics.work, 'bounded pieces of work'],
        ['time', timeText(result), result.ms, timeHelp(result)],
        ['memory', bytes(metrics.peakBytes), metrics.peakBytes, 'of records and open list'],
    );
    if (metrics.reopened) rows.push(['reopened', count(metrics.reopened), metrics.reopened, 'closed nodes that were opened again']);
    if (metrics.lines) rows.push(['lines of sight', count(metrics.lines), metrics.lines, 'looked along']);
    if (result.indexBytes) rows.push(['index', bytes(result.indexBytes), result.indexBytes, 'precomputed for this world and agent'],
        ['index built in', milliseconds(result.buildMs), result.buildMs, 'the last build or repair']);
    return rows;
}

/* The answer in a sentence. */
export function resultSentence(result) {
    if (result.status === 'found' && !result.partial) return result.points.length > 1 ? `Path found (${result.optimal ? 'the shortest' : 'maybe not the shortest'}).` : 'Start and goal are the same.';
    const sentence = result.statusText.charAt(0).toUpperCase() + result.statusText.slice(1);
    const rest = result.partial && result.points.length > 1 ? ' The path leads as near to the goal as one can get.' : '';
    return `${sentence}${/[.!]$/.test(sentence) ? '' : '.'}${rest}`;
}

export function createResultPanel(app) {
    const pane = app.panes[0], { registry } = app;
    const status = el('p', { class: 'status', test: 'status', 'aria-live': 'polite' }), table = el('table', { class: 'numbers' });
    const note = el('p', { class: 'note', test: 'trace-note' });

    function show() {
        const { result, error } = pane;
        status.textContent = error ? 'No answer: ' + error.message : result ? resultSentence(result) : '';
        status.dataset.status = error ? error.status : result?.status ?? '';
        status.dataset.hash = error ? '' : result?.hash ?? '';
        if (!result || error) {
            table.replaceChildren();
            note.textContent = '';
            return;
        }
        replaceChildren(table, resultRows(result).map(([name, text, value, help]) =>
            el('tr', { title: help }, el('th', { scope: 'row' }, name), el('td', { test: `result-${name.replaceAll(' ', '-')}`, 'data-value': value, 'data-runs': name === 'time' && result.runs }, text))));
        showCounters();
        const kinds = registry.events.map((name, i) => [name, result.trace?.counts[i] ?? 0]).filter(([, number]) => number);
        note.textContent = (result.trace?.cut ? `The playback holds the first ${count(result.trace.count)} of ${count(result.trace.total)} events. ` : '') +
            `Events: ${kinds.map(([name, number]) => `${name} ${count(number)}`).join(', ')}.` + (result.smoothed?.error ? ` Not smoothed: ${result.smoothed.error}.` : '');
    }
    /* Of what is counted event by event: how much of it has been played. */
    function showCounters() {
        const { result, error } = pane;
        if (!result || error) return;
        for (const row of Object.keys(counters)) {
            const cell = table.querySelector(`[data-test=result-${row}]`), whole = result.metrics[row], at = counterAt(result, row, app.player.placeOn(pane.index), registry.events);
            if (!cell) continue;
            cell.textContent = at === null ? count(whole) : `${count(at)} of ${count(whole)}`;
            cell.dataset.value = at ?? whole;
        }
    }
    pane.on(show);
    app.player.on(showCounters);
    show();
    return section('panel-result', 'Result', status, table, note);
}
