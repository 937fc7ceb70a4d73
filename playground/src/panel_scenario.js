/* panel_scenario.js: whole scenarios: which problems, running them, the figures of every algorithm, and plots in which a click leads to the problem. */
import { button, el, field, numberInput, replaceChildren, section, select } from './dom.js';
import { bytes, count, decimal, milliseconds, percent } from './format.js';
import { download } from './files.js';
import { badge } from './pane.js';
import { comparisonTable, short } from './panel_compare.js';
import { createAxis, createPlot } from './plot.js';
import { answerMeasures } from './scenario.js';

const problemsMost = 2000;

const mean = (values) => (values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null);

/* The value that a part of all do not exceed. */
function quantile(sorted, part) {
    return sorted.length ? sorted[Math.min(sorted.length - 1, Math.max(0, Math.ceil(part * sorted.length) - 1))] : null;
}

function valuesOf(run, best, measure) {
    return run.answers.map((answer, i) => answerMeasures[measure].valueOf(answer, best[i])).filter((value) => value !== null).sort((a, b) => a - b);
}

const shortNumber = (value) => (value >= 1000000 ? `${value / 1000000} M` : value >= 1000 ? `${value / 1000} k` : String(Number(value.toPrecision(6))));

const measureTexts = {
    time: { title: 'Problems within a time, in percent', name: 'time in ms', log: true, text: shortNumber, least: 0.001 },
    expanded: { title: 'Problems within this many nodes, in percent', name: 'expanded nodes', log: true, text: shortNumber, least: 1 },
    above: { title: 'Paths within so much of the best, in percent', name: 'percent above the best path', log: false, text: shortNumber, least: 0 },
};

