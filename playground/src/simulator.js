/* simulator.js: the worker's part of a simulation: agents that walk on the paths of one path service, in a world of their own that changes, turn by turn, as `cairn simulate --service` does (docs/simulate.md,
 * program/simulate_service.c).
 *
 * A turn is a frame of a game: squares open and close, in one commit; agents ask for paths, take those that are there, and step; the service works last, with what the budget has left. With a budget in units of
 * work all but times follows from the seed and from when the settings were changed.
 */
import { fps, nowhere } from './recording.js';

const tries = 64, chunkMs = 40;
const editShare = 0.5, editAhead = 8; // half of the squares close so many steps ahead of an agent

/* Random numbers of 32 bits, the same ones for the same seed (mulberry32). */
export function createRandom(seed) {
    let state = seed >>> 0;
    const next = () => {
        state = (state + 0x6d2b79f5) >>> 0;
        let mixed = Math.imul(state ^ (state >>> 15), state | 1);
        mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
        return (mixed ^ (mixed >>> 14)) >>> 0;
    };
    return { next, pick: (below) => Math.floor((next() / 2 ** 32) * below) };
}

/* A simulation of `agents` at `settings.edits` a second and so on. `world` is its own. */
export function createSimulation({ world, space, service, seed }) {
    const random = createRandom(seed), { width, height } = world, { open } = world.cells();
    const agents = [], squares = []; // that will open again: { until, cells }, the first one first
    const sums = { reached: 0, broken: 0, shortcuts: 0, answers: 0, waits: 0, work: 0, mostWork: 0, edits: 0, overBudget: 0, givenUp: {} };
    let turn = 0, editsDue = 0, painted = [], made = null; // what is to be told of this turn

    /* ---- goals ---- */

    function aim(agent) {
        agent.state = 'asks';
        [agent.since, agent.responded, agent.follows, agent.stands] = [turn, false, false, true];
        for (let i = 0; i < tries && open[agent.at]; i++) {
            let goal;
            try {
                goal = space.randomReachable(agent.at, random.next());
            } catch (error) {
                if (error.status !== 'blocked-start') throw error;
                return; // it has no room where it stands
            }
            if (goal === agent.at) continue;
            [agent.goal, agent.stands] = [goal, false];
            return;
        }
    }

    /* Somewhere from where it can go somewhere; false if no such place was found. */
    function settle() {
        const agent = { at: 0, goal: 0, ticket: null, progress: agents.length % fps, told: [nowhere, nowhere] };
        for (let i = 0; i < tries; i++) {
            agent.at = random.pick(width * height);
            agent.goal = agent.at;
            aim(agent);
            if (!agent.stands) return agents.push(agent) > 0;
        }
        return false;
    }

    /* As many agents as are wanted: the last ones leave. */
    function people(wanted) {
        while (agents.length > wanted) {
            const agent = agents.pop();
            release(agent);
            made?.events.push(turn + 1, agents.length, nowhere, nowhere);
        }
        while (agents.length < wanted && settle());
    }

    function release(agent) {
        if (agent.ticket) service.release(agent.ticket);
        agent.ticket = null;
    }

    /* ---- edits ---- */

    /* The middle of the next square: ahead of an agent that has a path, or anywhere. */
    function middle() {
        const first = random.pick(agents.length || 1), isAhead = random.next() / 2 ** 32 < editShare;
        for (let i = 0; isAhead && i < agents.length; i++) {
            const { state, ticket } = agents[(first + i) % agents.length], ahead = state === 'walks' && ticket ? service.ahead(ticket, editAhead) : [];
            if (ahead.length) return ahead.at(-1);
        }
        return random.pick(width * height);
    }

    /* Closes what is open, but for where agents are, and their goals. */
    function closeSquare({ editSize: side, editLife }, change) {
        const node = middle(), left = (node % width) - Math.floor(side / 2), top = Math.floor(node / width) - Math.floor(side / 2), cells = [], taken = new Set(agents.flatMap(({ at, goal }) => [at, goal]));
        for (let y = Math.max(0, top); y < Math.min(height, top + side); y++)
            for (let x = Math.max(0, left); x < Math.min(width, left + side); x++) {
                const cell = y * width + x;
                if (!open[cell] || taken.has(cell) || change.has(cell)) continue;
                cells.push(cell);
                change.set(cell, 0);
            }
        squares.push({ until: turn + editLife, cells });
        sums.edits++;
    }

    /* What changes in this turn: cell → is it open? */
    function planEdits(settings) {
        const change = new Map();
        while (squares.length && squares[0].until <= turn) for (const cell of squares.shift().cells) change.set(cell, 1);
        editsDue += settings.edits / fps;
        for (; editsDue >= 1; editsDue--) closeSquare(settings, change);
        return change;
    }

    function commit(edit) {
        world.edit(edit);
        edit.nodes.forEach((node, i) => {
            if (open[node] === edit.open[i]) return;
            open[node] = edit.open[i];
            made.edits.push(turn, node, open[node]);
        });
    }

    function makeEdits(change) {
        if (change.size) commit({ nodes: Uint32Array.from(change.keys()), open: Uint8Array.from(change.values()) });
    }

    /* ---- paths ---- */

    function ask(agent) {
        try {
            agent.ticket = service.request({ from: agent.at, to: agent.goal });
            agent.state = 'waits';
        } catch (error) {
            if (error.status !== 'out-of-memory') throw error; // it asks again in the next turn
        }
    }

    /* The path is there, or the reason why it is not. */
    function take(agent) {
        let status = service.status(agent.ticket);
        if (status === 'running') return;
        if (status === 'found') {
            service.follow(agent.ticket, 'possible');
            agent.state = 'walks';
            agent.stands = false;
            agent.follows = true;
        } else if (agent.follows) agent.stands = true; // until something opens
        else if (status === 'stale') {
            release(agent);
            agent.state = 'asks';
        } else {
            sums.givenUp[status] = (sums.givenUp[status] ?? 0) + 1;
            release(agent);
            aim(agent);
        }
    }

    function step(agent) {
        const [next] = service.ahead(agent.ticket);
        if (next === undefined) {
            if (service.status(agent.ticket) !== 'found') agent.state = 'waits'; // for another path
            return;
        }
        if (space.stepCost(agent.at, next) === null) { // the service has not looked at the last commit yet
            sums.waits++;
            return;
        }
        agent.at = next;
        service.walked(agent.ticket, next);
    }

    function walk(agent, speed) {
        agent.progress += speed;
        if (agent.progress < fps) return;
        agent.progress -= fps;
        step(agent);
        if (agent.at !== agent.goal) return;
        release(agent);
        sums.reached++;
        agent.isThere = true;
    }

    /* ---- a turn ---- */

    function update({ budget, unit }, begin) {
        const frame = service.update(unit === 'work' ? { work: budget } : { microseconds: Math.max(1, budget - (performance.now() - begin) * 1000) });
        sums.answers += frame.answered;
        sums.broken += frame.broken;
        sums.shortcuts += frame.shortcuts;
        sums.work += frame.used;
        sums.mostWork = Math.max(sums.mostWork, frame.used);
        sums.overBudget += unit === 'work' && frame.used - frame.undivided > budget ? 1 : 0;
        return frame;
    }

    /* Answers count from the turn that has found them. */
    function respond(agent) {
        if (agent.state !== 'waits' || agent.responded || service.status(agent.ticket) !== 'found') return;
        agent.responded = true;
        made.responses.push(turn - agent.since);
    }

    function tell(agent, number, at) {
        if (agent.told[0] === agent.at && agent.told[1] === agent.goal) return;
        agent.told = [agent.at, agent.goal];
        made.events.push(at, number, agent.at, agent.goal);
    }

    function runTurn(settings) {
        people(settings.agents);
        for (const agent of agents) if (agent.state === 'asks' && agent.stands) aim(agent);
        painted.splice(0).forEach(commit);
        const change = planEdits(settings), begin = performance.now();
        makeEdits(change);
        for (const agent of agents) if (agent.state === 'asks' && !agent.stands) ask(agent);
        for (const agent of agents) {
            if (agent.state === 'waits') take(agent);
            if (agent.state === 'walks') walk(agent, settings.speed);
        }
        const frame = update(settings, begin);
        for (const agent of agents) respond(agent);
        made.frames.push(performance.now() - begin);
        turn++;
        for (const [number, agent] of agents.entries()) {
            if (agent.isThere) {
                agent.isThere = false;
                aim(agent);
            }
            tell(agent, number, turn);
        }
        made.queue = frame.waiting + frame.running;
    }

    const begun = () => ({ events: [], edits: [], frames: [], responses: [], queue: 0 });

    return {
        /* Where everybody is at first. */
        begin(settings) {
            made = begun();
            people(settings.agents);
            for (const [number, agent] of agents.entries()) tell(agent, number, 0);
            return made;
        },
        /* Up to so many turns; fewer if they take long. */
        run(turns, settings) {
            const until = performance.now() + chunkMs;
            made = begun();
            do runTurn(settings);
            while (made.frames.length < turns && performance.now() < until);
            return made;
        },
        paint: (edit) => painted.push(edit),
        about: () => ({ ...sums, givenUp: { ...sums.givenUp }, agents: agents.length, standing: agents.filter(({ stands }) => stands).length, use: service.usage() }),
    };
}

