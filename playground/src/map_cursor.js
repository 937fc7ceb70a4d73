/* map_cursor.js: a map by keys alone: whoever comes to it with the keyboard has a cursor that goes from cell to cell, and can paint, and set start and goal there.
 * What is known about the cell under it is told like that under a pointer.
 */
const steps = { ArrowUp: [0, -1], ArrowDown: [0, 1], ArrowLeft: [-1, 0], ArrowRight: [1, 0] };
const far = 8, margin = 24;

export const cursorKeys = [
    ['arrows', 'move the cell cursor; with Shift eight cells at a time'],
    ['Enter', 'paint here; with the shape Box and for links the first Enter is one end, the second the other'],
    ['Delete', 'erase here'],
    ['Q, E', 'start here, goal here'],
    ['Escape', 'put the cursor away'],
];

/* The cell, framed so that it is seen on every ground. */
export function drawCell(context, view, { x, y }) {
    const at = view.toScreen(x - 0.5, y - 0.5), size = Math.max(6, view.scale);
    for (const [colour, width] of [['#ffffff', 5], ['#1c1e24', 2.5]]) {
        context.strokeStyle = colour;
        context.lineWidth = width;
        context.strokeRect(at.x, at.y, size, size);
    }
}

export function createMapCursor(app) {
    const { store, world, view, tools } = app;
    let node = -1, corner = -1;

    function showOn(pane, isThere) {
        const { scene, map } = pane;
        scene.cell = isThere ? world.geometry.centre(node) : null;
        if (corner >= 0 && isThere) {
            const a = world.geometry.centre(corner), b = scene.cell;
            scene.cursor = { box: [Math.min(a.x, b.x) - 0.5, Math.min(a.y, b.y) - 0.5, Math.max(a.x, b.x) + 0.5, Math.max(a.y, b.y) + 0.5] };
        } else scene.cursor = null;
        map.redraw();
    }

    /* The map is pushed if the cursor would leave it. */
    function keepInSight() {
        const centre = world.geometry.centre(node), at = view.toScreen(centre.x, centre.y);
        const push = (place, size) => (place < margin ? margin - place : place > size - margin ? size - margin - place : 0);
        const dx = push(at.x, view.width), dy = push(at.y, view.height);
        if (dx || dy) view.pan(dx, dy);
    }

    function go(dx, dy, pane) {
        const clamp = (value, size) => Math.min(size - 1, Math.max(0, value));
        node = clamp(Math.floor(node / world.width) + dy, world.height) * world.width + clamp((node % world.width) + dx, world.width);
        keepInSight();
        showOn(pane, true);
        app.hint.show(node);
    }

    /* A tool on the cell; what is known about it is not what it was. */
    function use(tool) {
        tools.use(node, tool ? node : corner, tool);
        app.planning.flush();
        app.hint.show(-1);
        app.hint.show(node);
    }

    function paint(pane) {
        if ((store.get('ui.shape') === 'rectangle' || store.get('ui.tool') === 'link') && corner < 0) corner = node;
        else {
            use();
            corner = -1;
        }
        showOn(pane, true);
    }

    const setEnd = (which) => store.set('problem.query', { ...store.get('problem.query'), [which]: node });

    function press(event, pane) {
        const { canvas } = pane.map;
        if (event.ctrlKey || event.metaKey || event.altKey) return false;
        if (event.key in steps) {
            const [dx, dy] = steps[event.key], by = event.shiftKey ? far : 1;
            go(dx * by, dy * by, pane);
        } else if (event.key === 'Enter') paint(pane);
        else if (event.key === 'Delete') use('erase');
        else if (event.key === 'q' || event.key === 'e') setEnd(event.key === 'q' ? 'from' : 'to');
        else if (event.key === 'Escape') canvas.blur();
        else return false;
        return true;
    }

    function attach(pane) {
        const { canvas } = pane.map;
        let isOn = false;
        const leave = () => {
            if (isOn) app.hint.show(-1);
            [isOn, corner] = [false, -1];
            showOn(pane, false);
        };
        canvas.setAttribute('role', 'application');
        canvas.setAttribute('aria-label', `${canvas.getAttribute('aria-label')}: arrow keys move a cell cursor, Enter paints, Q sets the start, E the goal`);
        canvas.addEventListener('focus', () => {
            if (!world.width || !canvas.matches(':focus-visible')) return;
            isOn = true;
            if (!world.inside(node)) node = store.get('problem.query').from;
            go(0, 0, pane);
        });
        canvas.addEventListener('blur', leave);
        canvas.addEventListener('pointerdown', leave);
        canvas.addEventListener('keydown', (event) => {
            if (!isOn || !press(event, pane)) return;
            event.preventDefault();
            event.stopPropagation();
        });
    }

    world.on('replaced', () => {
        [node, corner] = [-1, -1];
    });
    return { attach, at: () => node };
}
