/* simulation.js: many agents in a world that changes, as the page sees them. What happened is a recording (recording.js), which is played, stepped and dragged. It comes from a file of `cairn simulate
 * --record`, or it is being made: the worker (simulator.js) then makes turns at the speed wanted, with the first algorithm of the page, on a copy of the world, and the page shows the last one or any before.
 *
 * Phases: 'none' (nothing is shown), 'running', 'paused'; a recording that has been shown can be shown again as long as its world is there. What is painted meanwhile changes the world of a simulation; it ends the show of a
 * recording, which is of the world as it was.
 */
import { createBaseLayer, createFogLayer } from './layers.js';
import { createRecording, fps, readRecording } from './recording.js';
import { specOf } from './spec.js';
import { describe } from './planning.js';
import { Superseded } from './worker_client.js';

export const simulationSpeeds = [
    { value: '5', text: '5 turns / s' }, { value: '15', text: '15 turns / s' }, { value: '60', text: '60 turns / s' }, { value: '240', text: '240 turns / s' }, { value: 'most', text: 'as fast as it can' },
];
export const usualSimulation = { agents: 200, edits: 6, budget: 20000, unit: 'work', speed: 8, editSize: 3, editLife: 120, seed: 1 };
/* From the least to the most. */
export const simulationLimits = { agents: [10, 1000], edits: [0, 60], budget: [1, 1e9], speed: [1, 60], editSize: [1, 32], editLife: [1, 10000], seed: [0, 4294967295] };
const mostTurns = 36000, mostEvents = 3e6; // ten minutes at 60 a second; steps and goals
const navigatorSpeed = '15'; // of recordings of agents that step in every turn

