/* areas.js: colours for areas (clusters, cliques, regions), such that neighbours have different ones as far as the colours go. In the worker.
 *
 * One pass over the cells finds which areas touch, a second one gives each area, in the order of their first cells, the first colour that none of its
 * neighbours has. `groups` holds a number for every cell, 0 = none; the result holds 1 + colour, 0 = none.
 */
export function colourAreas(groups, width, colourCount) {
    const number = new Map(), compact = new Uint32Array(groups.length);
    for (let i = 0; i < groups.length; i++) {
        if (!groups[i]) continue;
        let found = number.get(groups[i]);
        if (!found) number.set(groups[i], (found = number.size + 1));
        compact[i] = found;
    }
    const neighbours = Array.from({ length: number.size + 1 }, () => new Set());
    for (let i = 0; i < compact.length; i++) {
        if (!compact[i]) continue;
        if ((i + 1) % width) touch(neighbours, compact[i], compact[i + 1]);
        touch(neighbours, compact[i], compact[i + width]);
    }
    const colour = new Uint8Array(number.size + 1);
    for (let area = 1; area <= number.size; area++) colour[area] = 1 + freeColour(neighbours[area], colour, colourCount, area);
    return { colours: Uint8Array.from(compact, (area) => colour[area]), count: number.size };
}

function touch(neighbours, a, b) {
    if (!b || a === b) return;
    neighbours[a].add(b);
    neighbours[b].add(a);
}

function freeColour(neighbours, colour, colourCount, area) {
    const taken = new Set();
    for (const other of neighbours) if (colour[other]) taken.add(colour[other] - 1);
    for (let i = 0; i < colourCount; i++) {
        const candidate = (area + i) % colourCount; // neighbours in a row do not all begin with the same one
        if (!taken.has(candidate)) return candidate;
    }
    return area % colourCount;
}
