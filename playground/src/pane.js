/* pane.js: one map with one algorithm: asks the worker for the search, keeps its result, and plays it.
 *
 * When a search fails, because the algorithm cannot serve this world or for any other reason, the picture of the last one stays, pale, and the reason is told.
 */
import { createAreaLayer, createFillLayer } from './layers.js';
import { createMapCanvas } from './map_canvas.js';
import { el, replaceChildren } from './dom.js';
import { count, decimal } from './format.js';
import { specOf } from './spec.js';
import { Superseded } from './worker_client.js';

const traceLimit = 3000000;
const paleAfterMs = 150;

export function createPane(app, index) {
    const { store, world, client, view, layers, player } = app;
    const listeners = [];
    const fill = createFillLayer(world);
    const scene = {
        world, palette: app.palette, base: layers.base, areas: layers.areas, fill, overlay: null, trace: null, at: 0, path: null, smoothed: null,
        ownAreas: createAreaLayer(world), reliefs: layers.reliefs, layers: () => store.get('ui.layers'), past: null, query: store.get('problem.query'), stale: false, cursor: null, shown: app.searchShown, eventNames: app.registry.events,
    };
    const map = createMapCanvas(view, scene);
    scene.redraw = map.redraw;
    map.canvas.tabIndex = 0;
    map.canvas.dataset.test = index ? `map-${index}` : 'map';
    map.canvas.setAttribute('role', 'img');
    map.canvas.setAttribute('aria-label', index ? `Map ${index + 1}` : 'The map');
    const label = el('div', { class: 'map-label', test: `label-${index}` }), box = el('div', { class: 'map-box' }, map.canvas, label);

    const pane = { index, box, map, scene, fill, player, result: null, error: null, building: null, asked: 0, answered: 0 };
    const tell = () => {
        showLabel();
        listeners.forEach((heard) => heard(pane));
        app.tellPane(pane);
    };

    /* Which algorithm this map is of, and what came out; seen when there are several. */
    function showLabel() {
        const { result, error } = pane;
        if (!store.get(`problem.panes.${index}`)) return;
        const outcome = error ? error.message : !result ? '' : result.cost === null ? result.statusText
            : `cost ${decimal(result.cost / result.scale.straight)} · expanded ${count(result.metrics.expanded)}`;
        replaceChildren(label, badge(index), el('b', {}, spec()), ' ', el('span', {}, outcome));
    }

    function spec() {
        return specOf(app.registry, store.get(`problem.panes.${index}`));
    }

    function take(result) {
        pane.result = result;
        pane.error = pane.building = null;
        scene.stale = false;
        scene.trace = result.trace;
        scene.path = Array.from(result.points, (node) => world.geometry.centre(node));
        scene.smoothed = pointsOf(result.smoothed);
        fill.style(app.palette, store.get('problem.colouring'));
        player.show(index, result.trace, fill);
    }

    /* `exact`: the time is measured with care, which takes longer. */
    pane.run = async (exact) => {
        const query = store.get('problem.query');
        if (!world.width || !world.inside(query.from) || !world.inside(query.to)) return;
        const number = ++pane.asked, { restarts } = client;
        const pale = setTimeout(() => {
            scene.stale = true;
            map.redraw();
        }, paleAfterMs);
        try {
            const smooth = store.get('problem.smooth');
            const result = await client.ask('search', { spec: spec(), query: { ...query, partial: true }, traceLimit, smooth: smooth === 'none' ? null : smooth, exact },
                { lane: `search ${index}`, progress: showProgress });
            if (app.panes[index] !== pane) return; // it rests
            take(result);
        } catch (error) {
            if (error instanceof Superseded) {
                if (client.restarts !== restarts && number === pane.asked) app.planning.schedule((one) => one === pane); // somebody else had the worker ended
                return;
            }
            pane.error = error;
            pane.building = null;
            scene.stale = true;
        } finally {
            clearTimeout(pale);
            if (number === pane.asked) pane.answered = number;
        }
        tell();
        map.redraw();
    };

    function showProgress(progress) {
        pane.building = progress.building ? progress : null;
        tell();
    }

    pane.busy = () => pane.answered !== pane.asked;

    /* Another world: nothing of the old one is shown. */
    pane.clear = () => {
        pane.result = pane.error = null;
        Object.assign(scene, { trace: null, path: null, smoothed: null, stale: false, overlay: null });
        scene.ownAreas.hide();
        player.show(index, null, fill);
        tell();
        map.redraw();
    };

    /* The map is taken from the page; what is under way for it comes to nothing. */
    pane.rest = () => {
        pane.answered = ++pane.asked;
        pane.building = null;
        pane.clear();
        player.remove(index);
        box.remove();
    };

    pane.restyle = () => {
        scene.palette = app.palette;
        fill.style(app.palette, store.get('problem.colouring'));
        map.redraw();
    };

    /* g, h, f and order of a cell as far as the playback has come; null if it was not visited. */
    pane.visited = (node) => {
        const event = scene.trace ? fill.lastEvent(node) : -1;
        if (event < 0) return null;
        const { trace } = scene, { scale } = pane.result, name = app.registry.events[trace.kind[event]];
        const inSteps = (cost) => cost / scale.straight;
        return {
            name, closed: name === 'expand', order: name === 'expand' ? trace.order[event] : null, g: inSteps(trace.g[event]), h: inSteps(trace.h[event]),
            f: inSteps(trace.g[event] + trace.h[event]), parent: world.inside(trace.parent[event]) ? trace.parent[event] : null,
        };
    };

    pane.on = (heard) => listeners.push(heard);
    player.on(() => {
        scene.at = player.placeOn(index);
        map.redraw();
    });
    store.on('problem.query', (query) => {
        scene.query = query;
        map.redraw();
    });
    return pane;
}

/* The letter and colour by which tables and plots name a map. */
export function badge(index) {
    return el('i', { class: `badge series-${index}` }, 'ABCD'[index]);
}

function pointsOf(smoothed) {
    if (!smoothed || smoothed.error) return null;
    return Array.from({ length: smoothed.points.length / 2 }, (unused, i) => ({ x: smoothed.points[2 * i], y: smoothed.points[2 * i + 1] }));
}
