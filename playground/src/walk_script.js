/* walk_script.js: walks as texts (docs/files.md has the format): read and complained about by the library, run in the page, written from a walk. */
import { describe } from './planning.js';
import { profileOf } from './question.js';
import { Superseded } from './worker_client.js';

export const isWalkScript = (bytes) => new TextDecoder().decode(bytes.subarray(0, 10)) === 'cairn-walk';

export function createWalkScript(app) {
    const { client, world, registry, planning, files, store } = app, listeners = [];
    const script = { text: '', name: '', error: '' };
    const tell = () => listeners.forEach((heard) => heard(script));

    function set(values) {
        Object.assign(script, { error: '' }, values);
        tell();
    }

    /* The map that the script asks for becomes the world. */
    async function openWorld(parsed) {
        const { map, from, to, title } = parsed, more = { profile: profileOf(registry, parsed.profile) }, name = title || script.name || 'a walk';
        if (map.kind === 'generated' || map.kind === 'rows') await planning.open('scriptWorld', { script: parsed }, name, sourceOf(map), more);
        else if (map.kind === 'file') {
            const file = map.file.split('/').pop();
            if (app.maps[file] === undefined && world.name !== file) throw new Error(`the map ${map.file} is not one of those in the page: open it, then run the script`);
            if (app.maps[file] !== undefined) await files.openBundled(file, more);
            else store.set('problem.profile', more.profile);
        } else store.set('problem.profile', more.profile);
        for (const [which, { x, y }] of [['start', from], ['goal', to]])
            if (x < 0 || y < 0 || x >= world.width || y >= world.height) throw new Error(`the ${which} ${x},${y} lies outside the map of ${world.width} × ${world.height} cells`);
        store.set('problem.query', { from: from.y * world.width + from.x, to: to.y * world.width + to.x });
    }

    const sourceOf = (map) => {
        if (map.kind !== 'generated') return { kind: 'made' };
        const { kind, ...numbers } = map.generator;
        return { kind: 'generator', generator: kind, numbers };
    };

    return Object.assign(script, {
        on: (heard) => listeners.push(heard),
        set,
        setText: (text) => {
            script.text = text;
        },
        openBundled: (name) => set({ text: app.maps[name], name }),
        /* A file: what is wrong with it is told at once. */
        async openBytes(bytes, name) {
            const text = new TextDecoder().decode(bytes);
            set({ text, name });
            try {
                await client.ask('script', { text });
            } catch (error) {
                if (!(error instanceof Superseded) && script.text === text) set({ error: describe(error) });
            }
        },
        /* Reads the text, opens its world and lets the agent walk, as long as that is wanted. True if it is on its way. */
        async run({ paused = false, isWanted = () => true } = {}) {
            try {
                const parsed = await client.ask('script', { text: script.text });
                if (isWanted()) await openWorld(parsed);
                if (!isWanted()) return false;
                if (!(await app.walk.start(parsed))) throw new Error(app.walk.error);
            } catch (error) {
                set({ error: describe(error) });
                return false;
            }
            set({});
            if (!paused) app.walk.play();
            return true;
        },
        /* The changes of a walk under way that come at step `from` come at step `to`: the script says so, and the walk is made again up to where it was shown. */
        async moveChanges(from, to) {
            const parsed = app.walk.script, shown = app.walk.time.at;
            if (!parsed || from === to) return;
            const changes = parsed.changes.map((change) => (change.at === from ? { ...change, at: Math.max(0, to) } : change)).sort((a, b) => a.at - b.at);
            try {
                set({ text: await client.ask('scriptText', { script: { ...parsed, changes } }) });
            } catch (error) {
                return set({ error: describe(error) });
            }
            if (await script.run({ paused: true })) await app.walk.time.seek(shown);
        },
        /* What has happened on the walk so far becomes the text. */
        async record() {
            try {
                set({ text: await app.walk.tape(), name: 'recorded.walk' });
            } catch (error) {
                set({ error: describe(error) });
            }
        },
    });
}
