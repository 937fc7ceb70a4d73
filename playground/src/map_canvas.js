/* map_canvas.js: one map on the page: draws the layers enlarged, and above them, as lines and shapes and only what is in sight: grid lines, the
 * overlay, arrows to parents, the path, start and goal. It draws when something has changed, once a frame at most.
 *
 * Which layers are seen, and how strongly, is in scene.layers (layer_list.js). `scene` says what there is to draw: { world, palette, base, areas, fill, overlay, trace, at, path, smoothed, query, stale, cursor, cell, walk, simulation,
 * shown: { arrows, events } }.
 */
import { inFrame } from './frames.js';
import { rasterHexagons } from './hex_raster.js';
import { mixPixels } from './palette.js';
import { opacityOf } from './layer_list.js';
import { eventsOfKind } from './trace.js';
import { drawCell } from './map_cursor.js';
import { drawAgent, drawSubgoals, drawWalk } from './render_walk.js';
import { drawSimulation } from './render_simulation.js';

const gridLineScale = 12, arrowScale = 14, hexagonScale = 3, dotsAtOnce = 20000, linesAtATime = 200;
export const itemsAtOnce = 4000; // of an overlay

export function createMapCanvas(view, scene) {
    const canvas = document.createElement('canvas');
    canvas.className = 'map';
    const context = canvas.getContext('2d', { alpha: false });
    let asked = false, ratio = 1, hexagons = null;

    function draw() {
        asked = false;
        map.frames++;
        context.setTransform(ratio, 0, 0, ratio, 0, 0);
        context.fillStyle = scene.palette.paper;
        context.fillRect(0, 0, view.width, view.height);
        if (!scene.world.width) return;
        drawLayers();
        if (view.scale >= gridLineScale && !scene.world.geometry.hex) drawGridLines();
        if (scene.overlay && !scene.simulation) strongly('lines', () => drawOverlay(scene.overlay));
        if (scene.world.links.length) strongly('links', () => drawLinks(scene.world.links));
        if (scene.simulation) drawSimulation(context, view, scene.simulation, scene.world, scene.palette);
        else drawQuestion();
        if (scene.cursor) drawCursor(scene.cursor);
        if (scene.cell) drawCell(context, view, scene.cell);
    }

    /* The search or the walk, and its ends. */
    function drawQuestion() {
        if (scene.trace && !scene.walk) {
            drawMarked();
            if (view.scale >= arrowScale && scene.shown.arrows) drawArrows();
            drawCurrent();
        }
        if (scene.walk) {
            strongly('path', () => drawWalk(context, view, scene.walk, scene.palette));
            if (scene.walk.subgoals) strongly('path', () => drawSubgoals(context, view, scene.walk.subgoals, scene.palette));
        } else if (opacity('path') > 0) drawPaths();
        drawMarks();
        if (scene.walk) drawAgent(context, view, scene.walk, scene.palette);
    }

    /* ---- layers ---- */

    const opacity = (name) => opacityOf(scene.layers(), name);

    /* From the lowest: [layer, how strongly it is seen]. */
    function layers() {
        const fill = scene.walk?.fill ?? scene.fill, pale = fill === scene.fill && scene.stale ? 0.35 : 1, { elevation, layer } = scene.reliefs;
        const relief = [[elevation, opacity('heights')], [layer, opacity('extra')]], drawn = ([one, strength]) => one && !one.empty && strength > 0;
        if (scene.simulation) return [[scene.simulation.ground, 1], ...[...relief, [scene.simulation.closed, 1]].filter(drawn)];
        const all = [...relief, [fill, opacity('search') * pale], [scene.past?.walls, 1], [scene.areas, opacity('areas')], [scene.walk?.fog, opacity('fog')]];
        return [[scene.past?.ground ?? scene.base, 1], ...all.filter(drawn)];
    }

    function drawLayers() {
        const { hex } = scene.world.geometry;
        context.imageSmoothingEnabled = false;
        if (hex && view.scale >= hexagonScale) return drawHexagons();
        for (const [layer, strength] of layers()) {
            context.globalAlpha = strength;
            if (hex) drawRows(layer.picture());
            else drawSquares(layer.picture());
        }
        context.globalAlpha = 1;
    }

    /* Draws with the strength of a layer, or not at all. */
    function strongly(name, drawIt) {
        if (!opacity(name)) return;
        context.globalAlpha = opacity(name);
        drawIt();
        context.globalAlpha = 1;
    }

    /* The cells in sight: [left, top, right, bottom), one more on every side. */
    function inSight() {
        const { width, height, row } = scene.world.geometry;
        return [
            Math.max(0, Math.floor(view.x) - 1), Math.max(0, Math.floor(view.y / row) - 1),
            Math.min(width, Math.ceil(view.x + view.width / view.scale) + 1), Math.min(height, Math.ceil((view.y + view.height / view.scale) / row) + 1),
        ];
    }

    function drawSquares(picture) {
        const [left, top, right, bottom] = inSight();
        if (right <= left || bottom <= top) return;
        const at = view.toScreen(left, top);
        context.imageSmoothingEnabled = view.scale * ratio < 1;
        context.drawImage(picture, left, top, right - left, bottom - top, at.x, at.y, (right - left) * view.scale, (bottom - top) * view.scale);
    }

    /* Hexagons too small to be seen as such: rows of squares, odd ones shifted. */
    function drawRows(picture) {
        const [left, top, right, bottom] = inSight(), { geometry } = scene.world;
        for (let y = top; y < bottom; y++) {
            const at = view.toScreen(left + geometry.shift(y), y * geometry.row);
            context.drawImage(picture, left, y, right - left, 1, at.x, at.y, (right - left) * view.scale, geometry.row * view.scale + 0.5);
        }
    }

    /* All layers at once, in pixels of the screen. */
    function drawHexagons() {
        if (hexagons?.width !== canvas.width || hexagons.height !== canvas.height) hexagons = new ImageData(canvas.width, canvas.height);
        const { geometry } = scene.world, { palette } = scene, [[ground], ...above] = layers().map(([layer, strength]) => [layer.pixels, Math.round(strength * 256)]);
        const colourOf = (x, y) => {
            const node = y * geometry.width + x;
            let colour = ground[node];
            for (const [pixels, part] of above) if (pixels[node]) colour = mixPixels(colour, pixels[node], part);
            return colour;
        };
        rasterHexagons(new Uint32Array(hexagons.data.buffer), {
            width: canvas.width, height: canvas.height, scale: view.scale * ratio, left: view.x, top: view.y, geometry, colourOf, paper: palette.paperPixel,
            line: view.scale >= gridLineScale,
        });
        context.putImageData(hexagons, 0, 0);
    }

    function drawGridLines() {
        const [left, top, right, bottom] = inSight();
        context.strokeStyle = scene.palette.gridLine;
        context.lineWidth = 1;
        context.beginPath();
        for (let x = left; x <= right; x++) line(x, top, x, bottom);
        for (let y = top; y <= bottom; y++) line(left, y, right, y);
        context.stroke();
    }

    function line(x0, y0, x1, y1) {
        context.moveTo((x0 - view.x) * view.scale, (y0 - view.y) * view.scale);
        context.lineTo((x1 - view.x) * view.scale, (y1 - view.y) * view.scale);
    }

    /* Links lead from cell to cell, near or far: dashed, with a dot at the end. */
    function drawLinks(links) {
        const { geometry } = scene.world;
        context.strokeStyle = context.fillStyle = scene.palette.link;
        context.lineWidth = Math.max(1, view.scale * 0.06);
        context.setLineDash([5, 4]);
        context.beginPath();
        for (const { from, to } of links) {
            const a = geometry.centre(from), b = geometry.centre(to);
            line(a.x, a.y, b.x, b.y);
        }
        context.stroke();
        context.setLineDash([]);
        for (const { to } of links) {
            const centre = geometry.centre(to), at = view.toScreen(centre.x, centre.y);
            context.beginPath();
            context.arc(at.x, at.y, Math.max(2, view.scale * 0.15), 0, 7);
            context.fill();
        }
    }

    /* ---- what an index looks like ---- */

    function visible(x0, y0, x1, y1) {
        const right = view.x + view.width / view.scale, bottom = view.y + view.height / view.scale;
        return Math.max(x0, x1) >= view.x - 1 && Math.min(x0, x1) <= right + 1 && Math.max(y0, y1) >= view.y - 1 && Math.min(y0, y1) <= bottom + 1;
    }

    function layerColour(overlay, layer) {
        const { layers: colours } = scene.palette;
        return colours[(layer - overlay.lowest) % colours.length];
    }

    /* Those in sight; of too many to be told apart every second, fourth, eighth one. */
    function itemsInSight({ x0, y0, x1, y1, layer }) {
        for (let every = 1; ; every *= 2) {
            const found = [];
            for (let i = 0; i < layer.length && found.length <= itemsAtOnce; i += every) if (visible(x0[i], y0[i], x1[i], y1[i])) found.push(i);
            if (found.length <= itemsAtOnce) return found;
        }
    }

    /* Lines are drawn some at a time: long lists of them take a browser longer than their parts. */
    function drawOverlayLines(overlay, items, colourOf, width) {
        const seen = itemsInSight(items), { x0, y0, x1, y1 } = items;
        for (const layer of overlay.layers) {
            const lines = seen.filter((i) => items.layer[i] === layer);
            context.strokeStyle = colourOf(layer);
            context.lineWidth = width * (1 + 0.5 * Math.min(6, layer - overlay.lowest));
            for (let first = 0; first < lines.length; first += linesAtATime) {
                context.beginPath();
                for (const i of lines.slice(first, first + linesAtATime)) line(x0[i], y0[i], x1[i], y1[i]);
                context.stroke();
            }
        }
    }

    function drawOverlay(overlay) {
        context.lineCap = view.scale < gridLineScale ? 'butt' : 'round';
        if (overlay.shown.border) drawOverlayLines(overlay, overlay.borders, () => scene.palette.border, Math.max(1, view.scale * 0.09));
        if (overlay.shown.edge) drawOverlayLines(overlay, overlay.edges, (layer) => layerColour(overlay, layer), Math.max(0.6, view.scale * 0.045));
        if (overlay.shown.node) drawOverlayNodes(overlay);
    }

    function drawOverlayNodes(overlay) {
        const { x0, y0, layer } = overlay.nodes, visited = visitedNodes(overlay);
        for (const i of itemsInSight(overlay.nodes)) {
            const at = view.toScreen(x0[i], y0[i]), radius = Math.max(1.2, view.scale * 0.2) * (1 + 0.5 * Math.min(6, layer[i] - overlay.lowest));
            context.fillStyle = visited.has(i) ? scene.palette.marks.visited : layerColour(overlay, layer[i]);
            disc(at, visited.has(i) ? Math.max(2, radius * 1.15) : radius);
        }
    }

    /* Small ones are squares, which are quicker and look the same. */
    function disc({ x, y }, radius) {
        if (radius < 2) return context.fillRect(x - radius, y - radius, 2 * radius, 2 * radius);
        context.beginPath();
        context.arc(x, y, radius, 0, 7);
        context.fill();
    }

    /* Which nodes of the overlay the search has expanded, as far as the playback has come. */
    function visitedNodes(overlay) {
        const visited = new Set(), { trace, at } = scene;
        if (!trace || scene.stale) return visited;
        overlay.numbers ??= new Map(Array.from(overlay.nodes.node, (node, i) => [overlay.nodes.layer[i] * 2 ** 32 + node, i]));
        for (const event of trace.abstract) {
            if (event >= at) break;
            visited.add(overlay.numbers.get(trace.layer[event] * 2 ** 32 + trace.node[event]));
        }
        return visited;
    }

    /* ---- the search ---- */

    /* Events of the kinds that are marked, as far as the playback has come: straight lines from parent to node, and dots. */
    function drawMarked() {
        for (const name of scene.shown.events) {
            const kind = scene.eventNames.indexOf(name), events = kind < 0 ? [] : eventsOfKind(scene.trace, kind);
            if (name === 'segment') drawSegments(events);
            else drawDots(events, scene.palette.eventColour(kind));
        }
    }

    function drawSegments(events) {
        const { trace, world: { geometry, inside } } = scene;
        context.strokeStyle = scene.palette.segmentLine;
        context.lineWidth = Math.max(1.5, view.scale * 0.16);
        context.beginPath();
        for (const event of events) {
            if (event >= scene.at) break;
            if (!inside(trace.parent[event])) continue;
            const from = geometry.centre(trace.parent[event]), to = geometry.centre(trace.node[event]);
            line(from.x, from.y, to.x, to.y);
        }
        context.stroke();
    }

    function drawDots(events, colour) {
        const { trace, world: { geometry } } = scene, half = Math.max(2, view.scale * 0.2);
        let left = dotsAtOnce;
        context.fillStyle = colour;
        for (const event of events) {
            if (event >= scene.at || !left) break;
            const centre = geometry.centre(trace.node[event]);
            if (!visible(centre.x, centre.y, centre.x, centre.y)) continue;
            left--;
            const at = view.toScreen(centre.x, centre.y);
            context.fillRect(at.x - half, at.y - half, 2 * half, 2 * half);
        }
    }

    function drawArrows() {
        const [left, top, right, bottom] = inSight(), { trace, fill, world } = scene, { scale } = view;
        context.strokeStyle = scene.palette.arrow;
        context.lineWidth = Math.max(1, scale * 0.05);
        context.lineCap = 'round';
        context.beginPath();
        for (let y = top; y < bottom; y++)
            for (let x = left; x < right; x++) {
                const event = fill.lastEvent(y * world.width + x);
                if (event < 0 || !world.inside(trace.parent[event])) continue;
                arrow(world.geometry.centre(y * world.width + x), world.geometry.centre(trace.parent[event]));
            }
        context.stroke();
    }

    function arrow(from, to) {
        const length = Math.hypot(to.x - from.x, to.y - from.y);
        if (!length) return;
        const dx = (to.x - from.x) / length, dy = (to.y - from.y) / length, reach = 0.28, head = 0.14;
        const tip = { x: from.x + dx * reach, y: from.y + dy * reach };
        line(from.x - dx * reach, from.y - dy * reach, tip.x, tip.y);
        line(tip.x - (dx + dy) * head, tip.y - (dy - dx) * head, tip.x, tip.y);
        line(tip.x - (dx - dy) * head, tip.y - (dy + dx) * head, tip.x, tip.y);
    }

    /* The cell that the last event was about. */
    function drawCurrent() {
        const { trace, at, world } = scene;
        if (at <= 0 || at >= trace.count || trace.layer[at - 1] !== 0 || view.scale < 3) return;
        const centre = world.geometry.centre(trace.node[at - 1]), place = view.toScreen(centre.x, centre.y), half = view.scale / 2;
        context.strokeStyle = scene.palette.marks.current;
        context.lineWidth = Math.max(2, view.scale * 0.1);
        context.strokeRect(place.x - half, place.y - half, 2 * half, 2 * half);
    }

    /* ---- the path ---- */

    function trail(points, colour, width) {
        context.strokeStyle = colour;
        context.lineWidth = width;
        context.lineJoin = context.lineCap = 'round';
        context.beginPath();
        points.forEach(({ x, y }, i) => context[i ? 'lineTo' : 'moveTo']((x - view.x) * view.scale, (y - view.y) * view.scale));
        context.stroke();
    }

    function drawPaths() {
        const { path, smoothed, palette: { marks } } = scene, width = Math.max(3, view.scale * 0.22);
        const isPlaying = scene.trace && scene.at < scene.trace.count; // the answer shines through until it is found
        context.globalAlpha = opacity('path') * (scene.stale ? 0.35 : isPlaying ? 0.25 : 1);
        const bold = smoothed ?? path;
        if (bold?.length > 1) {
            trail(bold, marks.casing, width + Math.max(2, view.scale * 0.12));
            trail(bold, marks.path, width);
        }
        if (smoothed && path?.length > 1) trail(path, marks.thinPath, Math.max(1.2, view.scale * 0.08));
        context.globalAlpha = 1;
    }

    function drawMarks() {
        const { query, world: { geometry, inside }, palette: { marks } } = scene, radius = markRadius(view.scale);
        context.lineWidth = Math.max(2, radius * 0.3);
        context.strokeStyle = marks.outline;
        if (inside(query.to)) {
            const at = geometry.centre(query.to), { x, y } = view.toScreen(at.x, at.y), r = radius * 1.2;
            context.fillStyle = marks.goal;
            context.beginPath();
            [[0, -r], [r, 0], [0, r], [-r, 0]].forEach(([dx, dy], i) => context[i ? 'lineTo' : 'moveTo'](x + dx, y + dy));
            context.closePath();
            context.fill();
            context.stroke();
        }
        if (inside(query.from)) {
            const at = geometry.centre(query.from), { x, y } = view.toScreen(at.x, at.y);
            context.fillStyle = marks.start;
            context.beginPath();
            context.arc(x, y, radius, 0, 7);
            context.fill();
            context.stroke();
        }
    }

    /* What the tool in hand would touch: a circle or a rectangle, in cells. */
    function drawCursor(cursor) {
        context.strokeStyle = scene.palette.isDark ? '#ffffff' : '#1c1e24';
        context.lineWidth = 1;
        context.setLineDash([4, 3]);
        context.beginPath();
        if (cursor.line) {
            const [a, b] = cursor.line;
            line(a.x, a.y, b.x, b.y);
        } else if (cursor.box) {
            const a = view.toScreen(cursor.box[0], cursor.box[1]), b = view.toScreen(cursor.box[2], cursor.box[3]);
            context.rect(a.x, a.y, b.x - a.x, b.y - a.y);
        } else {
            const at = view.toScreen(cursor.x, cursor.y);
            context.arc(at.x, at.y, Math.max(2, cursor.radius * view.scale), 0, 7);
        }
        context.stroke();
        context.setLineDash([]);
    }

    const map = {
        canvas, scene, frames: 0,
        redraw() {
            if (asked || !canvas.isConnected) return;
            asked = true;
            inFrame(() => asked && draw());
        },
        resize(width, height, pixelRatio = globalThis.devicePixelRatio || 1) {
            ratio = pixelRatio;
            canvas.width = Math.max(1, Math.round(width * ratio));
            canvas.height = Math.max(1, Math.round(height * ratio));
            canvas.style.width = width + 'px';
            canvas.style.height = height + 'px';
            draw(); // at once: a new size has emptied the canvas
        },
    };
    view.on(map.redraw);
    return map;
}

export function markRadius(scale) {
    return Math.max(6, scale * 0.34);
}
