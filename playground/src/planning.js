/* planning.js: keeps the worker in step with the page: hands it worlds, profiles and edits, and has every pane search again when something that matters
 * has changed. Edits of one frame go as one commit. Messages reach the worker in order, so a search sees every edit before it.
 */
import { questionFrom } from './question.js';
import { Superseded } from './worker_client.js';
import { cellKinds, joined } from './world.js';

export function createPlanning(app) {
    const { store, world, client } = app;
    let pending = [], frame = 0, isDragging = false, loading = 0, isKnown = false, isLeaving = false;
    let served = store.get('problem.profile'); // the last profile that the library has taken

    /* ---- searching ---- */

    function runAll() {
        if (loading || app.walk?.isRunning() || app.simulation?.isShown()) return;
        for (const pane of app.panes) pane.run(!isDragging);
    }

    /* Once for all changes of the moment: the panes for which `serves` holds. */
    let wanted = [];
    function schedule(serves = () => true) {
        wanted.push(serves);
        if (wanted.length > 1) return;
        queueMicrotask(() => {
            const panes = app.panes.filter((pane) => wanted.some((one) => one(pane)));
            wanted = [];
            if (!loading && !app.simulation?.isShown()) for (const pane of panes) pane.run(!isDragging);
        });
    }

    /* Only those whose algorithm has changed search again. */
    let choicesBefore = store.get('problem.panes');
    function choicesChanged(choices) {
        const before = choicesBefore;
        choicesBefore = choices;
        schedule(({ index }) => choices[index] !== before[index]);
    }

    /* ---- edits ---- */

    function flush() {
        frame = 0;
        const edits = pending;
        pending = [];
        if (!edits.length) return;
        client.ask('edit', joinedEdits(edits, world.has)).then((answer) => {
            world.updateUsable(answer.usable);
            app.hint?.refresh();
            app.walk?.wake();
        }).catch(tellUnlessSuperseded);
        schedule();
    }

    function edited(nodes, values) {
        if (isKnown || isLeaving) return;
        pending.push({ nodes, ...values });
        if (!frame) frame = requestAnimationFrame(flush);
    }

    /* Links go as a whole list: there are few of them. */
    function linksChanged(links) {
        if (isLeaving) return;
        flush();
        client.ask('links', { links }).then(() => {
            app.hint?.refresh();
            app.walk?.wake();
        }).catch(tellUnlessSuperseded);
        schedule();
    }

    /* ---- worlds and profiles ---- */

    async function applyProfile(ask = client.ask, profile = store.get('problem.profile')) {
        const answer = await ask('profile', { profile });
        served = profile;
        app.profile = answer.profile;
        world.setLayout(answer.layout);
        world.setUsable(answer.usable);
        store.set('ui.space', { bytes: answer.bytes, worldBytes: answer.worldBytes });
    }

    /* The profile for a new world. One that cannot be is told, and gives way to the usual one. */
    async function applyNewProfile(profile, layout) {
        setProfileQuietly(profile);
        try {
            await applyProfile();
            app.notice.clear();
        } catch (error) {
            if (error instanceof Superseded) throw error;
            setProfileQuietly(fittingProfile(layout, usualProfile(app.registry)));
            await applyProfile();
            app.notice.show(`${describe(error)}; the usual agent walks instead`);
        }
    }

    /* Worlds are opened one after the other: the last one asked for stays, whatever becomes of those before it. */
    let opening = Promise.resolve();
    function open(...request) {
        loading++;
        opening = opening.then(() => openNow(...request)).then(() => loading--);
        return opening.then(runAll);
    }

    /* Another world from whatever `op` of the worker makes one. `query`: where to walk, if that is known; a file may bring agent, query and algorithm. What is painted until it is there is lost with the world
     * that it was painted on. */
    async function openNow(op, message, name, source, { query, profile } = {}) {
        try {
            cancelAnimationFrame(frame);
            [pending, frame, isLeaving] = [[], 0, true];
            const { contents = {}, recording, ...cells } = await client.ask(op, message);
            for (const pane of app.panes) pane.clear();
            const left = world.isUnsaved() ? world.name : '';
            world.replace(cells, name, source);
            isLeaving = false;
            const brought = questionFrom(contents, app.registry, cells.width * cells.height);
            await applyNewProfile(profile ?? brought.profile ?? fittingProfile(cells.layout), cells.layout);
            const ends = await client.ask('ends', {});
            store.set('problem.query', query ?? { from: ends.from, to: ends.to, ...brought.query });
            if (brought.panes) store.set('problem.panes', brought.panes);
            store.set('ui.regions', ends.regions);
            if (recording) app.simulation.openRecording(recording, name, brought.notes);
            if (brought.notes.length) app.notice.show(`${name}: ${brought.notes.join('; ')}.`);
            else if (left && app.notice.text() === '') app.notice.show(`You have painted on ${left} and not saved it: Undo brings it back.`);
        } catch (error) {
            tellUnlessSuperseded(error, name);
            await restore(client.ask).catch(tellUnlessSuperseded);
        } finally {
            isLeaving = false;
        }
    }

    function fittingProfile(layout, { costScale, links, ...profile } = store.get('problem.profile')) { // costScale and links come with files alone
        if (layout === 'hex') return { ...profile, neighbours: 'hex', footprint: 0 };
        return profile.neighbours === 'hex' ? { ...profile, neighbours: '8' } : profile;
    }

    let quiet = false;
    function setProfileQuietly(profile) {
        quiet = true;
        store.set('problem.profile', profile);
        quiet = false;
    }

    async function profileChanged() {
        if (quiet || !world.width) return;
        try {
            flush();
            await applyProfile();
            schedule();
        } catch (error) {
            tellUnlessSuperseded(error);
            for (const pane of app.panes) {
                pane.scene.stale = true;
                pane.map.redraw();
            }
        }
    }

    function tellUnlessSuperseded(error, name) {
        if (error instanceof Superseded) return;
        app.notice.show(describe(error, name));
    }

    /* The world as the page knows it, for a new worker and after a world that could not be used. */
    async function restore(ask) {
        if (!world.width) return;
        const { width, height, layout, open: cells, terrain, layer, elevation, originX, originY, cellSize, links } = world;
        await ask('cells', { cells: { width, height, layout, open: cells, terrain, layer, elevation, originX, originY, cellSize }, links });
        try {
            await applyProfile(ask);
        } catch {
            await applyProfile(ask, served);
        }
    }

    /* Undo or redo has brought another world back: the worker gets it, and the question that was asked of it. */
    function returned(question) {
        cancelAnimationFrame(frame);
        [pending, frame] = [[], 0];
        for (const pane of app.panes) pane.clear();
        loading++;
        setProfileQuietly(question.profile);
        opening = opening.then(() => restore(client.ask)).then(() => store.set('problem.query', question.query)).catch(tellUnlessSuperseded).then(() => loading--);
        opening.then(runAll);
    }

    client.restore = restore;
    world.question = () => ({ profile: store.get('problem.profile'), query: store.get('problem.query') });
    world.on('edited', edited);
    world.on('links', linksChanged);
    world.on('returned', returned);
    store.on('problem.profile', profileChanged);
    store.on('problem.query', () => schedule());
    store.on('problem.panes', choicesChanged);
    store.on('problem.smooth', () => schedule());

    return {
        open,
        schedule,
        flush,
        /* Changes that the worker has made itself: the page follows. */
        followWorker(change) {
            isKnown = true;
            try {
                change();
            } finally {
                isKnown = false;
            }
        },
        isLoading: () => loading > 0 || pending.length > 0,
        dragging(now) {
            isDragging = now;
            if (!now) schedule();
        },
        /* Ends a build that takes too long. */
        cancel() {
            client.cancel();
        },
    };
}

/* The profile of somebody about whom nothing is said. */
export function usualProfile({ profile: { neighbours, corners } }) {
    return { neighbours, corners, radius: 0, footprint: 0, terrainCost: {} };
}

export function describe(error, name) {
    const where = error.line ? `line ${error.line}: ` : '';
    return `${name ? name + ': ' : ''}${error.message.includes(where) ? '' : where}${error.message}`;
}

/* Reliefs go along if the world has them. */
function joinedEdits(edits, has) {
    const all = (Kind, name) => joined(Kind, edits.map((edit) => edit[name]));
    const joinedValues = Object.entries(cellKinds).filter(([name]) => has[name] !== false).map(([name, Kind]) => [name, all(Kind, name)]);
    return { nodes: all(Uint32Array, 'nodes'), ...Object.fromEntries(joinedValues) };
}
