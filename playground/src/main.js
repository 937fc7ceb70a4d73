/* main.js: puts the page together. The object `app` is what the parts share; the lists below say which parts there are. */
import { createStore } from './store.js';
import { createWorld } from './world.js';
import { createView } from './view.js';
import { createPalette } from './palette.js';
import { createAreaLayer, createBaseLayer } from './layers.js';
import { createClient } from './worker_client.js';
import { createPlanning } from './planning.js';
import { createPane } from './pane.js';
import { createTools } from './tools.js';
import { createFiles, acceptDrops } from './files.js';
import { createNotice } from './notice.js';
import { createTheme } from './theme.js';
import { createTopbar } from './topbar.js';
import { createToolbar } from './toolbar.js';
import { createPlayerBar } from './player_bar.js';
import { createHint } from './hint.js';
import { createKeyboard } from './keyboard.js';
import { createWorldPanel } from './panel_world.js';
import { createAgentPanel } from './panel_agent.js';
import { createSearchPanel } from './panel_search.js';
import { createOverlayPanel } from './panel_overlay.js';
import { createResultPanel } from './panel_result.js';
import { readResources } from './resources.js';

/* The sections of the column, from the top. */
const panels = [createSearchPanel, createResultPanel, createWorldPanel, createAgentPanel, createOverlayPanel];

const firstMap = 'village.txt';

function initialState(registry) {
    const { neighbours, corners } = registry.profile;
    return {
        /* All that a problem is, besides its world. */
        problem: {
            profile: { neighbours, corners, radius: 0, footprint: 0, terrainCost: {} },
            query: { from: 0, to: 0 },
            panes: [{ algorithm: (registry.algorithms.find(({ name }) => name === 'astar') ?? registry.algorithms[0]).name, parameters: {} }],
            smooth: 'none',
            colouring: registry.colourings[0],
        },
        ui: {
            tool: 'wall', shape: 'brush', brush: 1, terrain: 1, space: null, regions: 0,
            overlay: { show: 'none', layer: 0, limit: 16, kinds: Object.fromEntries(registry.overlays.map((kind) => [kind, true])) },
        },
    };
}

/* The maps share the room beside the column. */
function watchSize(app, area) {
    const measure = () => {
        const shown = app.panes.length, columns = shown > 1 ? 2 : 1, rows = Math.ceil(shown / columns);
        area.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
        const width = Math.floor(area.clientWidth / columns), height = Math.floor(area.clientHeight / rows);
        app.view.resize(width, height);
        for (const pane of app.panes) pane.map.resize(width, height);
    };
    new ResizeObserver(measure).observe(area);
    measure();
    return measure;
}

/* What the maps are drawn from follows the world, the profile and the theme. */
function wireDrawing(app) {
    const { world, layers, view } = app;
    const allowed = (terrain) => (app.profile?.terrainCost[terrain] ?? 1) > 0;
    const redrawMaps = () => app.panes.forEach((pane) => pane.map.redraw());
    const redrawBase = () => {
        if (!world.width) return;
        layers.base.redraw(app.palette, allowed);
        redrawMaps();
    };
    world.on('replaced', () => {
        layers.areas.hide();
        redrawBase();
        view.setWorld(world.geometry);
    });
    world.on('edited', (nodes) => {
        if (!nodes) return redrawBase();
        layers.base.update(nodes);
        redrawMaps();
    });
    app.onPalette(() => {
        redrawBase();
        for (const pane of app.panes) pane.restyle();
    });
}

async function start() {
    const element = (id) => document.getElementById(id);
    const resources = await readResources();
    const app = { maps: resources.maps, palette: null, panes: [], notice: createNotice(element('notice')) };
    const paletteListeners = [];
    app.onPalette = (heard) => paletteListeners.push(heard);
    app.theme = createTheme((isDark) => {
        app.palette = createPalette(isDark);
        paletteListeners.forEach((heard) => heard());
    });
    app.palette = createPalette(app.theme.isDark());
    app.client = createClient(resources.worker, resources.module);
    const { registry, version } = await app.client.begin();
    Object.assign(app, { registry, version, store: createStore(initialState(registry)), world: createWorld(), view: createView() });
    app.layers = { base: createBaseLayer(app.world), areas: createAreaLayer(app.world) };
    app.planning = createPlanning(app);
    app.files = createFiles(app);
    app.panes.push(createPane(app, 0));
    wireDrawing(app);

    const area = element('maps-area');
    for (const pane of app.panes) area.prepend(pane.map.canvas);
    app.layout = watchSize(app, area);
    app.hint = createHint(app, element('hint'));
    app.tools = createTools({ ...app, hover: app.hint.show, dragging: app.planning.dragging });
    for (const pane of app.panes) app.tools.attach(pane.map);
    createTopbar(app, element('topbar'));
    app.toolbar = createToolbar(app, element('toolbar'));
    createPlayerBar(app, element('player'));
    element('column').append(...panels.map((create) => create(app)));
    app.keyboard = createKeyboard(app);
    acceptDrops(app.files, element('drop'));

    globalThis.playground = app; // for the curious, and for tests
    if (resources.world) await app.files.open(resources.world.bytes, resources.world.name);
    if (!app.world.width) await app.files.openBundled(firstMap);
    performance.mark('ready');
    document.documentElement.dataset.ready = 'true';
}

start().catch((error) => {
    document.body.prepend(`The playground could not start: ${error.message}`);
    throw error;
});
