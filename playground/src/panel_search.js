/* panel_search.js: which algorithm, with which parameters: all of it from the registry, so that a new algorithm appears here without a change of the page. */
import { button, el, field, numberInput, replaceChildren, section, select } from './dom.js';
import { algorithmOf, specOf } from './spec.js';
import { bytes, milliseconds } from './format.js';

/* Algorithms grouped by family, in the order of the registry. */
export function algorithmChoices(registry) {
    const families = new Map();
    for (const algorithm of registry.algorithms) {
        if (!algorithm.worlds.includes('grid')) continue;
        if (!families.has(algorithm.family)) families.set(algorithm.family, []);
        families.get(algorithm.family).push({ value: algorithm.name, text: algorithm.name, title: algorithm.summary });
    }
    return [...families].map(([group, choices]) => ({ group, choices }));
}

/* The control of one parameter. */
export function parameterControl(parameter, value, changed, prefix = 'parameter') {
    const test = `${prefix}-${parameter.name}`;
    if (parameter.type === 'choice') return select({ test }, parameter.choices, value ?? parameter.default, changed);
    return numberInput({
        test, minimum: parameter.minimum, maximum: parameter.maximum, value: value ?? parameter.default, step: parameter.type === 'number' ? 'any' : 1,
    }, changed);
}

/* The controls of the algorithm at `path` of the store and of its parameters. `changed` is called with every choice, also one made elsewhere. */
export function createChooser({ registry, store }, path, prefix, test, changed = () => {}) {
    const controls = el('div', { class: 'section-body flush' });
    const algorithm = select({ test, 'aria-label': 'Algorithm' }, algorithmChoices(registry), store.get(path)?.algorithm,
        (name) => store.set(path, { algorithm: name, parameters: {} }));
    let shown = null, own = null; // what the controls are of, and what they have said themselves

    function set(name, value) {
        own = { ...store.get(path).parameters, [name]: value };
        store.set(`${path}.parameters`, own);
    }

    function show(choice) {
        if (!choice) return;
        changed(choice);
        if (shown === choice.algorithm && own === choice.parameters) return;
        [shown, own] = [choice.algorithm, choice.parameters];
        algorithm.value = choice.algorithm;
        replaceChildren(controls, algorithmOf(registry, choice.algorithm).parameters.map((parameter) =>
            field(parameter.name, parameterControl(parameter, choice.parameters[parameter.name], (value) => set(parameter.name, value), prefix), parameter.summary)));
    }
    store.on(path, show);
    show(store.get(path));
    return { algorithm, controls };
}

export const smoothKinds = [
    { value: 'none', text: 'as found' }, { value: 'sight', text: 'pulled straight' }, { value: 'string', text: 'string' }, { value: 'rays', text: 'rays' },
    { value: 'box', text: 'rays in a box' }, { value: 'spline', text: 'curves' },
];

const flagNames = {
    optimal: 'shortest paths', bounded: 'bounded', anyAngle: 'any angle', needsIndex: 'index', repairs: 'repairs its index', terrain: 'terrain', pieces: 'first piece early',
};

export function createSearchPanel(app) {
    const { registry, store, panes, planning } = app, path = 'problem.panes.0', pane = panes[0];
    const about = el('p', { class: 'note', test: 'algorithm-about' });
    const spec = el('code', { test: 'spec' }), error = el('p', { class: 'error', test: 'search-error', role: 'status' });
    const index = el('p', { class: 'note', test: 'index' });
    const bar = el('progress', { test: 'build-progress' });
    const building = el('div', { class: 'row', hidden: true }, bar, button('build-cancel', 'Cancel', () => planning.cancel(), { class: 'fixed' }));

    const chooser = createChooser(app, path, 'parameter', 'algorithm', (choice) => {
        const chosen = algorithmOf(registry, choice.algorithm);
        spec.textContent = specOf(registry, choice);
        const flags = Object.entries(flagNames).filter(([flag]) => chosen.flags[flag]).map(([, name]) => name);
        replaceChildren(about, chosen.summary, el('br'), `${chosen.source}${flags.length ? ' · ' + flags.join(', ') : ''}`);
    });

    function showPane() {
        error.textContent = pane.error?.message ?? '';
        error.hidden = !pane.error;
        building.hidden = !pane.building;
        if (pane.building) [bar.max, bar.value] = [Math.max(1, pane.building.total), pane.building.done];
        const { result } = pane;
        index.textContent = result?.indexBytes ? `index: ${bytes(result.indexBytes)}, built in ${milliseconds(result.buildMs)}` : '';
        index.hidden = !result?.indexBytes;
    }
    pane.on(showPane);
    showPane();

    const smooth = select({ test: 'smooth' }, smoothKinds, store.get('problem.smooth'), (value) => store.set('problem.smooth', value));
    store.on('problem.smooth', (value) => {
        smooth.value = value;
    });
    return section('panel-search', 'Search', field('Algorithm', chooser.algorithm), about, chooser.controls, field('Path', smooth, 'how the path is smoothed'), building, error, index,
        el('p', { class: 'note' }, spec));
}
