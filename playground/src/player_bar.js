/* player_bar.js: the row below the map: one timeline, of the search, of the walk or of the simulation, played forwards and backwards, how fast, and what the colours say. Changes of a script stand on it as flags;
 * dragged to another turn, they come there.
 */
import { button, el, select } from './dom.js';
import { count, decimal } from './format.js';
import { icon } from './icons.js';
import { speeds } from './player.js';
import { simulationSpeeds } from './simulation.js';
import { walkSpeeds } from './walk.js';

const flagsShown = 200, thumb = 16; // pixels of the slider's thumb: its middle goes from half of it to half of it

/* A flag for every step at which something changes. */
function createFlags(app, scrub) {
    const { timeline, walkScript } = app, element = el('div', { class: 'flags' });
    let key = '', isDragging = false;

    const leftOf = (turn) => `calc(${thumb / 2}px + (100% - ${thumb}px) * ${Math.min(1, turn / Math.max(1, timeline.count))})`;
    function turnAt(x) {
        const box = scrub.getBoundingClientRect();
        return Math.max(0, Math.min(timeline.count, Math.round(((x - box.left - thumb / 2) / Math.max(1, box.width - thumb)) * timeline.count)));
    }

    function drag(event, flag, marker) {
        event.preventDefault();
        marker.setPointerCapture(event.pointerId);
        isDragging = true;
        let turn = flag.turn;
        const move = (next) => {
            turn = turnAt(next.clientX);
            marker.style.left = leftOf(turn);
        };
        const end = (last) => {
            isDragging = false;
            marker.removeEventListener('pointermove', move);
            if (last.type === 'pointerup' && turn !== flag.turn) walkScript.moveChanges(flag.at, flag.at + turn - flag.turn);
            show();
        };
        marker.addEventListener('pointermove', move);
        marker.addEventListener('pointerup', end, { once: true });
        marker.addEventListener('pointercancel', end, { once: true });
    }

    function flagOf(flag) {
        const text = flag.isScripted ? `step ${count(flag.at)}: ${flag.changes === 1 ? 'a change' : `${count(flag.changes)} changes`} of the script; drag it, or move it with the arrow keys` : 'painted here';
        const marker = el('button', { type: 'button', class: flag.isScripted ? 'flag' : 'flag hand', test: 'flag', title: text, 'aria-label': text, 'data-turn': flag.turn, 'data-step': flag.at, disabled: !flag.isScripted });
        marker.style.left = leftOf(flag.turn);
        if (!flag.isScripted) return marker;
        marker.addEventListener('pointerdown', (event) => drag(event, flag, marker));
        marker.addEventListener('keydown', (event) => {
            const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
            if (!by) return;
            event.preventDefault();
            event.stopPropagation();
            walkScript.moveChanges(flag.at, flag.at + by);
        });
        return marker;
    }

    function show() {
        if (isDragging) return;
        const flags = timeline.flags().slice(0, flagsShown), next = JSON.stringify([timeline.count, flags]);
        if (next === key) return;
        const focused = element.contains(document.activeElement) ? [...element.children].indexOf(document.activeElement) : -1;
        key = next;
        element.replaceChildren(...flags.map(flagOf));
        element.children[focused]?.focus();
    }
    return { element, show };
}

