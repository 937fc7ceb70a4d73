/* pane.js: one map with one algorithm: asks the worker for the search, keeps its result, and plays it.
 *
 * When a search fails, because the algorithm cannot serve this world or for any other reason, the picture of the last one stays, pale, and the reason is told.
 */
import { createFillLayer } from './layers.js';
import { createMapCanvas } from './map_canvas.js';
import { createPlayer } from './player.js';
import { specOf } from './spec.js';
import { Superseded } from './worker_client.js';

const traceLimit = 3000000;
const paleAfterMs = 150;

export function createPane(app, index) {
    const { store, world, client, view, layers } = app;
    const listeners = [];
    const fill = createFillLayer(world), player = createPlayer();
    const scene = {
        world, palette: app.palette, base: layers.base, areas: layers.areas, fill, overlay: null, trace: null, at: 0, path: null, smoothed: null,
        query: store.get('problem.query'), stale: false, cursor: null, arrows: true, marked: new Set(['segment', 'subgoal']), eventNames: app.registry.events,
    };
    const map = createMapCanvas(view, scene);
    scene.redraw = map.redraw;
    map.canvas.tabIndex = 0;
    map.canvas.dataset.test = index ? `map-${index}` : 'map';
    map.canvas.setAttribute('role', 'img');
    map.canvas.setAttribute('aria-label', 'The map');

    const pane = { index, map, scene, fill, player, result: null, error: null, building: null, asked: 0, answered: 0 };
    const tell = () => listeners.forEach((heard) => heard(pane));

    function spec() {
        return specOf(app.registry, store.get(`problem.panes.${index}`));
    }

    function take(result) {
        const whole = player.ended;
        pane.result = result;
        pane.error = pane.building = null;
        scene.stale = false;
        scene.trace = result.trace;
        scene.path = Array.from(result.points, (node) => world.geometry.centre(node));
        scene.smoothed = pointsOf(result.smoothed);
        fill.style(app.palette, store.get('problem.colouring'));
        player.show(result.trace, fill, whole);
    }

    /* `exact`: the time is measured with care, which takes longer. */
    pane.run = async (exact) => {
        const query = store.get('problem.query');
        if (!world.width || !world.inside(query.from) || !world.inside(query.to)) return;
        const number = ++pane.asked;
        const pale = setTimeout(() => {
            scene.stale = true;
            map.redraw();
        }, paleAfterMs);
        try {
            const smooth = store.get('problem.smooth');
            take(await client.ask('search', { spec: spec(), query: { ...query, partial: true }, traceLimit, smooth: smooth === 'none' ? null : smooth, exact },
                { lane: `search ${index}`, progress: showProgress }));
        } catch (error) {
            if (error instanceof Superseded) return;
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
        player.show(null, fill, true);
        tell();
        map.redraw();
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
        scene.at = player.at;
        map.redraw();
    });
    store.on('problem.query', (query) => {
        scene.query = query;
        map.redraw();
    });
    return pane;
}

function pointsOf(smoothed) {
    if (!smoothed || smoothed.error) return null;
    return Array.from({ length: smoothed.points.length / 2 }, (unused, i) => ({ x: smoothed.points[2 * i], y: smoothed.points[2 * i + 1] }));
}
