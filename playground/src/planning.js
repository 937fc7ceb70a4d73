/* planning.js: keeps the worker in step with the page: hands it worlds, profiles and edits, and has every pane search again when something that matters
 * has changed. Edits of one frame go as one commit. Messages reach the worker in order, so a search sees every edit before it.
 */
import { Superseded } from './worker_client.js';
import { joined } from './world.js';

export function createPlanning(app) {
    const { store, world, client } = app;
    const cellsShown = 4096 * 4096;
    let pending = [], frame = 0, isDragging = false, loading = 0, isKnown = false;

    /* ---- searching ---- */

    function runAll() {
        if (loading || app.walk?.isRunning()) return;
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
            if (!loading) for (const pane of panes) pane.run(!isDragging);
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
        client.ask('edit', joinedEdits(edits)).then((answer) => {
            if (answer.usable || world.usable) world.setUsable(answer.usable);
            app.walk?.wake();
        }).catch(tellUnlessSuperseded);
        schedule();
    }

    function edited(nodes, open, terrain) {
        if (!nodes || isKnown) return;
        pending.push({ nodes, open, terrain });
        if (!frame) frame = requestAnimationFrame(flush);
    }

    /* ---- worlds and profiles ---- */

    async function applyProfile() {
        flush();
        const answer = await client.ask('profile', { profile: store.get('problem.profile') });
        world.setLayout(answer.layout);
        world.setUsable(answer.usable);
        app.profile = answer.profile;
        store.set('ui.space', { bytes: answer.bytes, worldBytes: answer.worldBytes });
        return answer;
    }

    /* Another world from whatever `op` of the worker makes one. `query`: where to walk, if that is known. */
    async function open(op, message, name, source, { query, profile } = {}) {
        loading++;
        try {
            cancelAnimationFrame(frame);
            [pending, frame] = [[], 0];
            const cells = await client.ask(op, message);
            if (cells.width * cells.height > cellsShown)
                throw new Error(`${name} has ${cells.width} × ${cells.height} cells; the page shows worlds of up to 4096 × 4096`);
            for (const pane of app.panes) pane.clear();
            world.replace(cells, name, source);
            setProfileQuietly(profile ?? fittingProfile(cells.layout));
            await applyProfile();
            const ends = await client.ask('ends', {});
            store.set('problem.query', query ?? { from: ends.from, to: ends.to });
            store.set('ui.regions', ends.regions);
            app.notice.clear();
        } catch (error) {
            tellUnlessSuperseded(error, name);
            if (world.width) await restore(client.ask);
        } finally {
            loading--;
        }
        runAll();
    }

    function fittingProfile(layout) {
        const profile = store.get('problem.profile');
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
        const { width, height, layout, open: cells, terrain, layer, elevation, originX, originY, cellSize, links } = world;
        await ask('cells', { cells: { width, height, layout, open: cells, terrain, layer, elevation, originX, originY, cellSize }, links });
        await ask('profile', { profile: store.get('problem.profile') });
    }

    client.restore = restore;
    world.on('edited', edited);
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

export function describe(error, name) {
    const where = error.line ? `line ${error.line}: ` : '';
    return `${name ? name + ': ' : ''}${error.message.includes(where) ? '' : where}${error.message}`;
}

function joinedEdits(edits) {
    const all = (Kind, name) => joined(Kind, edits.map((edit) => edit[name]));
    return { nodes: all(Uint32Array, 'nodes'), open: all(Uint8Array, 'open'), terrain: all(Uint8Array, 'terrain') };
}