export function createScenarioPanel(app) {
    const { scenario } = app;
    const about = el('p', { class: 'note', test: 'scenario-about' });
    const bar = el('progress', { test: 'scenario-progress', 'aria-label': 'Progress' });
    const running = el('div', { class: 'row', hidden: true }, bar, button('scenario-cancel', 'Cancel', () => scenario.cancel(), { class: 'fixed' }));
    const summary = el('div', { class: 'wide-table' }), plots = el('div', { class: 'section-body flush' });
    const key = el('div', { class: 'plot-key', test: 'scenario-key' });

    const saved = () => scenario.name.replace(/\.scen$/, '').replace(/[^\w.-]+/g, '-');

    /* ---- which problems ---- */
    const numbers = { count: 50, seed: 1 };
    const saveScenario = button('scenario-save', 'Save .scen', async () => download(`${saved()}.scen`, await scenario.format(), 'text/plain'));
    const make = el('div', { class: 'choice' }, el('details', { test: 'random-problems' }, el('summary', {}, 'Random problems'),
        el('div', { class: 'section-body flush' },
            field('How many', numberInput({ test: 'random-count', minimum: 1, maximum: problemsMost, value: numbers.count }, (value) => { numbers.count = value; })),
            field('Seed', numberInput({ test: 'random-seed', minimum: 0, maximum: Number.MAX_SAFE_INTEGER, value: numbers.seed }, (value) => { numbers.seed = value; })),
            el('div', { class: 'row' }, button('random-make', 'Make them', () => scenario.random(numbers.count, numbers.seed)), saveScenario))));
    const run = button('scenario-run', 'Run', () => scenario.run(), { class: 'primary' });
    const open = button('scenario-open', 'Open .scen…', () => app.files.pick('.scen'));

    /* ---- one problem ---- */
    const oneProblem = el('div', {});
    let numbered = null; // the problems that the field is for
    function showNumber() {
        const { problems, chosen } = scenario, input = oneProblem.querySelector('input');
        oneProblem.hidden = !problems.length;
        if (numbered !== problems) {
            numbered = problems;
            const number = numberInput({ test: 'problem', minimum: 1, maximum: Math.max(1, problems.length), value: chosen + 1 || '' }, (value) => scenario.jump(value - 1));
            replaceChildren(oneProblem, field('Problem', number, 'show a problem on the map'));
        } else if (document.activeElement !== input && chosen >= 0) input.value = chosen + 1;
    }

    /* ---- figures ---- */
    function worstButton(measure, text) {
        return (value, i) => button(`worst-${measure}-${i}`, text(value), () => scenario.jump(scenario.worst(i, measure)), { class: 'link', title: 'Show this problem' });
    }

    function rows({ runs, best }) {
        const each = (measure, figure) => runs.map((one) => figure(valuesOf(one, best, measure)));
        const last = (values) => quantile(values, 1);
        return [
            ['unsolved', runs.map(({ answers }) => answers.filter(({ status }) => status !== 'found').length), count, 'problems without a path'],
            ['time: 50 %', each('time', (values) => quantile(values, 0.5)), milliseconds, 'half of all problems took no longer'],
            ['time: 95 %', each('time', (values) => quantile(values, 0.95)), milliseconds, '95 of 100 problems took no longer'],
            ['time: worst', each('time', last), worstButton('time', milliseconds), 'the slowest problem'],
            ['nodes: mean', each('expanded', mean), short, 'nodes whose neighbours were looked at'],
            ['nodes: worst', each('expanded', last), worstButton('expanded', short), 'the problem with most of them'],
            ['above: mean', each('above', mean), percent, 'above the best path'],
            ['above: worst', each('above', last), worstButton('above', percent), 'the path that is farthest above the best'],
            ['index', runs.map(({ indexBytes }) => indexBytes || null), bytes, 'precomputed for this world and agent'],
            ['built in', runs.map(({ indexBytes, buildMs }) => (indexBytes ? buildMs : null)), milliseconds, 'the last build or repair'],
        ];
    }

    /* ---- plots ---- */
    let distribution = 'expanded';
    const describe = ({ problem, index, x, y }) => `${'ABCD'[index]}, problem ${problem + 1}: ${decimal(x)}, ${decimal(y)}`;
    const shared = { picked: (problem) => scenario.jump(problem), describe };

    /* How many of all problems stay below a value. */
    function distributionPlot(measure, test, size) {
        const { title, name, log, text, least } = measureTexts[measure], { runs, best } = scenario.result, inPercent = measure === 'above' ? 100 : 1;
        const series = runs.map((one, index) => {
            const sorted = one.answers.map((answer, problem) => ({ x: answerMeasures[measure].valueOf(answer, best[problem]), problem })).filter(({ x }) => x !== null).sort((a, b) => a.x - b.x);
            return { index, curve: true, points: sorted.map(({ x, problem }, i) => ({ x: Math.max(least, x * inPercent), y: (100 * (i + 1)) / one.answers.length, problem })) };
        });
        const all = series.flatMap(({ points }) => points.map(({ x }) => x));
        return createPlot({
            ...shared, ...size, test, title, series,
            across: { axis: createAxis(log ? Math.min(...all) : Math.min(0, ...all), Math.max(1, ...all), log), text, name },
            down: { axis: createAxis(0, 100, false), text: (value) => String(value), name: 'percent of problems' },
        });
    }

    function scatterPlot(test, size) {
        const { runs, best, scale } = scenario.result;
        const series = runs.map((one, index) => ({
            index, points: one.answers.map((answer, problem) => ({ x: (best[problem] ?? 0) / scale.straight, y: Math.max(1, answer.expanded), problem })).filter(({ problem }) => best[problem] !== null),
        }));
        const all = series.flatMap(({ points }) => points);
        return createPlot({
            ...shared, ...size, test, title: 'Expanded nodes by length of the best path', series,
            across: { axis: createAxis(0, Math.max(1, ...all.map(({ x }) => x)), false), text: shortNumber, name: 'length of the best path in steps' },
            down: { axis: createAxis(1, Math.max(10, ...all.map(({ y }) => y)), true), text: shortNumber, name: 'expanded nodes' },
        });
    }

    const allPlots = (size) => [distributionPlot(distribution, 'plot-distribution', size), distributionPlot('above', 'plot-above', size), scatterPlot('plot-scatter', size)];

    const which = field('Distribution of', select({ test: 'distribution' }, [{ value: 'expanded', text: 'expanded nodes' }, { value: 'time', text: 'time' }], distribution, (value) => {
        distribution = value;
        showResult();
    }));

    /* Text keeps its size, whatever the window's. */
    function sizeOfSheet() {
        const width = Math.min(966, Math.floor(innerWidth * 0.94) - 34);
        return { width, height: Math.round(Math.max(220, width * 0.38)) };
    }

    function enlarge() {
        const sheet = el('dialog', { class: 'sheet', test: 'plots-sheet', onclose: () => sheet.remove() });
        shared.picked = (problem) => {
            sheet.close();
            scenario.jump(problem);
        };
        sheet.append(el('div', { class: 'row centred' }, key.cloneNode(true), button('plots-close', 'Close', () => sheet.close(), { class: 'fixed' })),
            ...allPlots(sizeOfSheet()));
        shared.picked = (problem) => scenario.jump(problem);
        document.body.append(sheet);
        sheet.showModal();
    }

    const actions = el('div', { class: 'row' },
        button('plots-enlarge', 'Larger plots', enlarge),
        button('scenario-csv', 'Save as .csv', () => download(`${saved()}-results.csv`, scenario.csv(), 'text/csv')));

    /* ---- showing ---- */
    function showResult() {
        const { result } = scenario;
        for (const part of [summary, plots, key, which, actions]) part.hidden = !result;
        if (!result) return;
        replaceChildren(key, result.runs.map(({ spec }, i) => el('span', {}, badge(i), spec)));
        replaceChildren(summary, comparisonTable(result.runs.map((one, i) => badge(i)), rows(result), 'scenario'));
        replaceChildren(plots, allPlots());
    }

    let shown = null;
    function show() {
        const { problems, progress, name, result, note } = scenario, has = problems.length > 0;
        about.textContent = has ? `${name}: ${count(problems.length)} ${problems.length === 1 ? 'problem' : 'problems'}${note ? '. ' + note : ''}` : 'Open a .scen file, or make problems for this world.';
        about.dataset.count = problems.length;
        run.disabled = !has || progress !== null;
        saveScenario.disabled = !has;
        showNumber();
        running.hidden = progress === null;
        if (progress) [bar.max, bar.value] = [Math.max(1, progress.total), progress.done];
        if (shown !== result) {
            shown = result;
            showResult();
        }
    }

    scenario.on(show);
    show();
    showResult();
    return section('panel-scenario', 'Scenario', about, el('div', { class: 'row' }, run, open), make, running, oneProblem, key, summary, actions, which, plots);
}