export function createSimulation(app) {
    const { store, world, client } = app, listeners = [];
    const simulation = { phase: 'none', name: '', error: '', building: null, about: null, options: null, isLive: false, speed: '60', responses: [], queue: 0, indexBytes: 0, spec: '', recording: null };
    const calm = matchMedia('(prefers-reduced-motion: reduce)');
    let kept = null; // of the file: { recording, options, name, terrain }
    let layers = null, cells = null; // what is drawn: the ground as it is shown, and where it was closed
    let seen = Infinity, frame = 0, due = 0, before = 0, asking = null, number = 0;

    const tell = () => listeners.forEach((heard) => heard(simulation));
    const isShown = () => simulation.phase !== 'none';
    const made = () => simulation.recording?.turns ?? 0;
    const isPast = () => seen < made();
    const at = () => Math.min(seen, made());
    const isOver = () => !simulation.isLive || made() >= mostTurns || simulation.recording.events.count >= mostEvents;

    /* ---- what is seen ---- */

    function createGround(terrain) {
        const { recording } = simulation;
        cells = { width: world.width, height: world.height, open: recording.cells, terrain, usable: null };
        layers = { ground: createBaseLayer(cells), closed: createFogLayer(cells, (node) => (recording.closed[node] ? 'wrong' : '')) };
        redrawGround();
    }

    function redrawGround() {
        for (const layer of Object.values(layers)) layer.redraw(app.palette, () => true);
    }

    /* Turns that an agent has for a cell. */
    function turnsOfStep() {
        if (simulation.isLive) return fps / store.get('ui.simulation').speed;
        const { options } = simulation;
        return 'service' in options ? (Number(options.fps) || fps) / (Number(options.speed) || usualSimulation.speed) : 0;
    }

    function show() {
        const { scene, map } = app.panes[0];
        if (!isShown()) scene.simulation = null;
        else {
            const touched = [];
            simulation.recording.goTo(at(), (node) => touched.push(node));
            for (const layer of Object.values(layers)) layer.update(touched);
            scene.simulation = { ...layers, recording: simulation.recording, glide: simulation.phase === 'running' && !calm.matches ? turnsOfStep() : 0 };
        }
        map.redraw();
    }

    /* ---- turns ---- */

    const rate = () => (simulation.speed === 'most' ? Infinity : Number(simulation.speed));

    function setPhase(phase) {
        simulation.phase = phase;
        if (phase === 'running') {
            [due, before] = [0, performance.now()];
            if (!frame) frame = requestAnimationFrame(tick);
        }
        show();
        tell();
    }

    function take({ events, edits, frames, responses, queue, about }) {
        const { recording } = simulation;
        for (let i = 0; i < events.length; i += 4) recording.addEvent(...events.slice(i, i + 4));
        for (let i = 0; i < edits.length; i += 3) recording.addEdit(...edits.slice(i, i + 3));
        for (const ms of frames) recording.frames.push(ms);
        for (const turns of responses) simulation.responses.push(turns);
        Object.assign(simulation, { about, queue });
    }

    async function ask(turns) {
        const mine = number;
        app.planning.flush();
        asking = client.ask('simulateTurns', { turns, settings: store.get('ui.simulation') });
        try {
            const answer = await asking;
            if (mine !== number) return;
            take(answer);
            if (isOver() && simulation.phase === 'running' && !isPast()) setPhase('paused');
            show();
            tell();
        } catch (error) {
            if (mine === number) fail(error);
        } finally {
            if (mine === number) asking = null;
        }
    }

    function fail(error) {
        end();
        simulation.error = error instanceof Superseded ? 'The simulation has ended: the page had to begin anew.' : describe(error);
        tell();
    }

    /* Turns that were made are shown one after the other; then those that are to come are made. */
    function tick(time) {
        frame = 0;
        if (simulation.phase !== 'running') return;
        due += rate() === Infinity ? mostTurns : (Math.max(0, time - before) / 1000) * rate();
        before = time;
        const turns = Math.floor(due);
        if (isPast()) {
            due -= turns;
            seen = Math.min(made(), seen + turns);
            if (!isPast()) seen = Infinity;
            if (!isPast() && isOver()) return setPhase('paused');
            if (turns) {
                show();
                tell();
            }
        } else if (isOver()) return setPhase('paused');
        else if (!asking && turns) {
            due -= turns; // what the worker cannot do in time is not made up for
            ask(Math.min(turns, mostTurns - made()));
        }
        frame = requestAnimationFrame(tick);
    }

    /* Turns that are still to come are made at once. */
    async function seek(turn) {
        const wanted = Math.max(0, Math.round(turn)), mine = number;
        if (simulation.phase === 'running') simulation.phase = 'paused';
        seen = wanted < made() ? wanted : Infinity;
        show();
        tell();
        while (wanted > made() && !isOver() && mine === number && isShown()) {
            if (asking) await asking.catch(() => {});
            else await ask(Math.min(wanted, mostTurns) - made());
        }
    }

    const time = {
        get at() { return at(); },
        get target() { return at(); },
        get count() { return made(); },
        get running() { return simulation.phase === 'running'; },
        play() {
            if (!isPast() && isOver()) seen = 0;
            setPhase('running');
        },
        pause: () => setPhase('paused'),
        seek,
        toNow: () => seek(made()),
        flags: () => [],
        stepEvent: (direction) => seek(simulation.recording.editTurn(at(), direction)),
    };

    /* ---- what can be done ---- */

    function present(recording, terrain, more) {
        number++;
        app.walk.end();
        app.player.pause();
        Object.assign(simulation, { recording, responses: [], about: null, queue: 0, error: '', ...more });
        [seen, asking] = [Infinity, null];
        createGround(terrain);
    }

    async function start() {
        end();
        let mine = number;
        const settings = store.get('ui.simulation'), spec = specOf(app.registry, store.get('problem.panes.0'));
        simulation.error = '';
        try {
            app.planning.flush();
            const open = world.open.slice(), answer = await client.ask('simulate', { spec, settings, seed: settings.seed }, { progress: showBuilding });
            if (mine !== number) return false;
            present(createRecording(open), world.terrain.slice(), { isLive: true, name: '', options: null, spec, indexBytes: answer.indexBytes, speed: '60' });
            mine = number;
            take(answer);
            if (!answer.about.agents) throw new Error('there is no place for an agent, with a goal in reach');
            setPhase('paused');
            return true;
        } catch (error) {
            if (mine === number) fail(error);
            return false;
        } finally {
            showBuilding({});
        }
    }

    function showBuilding({ building, done, total }) {
        simulation.building = building ? { done, total } : null;
        tell();
    }

    async function play() {
        if ((!isShown() || !simulation.isLive) && !(await start())) return;
        time.play();
    }

    async function stepOnce() {
        if ((!isShown() || !simulation.isLive) && !(await start())) return;
        await seek(at() + 1);
    }

    function end() {
        number++;
        if (simulation.building) client.cancel();
        if (!isShown()) return;
        if (simulation.isLive) client.ask('simulateEnd', {}).catch(() => {});
        simulation.building = null;
        cancelAnimationFrame(frame);
        [frame, asking] = [0, null];
        Object.assign(simulation, { recording: null, isLive: false });
        setPhase('none');
        app.planning.schedule();
    }

    /* What a file holds, if it fits the world; else why not is noted. */
    function openRecording(sections, name, notes) {
        try {
            kept = { ...readRecording(sections, world.open), name, terrain: world.terrain.slice() };
        } catch (error) {
            notes.push(error.message);
            return;
        }
        showRecording();
    }

    function showRecording() {
        if (!kept) return;
        end();
        present(kept.recording, kept.terrain, { isLive: false, name: kept.name, options: kept.options, speed: 'service' in kept.options ? '60' : navigatorSpeed });
        seen = 0;
        setPhase('paused');
    }

    world.on('replaced', () => {
        end();
        kept = null;
        tell();
    });
    world.on('edited', (nodes) => {
        if (!isShown()) return;
        if (!simulation.isLive) return end();
        for (const node of nodes) cells.terrain[node] = world.terrain[node];
        layers.ground.update(nodes);
        if (simulation.phase === 'paused') seek(made() + 1); // so that it is seen
    });
    store.on('problem.profile', () => simulation.isLive && end());
    world.on('links', () => simulation.isLive && end());
    store.on('problem.panes', () => simulation.isLive && specOf(app.registry, store.get('problem.panes.0')) !== simulation.spec && end());
    app.onPalette(() => {
        if (!isShown()) return;
        redrawGround();
        app.panes[0].map.redraw();
    });
    app.player.on(() => app.player.running && end()); // whoever plays the search wants to see it
    app.walk.on(({ phase }) => phase !== 'none' && isShown() && end());

    return Object.assign(simulation, {
        on: (heard) => listeners.push(heard),
        isShown, play, stepOnce, end, time, openRecording, showRecording, isOver,
        keptName: () => kept?.name ?? '',
        /* What is to be said of a cell: who stands there, and whether it was closed. */
        textOf(node) {
            if (!isShown()) return '';
            const { recording } = simulation, found = [];
            const cellText = (cell) => `(${cell % world.width},${Math.floor(cell / world.width)})`;
            recording.each((agent, cell, goal) => cell === node && found.push(goal === cell ? `agent ${agent}, at its goal` : `agent ${agent}, on its way to ${cellText(goal)}`));
            const text = [...(recording.closed[node] ? ['closed in the simulation'] : []), ...found.slice(0, 3)].join('; ');
            return text && `${text[0].toUpperCase()}${text.slice(1)}.`;
        },
        toggle: () => (simulation.phase === 'running' && simulation.isLive ? time.pause() : play()),
        setSpeed(speed) {
            simulation.speed = speed;
            tell();
        },
    });
}
