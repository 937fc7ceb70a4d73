/* walk.js: an agent that walks, as the page sees it: it asks the worker for turns at the speed wanted, keeps what happened, and draws where the agent is.
 *
 * The first algorithm of the page leads it. The world may be painted while it walks; the goal may be dragged, which gives it another one. Its phases: 'none' (nobody
 * walks), 'running', 'paused', 'arrived', 'stopped' (no path is left; it goes on by itself when a change opens one). By a script, the
 * library makes the changes; the page makes the same ones to its own copy of the cells (the worker may be some turns ahead).
 *
 * `walk.time` is the walk as something that can be played: it may be shown as it was after any of its turns, and played on from there.
 */
import { createFillLayer } from './layers.js';
import { rectangleNodes } from './world.js';
import { algorithmOf, specOf } from './spec.js';
import { Superseded } from './worker_client.js';
import { describe } from './planning.js';
import { createPast } from './walk_past.js';
import { createFog } from './walk_fog.js';
import { createStory } from './walk_story.js';
import { createSubgoals } from './walk_subgoals.js';

export const walkSpeeds = [
    { value: '2', text: '2 steps / s' }, { value: '5', text: '5 steps / s' }, { value: '12', text: '12 steps / s' }, { value: '30', text: '30 steps / s' },
    { value: '100', text: '100 steps / s' }, { value: 'most', text: 'as fast as it can' },
];
const glideUpTo = 30; // steps a second; faster agents jump from cell to cell
const mostTurns = 500; // of one request
const fillMs = 8, eventsAtATime = 4000; // of a frame

