/* panel_agent.js: who walks: neighbourhood, corner rule, size, and what terrain costs. What the choices are comes from the registry. */
import { el, field, numberInput, replaceChildren, section, select } from './dom.js';
import { terrainClasses, terrainName } from './terrain.js';

const neighbourNames = { 4: '4 neighbours', 8: '8 neighbours', hex: 'hexagons' };
const cornerNames = { never: 'never cut', one: 'past one wall', always: 'past two walls' };

export function createAgentPanel(app) {
    const { registry, store, world } = app, { limits } = registry;
    const set = (name, value) => store.set('problem.profile', { ...store.get('problem.profile'), [name]: value });
    const standard = registry.profile.terrainCost;

    const neighbours = select({ test: 'neighbours' }, registry.neighbours.map((value) => ({ value, text: neighbourNames[value] ?? value })),
        store.get('problem.profile.neighbours'), (value) => {
            const profile = store.get('problem.profile');
            store.set('problem.profile', { ...profile, neighbours: value, footprint: value === 'hex' ? 0 : profile.footprint });
        });
    const corners = select({ test: 'corners' }, registry.corners.map((value) => ({ value, text: cornerNames[value] ?? value })),
        store.get('problem.profile.corners'), (value) => set('corners', value));
    const radius = numberInput({ test: 'radius', minimum: 0, maximum: limits.radiusMax, step: 0.1, value: 0 }, (value) =>
        store.set('problem.profile', { ...store.get('problem.profile'), radius: value, footprint: 0 }));
    const footprint = numberInput({ test: 'footprint', minimum: 0, maximum: limits.footprintMax, value: 0 }, (value) =>
        store.set('problem.profile', { ...store.get('problem.profile'), footprint: value, radius: 0 }));

    /* Prices, for the classes that the world has. */
    const prices = el('div', { class: 'section-body flush' });
    let costs = [];
    function showClasses() {
        costs = terrainClasses(world).map((i) => ({
            i,
            input: numberInput({ test: `cost-${i}`, minimum: 0, maximum: 255, step: 0.25, value: store.get('problem.profile').terrainCost[i] ?? standard[i] }, (value) =>
                set('terrainCost', { ...store.get('problem.profile.terrainCost'), [i]: value })),
        }));
        replaceChildren(prices, costs.map(({ i, input }) => field(terrainName(registry, i), input)));
    }

    /* Heights and extra costs, where the world has them. */
    const any = (value) => (value === '' ? null : Number(value));
    const limit = (name, test) => {
        const input = el('input', { type: 'number', test, min: 0, max: 65535, placeholder: 'any', onchange: () => set(name, any(input.value)) });
        return input;
    };
    const weight = (name, test) => numberInput({ test, minimum: 0, maximum: 65535, value: 0 }, (value) => set(name, value));
    const relief = {
        maxClimb: limit('maxClimb', 'max-climb'), maxDrop: limit('maxDrop', 'max-drop'), gradient: weight('gradient', 'gradient'), layerWeight: weight('layerWeight', 'layer-weight'),
    };
    const heights = el('div', { class: 'section-body flush' },
        field('Highest step up', relief.maxClimb), field('Highest step down', relief.maxDrop),
        field('Cost of climbing', relief.gradient, '256ths of a step for a unit of height gained'));
    const extra = field('Extra cost counts', relief.layerWeight,
        '256ths of a step for a unit of the extra layer');
    const showRelief = () => {
        heights.hidden = !world.has.elevation;
        extra.hidden = !world.has.layer;
    };
    world.on('replaced', () => {
        showClasses();
        showRelief();
    });
    world.on('history', showRelief);
    showClasses();
    heights.hidden = extra.hidden = true;

    function show(profile) {
        const put = (input, value) => {
            if (document.activeElement !== input) input.value = value;
        };
        neighbours.value = profile.neighbours;
        corners.value = profile.corners;
        corners.disabled = profile.neighbours !== '8' || profile.radius > 0 || profile.footprint > 1;
        put(radius, profile.radius);
        put(footprint, profile.footprint);
        footprint.disabled = profile.neighbours === 'hex';
        for (const { i, input } of costs) put(input, profile.terrainCost[i] ?? standard[i]);
        for (const [name, input] of Object.entries(relief)) put(input, profile[name] ?? (name.startsWith('max') ? '' : 0));
    }
    store.on('problem.profile', show);
    show(store.get('problem.profile'));

    const panel = section('panel-agent', 'Agent',
        field('Steps', neighbours),
        field('Corners', corners, 'when a diagonal step is allowed past walls; agents with a size never cut corners'),
        field('Radius in cells', radius, 'a round agent keeps this far from walls'),
        field('Footprint in cells', footprint, 'a square agent this many cells wide'),
        heights, extra,
        el('details', { test: 'costs' }, el('summary', {}, 'Terrain costs'), el('p', { class: 'note' }, '0 forbids a terrain.'), prices));
    panel.open = innerWidth > 760;
    return panel;
}
