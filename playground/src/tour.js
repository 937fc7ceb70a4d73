/* tour.js: two minutes for newcomers: each step opens a small world, lets an algorithm run on it, says what is to be seen, and points at a control.
 *
 * It is offered on the first visit and can be left at any time; nothing is hidden meanwhile. Whether it was seen is kept where the browser allows that.
 */
import { button, el, replaceChildren } from './dom.js';
import { usualProfile } from './planning.js';
import { algorithmOf } from './spec.js';

/* The fills indoors and outdoors, with no estimate, a straight line, a table of clusters and too large a one, are those of the lecture slides that the library follows. */
const indoors = { map: 'rooms.map', from: [3, 90], to: [120, 4] }, outdoors = { map: 'village.txt', from: [9, 5], to: [50, 22] };

const steps = [
    {
        title: 'A world of cells', map: 'village.txt', algorithm: 'astar', target: 'map',
        text: 'Cells are open or blocked; an agent goes from the white circle to the yellow diamond. The red line is the path. Drag the circle or the diamond: the path follows.',
    },
    {
        title: 'No estimate: a flood', ...indoors, algorithm: 'dijkstra', play: true, target: 'play',
        text: 'Nearest cells first, in every direction, until the goal is met: the path is the best one, but almost everything was looked at. Dark cells came first, bright ones last.',
    },
    {
        title: 'A straight line', ...indoors, algorithm: 'astar', parameters: { heuristic: 'euclidean' }, play: true, target: 'parameter-heuristic',
        text: 'A* adds to the way so far (g) an estimate of the rest (h): the least sum goes first. Here h is the straight line to the goal. It knows nothing of walls: indoors every room that looks near is filled.',
    },
    {
        title: 'The same out of doors', ...outdoors, algorithm: 'astar', parameters: { heuristic: 'euclidean' }, play: true, colouring: 'f', target: 'colouring',
        text: 'Where little stands in the way a straight line is a good estimate: a slim fill, and still the best path. The colours now show f, the sum of g and h.',
    },
    {
        title: 'A better estimate', ...indoors, algorithm: 'cluster-table', parameters: { estimate: 'table' }, play: true, target: 'panel-result',
        text: 'The rooms are cut into clusters, and what a way between any two of them costs at least was worked out beforehand. That table knows the walls: the same best path, far fewer cells. Look at "expanded".',
    },
    {
        title: 'Too large an estimate', ...indoors, algorithm: 'wastar', parameters: { weight: 2 }, play: true, target: 'parameter-weight',
        text: 'Multiply the estimate and the search leans forward: fewer cells, a path at most this many times longer. Change the weight and look at "expanded" and "above optimal".',
    },
    {
        title: 'Greedy rushes', map: 'u-trap.txt', algorithm: 'greedy', play: true, target: 'panel-result',
        text: 'The estimate alone: always the cell that looks nearest to the goal. Quick in the open, but here it runs straight at the wall, and the path it finds is longer than need be: see "above optimal".',
    },
    {
        title: 'Smoother paths', ...outdoors, algorithm: 'astar', smooth: 'string', target: 'smooth',
        text: 'Steps lead in eight directions only. Pulled tight like a string the path goes straight wherever there is room; other ways of smoothing round its corners.',
    },
    {
        title: 'Jumping', map: 'caves.map', algorithm: 'jps', play: true, target: 'scrub',
        text: 'On plain grids most cells need not be stored at all: jump points are where paths may have to turn. Drag the slider back and forth to see the search jump.',
    },
    {
        title: 'Maps of the map', map: 'caves.map', algorithm: 'hpa', overlay: 'index', target: 'overlay',
        text: 'Large worlds are cut into clusters; ways between their entrances are worked out beforehand. A search then looks at these few nodes first. All of that can be shown.',
    },
    {
        title: 'A world that changes', walk: 'blocked-ahead.walk', algorithm: 'astar', target: 'walk',
        text: 'An agent sets out, and the door ahead of it is closed. It notices, plans anew and goes round. Paint walls in its way yourself, or drag the goal while it walks.',
    },
];

const seenKey = 'cairn-tour-seen';

function wasSeen() {
    try {
        return localStorage.getItem(seenKey) !== null;
    } catch {
        return false; // some browsers keep nothing for pages opened from disk
    }
}

function markSeen() {
    try {
        localStorage.setItem(seenKey, '1');
    } catch { /* then it is offered again */ }
}

