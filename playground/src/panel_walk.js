/* panel_walk.js: an agent that walks: setting it going, how it plans, what it does and what that costs; and scripts of walks. */
import { button, checkbox, el, field, numberInput, replaceChildren, section, select } from './dom.js';
import { bytes, count, decimal } from './format.js';
import { download } from './files.js';
import { createBarChart } from './bar_chart.js';
import { walkSpeeds } from './walk.js';
import { knownKinds } from './walk_fog.js';

const knownNames = { nothing: 'nothing', map: 'the map' };
const replanNames = { blocked: 'when blocked', changed: 'at every change' };

/* How it stands, in a sentence. */
function statusText(walk) {
    const last = walk.turns[walk.turns.length - 1], steps = walk.sums?.moves ?? 0, made = steps === 1 ? '1 step' : `${count(steps)} steps`;
    if (walk.error) return walk.error;
    if (walk.building) return `Building the index: ${Math.floor((100 * walk.building.done) / walk.building.total)} %.`;
    if (walk.phase === 'none') return 'Nobody walks. Paint walls or drag the goal while the agent is on its way.';
    if (walk.phase === 'arrived') return `Arrived after ${made}.`;
    if (last?.kind === 'stop') return `Stopped after ${made}: ${last.inFog ? 'it knows of no path' : 'no path is left'} (${last.statusText}).`;
    if (walk.isWaiting) return `${last?.strolls ? 'Following the old path' : 'Waiting'} while the index is built again, after ${made}.`;
    if (last?.kind === 'think') return `Thinking, after ${made}.`;
    return `${walk.phase === 'running' ? 'Walking' : 'Standing'}: ${made}.`;
}

/* [name, text, exact value, help] */
function rowsOf({ sums, sensor, indexBytes, scale, subgoals: { coming, passed } }) {
    return [
        ['moves', count(sums.moves), sums.moves, 'steps made'],
        ['cost', decimal(sums.cost / scale.straight), sums.cost, 'of these steps, in straight steps'],
        ['plans', count(sums.plans) + (sums.pieces ? ` + ${count(sums.pieces)} pieces` : ''), sums.plans, 'paths planned'],
        ...(coming.length || passed.length ? [['subgoals', `${count(passed.length)} passed, ${count(coming.length)} to come`, coming.length, 'places that the agent walks to one by one, as far as it knows them']] : []),
        ...(sensor ? [['seen', count(sums.seen), sums.seen, 'cells that were not as it thought']] : []),
        ['syncs', count(sums.syncs), sums.syncs, 'how often the index was brought up to date'],
        ['work mean', decimal(sums.calls ? sums.work / sums.calls : 0, 1), sums.work, 'units of work a turn'],
        ['work max', count(sums.mostWork), sums.mostWork, 'units of work in one turn'],
        ['expanded', count(sums.expanded), sums.expanded, 'nodes, by all plans'],
        ['held', bytes(sums.bytes), sums.bytes, 'memory held for this agent: search, path and navigator'],
        ...(indexBytes ? [['index', bytes(indexBytes), indexBytes, 'shared by all agents that use the planner']] : []),
    ];
}

/* The work of every turn. */
function chartOf({ turns, sums: { mostWork } }) {
    const styleOf = (first, end) => {
        const part = turns.slice(first, end);
        return part.some((turn) => turn.kind === 'stop') ? '--wrong' : part.some((turn) => turn.plans || turn.broken) ? '--series-1' : '--accent';
    };
    return { turns: turns.length, valueOf: (turn) => turns[turn].work, most: mostWork, styleOf, about: 'Work', caption: `most: ${count(mostWork)} units of work` };
}

function createScriptBox(app) {
    const { walkScript, walk } = app, names = Object.keys(app.maps).filter((name) => name.endsWith('.walk'));
    const titleOf = (name) => /^title (.*)$/m.exec(app.maps[name])?.[1] ?? name;
    const bundled = select({ test: 'walk-bundled' }, [{ value: '', text: 'choose…' }, ...names.map((name) => ({ value: name, text: titleOf(name), title: name }))], '',
        (name) => name && walkScript.openBundled(name));
    const text = el('textarea', { test: 'walk-text', rows: 9, spellcheck: 'false', 'aria-label': 'The script', oninput: () => walkScript.setText(text.value) });
    const error = el('p', { class: 'error', test: 'walk-script-error', role: 'status', hidden: true });
    const record = button('walk-record', 'Record', () => walkScript.record(), { title: 'Write down what has happened on this walk so far, so that it can be played again' });
    const save = () => download(walkScript.name.endsWith('.walk') ? walkScript.name : 'walk.walk', walkScript.text, 'text/plain');
    walkScript.on(() => {
        text.value = walkScript.text;
        bundled.value = app.maps[walkScript.name] === walkScript.text ? walkScript.name : '';
        error.textContent = walkScript.error;
        error.hidden = !walkScript.error;
        box.open ||= Boolean(walkScript.text);
    });
    const showRecord = () => {
        record.disabled = walk.phase === 'none';
    };
    walk.on(showRecord);
    showRecord();
    const box = el('details', { test: 'walk-script' }, el('summary', {}, 'Script'), el('div', { class: 'section-body flush' },
        field('Walks', bundled, 'scripts that come with the page'), text, error,
        el('div', { class: 'row' }, button('walk-run', 'Run', () => walkScript.run(), { class: 'primary' }), record,
            button('walk-open', 'Open…', () => app.files.pick('.walk')), button('walk-save', 'Save', save))));
    return box;
}

