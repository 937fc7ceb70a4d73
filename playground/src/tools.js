/* tools.js: what hands do on a map: paint with a brush, a rectangle or a fill, drag start and goal, push the map about, zoom.
 *
 * One finger or the left button uses the tool; start and goal can be taken hold of with any tool. The middle button, the left one with the space bar held, and
 * two fingers push the map; the wheel and two fingers zoom at the pointer. A second finger takes back what the first had begun to paint.
 */
import { lineOfNodes } from './geometry.js';
import { brushNodes, floodNodes, rectangleNodes } from './world.js';
import { markRadius } from './map_canvas.js';

export function createTools({ store, world, view, hover, dragging, prices }) {
    const pointers = new Map(); // pointer id → where it is
    let action = null; // what the first pointer is doing: { move(place), end(place), cancel() }
    let spaceHeld = false, isOver = false, scene = null;

    /* What a tool, by itself the one in hand, makes of a cell. */
    function kind(tool = store.get('ui.tool')) {
        if (tool === 'wall') return { open: 0 };
        if (tool === 'height') return { elevation: store.get('ui.height') };
        if (tool === 'extra') return { layer: store.get('ui.extra') };
        if (tool === 'terrain') return { open: 1, terrain: store.get('ui.terrain') };
        return { open: 1, terrain: 0, ...(world.has.layer && { layer: 0 }), ...(world.has.elevation && { elevation: 0 }) };
    }

    /* A stroke is done: what was painted is to cost something. */
    function endStroke(tool) {
        world.endStroke();
        prices.painted(kind(tool));
    }

    function nodeAt(place) {
        const at = view.toWorld(place.x, place.y);
        return world.geometry.at(at.x, at.y);
    }

    /* ---- actions ---- */

    function paintAction(place) {
        const size = store.get('ui.brush');
        let before = nodeAt(place);
        dragging(true);
        world.beginStroke();
        const touch = (node) => {
            if (node < 0) return;
            const nodes = new Set();
            for (const middle of before >= 0 ? lineOfNodes(world.geometry, before, node) : [node])
                for (const one of brushNodes(world, middle, size)) nodes.add(one);
            world.paint(nodes, kind());
            before = node;
        };
        touch(before);
        return {
            move: (next) => {
                const node = nodeAt(next);
                if (node < 0) before = -1;
                else if (node !== before) touch(node);
            },
            end: () => {
                endStroke();
                dragging(false);
            },
            cancel: () => {
                world.cancelStroke();
                dragging(false);
            },
        };
    }

    function clampedNode(place) {
        const at = view.toWorld(place.x, place.y);
        return world.geometry.nearest(at.x, at.y);
    }

    function rectangleAction(place) {
        const first = clampedNode(place);
        const show = (next) => {
            const a = world.geometry.centre(first), b = world.geometry.centre(clampedNode(next)), { row } = world.geometry;
            scene.cursor = { box: [Math.min(a.x, b.x) - 0.5, Math.min(a.y, b.y) - row / 2, Math.max(a.x, b.x) + 0.5, Math.max(a.y, b.y) + row / 2] };
            scene.redraw();
        };
        show(place);
        return {
            move: show,
            end: (next) => {
                world.beginStroke();
                world.paint(rectangleNodes(world, first, clampedNode(next)), kind());
                endStroke();
                scene.cursor = null;
                scene.redraw();
            },
            cancel: () => {
                scene.cursor = null;
                scene.redraw();
            },
        };
    }

    function floodAction(place) {
        const node = nodeAt(place);
        world.beginStroke();
        if (node >= 0) world.paint(floodNodes(world, node), kind());
        return { move() {}, end: () => endStroke(), cancel: () => world.cancelStroke() };
    }

    function panAction(place) {
        let before = place;
        return {
            move: (next) => {
                view.pan(next.x - before.x, next.y - before.y);
                before = next;
            },
            end() {},
            cancel() {},
        };
    }

    function dragAction(which) {
        const first = store.get('problem.query');
        dragging(true);
        return {
            move: (next) => {
                const node = nodeAt(next), query = store.get('problem.query');
                if (node >= 0 && node !== query[which]) store.set('problem.query', { ...query, [which]: node });
            },
            end: () => dragging(false),
            cancel: () => {
                store.set('problem.query', first);
                dragging(false);
            },
        };
    }

    /* A link from cell to cell, and back if that is wanted; from a cell to itself: the links of that cell go. */
    function linkCells(from, to) {
        const { links } = world, touches = ({ from: a, to: b }) => a === from || b === from;
        if (from === to) return links.some(touches) && world.setLinks(links.filter((link) => !touches(link)));
        const id = 1 + links.reduce((most, link) => Math.max(most, link.id), 0), { cost, both } = store.get('ui.link');
        const link = { from, to, id, cost: Math.round(cost * 256), kind: 0 };
        world.setLinks([...links, link, ...(both ? [{ ...link, from: to, to: from }] : [])]);
    }

    function linkAction(place) {
        const from = nodeAt(place);
        const show = (next) => {
            const to = nodeAt(next);
            scene.cursor = from >= 0 && to >= 0 ? { line: [world.geometry.centre(from), world.geometry.centre(to)] } : null;
            scene.redraw();
        };
        const put = () => {
            scene.cursor = null;
            scene.redraw();
        };
        show(place);
        return {
            move: show,
            end: (next) => {
                const to = nodeAt(next);
                put();
                if (from >= 0 && to >= 0) linkCells(from, to);
            },
            cancel: put,
        };
    }

    /* Start or goal, if the pointer is on it. */
    function markAt(place, isTouch) {
        const query = store.get('problem.query'), reach = Math.max(isTouch ? 24 : 9, markRadius(view.scale) + 3);
        for (const which of ['from', 'to']) {
            if (!world.inside(query[which])) continue;
            const centre = world.geometry.centre(query[which]), at = view.toScreen(centre.x, centre.y);
            if (Math.hypot(at.x - place.x, at.y - place.y) <= reach) return which;
        }
        return null;
    }

    function begin(event, place) {
        if (event.button === 1 || spaceHeld) return panAction(place);
        const mark = markAt(place, event.pointerType === 'touch');
        if (mark) return dragAction(mark);
        if (store.get('ui.tool') === 'pan') return panAction(place);
        if (store.get('ui.tool') === 'link') return linkAction(place);
        return { brush: paintAction, rectangle: rectangleAction, fill: floodAction }[store.get('ui.shape')](place);
    }

    /* ---- two fingers ---- */

    function pinchAction() {
        const middle = () => {
            const [a, b] = [...pointers.values()];
            return { x: (a.x + b.x) / 2, y: (a.y + b.y) / 2, distance: Math.max(1, Math.hypot(a.x - b.x, a.y - b.y)) };
        };
        let before = middle();
        return {
            move() {
                if (pointers.size < 2) return;
                const next = middle();
                view.pan(next.x - before.x, next.y - before.y);
                view.zoomAt(next.distance / before.distance, next.x, next.y);
                before = next;
            },
            end() {},
            cancel() {},
        };
    }

    /* ---- events ---- */

    function placeOf(event, canvas) {
        const box = canvas.getBoundingClientRect();
        return { x: event.clientX - box.left, y: event.clientY - box.top };
    }

    function showBrush(place) {
        const node = nodeAt(place), paints = !['pan', 'link'].includes(store.get('ui.tool')) && store.get('ui.shape') === 'brush' && !markAt(place, false);
        const centre = node >= 0 && paints ? world.geometry.centre(node) : null;
        scene.cursor = centre ? { ...centre, radius: Math.max(0.5, store.get('ui.brush') / 2) } : null;
        scene.redraw();
    }

    function attach(map) {
        const { canvas } = map;
        canvas.addEventListener('pointerdown', (event) => {
            if (!world.width || event.button > 1) return;
            event.preventDefault();
            canvas.focus({ preventScroll: true, focusVisible: false });
            canvas.setPointerCapture(event.pointerId);
            const place = placeOf(event, canvas);
            pointers.set(event.pointerId, place);
            scene = map.scene;
            if (pointers.size === 2) {
                action?.cancel();
                action = pinchAction();
            } else if (pointers.size === 1) action = begin(event, place);
            canvas.classList.toggle('grabbing', true);
        });
        canvas.addEventListener('pointermove', (event) => {
            if (!world.width) return;
            const place = placeOf(event, canvas);
            scene = map.scene;
            if (!pointers.has(event.pointerId)) {
                hover(nodeAt(place));
                showBrush(place);
                canvas.style.cursor = spaceHeld || store.get('ui.tool') === 'pan' || markAt(place, false) ? 'grab' : 'crosshair';
                return;
            }
            for (const one of event.getCoalescedEvents?.() ?? [event]) {
                pointers.set(event.pointerId, placeOf(one, canvas));
                action?.move(placeOf(one, canvas));
            }
            if (event.pointerType !== 'touch' && pointers.size === 1 && store.get('ui.shape') === 'brush' && store.get('ui.tool') !== 'link') showBrush(place);
        });
        const up = (event) => {
            if (!pointers.delete(event.pointerId)) return;
            scene = map.scene;
            if (pointers.size === 0) {
                if (event.type === 'pointercancel') action?.cancel();
                else action?.end(placeOf(event, canvas));
                action = null;
                canvas.classList.toggle('grabbing', false);
                if (event.pointerType !== 'touch') hover(nodeAt(placeOf(event, canvas)));
            }
        };
        canvas.addEventListener('pointerup', up);
        canvas.addEventListener('pointercancel', up);
        canvas.addEventListener('pointerenter', () => {
            isOver = true;
        });
        canvas.addEventListener('pointerleave', () => {
            isOver = false;
            if (pointers.size) return;
            map.scene.cursor = null;
            map.redraw();
            hover(-1);
        });
        canvas.addEventListener('wheel', (event) => {
            event.preventDefault();
            const place = placeOf(event, canvas), lines = event.deltaMode === 1 ? 16 : 1;
            view.zoomAt(Math.exp(-event.deltaY * lines * (event.ctrlKey ? 0.01 : 0.0016)), place.x, place.y);
        }, { passive: false });
        canvas.addEventListener('auxclick', (event) => event.preventDefault());
    }

    return {
        attach,
        /* For keys: a tool on one cell, or with the shape of a rectangle on those between two. */
        use(node, corner, tool = store.get('ui.tool')) {
            if (tool === 'pan') return;
            if (tool === 'link') {
                if (world.inside(corner)) linkCells(corner, node);
                return;
            }
            const shape = store.get('ui.shape');
            world.beginStroke();
            if (shape === 'fill') world.paint(floodNodes(world, node), kind(tool));
            else if (shape === 'rectangle') world.paint(rectangleNodes(world, world.inside(corner) ? corner : node, node), kind(tool));
            else world.paint(brushNodes(world, node, store.get('ui.brush')), kind(tool));
            endStroke(tool);
        },
        isOver: () => isOver,
        holdSpace(held) {
            spaceHeld = held;
        },
    };
}
