/* edge_paths.js: the edges of an abstract graph as the paths on the ground that they stand for, for overlays. In the worker.
 *
 * An edge of HPA*'s lowest level leads from a cell where a cluster is entered through this cluster to the cell where the next one is entered: its path is the cheapest one that stays in the
 * cluster until its last step. An edge of a higher level is a path of edges of the level below. Paths share most of their steps; each step is drawn once, and steps in a row are one line.
 */
const edgesDrawn = 40000; // of more than that nobody sees one

/* Cheapest paths inside of a cluster from one of its cells, by correcting labels: a cluster has some hundred cells. */
function createGround(space, world, size) {
    const { width, height } = world, isHex = world.layout === 'hex', cost = new Map(), parent = new Map();
    const square = [[1, 0], [-1, 0], [0, 1], [0, -1], [1, 1], [-1, 1], [1, -1], [-1, -1]];
    const hexagon = (y) => [[1, 0], [-1, 0], [y & 1 ? 1 : -1, 1], [y & 1 ? 1 : -1, -1], [0, 1], [0, -1]];
    const clusterOf = (x, y) => Math.floor(y / size) * width + Math.floor(x / size);

    function search(from) {
        const queue = [from], home = clusterOf(from % width, Math.floor(from / width));
        cost.clear();
        parent.clear();
        cost.set(from, 0);
        for (let i = 0; i < queue.length; i++) {
            const node = queue[i], x = node % width, y = Math.floor(node / width);
            if (clusterOf(x, y) !== home) continue; // the next cluster is entered, not crossed
            for (const [dx, dy] of isHex ? hexagon(y) : square) {
                if (x + dx < 0 || y + dy < 0 || x + dx >= width || y + dy >= height) continue;
                const next = (y + dy) * width + x + dx, step = space.stepCost(node, next);
                if (step === null || cost.get(node) + step >= (cost.get(next) ?? Infinity)) continue;
                cost.set(next, cost.get(node) + step);
                parent.set(next, node);
                queue.push(next);
            }
        }
    }

    return {
        search,
        /* The cells from the one that was searched from to this one; null if the search has not come there. */
        pathTo(node) {
            if (!cost.has(node)) return null;
            const cells = [node];
            while (parent.has(cells[cells.length - 1])) cells.push(parent.get(cells[cells.length - 1]));
            return cells.reverse();
        },
    };
}

/* Steps between cells, each once. */
function createSteps() {
    const steps = new Set();
    return {
        add(cells) {
            for (let i = 1; i < cells.length; i++) steps.add(Math.min(cells[i - 1], cells[i]) * 2 ** 24 + Math.max(cells[i - 1], cells[i]));
        },
        /* As lines: steps that go on in the same direction become one. */
        lines() {
            const left = new Set([...steps].sort((a, b) => a - b)), found = [];
            for (const step of left) {
                const from = Math.floor(step / 2 ** 24), by = (step % 2 ** 24) - from;
                let to = from + by;
                for (; left.delete(to * 2 ** 24 + to + by); to += by);
                found.push([from, to]);
            }
            return found;
        },
    };
}

/* The edges of a level by the cell that they leave: cell → [[cell, cost]]. */
function edgesOf({ edges }, level, nodeAt) {
    const found = new Map();
    for (let i = 0; i < edges.layer.length; i++) {
        if (edges.layer[i] !== level) continue;
        const from = nodeAt(edges.x0[i], edges.y0[i]);
        if (!found.has(from)) found.set(from, []);
        found.get(from).push([nodeAt(edges.x1[i], edges.y1[i]), edges.cost[i]]);
    }
    return found;
}

/* The edges of the level below that an edge is made of, as cells; null if there are none that cost as much. */
function routeBelow(below, from, to, cost) {
    const costs = new Map([[from, 0]]), parent = new Map(), queue = [from];
    for (let i = 0; i < queue.length; i++)
        for (const [next, step] of below.get(queue[i]) ?? []) {
            const total = costs.get(queue[i]) + step;
            if (total > cost || total >= (costs.get(next) ?? Infinity)) continue;
            costs.set(next, total);
            parent.set(next, queue[i]);
            queue.push(next);
        }
    if (!costs.has(to)) return null;
    const cells = [to];
    while (cells[cells.length - 1] !== from) cells.push(parent.get(cells[cells.length - 1]));
    return cells.reverse();
}

/* The edges of the lowest level that those of a level lead along; what has no such path stays as it is, in `straight`. */
function lowestEdges(overlay, level, nodeAt, straight) {
    let edges = edgesOf(overlay, level, nodeAt);
    for (let below = level - 1; below > 0; below--) {
        const lower = edgesOf(overlay, below, nodeAt), used = new Map();
        for (const [from, targets] of edges) for (const [to, cost] of targets) useRoute(used, routeBelow(lower, from, to, cost), lower) || straight.push([from, to]);
        edges = new Map([...used].map(([from, all]) => [from, [...all]]));
    }
    return edges;
}

/* Notes the edges of a route; false if there is none. */
function useRoute(used, route, lower) {
    if (!route) return false;
    for (let i = 1; i < route.length; i++) {
        const [from, to] = [route[i - 1], route[i]];
        if (!used.has(from)) used.set(from, new Map());
        used.get(from).set(to, lower.get(from).find(([target]) => target === to)[1]);
    }
    return true;
}

/* Lines [from, to] between cells for the edges of one level, or null if there are too many, or no clusters. `size`: cells along a cluster of the lowest level. */
export function edgeLines({ overlay, level, space, world, size }) {
    if (!(size > 0) || overlay.edges.layer.length > edgesDrawn || !overlay.edges.layer.includes(level)) return null;
    const nodeAt = (x, y) => space.nodeAt(x, y), straight = [], steps = createSteps(), ground = createGround(space, world, size);
    for (const [from, targets] of lowestEdges(overlay, level, nodeAt, straight)) {
        ground.search(from);
        for (const [to] of targets) {
            const cells = ground.pathTo(to);
            if (cells) steps.add(cells);
            else straight.push([from, to]); // a link
        }
    }
    return [...steps.lines(), ...straight];
}
