/* world.js: the page's own copy of the cells, so that painting shows at once, and what was done to them, so that it can be undone.
 *
 * A stroke is everything between pressing and letting go; each cell that it changes is remembered with what it was and what it became. Links are
 * remembered as whole lists. Opening another world over one that was painted is a thing to undo as well. Whoever sends edits to the worker and whoever
 * draws listens: `edited` with nodes, their values and those before, `links` with all of them, `replaced` with a new world, `returned` when undo or redo has brought one
 * back, `usable` when the agent has room elsewhere.
 */
import { createGeometry } from './geometry.js';

const undoKept = 200, cellsKept = 1 << 25; // strokes, and cells in all of them

/* What a cell has, and the arrays for it. */
export const cellKinds = { open: Uint8Array, terrain: Uint8Array, layer: Uint8Array, elevation: Int16Array };
const cellNames = Object.keys(cellKinds);
const worldNames = ['name', 'source', 'width', 'height', 'layout', ...cellNames, 'links', 'originX', 'originY', 'cellSize'];

const reliefs = ['layer', 'elevation'];

const sizeOf = ({ nodes, after }) => nodes?.length ?? after.width * after.height;

export function createWorld() {
    const listeners = { edited: [], links: [], replaced: [], returned: [], usable: [], history: [] };
    const world = { name: '', source: null, width: 0, height: 0, layout: 'square', open: null, terrain: null, layer: null, elevation: null, links: [], usable: null, version: 0, has: {} };
    let done = [], undone = [], stroke = null, isChanged = false; // in a way that cannot be undone: by a script, or too long ago
    let savedVersion = -1;

    const tell = (event, ...values) => listeners[event].forEach((heard) => heard(...values));

    function write(nodes, values) {
        const before = valuesAt(nodes);
        for (const name of cellNames) {
            const to = world[name], from = values[name];
            for (let i = 0; i < nodes.length; i++) to[nodes[i]] = from[i];
        }
        world.version++;
        tell('edited', nodes, values, before);
    }

    function writeLinks(links) {
        world.links = links;
        world.version++;
        tell('links', links);
    }

    function valuesAt(nodes) {
        const values = {};
        for (const name of cellNames) {
            const from = world[name], found = (values[name] = new cellKinds[name](nodes.length));
            for (let i = 0; i < nodes.length; i++) found[i] = from[nodes[i]];
        }
        return values;
    }

    /* What cells were before the stroke, each once. */
    function remember(nodes) {
        const fresh = new Uint32Array(nodes.length);
        let count = 0;
        for (let i = 0; i < nodes.length; i++) {
            if (stroke.touched[nodes[i]]) continue;
            stroke.touched[nodes[i]] = 1;
            fresh[count++] = nodes[i];
        }
        if (count) stroke.parts.push({ nodes: fresh.slice(0, count), values: valuesAt(fresh.subarray(0, count)) });
    }

    /* The oldest strokes go when there are too many, or too many cells in them; the last one stays. */
    function forgetOld() {
        let cells = done.reduce((sum, record) => sum + sizeOf(record), 0);
        while (done.length > 1 && (done.length > undoKept || cells > cellsKept)) {
            const oldest = done.shift();
            cells -= sizeOf(oldest);
            if (oldest.nodes && !done.some((record) => record.kind === 'world')) isChanged = true;
        }
    }

    function add(record) {
        done.push(record);
        undone = [];
        forgetOld();
    }

    const snapshot = () => ({ ...Object.fromEntries(worldNames.map((name) => [name, world[name]])), isChanged, question: world.question?.() });

    /* Back, or forwards, to another world. */
    function returnTo(state) {
        const { isChanged: wasChanged, question, ...cells } = state;
        Object.assign(world, cells, { usable: null });
        isChanged = wasChanged;
        world.has = reliefOf(world);
        world.geometry = createGeometry(world.layout, world.width, world.height);
        world.version++;
        tell('replaced');
        tell('returned', question);
    }

    function replay(from, to, side) {
        const record = from.pop();
        if (!record) return;
        to.push(record);
        if (record.kind === 'world') {
            record[side === 'before' ? 'after' : 'before'] = snapshot();
            returnTo(record[side]);
        } else if (record.kind === 'links') writeLinks(record[side]);
        else write(record.nodes, record[side]);
        tell('history');
    }

    /* Have cells been painted since this world was opened? */
    function isEdited() {
        return isChanged || (done.length > 0 && done[done.length - 1].kind !== 'world');
    }

    /* A world that was painted can be gone back to; one that was not only takes the place of what came after such a world. */
    function keepLeft(left) {
        const last = done[done.length - 1];
        if (left) add({ kind: 'world', before: left, after: snapshot() });
        else if (last?.kind === 'world') last.after = snapshot();
    }

    return Object.assign(world, {
        on: (event, heard) => listeners[event].push(heard),

        /* `cells` as the worker gives them; `source` says where they came from: { kind: 'file' | 'bundled' | 'generator' | 'blank', … }. */
        replace(cells, name, source) {
            const left = world.width && isEdited() ? snapshot() : null, blank = (kind) => new kind(cells.width * cells.height);
            Object.assign(world, { links: [] }, cells, { name, source, usable: null });
            for (const kind of cellNames) world[kind] = cells[kind] ?? blank(cellKinds[kind]);
            world.has = reliefOf(world);
            world.geometry = createGeometry(cells.layout, cells.width, cells.height);
            world.version++;
            [stroke, isChanged] = [null, false];
            keepLeft(left);
            tell('replaced');
            tell('history');
        },
        setLayout(layout) {
            if (world.layout === layout) return;
            world.layout = layout;
            world.geometry = createGeometry(layout, world.width, world.height);
            tell('replaced');
        },
        inside: (node) => node >= 0 && node < world.width * world.height,

        beginStroke() {
            stroke = { touched: new Uint8Array(world.width * world.height), parts: [] };
        },
        /* `kind`: what becomes of the cells: { open, terrain, layer, elevation }; what is undefined stays. Only cells that change are told. */
        paint(nodes, kind) {
            const list = nodes instanceof Set ? [...nodes] : nodes, changed = new Uint32Array(list.length), names = cellNames.filter((name) => kind[name] !== undefined);
            let count = 0;
            for (let i = 0; i < list.length; i++) if (names.some((name) => world[name][list[i]] !== kind[name])) changed[count++] = list[i];
            if (!count) return;
            const cells = changed.subarray(0, count);
            if (stroke) remember(cells);
            else isChanged = true;
            const after = valuesAt(cells);
            for (const name of names) after[name].fill(kind[name]);
            for (const name of reliefs) world.has[name] ||= kind[name] !== undefined;
            write(cells, after);
        },
        endStroke() {
            if (stroke?.parts.length) {
                const nodes = joined(Uint32Array, stroke.parts.map((part) => part.nodes)), before = {};
                for (const name of cellNames) before[name] = joined(cellKinds[name], stroke.parts.map((part) => part.values[name]));
                add({ nodes, before, after: valuesAt(nodes) });
            }
            stroke = null;
            tell('history');
        },
        /* Everything is as if the stroke had not been. */
        cancelStroke() {
            const parts = stroke?.parts ?? [];
            stroke = null;
            for (const { nodes, values } of parts) write(nodes, values);
        },
        /* All links of the world, as one step that can be undone. */
        setLinks(links) {
            add({ kind: 'links', nodes: [], before: world.links, after: links });
            writeLinks(links);
            tell('history');
        },
        undo: () => replay(done, undone, 'before'),
        redo: () => replay(undone, done, 'after'),
        canUndo: () => done.length > 0,
        canRedo: () => undone.length > 0,
        isEdited,
        /* What is painted is in a file now. */
        markSaved() {
            savedVersion = world.version;
        },
        isUnsaved: () => isEdited() && savedVersion !== world.version,
        setUsable(usable) {
            world.usable = usable ?? null;
            tell('usable', null);
        },
        /* The same after an edit: only cells that differ are told. */
        updateUsable(usable) {
            const before = world.usable, changed = [];
            if (!usable || !before) return usable || before ? world.setUsable(usable) : undefined;
            for (let node = 0; node < usable.length; node++) if (usable[node] !== before[node]) changed.push(node);
            world.usable = usable;
            tell('usable', changed);
        },
    });
}

