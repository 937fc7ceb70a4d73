/* stage.js: the room in which the maps are: one for every algorithm that has been chosen, side by side or one above the other, whichever shows more.
 *
 * Maps that are not wanted any more rest until they are wanted again.
 */
import { createPane } from './pane.js';

export const mostPanes = 4;
const gap = 1, labelHeight = 28; // as in style.css

/* Columns of a grid of `count` maps in which the world is seen largest. */
function columnsFor(count, width, height, world) {
    const shape = world.width ? world.geometry : { wide: 1, high: 1 };
    let best = { columns: 1, scale: 0 };
    for (let columns = 1; columns <= count; columns++) {
        const rows = Math.ceil(count / columns), scale = Math.min(width / columns / shape.wide, (height / rows - (count > 1 ? labelHeight : 0)) / shape.high);
        if (scale > best.scale * 1.001) best = { columns, scale };
    }
    return best.columns;
}

export function createStage(app, area) {
    const { store, world, view } = app, resting = [];

    function measure() {
        const shown = app.panes.length, columns = columnsFor(shown, area.clientWidth, area.clientHeight, world), rows = Math.ceil(shown / columns);
        area.style.gridTemplateColumns = `repeat(${columns}, minmax(0, 1fr))`;
        area.classList.toggle('many', shown > 1);
        const width = Math.floor((area.clientWidth - gap * (columns - 1)) / columns);
        const height = Math.floor((area.clientHeight - gap * (rows - 1)) / rows) - (shown > 1 ? labelHeight : 0);
        view.resize(width, height);
        for (const pane of app.panes) pane.map.resize(width, height);
    }

    /* As many maps as there are choices. */
    function follow(choices) {
        while (app.panes.length > choices.length) {
            const pane = app.panes.pop();
            pane.rest();
            resting[pane.index] = pane;
        }
        while (app.panes.length < choices.length) {
            const index = app.panes.length, pane = resting[index] ?? createPane(app, index);
            app.panes.push(pane);
            if (!resting[index]) {
                app.tools.attach(pane.map);
                app.mapCursor.attach(pane);
            }
            pane.restyle();
            area.insertBefore(pane.box, area.children[index]);
        }
        measure();
    }

    new ResizeObserver(measure).observe(area);
    world.on('replaced', measure);
    store.on('problem.panes', (choices) => choices.length !== app.panes.length && follow(choices));
    follow(store.get('problem.panes'));
    return { measure };
}
