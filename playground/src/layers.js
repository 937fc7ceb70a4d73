/* layers.js: pictures of the world at a pixel a cell: the ground, the areas of an overlay, the fill of a search, what an agent does not know. Maps draw them enlarged. Each
 * keeps its pixels and the rectangle that has changed since it was last put on its canvas, so that an edit costs what it touches.
 */
import { groundOf, rampSteps } from './palette.js';
import { paints } from './trace.js';

/* What all of them share. */
function createLayer() {
    const canvas = document.createElement('canvas');
    const context = canvas.getContext('2d', { willReadFrequently: false });
    let image, left, top, right, bottom;
    const layer = {
        canvas, pixels: null, width: 0, height: 0, empty: true,
        resize(width, height) {
            [canvas.width, canvas.height, layer.width, layer.height] = [width, height, width, height];
            image = new ImageData(width, height);
            layer.pixels = new Uint32Array(image.data.buffer);
            layer.empty = true;
            clean();
        },
        touch(node) {
            const x = node % layer.width, y = (node - x) / layer.width;
            if (x < left) left = x;
            if (x > right) right = x;
            if (y < top) top = y;
            if (y > bottom) bottom = y;
        },
        touchAll() {
            [left, top, right, bottom] = [0, 0, layer.width - 1, layer.height - 1];
        },
        clear() {
            layer.pixels?.fill(0);
            layer.empty = true;
            layer.touchAll();
        },
        /* The canvas, up to date. */
        picture() {
            if (right >= left) context.putImageData(image, 0, 0, left, top, right - left + 1, bottom - top + 1);
            clean();
            return canvas;
        },
    };
    function clean() {
        [left, top, right, bottom] = [Infinity, Infinity, -1, -1];
    }
    clean();
    return layer;
}

/* Walls, terrain, and where the agent has no room; or walls alone, to lie above other layers. */
export function createBaseLayer(world, { wallsAlone = false } = {}) {
    const layer = createLayer();
    let palette;
    const colour = (node) => {
        if (!world.open[node]) return palette.wallPixel;
        if (wallsAlone) return 0;
        if (world.usable && !world.usable[node] && palette.allowed(world.terrain[node])) return palette.narrowPixel;
        return palette.groundPixels[groundOf(world.terrain[node])];
    };
    return Object.assign(layer, {
        redraw(nextPalette, allowed) {
            palette = { ...nextPalette, allowed };
            if (layer.width !== world.width || layer.height !== world.height) layer.resize(world.width, world.height);
            for (let node = 0; node < layer.pixels.length; node++) layer.pixels[node] = colour(node);
            layer.empty = false;
            layer.touchAll();
        },
        update(nodes) {
            for (const node of nodes) {
                layer.pixels[node] = colour(node);
                layer.touch(node);
            }
        },
    });
}

function clearWalls(layer, world, nodes) {
    for (const node of nodes) {
        if (world.open[node]) continue;
        layer.pixels[node] = 0;
        layer.touch(node);
    }
}

/* Areas in eight colours, or heat. */
export function createAreaLayer(world) {
    const layer = createLayer();
    /* A wall is seen at once; the areas themselves are asked for again. */
    world.on('edited', (nodes) => layer.empty || clearWalls(layer, world, nodes));
    const begin = () => {
        if (layer.width !== world.width || layer.height !== world.height) layer.resize(world.width, world.height);
        layer.clear();
    };
    return Object.assign(layer, {
        /* `colours`: 1 + colour of every cell, 0 = none. */
        showAreas(colours, palette) {
            begin();
            for (let node = 0; node < colours.length; node++)
                if (colours[node] && world.open[node])
                    layer.pixels[node] = palette.overlays[groundOf(world.terrain[node]) * palette.areaCount + colours[node] - 1];
            layer.empty = false;
        },
        /* `field` from 0 to `limit`. */
        showHeat(field, limit, palette) {
            begin();
            for (let node = 0; node < field.length; node++)
                if (field[node] > 0) layer.pixels[node] = palette.heat[Math.min(rampSteps - 1, Math.floor((field[node] / limit) * (rampSteps - 1)))];
            layer.empty = false;
        },
        hide() {
            if (layer.pixels) layer.clear();
        },
    });
}