/* Which of the reliefs the cells have. */
function reliefOf(world) {
    return Object.fromEntries(reliefs.map((name) => [name, world[name].some((value) => value !== 0)]));
}

/* Typed arrays one behind the other. */
export function joined(Kind, parts) {
    if (parts.length === 1) return parts[0];
    const whole = new Kind(parts.reduce((sum, part) => sum + part.length, 0));
    let at = 0;
    for (const part of parts) {
        whole.set(part, at);
        at += part.length;
    }
    return whole;
}

/* The cells that hang together with `node` and look the same, by a plain queue. */
export function floodNodes(world, node) {
    const { width, height, open, terrain } = world, found = new Uint8Array(width * height), queue = new Uint32Array(width * height);
    let count = 1;
    queue[0] = node;
    found[node] = 1;
    const look = (x, y) => {
        const other = y * width + x;
        if (x < 0 || y < 0 || x >= width || y >= height || found[other]) return;
        if (open[other] !== open[node] || (open[node] && terrain[other] !== terrain[node])) return;
        found[other] = 1;
        queue[count++] = other;
    };
    for (let i = 0; i < count; i++) {
        const x = queue[i] % width, y = (queue[i] - x) / width;
        look(x + 1, y);
        look(x - 1, y);
        look(x, y + 1);
        look(x, y - 1);
        if (world.layout !== 'hex') continue;
        const side = y & 1 ? 1 : -1; // where the other two of a hexagon's neighbours lie
        look(x + side, y + 1);
        look(x + side, y - 1);
    }
    return queue.subarray(0, count);
}

/* The cells within a brush `size` cells wide round a node. */
export function brushNodes(world, node, size) {
    const { geometry, width, height } = world, centre = geometry.centre(node), reach = size / 2, nodes = [];
    const column = node % width, row = Math.floor(node / width), span = Math.ceil(reach) + 1;
    for (let y = Math.max(0, row - span); y <= Math.min(height - 1, row + span); y++)
        for (let x = Math.max(0, column - span); x <= Math.min(width - 1, column + span); x++) {
            const other = geometry.centre(y * width + x), dx = other.x - centre.x, dy = other.y - centre.y;
            if (dx * dx + dy * dy <= reach * reach) nodes.push(y * width + x);
        }
    return nodes;
}

export function rectangleNodes(world, a, b) {
    const { width } = world, nodes = [];
    const columns = [a % width, b % width].sort((p, q) => p - q), rows = [Math.floor(a / width), Math.floor(b / width)].sort((p, q) => p - q);
    for (let y = rows[0]; y <= rows[1]; y++) for (let x = columns[0]; x <= columns[1]; x++) nodes.push(y * width + x);
    return nodes;
}
