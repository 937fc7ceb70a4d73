/* geometry.js: where cells lie. Places are in cells: (0, 0) is the outer corner of the first one. Squares need no more than
 * that; hexagons stand on a point, one wide, their rows √3/2 apart, odd rows half a cell to the right.
 */
const hexRow = Math.sqrt(3) / 2;
const hexHeight = 2 / Math.sqrt(3);

export const cellsShown = 4096 * 4096;

/* To be asked as soon as the size is known, before anything of that size is made. */
export function checkShown(width, height) {
    if (width * height > cellsShown) throw new Error(`it has ${width} × ${height} cells; the page shows worlds of up to 4096 × 4096`);
}

export function createGeometry(layout, width, height) {
    return layout === 'hex' ? hexagons(width, height) : squares(width, height);
}

const clamp = (value, count) => Math.min(count - 1, Math.max(0, value));

function squares(width, height) {
    return {
        hex: false, width, height, wide: width, high: height, row: 1, firstRow: 0.5,
        centre: (node) => ({ x: (node % width) + 0.5, y: Math.floor(node / width) + 0.5 }),
        /* The node at a place, or -1. */
        at(x, y) {
            const column = Math.floor(x), row = Math.floor(y);
            return column < 0 || row < 0 || column >= width || row >= height ? -1 : row * width + column;
        },
        nearest: (x, y) => clamp(Math.floor(y), height) * width + clamp(Math.floor(x), width),
    };
}

function hexagons(width, height) {
    const shift = (row) => (row & 1 ? 0.5 : 0);
    const geometry = {
        hex: true, width, height, wide: width + (height > 1 ? 0.5 : 0), high: (height - 1) * hexRow + hexHeight, row: hexRow,
        firstRow: hexHeight / 2,
        centre(node) {
            const row = Math.floor(node / width);
            return { x: (node % width) + 0.5 + shift(row), y: hexHeight / 2 + row * hexRow };
        },
        /* A hexagon is what lies between its upright sides and below and above its slanted ones. */
        at(x, y) {
            const middle = Math.round((y - hexHeight / 2) / hexRow);
            for (let row = middle - 1; row <= middle + 1; row++) {
                const column = Math.floor(x - shift(row));
                if (row < 0 || row >= height || column < 0 || column >= width) continue;
                const dx = Math.abs(x - (column + 0.5 + shift(row))), dy = Math.abs(y - (hexHeight / 2 + row * hexRow));
                if (dy <= (hexHeight / 2) * (1 - dx)) return row * width + column;
            }
            return -1;
        },
        nearest(x, y) {
            const row = clamp(Math.round((y - hexHeight / 2) / hexRow), height);
            return row * width + clamp(Math.floor(x - shift(row)), width);
        },
        shift,
    };
    return geometry;
}

/* Every node on the straight line between two nodes, both included, as the hand moves between two events. */
export function lineOfNodes(geometry, from, to) {
    const a = geometry.centre(from), b = geometry.centre(to), nodes = [from];
    const steps = Math.ceil(Math.max(Math.abs(b.x - a.x), Math.abs(b.y - a.y)) * 2);
    for (let i = 1; i <= steps; i++) {
        const node = geometry.at(a.x + ((b.x - a.x) * i) / steps, a.y + ((b.y - a.y) * i) / steps);
        if (node >= 0 && node !== nodes[nodes.length - 1]) nodes.push(node);
    }
    return nodes;
}
