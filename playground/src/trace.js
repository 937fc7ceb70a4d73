/* trace.js: makes a trace ready to be played, in the worker.
 *
 * What a cell looks like is said by the last event that concerns it. So each event is given the number of the one before it at the
 * same cell; playing forwards then sets one number a step, and playing backwards sets it back: no checkpoints, any number of steps either way.
 * Events of abstract layers are no cells; their expansions are listed for the overlay, which knows where such nodes are.
 */

/* How the event kinds of the registry are shown; kinds that this table does not know are counted, not painted. */
export const paints = { none: 0, open: 1, closed: 2, way: 3 };

const paintOfKind = {
    source: paints.open, generate: paints.open, update: paints.open, reopen: paints.open, expand: paints.closed, pass: paints.way,
};

/* A bit of the layer: the event is of a search backward from the goals, which concerns cells too. */
const backward = 128;

export function prepareTrace(trace, eventNames, nodeCount) {
    const count = trace.kind.length;
    const paintTable = eventNames.map((name) => paintOfKind[name] ?? paints.none);
    const expand = eventNames.indexOf('expand');
    const paint = new Uint8Array(count), previous = new Uint32Array(count), order = new Uint32Array(count), last = new Uint32Array(nodeCount);
    const counts = new Array(eventNames.length).fill(0), abstract = [];
    const range = { g: emptyRange(), h: emptyRange(), f: emptyRange() };
    let expanded = 0;
    for (let i = 0; i < count; i++) {
        const kind = trace.kind[i], node = trace.node[i];
        counts[kind]++;
        order[i] = expanded;
        const level = trace.layer[i] & ~backward;
        if (level !== 0 && kind === expand) abstract.push(i);
        if (level !== 0 || node >= nodeCount) continue;
        if (kind === expand) {
            order[i] = ++expanded;
            widen(range.g, trace.g[i]);
            widen(range.h, trace.h[i]);
            widen(range.f, trace.g[i] + trace.h[i]);
        }
        const look = paintTable[kind];
        if (look === paints.none || (look === paints.way && last[node])) continue;
        paint[i] = look;
        previous[i] = last[node];
        last[node] = i + 1;
    }
    return {
        ...trace, count, paint, previous, order, counts, abstract: Uint32Array.from(abstract), expanded,
        range: { order: [1, Math.max(1, expanded)], ...range },
    };
}

function emptyRange() {
    return [Infinity, 0];
}

function widen(range, value) {
    if (value < range[0]) range[0] = value;
    if (value > range[1]) range[1] = value;
}

export function traceBuffers(trace) {
    return ['kind', 'layer', 'node', 'parent', 'g', 'h', 'paint', 'previous', 'order', 'abstract'].map((name) => trace[name].buffer);
}

/* How many of the events before `at` are of a kind, on cells and on abstract levels: by a list that is made once. */
export function countUpTo(trace, kind, at) {
    trace.places ??= new Map();
    if (!trace.places.has(kind)) {
        const places = new Uint32Array(trace.counts[kind]);
        let count = 0;
        for (let i = 0; i < trace.count; i++) if (trace.kind[i] === kind) places[count++] = i;
        trace.places.set(kind, places);
    }
    const places = trace.places.get(kind);
    let low = 0, high = places.length;
    while (low < high) {
        const middle = (low + high) >> 1;
        if (places[middle] < at) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* The events of a kind that concern cells, as a list that is made once. */
export function eventsOfKind(trace, kind) {
    trace.lists ??= new Map();
    if (!trace.lists.has(kind)) {
        const found = new Uint32Array(trace.counts[kind]);
        let count = 0;
        for (let i = 0; i < trace.count; i++) if (trace.kind[i] === kind && (trace.layer[i] & ~backward) === 0) found[count++] = i;
        trace.lists.set(kind, found.subarray(0, count));
    }
    return trace.lists.get(kind);
}
