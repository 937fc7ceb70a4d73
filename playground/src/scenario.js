/* scenario.js: many problems on one world: from a .scen file, from the page, or made at random; run in the worker for every algorithm that is shown, with progress,
 * until the end or until cancelled. What came out is kept as long as the world and the agent are the same.
 */
import { describe } from './planning.js';
import { specOf } from './spec.js';
import { Superseded } from './worker_client.js';

/* [name, value of one answer, given the optimal cost and the scale]; less is better. */
export const answerMeasures = {
    time: { valueOf: (answer) => answer.ms, unit: 'ms' },
    expanded: { valueOf: (answer) => answer.expanded, unit: 'nodes' },
    above: { valueOf: (answer, best) => (best && answer.cost !== null ? answer.cost / best - 1 : null), unit: '%' },
};

export function createScenario(app) {
    const { store, world, client, registry, notice } = app;
    const listeners = [];
    const scenario = { name: '', map: '', problems: [], result: null, progress: null, chosen: -1, note: '' };
    const tell = () => listeners.forEach((heard) => heard());
    let cells = null; // of the world that the problems are for

    function use(name, { map, problems }) {
        Object.assign(scenario, { name, map, problems, result: null, chosen: -1, note: '' });
        tell();
    }

    function forget() {
        Object.assign(scenario, { name: '', map: '', problems: [], result: null, chosen: -1, note: '' });
        tell();
    }

    async function read(name, bytes) {
        try {
            use(name, await client.ask('scenario', { bytes }));
            notice.clear();
        } catch (error) {
            if (!(error instanceof Superseded)) notice.show(describe(error, name));
        }
    }

    function nodesOf({ width, fromX, fromY, toX, toY }) {
        return { from: fromY * width + fromX, to: toY * width + toX };
    }

    /* Another world has its own problems: those that come with the page are there at once. */
    function worldReplaced() {
        if (cells === world.open) return; // the same cells in another layout
        cells = world.open;
        forget();
        const text = world.source.kind === 'bundled' ? app.maps[`${world.source.name}.scen`] : undefined;
        if (text !== undefined) read(`${world.source.name}.scen`, new TextEncoder().encode(text));
    }

    let isMaking = false;
    async function work(action) {
        Object.assign(scenario, { progress: { done: 0, total: 1 }, note: '' });
        tell();
        try {
            await action();
        } catch (error) {
            if (error instanceof Superseded) scenario.note = 'Ended before all was done.';
            else notice.show(describe(error));
        } finally {
            scenario.progress = null;
            isMaking = false;
            tell();
        }
    }

    function outdated() {
        if (!scenario.result) return;
        scenario.result = null;
        tell();
    }

    world.on('replaced', worldReplaced);
    world.on('edited', outdated);
    store.on('problem.profile', outdated);

    return Object.assign(scenario, {
        on: (heard) => listeners.push(heard),
        read,
        random: (count, seed) => work(async () => {
            isMaking = true;
            use(`${count} random problems`, await client.ask('problems', { count, seed, name: world.name }, { lane: 'scenario', progress: showProgress }));
        }),
        run: () => work(async () => {
            const specs = store.get('problem.panes').map((choice) => specOf(registry, choice)), { problems } = scenario;
            scenario.result = null;
            const result = await client.ask('solve', { specs, queries: problems.map(nodesOf) }, { lane: 'scenario', progress: showProgress });
            if (problems === scenario.problems) scenario.result = result;
        }),
        /* Making problems is one call of the library, which hears nothing: the worker is ended. */
        cancel: () => (isMaking ? client.restart() : client.ask('cancel', { of: 'scenario' }).catch(() => {})),
        /* Shows a problem on the map. */
        jump(number) {
            scenario.chosen = number;
            store.set('problem.query', nodesOf(scenario.problems[number]));
            tell();
        },
        /* Which problem has the greatest value of a measure for one algorithm; -1 = none has one. */
        worst(run, measure) {
            let worst = -1, most = -Infinity;
            scenario.result.runs[run].answers.forEach((answer, i) => {
                const value = answerMeasures[measure].valueOf(answer, scenario.result.best[i]);
                if (value !== null && value > most) [worst, most] = [i, value];
            });
            return worst;
        },
        format: () => client.ask('formatScenario', { scenario: { map: scenario.map, problems: scenario.problems } }),
        csv: () => csvOf(scenario),
    });

    function showProgress(progress) {
        if (progress.total === undefined || progress.building !== undefined) return;
        scenario.progress = progress;
        tell();
    }
}

/* A line for every problem and algorithm; costs are in the library's units. */
function csvOf({ problems, result }) {
    const quoted = (value) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
    const rows = [['algorithm', 'problem', 'from_x', 'from_y', 'to_x', 'to_y', 'status', 'cost_units', 'optimal_units', 'length', 'expanded', 'generated', 'work', 'peak_bytes', 'time_us']];
    for (const { spec, answers } of result.runs)
        answers.forEach((answer, i) => {
            const { fromX, fromY, toX, toY } = problems[i];
            rows.push([quoted(spec), i + 1, fromX, fromY, toX, toY, answer.status, answer.cost ?? '', result.best[i] ?? '', answer.length, answer.expanded, answer.generated,
                answer.work, answer.memory, (answer.ms * 1000).toFixed(1)]);
        });
    return rows.map((row) => row.join(',') + '\n').join('');
}
