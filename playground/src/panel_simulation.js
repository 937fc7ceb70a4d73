/* panel_simulation.js: many agents that share one path service, in a world that changes: how many, how fast it changes, what budget the service has, and what a game would want to know of the frames. Recordings of
 * `cairn simulate` have their figures here, too. The words are those of docs/simulate.md.
 */
import { createBarChart } from './bar_chart.js';
import { button, el, field, numberInput, replaceChildren, section, select } from './dom.js';
import { bytes, count, decimal, milliseconds } from './format.js';
import { simulationLimits, usualSimulation } from './simulation.js';

const budgets = { work: [50, 100, 200, 500, 1000, 2000, 5000, 10000, 20000, 50000], time: [50, 100, 200, 500, 1000, 2000, 4000, 8000] };
const budgetTexts = { work: count, time: (value) => `${count(value)} µs` };
const drawMs = 200; // while it runs

/* The value that this part of all do not exceed. `sorted` ascends. */
export function quantile(sorted, part) {
    return sorted.length ? sorted[Math.max(0, Math.ceil(part * sorted.length) - 1)] : 0;
}

function statusText({ phase, error, building, isLive, recording, name, time, isOver }) {
    if (error) return error;
    if (building) return `Building the index: ${Math.floor((100 * building.done) / building.total)} %.`;
    if (phase === 'none') return 'Agents walk to random goals while squares close and open. One path service serves them all, within a budget for each frame.';
    let present = 0;
    recording.each(() => present++);
    const turn = `turn ${count(time.at)} of ${count(time.count)}`, agents = present === 1 ? '1 agent' : `${count(present)} agents`;
    if (!isLive) return `Recording ${name}: ${turn}, ${agents}.`;
    return `${phase === 'running' ? 'Simulating' : isOver() ? 'Over' : 'Paused'}: ${turn}, ${agents}.`;
}

/* [name, text, exact value, help] */
function rowsOf({ isLive, recording, about, responses, options, queue, indexBytes }) {
    const frames = Float64Array.from(recording.frames).sort(), waits = Float64Array.from(responses).sort(), [p50, p99, worst] = [0.5, 0.99, 1].map((part) => quantile(frames, part));
    const all = (list) => list.reduce((sum, value) => sum + value, 0), mean = (list) => (list.length ? all(list) / list.length : 0), { closedCount } = recording;
    const rows = [
        ['frame time p50', milliseconds(p50), p50, 'half of the turns took at most this: edits, requests, steps and the service'],
        ['frame time p99', milliseconds(p99), p99, '99 of 100 turns took at most this'],
        ['frame time worst', milliseconds(worst), worst, 'the longest turn'],
    ];
    if (isLive)
        rows.push(
            ['waiting frames mean', decimal(mean(waits), 1), mean(waits), 'turns that a goal waits for its path, 0 if that comes in the turn that asks'],
            ['waiting frames p99', count(quantile(waits, 0.99)), quantile(waits, 0.99), '99 of 100 goals waited at most so many turns'],
            ['waiting frames worst', count(quantile(waits, 1)), quantile(waits, 1), 'the longest wait'],
            ['searches waiting', count(queue), queue, 'searches that have not begun, and those under way'],
        );
    if (!options || !('roam' in options)) rows.push(['goals reached', count(recording.reached()), recording.reached(), 'until the turn that is shown']);
    if (isLive) {
        const given = all(Object.values(about.givenUp));
        rows.push(
            ...(given ? [['given up', Object.entries(about.givenUp).map(([reason, times]) => `${count(times)} ${reason.replaceAll('-', ' ')}`).join(', '), given, 'goals for which there was no path']] : []),
            ['broken paths', count(about.broken), about.broken, 'paths that edits have broken; the service looks for others first'],
            ['work max', count(about.mostWork), about.mostWork, 'units of work in one turn'],
            ['memory', bytes(about.use.bytes), about.use.bytes, 'held by the service now: requests, searches and paths of all agents'],
            ['memory peak', bytes(about.use.peakBytes), about.use.peakBytes, 'the most that it has held'],
            ...(indexBytes ? [['index', bytes(indexBytes), indexBytes, 'of the algorithm, when it was built']] : []),
        );
    }
    rows.push(['cells closed', count(closedCount), closedCount, 'in the turn that is shown']);
    return rows;
}

/* A slider, with what it says beside its name. */
function slider({ test, label, help, limits: [minimum, maximum], step = 1, value, textOf }, changed) {
    const text = el('output', { test: `${test}-text`, class: 'level' }), input = el('input', { type: 'range', test, min: minimum, max: maximum, step, oninput: () => changed(Number(input.value)) });
    const element = el('label', { class: 'field', title: help }, el('span', { class: 'field-name' }, `${label}: `, text), input);
    const show = (next, { most = maximum } = {}) => {
        input.max = most;
        input.value = next;
        text.textContent = textOf(Number(input.value));
        input.setAttribute('aria-valuetext', text.textContent);
    };
    show(value);
    return { element, show };
}