export function createTour(app, column) {
    const { store, registry, files, player } = app;
    const shown = steps.filter(({ algorithm }) => algorithmOf(registry, algorithm));
    const calm = matchMedia('(prefers-reduced-motion: reduce)');
    let at = -1, target = null, before = null, kept = null;

    const card = el('section', { class: 'tour', test: 'tour', 'aria-label': 'Tour', hidden: true });
    column.prepend(card);

    function pointAt(name) {
        target?.classList.remove('tour-target');
        target = name ? document.querySelector(`[data-test="${name}"]`) : null;
        if (!target) return;
        for (let parent = target.parentElement; parent; parent = parent.parentElement) if (parent.tagName === 'DETAILS') parent.open = true;
        target.classList.add('tour-target');
        if (!column.contains(target)) return;
        const room = column.getBoundingClientRect(), box = target.getBoundingClientRect();
        column.scrollBy({ top: box.top - room.top - card.offsetHeight - 12, behavior: calm.matches ? 'auto' : 'smooth' });
    }

    /* The user's own world and problem come back after the tour; a bundled map that was only looked at need not. */
    function keep() {
        const { world } = app, { profile, query, panes, colouring, smooth } = store.get('problem');
        if (kept || !world.width || (world.source.kind === 'bundled' && !world.isEdited())) return;
        const { width, height, layout, open, terrain, layer, elevation, originX, originY, cellSize, links, name } = world;
        const source = world.isEdited() ? { kind: 'made' } : world.source;
        kept = { cells: { width, height, layout, open, terrain, layer, elevation, originX, originY, cellSize }, links, name, source, profile, query, panes, colouring, smooth };
    }

    async function giveBack() {
        if (!kept) return;
        const { cells, links, name, source, profile, query, panes, colouring, smooth } = kept;
        kept = null;
        app.walk.end();
        store.set('problem.panes', panes);
        store.set('problem.colouring', colouring);
        store.set('problem.smooth', smooth);
        await app.planning.open('cells', { cells, links }, name, source, { query, profile });
    }

    const nodeAt = ([x, y]) => y * app.world.width + x;

    /* Until the search is there. */
    const settled = () => new Promise((done) => {
        const look = () => (app.panes[0].busy() ? setTimeout(look, 30) : done());
        look();
    });

    async function run(step, number) {
        store.set('ui.overlay', { ...store.get('ui.overlay'), show: 'none' });
        store.set('problem.panes', [{ algorithm: step.algorithm, parameters: step.parameters ?? {} }]);
        store.set('problem.colouring', step.colouring ?? registry.colourings[0]);
        store.set('problem.smooth', step.smooth ?? 'none');
        if (step.walk) {
            app.walkScript.openBundled(step.walk);
            await app.walkScript.run({ isWanted: () => number === at });
            return;
        }
        await files.openBundled(step.map, { profile: usualProfile(registry) });
        if (step.from) store.set('problem.query', { from: nodeAt(step.from), to: nodeAt(step.to) });
        await settled();
        if (number !== at) return;
        if (step.overlay) store.set('ui.overlay', { ...store.get('ui.overlay'), show: step.overlay });
        player.seek(player.count);
        if (step.play && !calm.matches) player.play();
    }

    function showCard(step) {
        const isLast = at === shown.length - 1;
        replaceChildren(card,
            el('div', { class: 'tour-head' }, el('b', { test: 'tour-title' }, step.title), el('span', { class: 'note', test: 'tour-place' }, `${at + 1} of ${shown.length}`)),
            el('p', { test: 'tour-text', 'aria-live': 'polite' }, step.text),
            el('div', { class: 'row' },
                button('tour-back', 'Back', () => go(at - 1), at ? {} : { disabled: true }),
                button('tour-next', isLast ? 'Done' : 'Next', () => (isLast ? leave() : go(at + 1)), { class: 'primary' }),
                button('tour-leave', 'Leave', leave, { title: 'Leave the tour (Escape)' })));
        card.classList.add('on');
        card.hidden = false;
    }

    async function go(number) {
        if (number < 0 || number >= shown.length) return;
        if (at < 0) {
            before = document.activeElement;
            keep();
        }
        at = number;
        showCard(shown[number]);
        card.querySelector('[data-test=tour-next]').focus({ preventScroll: true });
        column.scrollTop = 0;
        app.walk.end();
        await run(shown[number], number);
        if (number !== at) return;
        pointAt(shown[number].target);
        card.dataset.ran = number;
    }

    function leave() {
        at = -1;
        markSeen();
        pointAt(null);
        card.hidden = true;
        card.classList.remove('on');
        before?.focus?.({ preventScroll: true });
        before = null;
        giveBack();
    }

    /* A friendly word, once. */
    function offer() {
        if (wasSeen()) return;
        replaceChildren(card, el('p', {}, 'New here? A tour of two minutes shows what searches do.'),
            el('div', { class: 'row' }, button('tour-start', 'Take the tour', () => go(0), { class: 'primary' }), button('tour-decline', 'Not now', leave)));
        card.hidden = false;
    }

    return {
        offer,
        start: () => go(0),
        isOn: () => at >= 0,
        next: () => (at === shown.length - 1 ? leave() : go(at + 1)),
        back: () => go(at - 1),
        leave,
    };
}
