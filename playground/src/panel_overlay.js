/* panel_overlay.js: what is shown besides the search: the index of the algorithm, layer by layer, with the kinds that the registry names; regions that hang
 * together; how far it is to the nearest wall; and what a search shows of itself.
 */
import { checkbox, el, field, numberInput, replaceChildren, section, select } from './dom.js';
import { count } from './format.js';
import { createLayerList } from './layer_list.js';
import { itemsAtOnce } from './map_canvas.js';
import { algorithmOf, specOf } from './spec.js';
import { Superseded } from './worker_client.js';

const kindNames = { area: 'areas', border: 'borders', node: 'nodes', edge: 'edges' };

export function createOverlayPanel(app) {
    const { registry, store, client, panes, layers, world, searchShown } = app, pane = panes[0];
    const about = el('p', { class: 'note', test: 'overlay-about' });
    const kinds = el('div', { class: 'section-body flush' });
    let answer = null; // what the worker said last, to be drawn again in other colours; of an index: that of the first map that has one
    let indexes = []; // what it said of the index of each map
    let asked = 0, known = '';

    /* What an overlay depends on: as long as that stays, it does. */
    const key = () => JSON.stringify([world.version, store.get('problem.profile'), store.get('ui.overlay').show === 'index' && store.get('problem.panes')]);

    /* ---- drawing ---- */

    function paint() {
        const shown = store.get('ui.overlay');
        for (const { index, scene } of panes) paintIndex(scene, answer?.kind === 'index' ? indexes[index] : null, shown.kinds);
        if (answer?.kind === 'regions') layers.areas.showAreas(answer.colours, app.palette);
        else if (answer?.kind === 'clearance') layers.areas.showHeat(answer.field, answer.limit, app.palette);
        else layers.areas.hide();
        for (const one of panes) one.map.redraw();
    }

    /* Every map shows the index of its own algorithm. */
    function paintIndex(scene, index, shownKinds) {
        scene.overlay = index ? { ...index, shown: shownKinds } : null;
        scene.areas = answer?.kind === 'index' ? scene.ownAreas : layers.areas;
        if (index?.areas && shownKinds.area) scene.ownAreas.showAreas(index.areas.colours, app.palette);
        else scene.ownAreas.hide();
    }

    /* ---- asking ---- */

    const hasIndex = (choice) => algorithmOf(registry, choice.algorithm)?.overlay;

    /* The answers for all maps; nothing for those without an index to show. */
    function askIndexes(layer) {
        return Promise.all(store.get('problem.panes').map((choice, i) => (hasIndex(choice)
            ? client.ask('overlay', { spec: specOf(registry, choice), layer, colourCount: app.palette.areaCount }, { lane: `overlay ${i}` }) : null)));
    }

    async function request({ show, layer, limit }) {
        if (show === 'regions') return client.ask('regions', { colourCount: app.palette.areaCount }, { lane: 'overlay' });
        if (show === 'clearance') return client.ask('clearance', { limit }, { lane: 'overlay' });
        const found = await askIndexes(layer);
        return { found, ...found.find(Boolean) };
    }

    function describe(shown) {
        if (!answer) return '';
        if (shown.show === 'regions') return `${count(answer.count)} ${answer.count === 1 ? 'region hangs' : 'regions hang'} together.`;
        if (shown.show === 'clearance') return `From dark, beside a wall, to bright, ${answer.limit} cells or more away.`;
        const parts = [];
        if (answer.areas) parts.push(`${count(answer.areas.count)} areas`);
        const countOf = (kind) => (kind === 'edge' ? answer.edgeCount : answer[kind + 's'].layer.length);
        for (const kind of ['border', 'node', 'edge']) if (countOf(kind)) parts.push(`${count(countOf(kind))} ${kindNames[kind]}`);
        const isMuch = ['border', 'node', 'edge'].some((kind) => answer[kind + 's'].layer.length > itemsAtOnce);
        return `${parts.join(', ') || 'nothing to show'}${answer.layers.length > 1 ? `; level ${answer.lowest === answer.layers[0] && shown.layer === 0 ? answer.layers.join(', ') : shown.layer} of ${answer.layers.length}` : ''}.${isMuch ? ' Where too many are in sight, some of them are drawn: zoom in to see all.' : ''}`;
    }

    async function refresh() {
        const shown = store.get('ui.overlay'), number = ++asked;
        known = key();
        if (shown.show !== 'clearance' && answer?.kind === 'clearance') client.ask('dropClearance', {}).catch(() => {});
        if (shown.show === 'none' || !world.width || (shown.show === 'index' && !store.get('problem.panes').some(hasIndex))) {
            answer = null;
            about.textContent = '';
            paint();
            return;
        }
        try {
            const { found = [], ...result } = await request(shown);
            if (number !== asked) return;
            indexes = found;
            answer = { ...result, kind: shown.show };
            about.classList.remove('error');
            about.textContent = describe(shown);
            if (shown.show === 'index') showLevels(answer.layers);
        } catch (error) {
            if (number !== asked) return;
            if (error instanceof Superseded) {
                known = ''; // asked for again when a map has searched again
                return;
            }
            answer = null;
            about.classList.add('error');
            about.textContent = error.message;
        }
        paint();
    }

    /* ---- controls ---- */

    const set = (name, value) => store.set('ui.overlay', { ...store.get('ui.overlay'), [name]: value });
    const show = select({ test: 'overlay' }, [], 'none', (value) => set('show', value));
    /* One level at a time, by a slider; all of them only if somebody wants that. */
    let levels = [];
    const level = el('input', { type: 'range', test: 'overlay-level', 'aria-label': 'Level of the abstraction', min: 0, step: 1, oninput: () => set('layer', levels[level.value]) });
    const levelText = el('output', { test: 'overlay-level-text', class: 'level' });
    const all = checkbox({ test: 'overlay-all' }, false, (on) => set('layer', on ? 0 : levels[level.value] ?? 1));
    const levelFields = el('div', { class: 'plain' }, el('label', { class: 'field', title: 'of the abstraction, 1 = the lowest' }, levelText, level), field('all levels at once', all));
    const limit = numberInput({ test: 'overlay-limit', minimum: 1, maximum: 64, value: 16 }, (value) => set('limit', value));
    const limitField = field('Up to (cells)', limit);
    const boxes = new Map(registry.overlays.map((kind) => [kind, checkbox({ test: `overlay-${kind}` }, store.get('ui.overlay').kinds[kind],
        (on) => set('kinds', { ...store.get('ui.overlay').kinds, [kind]: on }))]));
    replaceChildren(kinds, [...boxes].map(([kind, box]) => field(kindNames[kind] ?? kind, box)));

    /* The index has these levels; one that it does not have gives way to the nearest. */
    function showLevels(found) {
        levels = found;
        const wanted = store.get('ui.overlay').layer, at = levels.includes(wanted) ? levels.indexOf(wanted) : wanted ? levels.length - 1 : Number(level.value);
        level.max = Math.max(0, levels.length - 1);
        level.value = Math.min(at, levels.length - 1);
        all.checked = wanted === 0;
        level.disabled = wanted === 0 || levels.length < 2;
        levelText.textContent = wanted === 0 ? `levels ${levels.join(', ')}` : `level ${wanted} of ${levels[levels.length - 1] ?? 1}`;
        if (wanted && levels.length && !levels.includes(wanted)) set('layer', levels[level.value]);
    }

    function showChoices() {
        const has = store.get('problem.panes').some(hasIndex);
        const choices = [['none', 'nothing'], ...(has ? [['index', 'the index']] : []), ['regions', 'reachable regions'], ['clearance', 'room to walls']];
        replaceChildren(show, choices.map(([value, text]) => el('option', { value }, text)));
        if (!has && store.get('ui.overlay').show === 'index') set('show', 'none');
        show.value = store.get('ui.overlay').show;
    }

    function showControls({ show: what, limit: cells, kinds: shownKinds }) {
        show.value = what;
        if (document.activeElement !== limit) limit.value = cells;
        for (const [kind, box] of boxes) box.checked = shownKinds[kind];
        kinds.hidden = levelFields.hidden = what !== 'index';
        limitField.hidden = what !== 'clearance';
    }

    store.on('ui.overlay', (shown, path) => {
        showControls(shown);
        refresh();
    });
    store.on('problem.panes', showChoices);
    app.onPane((one) => {
        if (!one.busy() && key() !== known) refresh();
    });
    app.onPalette(paint);
    showChoices();
    showControls(store.get('ui.overlay'));

    /* ---- what the search shows of itself ---- */

    const events = el('div', { class: 'section-body flush' });
    function mark(name, on) {
        if (on) searchShown.events.add(name);
        else searchShown.events.delete(name);
        for (const one of panes) one.map.redraw();
    }
    function showEvents() {
        const counts = pane.result?.trace?.counts ?? [];
        const present = registry.events.filter((name, i) => counts[i]);
        if (events.dataset.kinds === present.join()) return;
        events.dataset.kinds = present.join();
        replaceChildren(events, present.map((name) => field(name, checkbox({ test: `mark-${name}` }, searchShown.events.has(name), (on) => mark(name, on)))));
    }
    pane.on(showEvents);
    const arrows = field('Arrows to parents (zoomed in)', checkbox({ test: 'show-arrows' }, true, (on) => {
        searchShown.arrows = on;
        for (const one of panes) one.map.redraw();
    }));
    return section('panel-overlay', 'Layers', createLayerList(app), field('Show', show), levelFields, kinds, limitField, about, arrows,
        el('details', { test: 'events' }, el('summary', {}, 'Mark events of the search'), events));
}
