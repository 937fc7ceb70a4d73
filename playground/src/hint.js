/* hint.js: what is known about the cell under the pointer: the library's explanation (blocked, too narrow, another region, …), and what the search found there. */
import { el, replaceChildren } from './dom.js';
import { count, decimal } from './format.js';
import { Superseded } from './worker_client.js';

export function createHint(app, element) {
    const { world, client, panes, store } = app;
    const belief = el('span'); // of an agent in fog, which learns as it goes; or who is there in a simulation
    let shown = -1;

    function showBelief() {
        const text = shown < 0 ? '' : app.simulation?.textOf(shown) || (app.walk?.beliefOf(shown) ?? '');
        replaceChildren(belief, text && [el('br'), text]);
    }

    function visitedText(pane, node) {
        const visited = pane.visited(node);
        if (!visited) return null;
        const state = visited.closed ? `expanded as number ${count(visited.order)}` : 'seen, not expanded';
        return `${panes.length > 1 ? 'ABCD'[pane.index] + ' ' : ''}${state}: g ${decimal(visited.g)}, h ${decimal(visited.h)}, f ${decimal(visited.f)}`;
    }

    async function show(node, isAgain = false) {
        shown = node;
        element.hidden = node < 0;
        if (node < 0) return;
        const x = node % world.width, y = Math.floor(node / world.width);
        const relief = [world.has.elevation && `height ${world.elevation[node]}`, world.has.layer && `extra cost ${world.layer[node]}`].filter(Boolean).join(', ');
        const lines = (text) => [relief ? `${text} (${relief})` : text, panes.map((pane) => visitedText(pane, node)).filter(Boolean).map((line) => [el('br'), line]), belief];
        showBelief();
        if (!isAgain) replaceChildren(element, lines(`(${x},${y})`)); // until the worker has said more
        try {
            const explanation = await client.ask('explain', { x, y, from: store.get('problem.query').from }, { lane: 'explain', patient: true });
            if (shown === node) replaceChildren(element, lines(explanation.text));
        } catch (error) {
            if (!(error instanceof Superseded) && shown === node) replaceChildren(element, lines(error.message));
        }
    }

    /* The same cell may be something else now. */
    const refresh = () => shown >= 0 && show(shown, true);
    app.onPane((pane) => !pane.busy() && refresh());
    world.on('replaced', () => show(-1));

    element.dataset.test = 'hint';
    return { show: (node) => node !== shown && show(node), refresh, showBelief };
}
