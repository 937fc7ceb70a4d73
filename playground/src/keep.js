/* keep.js: what is painted is kept by the browser, so that a reload or another map does not lose it. The last few worlds that were painted are kept, each as a .cairn file with
 * its agent, start, goal and algorithm. The one that was on show when the page was left comes back by itself; the others are listed in the panel of worlds.
 *
 * Where the browser keeps nothing (no room, a private frame), and while it has not kept the last stroke yet, leaving the page asks first.
 */
import { pack, unpack } from './share.js';
import { questionOf } from './question.js';
import { Superseded } from './worker_client.js';

const place = 'cairn-painted', worldsKept = 4, afterMs = 300, mostLetters = 1 << 23, mostBytes = 1 << 27;

function read() {
    try {
        const list = JSON.parse(localStorage.getItem(place) ?? '[]');
        return Array.isArray(list) ? list.filter((one) => typeof one?.world === 'string' && typeof one.name === 'string') : [];
    } catch {
        return []; // nothing is kept where nothing may be stored, or what is there is not ours
    }
}

/* True if it is stored; older worlds make room for the first. */
function write(list) {
    for (let kept = list.slice(0, worldsKept); ; kept = kept.slice(0, -1)) {
        try {
            localStorage.setItem(place, JSON.stringify(kept));
            return kept.length === Math.min(list.length, worldsKept) || kept.length > 0;
        } catch {
            if (kept.length <= 1) return false;
        }
    }
}

/* `given`: the name of the world in the page, or '': what was painted on another page's world does not come back by itself. */
export function createKeep(app, given) {
    const { world, client, files, notice } = app, listeners = [];
    let timer = 0, keptVersion = -1, id = newId();
    const tell = () => listeners.forEach((heard) => heard());

    function newId() {
        return `${Date.now()}-${Math.random().toString(36).slice(2)}`;
    }

    async function store() {
        timer = 0;
        if (!world.isEdited()) return;
        const { version, name } = world, mine = id;
        try {
            const bytes = await client.ask('save', { format: 'cairn', question: questionOf(app) }, { patient: true }), text = await pack(bytes);
            if (mine !== id || version !== world.version) return; // a later one follows
            const others = read().filter((one) => one.id !== id).map((one) => ({ ...one, shown: false }));
            if (write([{ id, name, given, shown: true, world: text }, ...others])) keptVersion = version;
        } catch (error) {
            if (error instanceof Superseded) later(); // the worker had something newer to do
            return; // and until it is kept, leaving asks first
        }
        tell();
    }

    function later() {
        if (!timer) timer = setTimeout(store, afterMs);
    }

    /* Another world is on show: those that are kept stay, but do not come back by themselves. */
    function leave() {
        clearTimeout(timer);
        [timer, id] = [0, newId()];
        const list = read();
        if (list.some(({ shown }) => shown)) write(list.map((one) => ({ ...one, shown: false })));
        tell();
    }

    async function open(one) {
        await files.open(await unpack(one.world, mostLetters, mostBytes), one.name, { kind: 'kept' });
        id = one.id;
        keptVersion = world.version;
        write(read().map((other) => ({ ...other, shown: other.id === id })));
        tell();
    }

    /* From now on what is painted is kept. */
    function follow() {
        world.on('history', () => world.isEdited() && later());
        world.on('replaced', leave);
        addEventListener('beforeunload', (event) => {
            if (world.isUnsaved() && keptVersion !== world.version) event.preventDefault();
        });
    }

    return {
        on: (heard) => listeners.push(heard),
        follow,
        list: read,
        open,
        isKept: () => keptVersion === world.version,
        forget() {
            localStorage.removeItem(place);
            keptVersion = -1;
            tell();
        },
        /* The world that was on show when the page was left, if it was painted. */
        async restore() {
            const one = read().find(({ shown, given: page }) => shown && page === given);
            if (!one) return false;
            const before = world.version;
            await open(one).catch((error) => notice.show(`${one.name}, which you have painted, cannot be brought back: ${error.message}`));
            if (world.version === before) return false;
            notice.show(`${one.name} is back as you have painted it.${given ? ' To see the file itself, use Forget beside Painted, and reload the page.' : ''}`);
            return true;
        },
    };
}
