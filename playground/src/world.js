/* world.js: the page's own copy of the cells, so that painting shows at once, and what was done to them, so that it can be undone.
 *
 * A stroke is everything between pressing and letting go; each cell that it changes is remembered with what it was and what it became. Whoever
 * sends edits to the worker and whoever draws listens: `edited` with nodes, `replaced` with a new world, `usable` when the agent has room elsewhere.
 */
import { createGeometry } from './geometry.js';

const undoKept = 200, cellsKept = 1 << 25; // strokes, and cells in all of them

export function createWorld() {
    const listeners = { edited: [], replaced: [], usable: [], history: [] };
    const world = { name: '', source: null, width: 0, height: 0, layout: 'square', open: null, terrain: null, links: [], usable: null, version: 0 };
    let done = [], undone = [], stroke = null, isChanged = false; // in a way that cannot be undone: by a script, or too long ago

    const tell = (event, ...values) => listeners[event].forEach((heard) => heard(...values));

    function write(nodes, open, terrain) {
        for (let i = 0; i < nodes.length; i++) {
            world.open[nodes[i]] = open[i];
            world.terrain[nodes[i]] = terrain[i];
        }
        world.version++;
        tell('edited', nodes, open, terrain);
    }

    function valuesAt(nodes) {
        const open = new Uint8Array(nodes.length), terrain = new Uint8Array(nodes.length);
        for (let i = 0; i < nodes.length; i++) {
            open[i] = world.open[nodes[i]];
            terrain[i] = world.terrain[nodes[i]];
        }
        return { open, terrain };
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
        if (count) stroke.parts.push({ nodes: fresh.slice(0, count), ...valuesAt(fresh.subarray(0, count)) });
    }

    /* The oldest strokes go when there are too many, or too many cells in them; the last one stays. */
    function forgetOld() {
        let cells = done.reduce((sum, { nodes }) => sum + nodes.length, 0);
        while (done.length > 1 && (done.length > undoKept || cells > cellsKept)) {
            cells -= done.shift().nodes.length;
            isChanged = true;
        }
    }

    function replay(from, to, side) {
        const record = from.pop();
        if (!record) return;
        to.push(record);
        write(record.nodes, record[side].open, record[side].terrain);
        tell('history');
    }

    return Object.assign(world, {
        on: (event, heard) => listeners[event].push(heard),

        /* `cells` as the worker gives them; `source` says where they came from: { kind: 'file' | 'bundled' | 'generator' | 'blank', … }. */
        replace(cells, name, source) {
            Object.assign(world, cells, { name, source, usable: null });
            world.geometry = createGeometry(cells.layout, cells.width, cells.height);
            world.version++;
            [done, undone, stroke, isChanged] = [[], [], null, false];
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
        /* `kind`: { open, terrain }; terrain undefined = stays. Only cells that change are told. */
        paint(nodes, kind) {
            const list = nodes instanceof Set ? [...nodes] : nodes, changed = new Uint32Array(list.length);
            let count = 0;
            for (let i = 0; i < list.length; i++) {
                const node = list[i];
                if (world.open[node] !== kind.open || (kind.terrain !== undefined && world.terrain[node] !== kind.terrain)) changed[count++] = node;
            }
            if (!count) return;
            const cells = changed.subarray(0, count);
            if (stroke) remember(cells);
            else isChanged = true;
            const after = valuesAt(cells);
            after.open.fill(kind.open);
            if (kind.terrain !== undefined) after.terrain.fill(kind.terrain);
            write(cells, after.open, after.terrain);
        },
        endStroke() {
            if (stroke?.parts.length) {
                const nodes = joined(Uint32Array, stroke.parts.map((part) => part.nodes));
                const before = { open: joined(Uint8Array, stroke.parts.map((part) => part.open)), terrain: joined(Uint8Array, stroke.parts.map((part) => part.terrain)) };
                done.push({ nodes, before, after: valuesAt(nodes) });
                undone = [];
                forgetOld();
            }
            stroke = null;
            tell('history');
        },
        /* Everything is as if the stroke had not been. */
        cancelStroke() {
            const parts = stroke?.parts ?? [];
            stroke = null;
            for (const { nodes, open, terrain } of parts) write(nodes, open, terrain);
        },
        undo: () => replay(done, undone, 'before'),
        redo: () => replay(undone, done, 'after'),
        canUndo: () => done.length > 0,
        canRedo: () => undone.length > 0,
        isEdited: () => done.length > 0 || isChanged,
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
