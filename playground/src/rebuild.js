/* rebuild.js: an index that is built in another worker while an agent follows its old path (in the walker, that is in the worker of the page). The other worker gets a copy of the world, builds
 * the index there, and hands it over as a file; if the world has changed meanwhile, it begins again.
 */

/* `port` leads to the other worker, which has the library; `world()` is what it builds for: { spec, cells, links, profile }. */
export function createRebuild(port, world) {
    let isBusy = false, isOutdated = false, bytes = null, fault = '';

    function ask() {
        [isBusy, isOutdated, bytes] = [true, false, null];
        port.postMessage({ id: 1, op: 'buildIndex', ...world() });
    }

    port.onmessage = ({ data: { result, error } }) => {
        isBusy = false;
        if (error) fault = error.message;
        else if (isOutdated) ask();
        else bytes = result.bytes;
    };

    return {
        /* The world has changed. */
        changed() {
            if (isBusy) isOutdated = true;
            else ask();
        },
        isBusy: () => isBusy,
        /* The index, once: null if it is not ready. */
        take() {
            if (fault) throw new Error(fault);
            const ready = bytes;
            bytes = null;
            return ready;
        },
        end: () => port.close(),
    };
}
