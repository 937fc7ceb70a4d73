/* layer_list.js: the layers of a map, from the top, each with an eye and an opacity: what is seen, and how strongly. The state is in ui.layers: { NAME: { on, opacity } }, opacity from 0 to 1. */
import { button, el } from './dom.js';
import { icon } from './icons.js';

/* [name, what it is called, opacity at first, what it is] */
export const layerTable = [
    ['path', 'Path', 1, 'the path, and that of an agent that walks'],
    ['links', 'Links', 1, 'doors, ladders and teleports'],
    ['lines', 'Lines of the index', 1, 'borders, nodes and edges'],
    ['fog', 'Fog', 0.6, 'what the agent that walks has not seen, or believes wrongly'],
    ['areas', 'Areas', 0.55, 'areas of the index, reachable regions, room to walls'],
    ['search', 'Search', 1, 'what the search has visited'],
    ['extra', 'Extra costs', 0.5, 'what cells cost besides their terrain'],
    ['heights', 'Heights', 0.5, 'how high the ground is'],
];

export function usualLayers() {
    return Object.fromEntries(layerTable.map(([name, , opacity]) => [name, { on: true, opacity }]));
}

export function opacityOf(layers, name) {
    return layers[name].on ? layers[name].opacity : 0;
}

export function createLayerList({ store, world }) {
    const set = (name, change) => store.set('ui.layers', { ...store.get('ui.layers'), [name]: { ...store.get('ui.layers')[name], ...change } });
    const rows = layerTable.map(([name, text, , help]) => {
        const eye = button(`layer-${name}`, icon('eye'), () => set(name, { on: !store.get('ui.layers')[name].on }), { class: 'eye', title: `Show or hide: ${help}`, 'aria-label': `Show ${text.toLowerCase()}` });
        const slider = el('input', {
            type: 'range', test: `opacity-${name}`, min: 0, max: 100, step: 5, 'aria-label': `Opacity of ${text.toLowerCase()}`, title: `Opacity of ${text.toLowerCase()}`,
            oninput: () => set(name, { on: true, opacity: Number(slider.value) / 100 }),
        });
        return { name, eye, slider, element: el('div', { class: 'layer', title: help }, eye, el('span', {}, text), slider) };
    });
    function show(layers) {
        for (const { name, eye, slider } of rows) {
            eye.setAttribute('aria-pressed', layers[name].on);
            eye.classList.toggle('shut', !layers[name].on);
            slider.value = Math.round(layers[name].opacity * 100);
        }
    }
    /* Of a world without them, no links, heights or extra costs are listed; nor is fog where there is none. */
    function showPresent() {
        const present = { fog: store.get('ui.walk').sensor > 0, links: world.links.length > 0, extra: world.has.layer, heights: world.has.elevation };
        for (const { name, element } of rows) element.hidden = name in present && !present[name];
    }
    for (const event of ['replaced', 'history', 'links']) world.on(event, showPresent);
    showPresent();
    store.on('ui.walk', showPresent);
    store.on('ui.layers', show);
    show(store.get('ui.layers'));
    return el('div', { class: 'layer-list', test: 'layers', role: 'group', 'aria-label': 'Layers of the map' }, rows.map(({ element }) => element));
}
