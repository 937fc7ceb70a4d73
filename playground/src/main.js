/* main.js: puts the page together. The object `app` is what the parts share; the lists below say which parts there are. */
import { createStore } from './store.js';
import { createWorld } from './world.js';
import { createView } from './view.js';
import { createPalette } from './palette.js';
import { createAreaLayer, createBaseLayer, createReliefLayer } from './layers.js';
import { usualLayers } from './layer_list.js';
import { createClient } from './worker_client.js';
import { createPlanning, usualProfile } from './planning.js';
import { createPlayer } from './player.js';
import { createStage } from './stage.js';
import { createPrices } from './prices.js';
import { createTools } from './tools.js';
import { createFiles, acceptDrops } from './files.js';
import { createNotice } from './notice.js';
import { createTimeline } from './timeline.js';
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
import { createComparePanel } from './panel_compare.js';
import { createScenario } from './scenario.js';
import { createScenarioPanel } from './panel_scenario.js';
import { createKeep } from './keep.js';
import { createShare } from './share.js';
import { createWalk } from './walk.js';
import { knownKinds } from './walk_fog.js';
import { createWalkScript } from './walk_script.js';
import { createWalkPanel } from './panel_walk.js';
import { createSimulation, usualSimulation } from './simulation.js';
import { createSimulationPanel } from './panel_simulation.js';
import { createMapCursor } from './map_cursor.js';
import { createHelp } from './help.js';
import { createTour } from './tour.js';
import { readResources } from './resources.js';

/* The sections of the column, from the top. */
const panels = [createSearchPanel, createResultPanel, createWalkPanel, createSimulationPanel, createComparePanel, createWorldPanel, createAgentPanel, createOverlayPanel,
    createScenarioPanel];

const firstMap = 'village.txt';

function initialState(registry) {
    return {
        /* All that a problem is, besides its world. */
        problem: {
            profile: usualProfile(registry),
            query: { from: 0, to: 0 },
            panes: [{ algorithm: (registry.algorithms.find(({ name }) => name === 'astar') ?? registry.algorithms[0]).name, parameters: {} }],
            smooth: 'none',
            together: 'event',
            colouring: registry.colourings[0],
        },
        ui: {
            tool: 'wall', shape: 'brush', brush: 1, terrain: 1, height: 4, extra: 4, link: { cost: 1, both: true }, space: null, regions: 0, walk: { speed: '12', replan: registry.replans[0], work: 0, background: false, sensor: 0, known: knownKinds[0] },
            simulation: usualSimulation,
            layers: usualLayers(),
            overlay: { show: 'none', layer: 1, limit: 16, kinds: Object.fromEntries(registry.overlays.map((kind) => [kind, true])) },
        },
    };
}

/* What the maps are drawn from follows the world, the profile and the theme. */
function wireDrawing(app) {
    const { world, layers, view } = app;
    const allowed = (terrain) => (app.profile?.terrainCost[terrain] ?? 1) > 0;
    const redrawMaps = () => app.panes.forEach((pane) => pane.map.redraw());
    const redrawBase = () => {
        if (!world.width) return;
        layers.base.redraw(app.palette, allowed);
        redrawReliefs();
        redrawMaps();
    };
    const redrawReliefs = () => Object.values(layers.reliefs).forEach((relief) => relief.redraw(app.palette));
    world.on('replaced', () => {
        layers.areas.hide();
        redrawBase();
        view.setWorld(world.geometry);
    });
    const redrawCells = (nodes) => {
        layers.base.update(nodes);
        if (Object.values(world.has).some(Boolean)) redrawReliefs();
        redrawMaps();
    };
    world.on('links', redrawMaps);
    app.store.on('ui.layers', redrawMaps);
    world.on('edited', redrawCells);
    world.on('usable', (nodes) => (nodes ? redrawCells(nodes) : redrawBase()));
    app.onPalette(() => {
        redrawBase();
        for (const pane of app.panes) pane.restyle();
    });
}

async function start() {
    const element = (id) => document.getElementById(id);
    const resources = await readResources();
    const app = { maps: resources.maps, palette: null, panes: [], searchShown: { arrows: true, events: new Set(['segment', 'subgoal']) }, notice: createNotice(element('notice')) };
    const paletteListeners = [];
    app.onPalette = (heard) => paletteListeners.push(heard);
    const paneListeners = [];
    app.onPane = (heard) => paneListeners.push(heard); // of any map, now or later
    app.tellPane = (pane) => paneListeners.forEach((heard) => heard(pane));
    app.theme = createTheme((isDark) => {
        app.palette = createPalette(isDark);
        paletteListeners.forEach((heard) => heard());
    });
    app.palette = createPalette(app.theme.isDark());
    app.client = createClient(resources.worker, resources.module);
    const { registry, version } = await app.client.begin();
    Object.assign(app, { registry, version, store: createStore(initialState(registry)), world: createWorld(), view: createView() });
    app.layers = {
        base: createBaseLayer(app.world), areas: createAreaLayer(app.world),
        reliefs: { elevation: createReliefLayer(app.world, 'elevation'), layer: createReliefLayer(app.world, 'layer') },
    };
    app.planning = createPlanning(app);
    app.files = createFiles(app);
    app.scenario = createScenario(app);
    app.player = createPlayer();
    wireDrawing(app);

    app.hint = createHint(app, element('hint'));
    app.prices = createPrices(app);
    app.tools = createTools({ ...app, hover: app.hint.show, dragging: app.planning.dragging });
    app.mapCursor = createMapCursor(app);
    app.stage = createStage(app, element('maps-area'));
    app.walk = createWalk(app);
    app.walk.on(() => app.prices.apply());
    app.walk.on(app.hint.showBelief);
    app.walkScript = createWalkScript(app);
    app.simulation = createSimulation(app);
    app.simulation.on(app.hint.showBelief);
    app.timeline = createTimeline(app);
    app.share = createShare(app);
    app.keep = createKeep(app, resources.world?.name ?? '');
    createTopbar(app, element('topbar'));
    app.toolbar = createToolbar(app, element('toolbar'));
    createPlayerBar(app, element('player'));
    element('column').append(...panels.map((create) => create(app)));
    app.tour = createTour(app, element('column'));
    app.help = createHelp(app);
    app.keyboard = createKeyboard(app);
    acceptDrops(app.files, element('drop'));

    globalThis.playground = app; // for the curious, and for tests
    const isLinked = app.share.isLink(location.hash);
    let fault = isLinked ? await app.share.open(location.hash) : '';
    const isBack = !app.world.width && (await app.keep.restore());
    if (!app.world.width && resources.world) {
        await app.files.open(resources.world.bytes, resources.world.name);
        fault ||= app.notice.text();
    }
    if (!app.world.width) await app.files.openBundled(firstMap);
    if (fault) app.notice.show(fault);
    app.share.follow();
    app.keep.follow();
    if (!isLinked && !resources.world && !isBack) app.tour.offer();
    performance.mark('ready');
    document.documentElement.dataset.ready = 'true';
}

start().catch((error) => {
    document.body.prepend(`The playground could not start: ${error.message}`);
    throw error;
});