/* How far the agent sees, and what it knows before. */
function createFogFields(app) {
    const { store, registry } = app, set = (name, value) => store.set('ui.walk', { ...store.get('ui.walk'), [name]: value }), options = store.get('ui.walk');
    const sensor = numberInput({ test: 'walk-sensor', minimum: 0, maximum: registry.limits.sensorMax, value: options.sensor }, (value) => set('sensor', value));
    const known = select({ test: 'walk-known' }, knownKinds.map((value) => ({ value, text: knownNames[value] })), options.known, (value) => set('known', value));
    const colours = ['veil', 'wrong'].map(() => el('i', { class: 'swatch', 'aria-hidden': 'true' }));
    const more = el('div', { class: 'section-body flush' }, field('It knows at first', known, 'nothing: it takes for free what it has not seen, but knows links and heights; the map: as it is when the agent sets out; from the next walk on'),
        el('p', { class: 'note', test: 'walk-fog' }, colours[0], 'never seen\u2003', colours[1], 'believed wrongly'));
    function show({ sensor: range, known: knows }) {
        if (document.activeElement !== sensor) sensor.value = range;
        known.value = knows;
        more.hidden = !range;
    }
    const paint = () => [app.palette.veilCss, app.palette.wrongCss].forEach((colour, i) => { colours[i].style.background = colour; });
    store.on('ui.walk', show);
    app.onPalette(paint);
    show(options);
    paint();
    return [field('Sensor range', sensor, 'fog of war: how far the agent sees, in cells, from the next walk on; 0 = everything'), more];
}

export function createWalkPanel(app) {
    const { walk, store, registry } = app;
    const set = (name, value) => store.set('ui.walk', { ...store.get('ui.walk'), [name]: value });
    const go = button('walk', 'Walk', () => walk.toggle(), { class: 'primary', title: 'Walk or pause (G)' });
    const step = button('walk-step', 'Step', () => walk.stepOnce(), { title: 'One step (.)' }), end = button('walk-end', 'End', () => walk.end(), { title: 'Nobody walks any more (Backspace)' });
    const status = el('p', { class: 'status', test: 'walk-status', role: 'status' });
    const table = el('table', { class: 'numbers' }), chart = createBarChart('walk-chart');
    const log = el('ol', { class: 'log', test: 'walk-log', role: 'log', 'aria-label': 'What happened', tabindex: 0 });
    const seen = el('div', { class: 'section-body flush' }, chart.element, table, log);
    const linesSeen = 200;
    let shown = { walks: 0, number: 0 };

    function showLog() {
        const { lines, walks } = walk.story, isAtEnd = log.scrollTop + log.clientHeight >= log.scrollHeight - 4;
        if (walks !== shown.walks) {
            log.replaceChildren();
            shown = { walks, number: 0 };
        }
        const fresh = lines.filter(({ number }) => number > shown.number);
        log.append(...fresh.map(({ step: at, text }) => el('li', {}, el('b', {}, `step ${count(at)}`), `: ${text}`)));
        while (log.childElementCount > linesSeen) log.firstChild.remove();
        shown.number = lines[lines.length - 1]?.number ?? 0;
        if (isAtEnd) log.scrollTop = log.scrollHeight;
    }

    let frame = 0;
    function draw() {
        frame = 0;
        const isThere = walk.phase !== 'none';
        go.textContent = walk.phase === 'running' ? 'Pause' : walk.over && isThere ? 'Again' : 'Walk';
        end.disabled = !isThere && !walk.building;
        status.textContent = statusText(walk);
        status.dataset.phase = walk.phase;
        status.dataset.step = walk.step;
        status.className = walk.error ? 'error' : isThere ? 'status' : 'note';
        seen.hidden = !walk.sums;
        if (!walk.sums || !panel.open) return;
        chart.draw(chartOf(walk));
        replaceChildren(table, rowsOf(walk).map(([name, text, value, help]) =>
            el('tr', { title: help }, el('th', { scope: 'row' }, name), el('td', { test: `walk-${name.replaceAll(' ', '-')}`, 'data-value': value }, text))));
        showLog();
    }
    const show = () => {
        if (!frame) frame = requestAnimationFrame(draw);
    };

    const options = store.get('ui.walk'), speed = select({ test: 'walk-speed' }, walkSpeeds, options.speed, (value) => set('speed', value));
    store.on('ui.walk', ({ speed: value }) => { speed.value = value; });
    const panel = section('panel-walk', 'Walk',
        el('div', { class: 'row' }, go, step, end), status,
        field('Speed', speed),
        field('Plans again', select({ test: 'walk-replan' }, registry.replans.map((value) => ({ value, text: replanNames[value] ?? value })), options.replan, (value) => set('replan', value)), 'from the next walk on'),
        field('Work per step', numberInput({ test: 'walk-work', minimum: 0, maximum: 1e9, value: options.work }, (value) => set('work', value)), 'units of work in a turn, from the next walk on; 0 = no limit'),
        field('Rebuild in the background', checkbox({ test: 'walk-background' }, options.background, (on) => set('background', on)), 'an agent whose index must be built again follows its old path meanwhile; from the next walk on, and not for scripts or in fog'),
        createFogFields(app),
        seen, createScriptBox(app));
    panel.addEventListener('toggle', show);
    walk.on(show);
    app.onPalette(show);
    draw();
    return panel;
}