/* Heights, or extra costs: where there are any, from the least to the most of them. */
export function createReliefLayer(world, name) {
    const layer = createLayer();
    let palette = null;

    function redraw(nextPalette = palette) {
        palette = nextPalette;
        layer.empty = !world.has[name];
        if (layer.empty || !palette) return;
        if (layer.width !== world.width || layer.height !== world.height) layer.resize(world.width, world.height);
        const field = world[name];
        let [least, most] = [0, 0];
        for (const value of field) [least, most] = [Math.min(least, value), Math.max(most, value)];
        const step = (rampSteps - 1) / Math.max(1, most - least);
        for (let node = 0; node < field.length; node++) layer.pixels[node] = field[node] && world.open[node] ? palette.heat[Math.floor((field[node] - least) * step)] : 0;
        layer.empty = false;
        layer.touchAll();
    }
    return Object.assign(layer, { redraw });
}

/* What an agent does not know: `stateOf(node)` is 'veil', 'wrong' or ''. */
export function createFogLayer(world, stateOf) {
    const layer = createLayer();
    let pixels;
    const update = (nodes) => {
        for (const node of nodes) {
            layer.pixels[node] = pixels[stateOf(node)];
            layer.touch(node);
        }
    };
    return Object.assign(layer, {
        update,
        redraw({ veilPixel, wrongPixel }) {
            pixels = { veil: veilPixel, wrong: wrongPixel, '': 0 };
            if (layer.width !== world.width || layer.height !== world.height) layer.resize(world.width, world.height);
            for (let node = 0; node < layer.pixels.length; node++) layer.pixels[node] = pixels[stateOf(node)];
            layer.empty = false;
            layer.touchAll();
        },
    });
}

/* What a search has visited, as far as it has been played: `last` holds for every cell 1 + the event that says what it looks like. */
export function createFillLayer(world) {
    const layer = createLayer();
    let trace = null, palette = null, colouring = 'order', last = null, values = null, least = 0, factor = 0;

    function valueOf(event) {
        if (colouring === 'order') return trace.order[event];
        if (colouring === 'f') return trace.g[event] + trace.h[event];
        return trace[colouring][event];
    }

    function pixelOf(node) {
        const event = last[node] - 1;
        if (event < 0 || !world.open[node]) return 0; // a wall painted since is seen
        const ground = groundOf(world.terrain[node]);
        if (trace.paint[event] !== paints.closed) return palette.seenPixels[ground];
        if (!values) return 0;
        return palette.ramps[ground * rampSteps + Math.floor((valueOf(event) - least) * factor)];
    }

    function measure() {
        values = trace?.range[colouring];
        if (!values) return;
        least = values[0];
        factor = rampSteps / (values[1] - values[0] + 1);
    }

    /* What is painted shows through the fill at once. */
    world.on('edited', (nodes) => {
        if (!trace || last.length !== world.width * world.height) return;
        for (const node of nodes) {
            if (!last[node]) continue;
            layer.pixels[node] = pixelOf(node);
            layer.touch(node);
        }
    });

    return Object.assign(layer, {
        lastEvent: (node) => (last ? last[node] - 1 : -1),
        range: () => values,
        show(nextTrace) {
            trace = nextTrace;
            if (layer.width !== world.width || layer.height !== world.height) layer.resize(world.width, world.height);
            if (last?.length !== world.width * world.height) last = new Uint32Array(world.width * world.height);
            else last.fill(0);
            layer.clear();
            layer.empty = !trace;
            measure();
        },
        style(nextPalette, nextColouring) {
            if (palette === nextPalette && colouring === nextColouring) return;
            [palette, colouring] = [nextPalette, nextColouring];
            measure();
            if (!trace) return;
            for (let node = 0; node < last.length; node++) layer.pixels[node] = last[node] ? pixelOf(node) : 0;
            layer.touchAll();
        },
        /* Plays the events from `from` up to `to`, or back. */
        play(from, to) {
            const { paint, node: nodes, previous } = trace;
            if (to > from)
                for (let i = from; i < to; i++) {
                    if (!paint[i]) continue;
                    last[nodes[i]] = i + 1;
                    layer.pixels[nodes[i]] = pixelOf(nodes[i]);
                    layer.touch(nodes[i]);
                }
            else
                for (let i = from - 1; i >= to; i--) {
                    if (!paint[i]) continue;
                    last[nodes[i]] = previous[i];
                    layer.pixels[nodes[i]] = pixelOf(nodes[i]);
                    layer.touch(nodes[i]);
                }
        },
    });
}