/* `have()`: what the worker has now: { cairn, world, space }; `makeReady(job, planner)` builds an index. */
export function createSimulator(have, makeReady) {
    let running = null; // { world, service, simulation }

    function end() {
        running?.service.destroy();
        running?.world.destroy();
        running = null;
    }

    function begin(job, { spec, settings, seed }) {
        end();
        const { cairn, world: truth, space: { profile } } = have(), world = truth.known('all');
        try {
            const space = world.space(profile), planner = space.planner(spec), service = cairn.service();
            makeReady(job, planner);
            service.add(planner, { background: 'never' }); // there are no threads: copies would gain nothing
            const simulation = createSimulation({ world, space, service, seed });
            running = { world, service, simulation };
            return { result: { ...simulation.begin(settings), about: simulation.about(), indexBytes: planner.indexBytes } };
        } catch (error) {
            running = null;
            world.destroy();
            throw error;
        }
    }

    return {
        /* The world of the page has been painted. */
        edited: (edit) => running?.simulation.paint(edit),
        operations: {
            simulate: begin,
            simulateTurns(job, { turns, settings }) {
                if (!running) throw new Error('the simulation has ended: the page had to begin anew');
                return { result: { ...running.simulation.run(turns, settings), about: running.simulation.about() } };
            },
            simulateEnd() {
                end();
                return { result: true };
            },
        },
    };
}