export function createWalk(app) {
    const { store, world, client } = app, listeners = [];
    const calm = matchMedia('(prefers-reduced-motion: reduce)');
    const walk = { phase: 'none', turns: [], story: createStory(), subgoals: createSubgoals(), sums: null, step: 0, from: -1, goal: -1, at: -1, spec: '', script: null, over: false, building: null, error: '', indexBytes: 0, trail: [], ahead: [] };
    let fill = null, frame = 0, before = 0, due = 0, asking = null, glide = null, number = 0, shownTrace = null;
    let seen = Infinity, isReplaying = false; // turns that are shown, if not all of them; and whether they are being played
    let builder = null; // the worker that builds its index in the background
    let changeTurns = []; // of the changes of a script that were made
    const past = createPast(app), fog = createFog(app);
    const painted = new Set(); // cells that were edited since the last turns were asked for

    const tell = () => listeners.forEach((heard) => heard(walk));
    const pane = () => app.panes[0];
    const centre = (node) => world.geometry.centre(node);

    /* ---- what is seen ---- */

    const isPast = () => seen < walk.turns.length;

    /* The agent as it was after `seen` turns. */
    function showPast(scene) {
        const made = walk.turns.slice(0, seen), last = made[made.length - 1], node = last ? (last.kind === 'step' ? last.to : last.from) : walk.from;
        const steps = made.reduce((sum, turn) => sum + (turn.kind === 'step' ? 1 : 0), 0), plan = past.planAt(seen), rest = plan?.ahead.indexOf(node) ?? -1;
        if (plan?.trace && plan.trace !== shownTrace) showTrace(plan.trace);
        scene.past = past.ground(seen);
        scene.walk = { fog: fog.shown(seen, past), trail: walk.trail.slice(0, steps + 1), ahead: rest < 0 ? [] : Array.from(plan.ahead.slice(rest), centre), at: centre(node), fill, phase: last?.kind === 'stop' ? 'stopped' : 'paused',
            subgoals: plan ? { coming: plan.coming, passed: walk.subgoals.passed.slice(0, plan.passed) } : null };
    }

    /* Back to how things stand. */
    function goNow() {
        if (!isPast()) return;
        [seen, isReplaying] = [Infinity, false];
        const plan = past.planAt(Infinity);
        if (plan?.trace && plan.trace !== shownTrace) showTrace(plan.trace);
    }

    function show(time = performance.now()) {
        const { scene, map } = pane();
        scene.past = null;
        if (walk.phase === 'none') scene.walk = null;
        else if (isPast()) showPast(scene);
        else {
            const part = glide ? Math.min(1, (time - glide.begin) / glide.ms) : 1;
            const to = centre(walk.at), from = glide ? centre(glide.from) : to;
            scene.walk = { fog: fog.shown(walk.turns.length), trail: walk.trail, ahead: walk.ahead, at: { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part }, fill, phase: walk.phase, subgoals: walk.subgoals };
            if (part === 1) glide = null;
        }
        map.redraw();
    }

    /* What the last plan has visited, over as many frames as it takes. */
    function showTrace(trace) {
        let at = 0;
        shownTrace = trace;
        fill.style(app.palette, store.get('problem.colouring'));
        fill.show(trace);
        const more = () => {
            if (shownTrace !== trace) return;
            for (const until = performance.now() + fillMs; at < trace.count && performance.now() < until; at = Math.min(trace.count, at + eventsAtATime))
                fill.play(at, Math.min(trace.count, at + eventsAtATime));
            pane().map.redraw();
            if (at < trace.count) requestAnimationFrame(more);
        };
        more();
    }

    /* ---- turns ---- */

    function rate() {
        const speed = store.get('ui.walk.speed');
        return speed === 'most' ? Infinity : Number(speed);
    }

    function setPhase(phase) {
        const wasRunning = walk.phase === 'running';
        walk.phase = phase;
        if (phase === 'running') {
            before = performance.now();
            due = 1;
            if (!frame) frame = requestAnimationFrame(tick);
        } else if (wasRunning) app.planning.schedule(); // searches have waited
        show();
        tell();
    }

    /* A script's changes, on the page's copy of the cells; what the user has painted since the turn was asked for came later. */
    function follow(changes) {
        for (const { action, x0, y0, x1 = x0, y1 = y0, terrain } of changes) {
            const first = y0 * world.width + x0, nodes = rectangleNodes(world, first, y1 * world.width + x1).filter((node) => !painted.has(node));
            if (action === 'goal') {
                walk.goal = first;
                store.set('problem.query', { ...store.get('problem.query'), to: first });
            } else if (action === 'terrain') for (const node of nodes) world.paint([node], { open: world.open[node], terrain });
            else world.paint(nodes, { open: action === 'open' ? 1 : 0 });
        }
    }

    function take(answer) {
        const planning = answer.turns.findLast((turn) => turn.plans); // what it visited is in the answer
        for (const turn of answer.turns) {
            if (turn.changes) for (let i = turn.changes[0]; i < turn.changes[1]; i++) changeTurns[i] = walk.turns.length;
            if (turn.changes) app.planning.followWorker(() => follow(walk.script.changes.slice(...turn.changes)));
            walk.turns.push(turn);
            fog.add(turn);
            if (turn.subgoals) walk.subgoals.add(Array.from(turn.subgoals, (node) => ({ node, ...centre(node) })), turn);
            if (turn.ahead) past.planned(walk.turns.length - 1, turn.ahead, turn === planning ? answer.trace : turn.plans ? null : undefined, walk.subgoals);
            if (turn.kind === 'step') {
                walk.trail.push(centre(turn.to));
                walk.at = turn.to;
            }
            walk.story.add(turn);
        }
        const last = answer.turns[answer.turns.length - 1];
        Object.assign(walk, { sums: answer.sums, indexBytes: answer.indexBytes, step: answer.step, ahead: Array.from(answer.ahead, centre) });
        if (answer.usable) world.updateUsable(answer.usable);
        if (answer.trace && !isPast()) showTrace(answer.trace);
        glide = last?.kind === 'step' && rate() <= glideUpTo && !calm.matches ? { from: last.from, begin: performance.now(), ms: 1000 / rate() } : null;
        walk.over = answer.over;
        walk.isWaiting = answer.isWaiting;
        if (answer.over) setPhase(last?.arrived ? 'arrived' : 'stopped');
        else if (last?.kind === 'stop' && !walk.script && walk.phase === 'running') setPhase('stopped');
        show();
        tell();
    }

    function fail(error) {
        if (walk.phase === 'none') return;
        end();
        walk.error = error instanceof Superseded ? 'The walk has ended: the page had to begin anew.' : describe(error);
        tell();
    }

    async function ask(turns) {
        const mine = number;
        app.planning.flush();
        painted.clear();
        asking = client.ask('walkTurns', { turns });
        try {
            const answer = await asking;
            if (mine === number) take(answer);
        } catch (error) {
            if (mine === number) fail(error);
        } finally {
            asking = null;
        }
    }

    function tick(time) {
        frame = 0;
        if (isReplaying) return replay(time);
        if (walk.phase !== 'running') {
            if (glide) frame = requestAnimationFrame(tick);
            return show(time);
        }
        due = rate() === Infinity ? mostTurns : Math.min(mostTurns, due + (Math.max(0, time - before) / 1000) * rate());
        before = time;
        if (!asking && due >= 1) {
            const turns = Math.floor(due);
            due -= turns;
            ask(turns);
        }
        if (glide) show(time);
        frame = requestAnimationFrame(tick);
    }

    /* ---- the walk as something that is played ---- */

    /* Turns that were made, one after the other at the speed of the walk; then those that are to come. */
    function replay(time) {
        due += rate() === Infinity ? walk.turns.length : (Math.max(0, time - before) / 1000) * rate();
        before = time;
        seen = Math.min(walk.turns.length, seen + Math.floor(due));
        due -= Math.floor(due);
        if (isPast()) frame = requestAnimationFrame(tick);
        else {
            [seen, isReplaying] = [Infinity, false];
            if (!walk.over) setPhase('running');
        }
        show(time);
        tell();
    }

    function startReplay() {
        [isReplaying, due, before] = [true, 0, performance.now()];
        if (!frame) frame = requestAnimationFrame(tick);
        tell();
    }

    /* Turns that are still to come are made at once. */
    async function seek(turn) {
        const wanted = Math.max(0, Math.round(turn));
        if (walk.phase === 'running') setPhase('paused');
        isReplaying = false;
        if (wanted < walk.turns.length) seen = wanted;
        else goNow();
        glide = null;
        show();
        tell();
        while (wanted > walk.turns.length && !walk.over && walk.phase !== 'none') {
            const made = walk.turns.length;
            if (asking) await asking.catch(() => {});
            else await ask(Math.min(mostTurns, wanted - made));
            if (walk.turns.length === made || walk.turns[walk.turns.length - 1].kind === 'stop') break;
        }
    }

    /* Before which turn a change of the script comes: the one that made it, or as far ahead as it is in steps. */
    function turnOfChange(number) {
        return changeTurns[number] ?? walk.turns.length + Math.max(0, walk.script.changes[number].at - walk.step);
    }

    /* What happened when: the changes of a script, those of one step together, or what was painted. */
    function flags() {
        if (!walk.script) return past.editTurns().map((turn) => ({ turn, changes: 1, isScripted: false }));
        const found = new Map();
        walk.script.changes.forEach(({ at }, first) => {
            if (found.has(at)) found.get(at).changes++;
            else found.set(at, { at, first, changes: 1, isScripted: true, turn: turnOfChange(first) });
        });
        return [...found.values()];
    }

    const time = {
        get at() { return isPast() ? seen : walk.turns.length; },
        get target() { return time.at; },
        /* All turns, those that the path ahead makes likely, and those until the last change of a script. */
        get count() {
            const likely = walk.over ? 0 : Math.max(0, walk.ahead.length - 1), last = walk.script?.changes.length && !walk.over ? turnOfChange(walk.script.changes.length - 1) : 0;
            return Math.max(walk.turns.length + likely, last);
        },
        get running() { return isReplaying || walk.phase === 'running'; },
        play() {
            if (!isPast() && !walk.over) return play();
            if (!isPast()) seen = 0;
            return startReplay();
        },
        pause() {
            isReplaying = false;
            pause();
            tell();
        },
        seek,
        toNow: () => seek(walk.turns.length),
        flags,
        /* To the next turn, or the one before, at which something changed or was planned. */
        stepEvent(direction) {
            const marks = [...new Set([0, ...flags().map(({ turn }) => turn), ...walk.turns.flatMap(({ plans }, i) => (plans ? [i] : [])), walk.turns.length])].sort((a, b) => a - b);
            seek((direction > 0 ? marks.find((turn) => turn > time.at) : marks.findLast((turn) => turn < time.at)) ?? time.at);
        },
    };

    /* ---- what can be done ---- */

    /* Where the world came from, as a script says it. */
    function mapOfScript() {
        const { source } = world;
        if (source.kind === 'generator' && !world.isEdited()) return { kind: 'generated', generator: { kind: source.generator, ...source.numbers } };
        return source.kind === 'bundled' && !world.isEdited() ? { kind: 'file', file: `../${source.name}` } : { kind: 'none' };
    }

    async function start(script) {
        end();
        const mine = number, { from, to } = store.get('problem.query'), { replan, work, background, sensor, known } = store.get('ui.walk');
        walk.spec = specOf(app.registry, store.get('problem.panes.0'));
        walk.error = '';
        try {
            app.planning.flush();
            if (background && !script && !sensor && algorithmOf(app.registry, store.get('problem.panes.0').algorithm).flags.needsIndex) builder = client.helper();
            const answer = await client.ask('walk', {
                spec: walk.spec, from, to, options: { replan, work, background, sensor, known }, script, map: mapOfScript(), profile: store.get('problem.profile'), title: script?.title || `A walk on ${world.name}`.slice(0, 39), builder: builder?.port,
            }, { progress: showBuilding, transfer: builder ? [builder.port] : [] });
            if (mine !== number) return false;
            fill ??= createFillLayer(world);
            fill.show(null);
            shownTrace = null;
            past.clear();
            fog.begin(answer.known, sensor);
            changeTurns = [];
            [seen, isReplaying] = [Infinity, false];
            walk.story.clear(answer);
            walk.subgoals.clear();
            Object.assign(walk, {
                script: script ?? null, sensor, turns: [], sums: answer.sums, indexBytes: answer.indexBytes, scale: answer.scale, from: answer.from, goal: answer.to, at: answer.from, step: 0, over: false,
                trail: [centre(answer.from)], ahead: [],
            });
            setPhase('paused');
            return true;
        } catch (error) {
            walk.error = error instanceof Superseded ? '' : describe(error);
            tell();
            return false;
        } finally {
            if (mine === number) showBuilding({});
        }
    }

    function showBuilding({ building, done, total }) {
        walk.building = building ? { done, total } : null;
        tell();
    }

    function end() {
        number++;
        builder?.end();
        builder = null;
        if (walk.building) {
            client.cancel();
            showBuilding({});
        }
        if (walk.phase === 'none') return;
        client.ask('walkEnd', {}).catch(() => {});
        cancelAnimationFrame(frame);
        frame = 0;
        walk.script = shownTrace = null;
        fog.begin(null);
        setPhase('none');
        app.planning.schedule();
    }

    async function play() {
        goNow();
        if (walk.phase !== 'none' && walk.over && walk.script) return app.walkScript.run();
        if ((walk.phase === 'none' || walk.over) && !(await start())) return;
        setPhase('running');
    }

    async function stepOnce() {
        goNow();
        if ((walk.phase === 'none' || walk.over) && !(await start())) return;
        if (walk.phase !== 'paused') setPhase('paused');
        if (asking) await asking.catch(() => {});
        await ask(1);
    }

    function pause() {
        if (walk.phase === 'running' || walk.phase === 'stopped') setPhase('paused');
    }

    /* Another goal for who walks; another start ends the walk. */
    function queryChanged({ from, to }) {
        if (walk.phase === 'none') return;
        if (to === walk.goal && from === walk.from) return;
        if (from !== walk.from || (walk.script && walk.over)) return end();
        walk.goal = to;
        walk.story.note(walk.step, 'the goal moves');
        client.ask('walkGoal', { to }).catch(fail);
        walk.over = false;
        if (walk.phase === 'arrived' || walk.phase === 'stopped') setPhase('running');
        tell();
    }

    world.on('replaced', end);
    world.on('edited', (nodes, after, before) => {
        if (asking) nodes.forEach((node) => painted.add(node));
        if (walk.phase === 'none') return;
        past.edited(walk.turns.length, nodes.slice(), after, before);
        goNow(); // what is painted is painted now
        show();
        tell();
    });
    store.on('problem.profile', end);
    store.on('problem.query', queryChanged);
    store.on('problem.panes', () => {
        if (specOf(app.registry, store.get('problem.panes.0')) !== walk.spec) end();
    });
    const restyle = () => {
        past.restyle();
        fog.restyle();
        if (walk.phase !== 'none') fill.style(app.palette, store.get('problem.colouring'));
    };
    app.onPalette(restyle);
    store.on('problem.colouring', restyle);
    app.player.on(() => app.player.running && walk.phase !== 'running' && end()); // whoever plays the search wants to see it

    return Object.assign(walk, {
        on: (heard) => listeners.push(heard),
        start, play, pause, end, stepOnce, time,
        toggle: () => (walk.phase === 'running' ? pause() : play()),
        /* The world has changed: whoever stands without a path looks again. */
        wake() {
            if (walk.phase === 'stopped' && !walk.script) setPhase('running');
        },
        isRunning: () => walk.phase === 'running',
        /* What an agent in fog thinks of a cell, in a sentence, if that is worth one. */
        beliefOf: fog.textOf,
        tape: () => client.ask('walkTape', {}),
    });
}