/* What can be set. */
function createSettings({ store }) {
    const get = () => store.get('ui.simulation'), set = (change) => store.set('ui.simulation', { ...get(), ...change });
    const budgetText = (place) => budgetTexts[get().unit](budgets[get().unit][place]), placeOf = ({ budget, unit }) => Math.max(0, budgets[unit].findIndex((one) => one >= budget));
    const agents = slider({ test: 'simulation-agents', label: 'Agents', limits: simulationLimits.agents, step: 10, value: get().agents, textOf: count, help: 'that walk at the same time' }, (value) => set({ agents: value }));
    const edits = slider({ test: 'simulation-edits', label: 'Edits a second', limits: simulationLimits.edits, value: get().edits, textOf: count, help: 'squares that close; half of them ahead of an agent' }, (value) => set({ edits: value }));
    const budget = slider({ test: 'simulation-budget', label: 'Budget', limits: [0, budgets.work.length - 1], value: placeOf(get()), textOf: budgetText, help: 'of each turn' }, (place) => set({ budget: budgets[get().unit][place] }));
    const unit = select({ test: 'simulation-unit' }, [{ value: 'work', text: 'units of work' }, { value: 'time', text: 'microseconds' }], get().unit, (value) => set({ unit: value, budget: value === 'work' ? usualSimulation.budget : 1000 }));
    const numbers = Object.fromEntries(['speed', 'editSize', 'editLife', 'seed'].map((name) => {
        const [minimum, maximum] = simulationLimits[name];
        return [name, numberInput({ test: `simulation-${name}`, minimum, maximum, value: get()[name] }, (value) => set({ [name]: Math.round(value) }))];
    }));
    store.on('ui.simulation', (settings) => {
        agents.show(settings.agents);
        edits.show(settings.edits);
        budget.show(placeOf(settings), { most: budgets[settings.unit].length - 1 });
        unit.value = settings.unit;
        for (const [name, input] of Object.entries(numbers)) if (document.activeElement !== input) input.value = settings[name];
    });
    return [agents.element, edits.element, budget.element, field('Budget in', unit, 'units of work give the same on every machine; microseconds are those of this browser, whose clock may be coarse'),
        el('details', { test: 'simulation-more' }, el('summary', {}, 'More'), el('div', { class: 'section-body flush' },
            field('Speed (cells / s)', numbers.speed, 'cells that an agent walks in a second of 60 turns'),
            field('Edit size', numbers.editSize, 'cells a side of a square'),
            field('Edit life', numbers.editLife, 'turns until it opens again'),
            field('Seed', numbers.seed, 'of the random numbers, from the next simulation on')))];
}

export function createSimulationPanel(app) {
    const { simulation } = app;
    const go = button('simulate', 'Simulate', () => simulation.toggle(), { class: 'primary', title: 'Simulate or pause (M)' }), step = button('simulation-step', 'Step', () => simulation.stepOnce(), { title: 'One turn' });
    const end = button('simulation-end', 'End', () => simulation.end(), { title: 'Back to the search (Backspace)' });
    const again = button('simulation-recording', 'Show the recording', () => simulation.showRecording()), status = el('p', { class: 'note', test: 'simulation-status' });
    const table = el('table', { class: 'numbers' }), chart = createBarChart('simulation-chart'), options = el('p', { class: 'note', test: 'simulation-options' });
    const seen = el('div', { class: 'section-body flush' }, chart.element, table, options);
    let timer = 0, drawn = 0;

    function draw() {
        timer = 0;
        drawn = performance.now();
        const isThere = simulation.isShown();
        go.textContent = simulation.phase === 'running' && simulation.isLive ? 'Pause' : simulation.isLive && simulation.isOver() ? 'Again' : 'Simulate';
        end.disabled = !isThere && !simulation.building;
        again.hidden = !simulation.keptName() || (isThere && !simulation.isLive);
        status.textContent = statusText(simulation);
        status.className = simulation.error ? 'error' : isThere ? 'status' : 'note';
        status.dataset.phase = simulation.phase;
        seen.hidden = !isThere;
        if (!isThere || !panel.open) return;
        const { frames } = simulation.recording, most = frames.reduce((top, ms) => Math.max(top, ms), 0);
        chart.draw({ turns: frames.length, valueOf: (turn) => frames[turn], most, least: 0.01, styleOf: () => '--accent', about: 'Frame times', caption: `longest: ${milliseconds(most)}` });
        replaceChildren(table, rowsOf(simulation).map(([name, text, value, help]) =>
            el('tr', { title: help }, el('th', { scope: 'row' }, name), el('td', { test: `simulation-${name.replaceAll(' ', '-')}`, 'data-value': value }, text))));
        options.textContent = simulation.options ? `Recorded with ${Object.entries(simulation.options).map(([name, value]) => `${name} ${value}`.trim()).join(', ')}.` : '';
        options.hidden = !simulation.options;
    }
    const show = () => {
        if (timer && simulation.phase === 'running') return;
        clearTimeout(timer);
        timer = setTimeout(draw, simulation.phase === 'running' ? Math.max(0, drawn + drawMs - performance.now()) : 0);
    };

    const panel = section('panel-simulation', 'Simulation', el('div', { class: 'row' }, go, step, end), again, status, createSettings(app), seen);
    panel.addEventListener('toggle', show);
    simulation.on(show);
    app.onPalette(show);
    draw();
    return panel;
}
