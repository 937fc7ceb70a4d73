/* player_bar.js: the row below the map: playing a search forwards and backwards, how fast, and what its colours say. */
import { button, el, select } from './dom.js';
import { count, decimal } from './format.js';
import { icon } from './icons.js';
import { speeds } from './player.js';

export function createPlayerBar(app, element) {
    const { store, registry, panes } = app, pane = panes[0], { player } = pane;
    const play = button('play', 'Play', () => (player.running ? player.pause() : player.play()), { class: 'primary', title: 'Play or pause (P)' });
    const small = (test, text, label, action, extra = '') => button(test, text, action, { title: label, 'aria-label': label, class: extra });
    const scrub = el('input', { type: 'range', class: 'scrub', test: 'scrub', min: 0, max: 1, step: 1, 'aria-label': 'Place in the playback', oninput: () => player.seek(Number(scrub.value)) });
    const place = el('span', { class: 'count', test: 'place' });
    const speed = select({ test: 'speed', 'aria-label': 'Speed in events per second', title: 'Speed in events per second' }, speeds, 'whole', (value) => player.setSpeed(value));
    const colouring = select({ test: 'colouring', 'aria-label': 'What the colours say', title: 'What the colours say' },
        registry.colourings.map((value) => ({ value, text: value === 'none' ? 'no colours' : `colour: ${value}` })), store.get('problem.colouring'),
        (value) => store.set('problem.colouring', value));

    const least = el('span', { test: 'legend-least' }), most = el('span', { test: 'legend-most' }), ramp = el('i');
    const legend = el('div', { class: 'legend wide-only', test: 'legend' }, least, ramp, most);

    function showLegend() {
        const by = store.get('problem.colouring'), range = pane.result?.trace?.range[by];
        legend.hidden = panes.length > 1 || !range || range[0] > range[1]; // each map has its own range
        if (legend.hidden) return;
        const text = (value) => (by === 'order' ? count(value) : decimal(value / pane.result.scale.straight, 1));
        [least.textContent, most.textContent] = range.map(text);
        ramp.style.background = `linear-gradient(90deg, ${app.palette.rampCss.join(', ')})`;
    }

    function show() {
        play.textContent = player.running ? 'Pause' : 'Play';
        scrub.max = player.count;
        scrub.value = player.target;
        scrub.disabled = play.disabled = player.count === 0;
        place.textContent = `${count(player.at)} / ${count(player.count)}`;
        place.dataset.at = player.at;
        place.dataset.count = player.count;
    }
    player.on(show);
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
        play,
        el('div', { class: 'group' },
            small('to-start', icon('toStart'), 'To the beginning (Home)', () => player.seek(0)),
            small('back-expansion', icon('backFar'), 'Back one expansion (Shift+←)', () => player.stepExpansion(-1), 'wide-only'),
            small('step-back', icon('back'), 'Back one event (←)', () => player.step(-1)),
            small('step', icon('forward'), 'One event (→)', () => player.step(1)),
            small('forward-expansion', icon('forwardFar'), 'One expansion (Shift+→)', () => player.stepExpansion(1), 'wide-only'),
            small('to-end', icon('toEnd'), 'To the end (End)', () => player.seek(player.count))),
        scrub, place, speed, colouring, legend);
    return { showLegend };
}
