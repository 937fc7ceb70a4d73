/* store.js: what the page knows, in one plain object, and who wants to hear when it changes.
 *
 *     store.set('problem.profile.radius', 1.5);
 *     store.on('problem.profile', (profile) => …);
 *
 * A listener hears of changes at its path, below it and above it. Values are compared by identity, so objects are replaced, not changed.
 */
export function createStore(initial) {
    let state = initial;
    const listeners = [];

    function get(path) {
        return path.split('.').reduce((value, key) => value?.[key], state);
    }

    function set(path, value) {
        if (get(path) === value) return;
        state = put(state, path.split('.'), value);
        for (const listener of [...listeners])
            if (touches(listener.path, path)) listener.heard(get(listener.path), path);
    }

    function on(path, heard) {
        const listener = { path, heard };
        listeners.push(listener);
        return () => listeners.splice(listeners.indexOf(listener), 1);
    }

    return { get, set, on };
}

function put(object, [key, ...rest], value) {
    const copy = Array.isArray(object) ? [...object] : { ...object };
    copy[key] = rest.length ? put(copy[key] ?? {}, rest, value) : value;
    return copy;
}

function touches(a, b) {
    return a === b || a.startsWith(b + '.') || b.startsWith(a + '.');
}