export function createPlayerBar(app, element) {
    const { store, registry, panes } = app, pane = panes[0], { player, timeline } = app;
    const play = button('play', 'Play', () => timeline.toggle(), { class: 'primary play', title: 'Play or pause (P)' });
    const small = (test, text, label, action, extra = '') => button(test, text, action, { title: label, 'aria-label': label, class: extra });
    const scrub = el('input', { type: 'range', class: 'scrub', test: 'scrub', min: 0, max: 1, step: 1, 'aria-label': 'Place in the playback', oninput: () => timeline.seek(Number(scrub.value)) });
    const flags = createFlags(app, scrub), track = el('div', { class: 'track' }, scrub, flags.element);
    const place = el('span', { class: 'count', test: 'place' });
    const speed = select({ test: 'speed', 'aria-label': 'Speed in events per second', title: 'Speed in events per second' }, speeds, 'whole', (value) => player.setSpeed(value));
    const walkSpeed = select({ test: 'timeline-walk-speed', 'aria-label': 'Speed of the walk', title: 'Speed of the walk' }, walkSpeeds, store.get('ui.walk').speed,
        (value) => store.set('ui.walk', { ...store.get('ui.walk'), speed: value }));
    store.on('ui.walk', ({ speed: value }) => {
        walkSpeed.value = value;
    });
    const turnSpeed = select({ test: 'timeline-simulation-speed', 'aria-label': 'Speed of the simulation', title: 'Speed of the simulation' }, simulationSpeeds, app.simulation.speed, (value) => app.simulation.setSpeed(value));
    const what = el('span', { class: 'what', test: 'timeline-of' });
    const colouring = select({ test: 'colouring', 'aria-label': 'What the colours say', title: 'What the colours say' },
        registry.colourings.map((value) => ({ value, text: value === 'none' ? 'no colours' : `colour: ${value}` })), store.get('problem.colouring'),
        (value) => store.set('problem.colouring', value));

    const least = el('span', { test: 'legend-least' }), most = el('span', { test: 'legend-most' }), ramp = el('i');
    const legend = el('div', { class: 'legend wide-only', test: 'legend' }, least, ramp, most);

    function showLegend() {
        const by = store.get('problem.colouring'), range = pane.result?.trace?.range[by];
        legend.hidden = timeline.of === 'simulation' || panes.length > 1 || !range || range[0] > range[1]; // each map has its own range
        if (legend.hidden) return;
        const text = (value) => (by === 'order' ? count(value) : decimal(value / pane.result.scale.straight, 1));
        [least.textContent, most.textContent] = range.map(text);
        ramp.style.background = `linear-gradient(90deg, ${app.palette.rampCss.join(', ')})`;
    }

    function show() {
        const of = timeline.of;
        what.textContent = { search: 'Search', walk: 'Walk', simulation: 'Simulation' }[of];
        speed.hidden = of !== 'search';
        walkSpeed.hidden = of !== 'walk';
        turnSpeed.hidden = of !== 'simulation';
        if (colouring.hidden !== (of === 'simulation')) {
            colouring.hidden = of === 'simulation'; // agents have their own colours
            showLegend();
        }
        turnSpeed.value = app.simulation.speed;
        play.textContent = timeline.running ? 'Pause' : 'Play';
        scrub.max = timeline.count;
        scrub.value = timeline.target;
        scrub.disabled = play.disabled = timeline.count === 0;
        scrub.setAttribute('aria-valuetext', `${of === 'search' ? 'event' : 'turn'} ${timeline.at} of ${timeline.count}`);
        place.textContent = `${count(timeline.at)} / ${count(timeline.count)}`;
        place.dataset.at = timeline.at;
        place.dataset.count = timeline.count;
        flags.show();
    }
    timeline.on(show);
    pane.on(showLegend);
    store.on('problem.panes', showLegend);
    store.on('problem.colouring', (value) => {
        colouring.value = value;
        for (const one of panes) one.restyle();
        showLegend();
    });
    show();
    showLegend();

    element.append(
        play, what,
        el('div', { class: 'group' },
            small('to-start', icon('toStart'), 'To the beginning (Home)', () => timeline.seek(0)),
            small('back-expansion', icon('backFar'), 'Back one expansion (Shift+←)', () => timeline.stepFar(-1), 'wide-only'),
            small('step-back', icon('back'), 'Back one event (←)', () => timeline.step(-1)),
            small('step', icon('forward'), 'One event (→)', () => timeline.step(1)),
            small('forward-expansion', icon('forwardFar'), 'One expansion (Shift+→)', () => timeline.stepFar(1), 'wide-only'),
            small('to-end', icon('toEnd'), 'To the end (End)', () => timeline.toEnd())),
        track, place, speed, walkSpeed, turnSpeed, colouring, legend);
    return { showLegend };
}
