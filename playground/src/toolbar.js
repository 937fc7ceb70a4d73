/* toolbar.js: the row above the map: what to paint, with which shape and size, undo and redo, and how much of the map is in sight. */
import { button, checkbox, el, field, numberInput, select } from './dom.js';
import { terrainClasses, terrainName } from './terrain.js';

const tools = [
    { value: 'wall', text: 'Wall', title: 'Paint walls (1)' },
    { value: 'terrain', text: 'Terrain', title: 'Paint terrain (2)' },
    { value: 'height', text: 'Height', title: 'Paint heights (5)' },
    { value: 'extra', text: 'Extra', title: 'Paint extra costs (6)' },
    { value: 'link', text: 'Link', title: 'Draw a link from cell to cell: a door, a ladder, a teleport; click an end to take it away (7)' },
    { value: 'erase', text: 'Erase', title: 'Make plain ground (3)' },
    { value: 'pan', text: 'Move', title: 'Push the map about (4); or hold the space bar' },
];

const shapes = [
    { value: 'brush', text: 'Brush', title: 'Paint along the pointer (B)' },
    { value: 'rectangle', text: 'Box', title: 'Fill a rectangle (R)' },
    { value: 'fill', text: 'Flood', title: 'Fill what hangs together and looks alike (F)' },
];

const brushes = [1, 2, 3, 5, 8, 13, 21, 34];

/* Buttons of which one is pressed. */
function choice(store, path, options) {
    const buttons = options.map(({ value, text, title }) =>
        button(`${path.split('.').pop()}-${value}`, text, () => store.set(path, value), { title }));
    const show = (value) => buttons.forEach((one, i) => one.setAttribute('aria-pressed', options[i].value === value));
    store.on(path, show);
    show(store.get(path));
    return el('div', { class: 'group' }, buttons);
}

export function createToolbar(app, element) {
    const { store, world, view, registry } = app;
    const undo = button('undo', 'Undo', () => world.undo(), { title: 'Undo (Ctrl+Z)' });
    const redo = button('redo', 'Redo', () => world.redo(), { title: 'Redo (Ctrl+Shift+Z)' });
    const showHistory = () => {
        undo.disabled = !world.canUndo();
        redo.disabled = !world.canRedo();
    };
    world.on('history', showHistory);
    showHistory();

    const terrain = select({ test: 'terrain', 'aria-label': 'Terrain to paint', title: 'Terrain to paint' },
        terrainClasses(world).filter((terrain) => terrain > 0).map((terrain) => ({ value: String(terrain), text: terrainName(registry, terrain) })), String(store.get('ui.terrain')), (value) => {
            store.set('ui.terrain', Number(value));
            store.set('ui.tool', 'terrain');
        });
    /* What each costs the agent is said beside its name. */
    const showPrices = () => {
        const costs = store.get('problem.profile').terrainCost;
        for (const option of terrain.options) {
            const price = costs[option.value] ?? registry.profile.terrainCost[option.value], name = terrainName(registry, Number(option.value));
            option.textContent = price === 0 ? `${name} (forbidden)` : price === 1 ? name : `${name} × ${price}`;
        }
    };
    store.on('problem.profile', showPrices);
    const swatch = el('span', { class: 'swatch', 'aria-hidden': 'true' });
    const showTerrain = () => {
        terrain.value = String(store.get('ui.terrain'));
        swatch.style.background = app.palette.groundCss(store.get('ui.terrain'));
    };
    store.on('ui.terrain', showTerrain);
    app.onPalette(showTerrain);
    showTerrain();
    showPrices();
    /* How high, how expensive, how far: for the tool in hand. */
    const number = (name, minimum, maximum, label, step = 1) => numberInput({ test: `tool-${name}-value`, minimum, maximum, step, value: store.get(`ui.${name}`), label }, (value) => store.set(`ui.${name}`, value));
    const linkCost = numberInput({ test: 'tool-link-cost', minimum: 0, maximum: 9999, step: 0.5, value: store.get('ui.link').cost, label: 'Cost of the link in steps' },
        (cost) => store.set('ui.link', { ...store.get('ui.link'), cost }));
    const both = checkbox({ test: 'tool-link-both' }, store.get('ui.link').both, (on) => store.set('ui.link', { ...store.get('ui.link'), both: on }));
    const values = {
        height: number('height', -32768, 32767, 'Height to paint'), extra: number('extra', 0, 255, 'Extra cost to paint'),
        link: el('span', { class: 'tool-values' }, linkCost, field('both ways', both)),
    };
    const showValues = (tool) => Object.entries(values).forEach(([name, control]) => { control.hidden = name !== tool; });
    store.on('ui.tool', showValues);
    showValues(store.get('ui.tool'));
    const brush = select({ test: 'brush', 'aria-label': 'Brush size in cells', title: 'Brush size in cells' },
        brushes.map((size) => ({ value: String(size), text: size === 1 ? '1 cell' : `${size} cells` })), String(store.get('ui.brush')),
        (value) => store.set('ui.brush', Number(value)));
    store.on('ui.brush', (size) => {
        brush.value = String(size);
    });
    const zoom = (factor) => view.zoomAt(factor, view.width / 2, view.height / 2);

    element.append(...[
        choice(store, 'ui.tool', tools), el('span', { class: 'terrain' }, swatch, terrain), Object.values(values), choice(store, 'ui.shape', shapes), brush,
        el('div', { class: 'group' }, undo, redo),
        el('div', { class: 'group' },
            button('zoom-out', '−', () => zoom(1 / 1.5), { title: 'Farther (−)', 'aria-label': 'Zoom out' }),
            button('zoom-in', '+', () => zoom(1.5), { title: 'Nearer (+)', 'aria-label': 'Zoom in' }),
            button('fit', 'Fit', () => view.fit(), { title: 'The whole map (0)' }))].flat());
    return { brushes };
}
