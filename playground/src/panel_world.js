/* panel_world.js: where worlds come from: maps that come with the page, generators with the numbers that the registry names, an empty world. */
import { button, el, field, numberInput, replaceChildren, section, select } from './dom.js';
import { isWorld } from './resources.js';

const largestSide = 4096;

export function createWorldPanel(app) {
    const { registry, planning, files, store, world } = app;
    const names = Object.keys(app.maps).filter(isWorld);

    const bundled = select({ test: 'bundled' }, [{ value: '', text: 'choose…' }, ...names], '', (name) => name && files.openBundled(name));

    world.on('replaced', () => {
        bundled.value = world.source.kind === 'bundled' ? world.source.name : '';
    });

    /* ---- generators ---- */
    const numbers = { width: 0, height: 0, seed: 1 };
    const controls = el('div', { class: 'section-body flush' });
    const about = el('p', { class: 'note', test: 'generator-about' });
    const generatorOf = (name) => registry.generators.find((generator) => generator.name === name);

    function number(name, label, minimum, maximum, help) {
        return field(label, numberInput({ test: `generator-${name}`, minimum, maximum, value: numbers[name] }, (value) => {
            numbers[name] = value;
        }), help);
    }

    function showGenerator(name) {
        const generator = generatorOf(name), { seed } = numbers;
        for (const key of Object.keys(numbers)) delete numbers[key];
        Object.assign(numbers, { seed, width: generator.width, height: generator.height });
        for (const parameter of generator.parameters) numbers[parameter.name] = parameter.default;
        about.textContent = generator.summary;
        replaceChildren(controls,
            generator.fromSource ? [] : [number('width', 'width', 1, largestSide), number('height', 'height', 1, largestSide)],
            generator.parameters.map((one) => number(one.name, one.name, one.minimum, one.maximum, one.summary)),
            number('seed', 'seed', 0, Number.MAX_SAFE_INTEGER, 'the same seed makes the same map everywhere'));
    }

    function generate() {
        const { fromSource } = generatorOf(kind.value);
        const message = { kind: kind.value, numbers: fromSource ? withoutSize(numbers) : { ...numbers }, fromSource };
        const source = { kind: fromSource ? 'made' : 'generator', generator: kind.value, numbers: message.numbers };
        return planning.open('generate', message, `${kind.value} ${numbers.seed}`, source);
    }

    const kind = select({ test: 'generator' }, registry.generators.map(({ name, summary }) => ({ value: name, text: name, title: summary })),
        registry.generators[0].name, showGenerator);
    showGenerator(kind.value);
    const again = () => {
        numbers.seed = 1 + Math.floor(Math.random() * 999999);
        controls.querySelector('[data-test=generator-seed]').value = numbers.seed;
        return generate();
    };

    /* ---- an empty world ---- */
    const blank = { width: 64, height: 40 };
    const empty = () => planning.open('cells', { cells: { ...blank, layout: store.get('problem.profile.neighbours') === 'hex' ? 'hex' : 'square' } },
        'empty world', { kind: 'blank', ...blank });

    /* ---- worlds that were painted, and are kept by the browser ---- */
    const painted = select({ test: 'kept' }, [], '', (value) => {
        const one = app.keep.list().find(({ id }) => id === value);
        painted.value = '';
        if (one) app.keep.open(one);
    });
    const paintedField = el('div', { class: 'row' }, field('Painted', painted, 'worlds that you have painted, as this browser has kept them'),
        button('kept-forget', 'Forget', () => app.keep.forget(), { class: 'fixed', title: 'Take the painted worlds out of the browser' }));
    function showPainted() {
        const list = app.keep.list();
        paintedField.hidden = !list.length;
        replaceChildren(painted, el('option', { value: '' }, 'choose…'), list.map(({ id, name }) => el('option', { value: id }, name)));
        painted.value = '';
    }
    app.keep.on(showPainted);
    showPainted();

    return section('panel-world', 'World',
        field('Map', bundled, 'maps that come with the page'), paintedField,
        field('Generator', kind), about, controls,
        el('div', { class: 'row' }, button('generate', 'Generate', generate, { class: 'primary' }), button('generate-other', 'Other seed', again)),
        el('div', { class: 'row' },
            numberInput({ test: 'blank-width', label: 'Width of the empty world', minimum: 1, maximum: largestSide, value: blank.width }, (value) => { blank.width = value; }),
            numberInput({ test: 'blank-height', label: 'Height of the empty world', minimum: 1, maximum: largestSide, value: blank.height }, (value) => { blank.height = value; }),
            button('blank', 'Empty world', empty, { class: 'fixed' })));
}

function withoutSize({ width, height, ...rest }) {
    return rest;
}
