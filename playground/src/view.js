/* view.js: which part of the world is in sight: pixels a cell, and the place at the upper left corner. All maps of the page share one, so that
 * they move together.
 */
const largest = 96;

export function createView() {
    const listeners = [];
    const view = { scale: 8, x: 0, y: 0, width: 1, height: 1, world: null, fitted: true };

    function changed() {
        for (const heard of listeners) heard();
    }

    function smallest() {
        if (!view.world) return 0.05;
        return Math.min(1, 0.5 * Math.min(view.width / view.world.wide, view.height / view.world.high));
    }

    /* The world may be pushed about, but never out of sight. */
    function keepInSight() {
        if (!view.world) return;
        const limit = (place, extent, pixels) => {
            const margin = (pixels / view.scale) * 0.75;
            return Math.min(extent - (pixels / view.scale - margin), Math.max(-margin, place));
        };
        view.x = limit(view.x, view.world.wide, view.width);
        view.y = limit(view.y, view.world.high, view.height);
    }

    return Object.assign(view, {
        on: (heard) => listeners.push(heard),
        toScreen: (x, y) => ({ x: (x - view.x) * view.scale, y: (y - view.y) * view.scale }),
        toWorld: (x, y) => ({ x: x / view.scale + view.x, y: y / view.scale + view.y }),
        setWorld(geometry) {
            view.world = geometry;
            view.fit();
        },
        resize(width, height) {
            if (view.width === width && view.height === height) return;
            [view.width, view.height] = [width, height];
            if (view.fitted) view.fit();
            else changed();
        },
        fit() {
            if (!view.world) return;
            const room = Math.min(24, view.width * 0.03);
            view.scale = Math.min(largest, (view.width - 2 * room) / view.world.wide, (view.height - 2 * room) / view.world.high);
            view.x = -(view.width / view.scale - view.world.wide) / 2;
            view.y = -(view.height / view.scale - view.world.high) / 2;
            view.fitted = true;
            changed();
        },
        /* So many pixels a cell, and this place in the middle. */
        show({ scale, x, y }) {
            view.scale = Math.min(largest, Math.max(smallest(), scale));
            view.x = x - view.width / 2 / view.scale;
            view.y = y - view.height / 2 / view.scale;
            view.fitted = false;
            keepInSight();
            changed();
        },
        /* The place under the pointer stays there. */
        zoomAt(factor, x, y) {
            const place = view.toWorld(x, y);
            view.scale = Math.min(largest, Math.max(smallest(), view.scale * factor));
            view.x = place.x - x / view.scale;
            view.y = place.y - y / view.scale;
            view.fitted = false;
            keepInSight();
            changed();
        },
        pan(dx, dy) {
            view.x -= dx / view.scale;
            view.y -= dy / view.scale;
            view.fitted = false;
            keepInSight();
            changed();
        },
    });
}
