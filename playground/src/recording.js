/* recording.js: what happens in a simulation, turn by turn: where agents are and want to go, which cells close and open, what turns take. It comes from a file that `cairn simulate --record`
 * made (program/simulate_record.c says what is in one), or grows while a simulation runs here (simulator.js). Either way it can be shown as it was after any of its turns: going back undoes one
 * event after the other, and going forwards does them again.
 *
 * Events are [turn, agent, cell, goal]: from the end of this turn on the agent is here and wants to be there; turn 0 is the start. Edits are [turn, cell, open]: made at the beginning of this turn, of which
 * the first is 0. Both ascend by turn.
 */
export const nowhere = 0xffffffff; // the cell and the goal of who has not come yet, or has left

export const fps = 60; // turns a second of a simulation, if nobody says otherwise

const eventWords = 4, editWords = 3;

/* Rows of numbers, which may grow. */
function createRows(width) {
    let words = new Uint32Array(64 * width);
    const rows = {
        count: 0,
        get words() { return words; },
        add(row) {
            if ((rows.count + 1) * width > words.length) {
                const larger = new Uint32Array(2 * words.length);
                larger.set(words);
                words = larger;
            }
            words.set(row, width * rows.count++);
        },
    };
    return rows;
}

/* `open`: the cells as they are at first. */
export function createRecording(open) {
    const events = createRows(eventWords), edits = createRows(editWords), more = createRows(2); // of each event: 1 + the number of the one before of the same agent; goals reached by then
    const frames = [], cells = open.slice(), first = open.slice(), closed = new Uint8Array(open.length);
    let newest = []; // event of each agent, 1 + its number
    let latest = []; // the same of those that are shown
    let shownTurn = 0, shownEvents = 0, shownEdits = 0, closedCount = 0;

    const eventOf = (number, word) => events.words[eventWords * number + word];
    const editOf = (number, word) => edits.words[editWords * number + word];
    const before = (number) => more.words[2 * number] - 1;

    /* Has the agent come to its goal by this event? */
    function arrives(previous, cell) {
        return previous >= 0 && eventOf(previous, 2) !== eventOf(previous, 3) && cell === eventOf(previous, 3) && cell !== nowhere;
    }

    function write(number, isOpen, touch) {
        const cell = editOf(number, 1);
        cells[cell] = isOpen;
        const isClosed = first[cell] && !isOpen ? 1 : 0;
        closedCount += isClosed - closed[cell];
        closed[cell] = isClosed;
        touch(cell);
    }

    const recording = {
        events, edits, frames, cells, closed,
        get turns() { return frames.length; },
        get agents() { return newest.length; },
        get turn() { return shownTurn; },
        get closedCount() { return closedCount; }, // cells that are not open as at first
        addEvent(turn, agent, cell, goal) {
            const previous = (newest[agent] ?? 0) - 1, reached = events.count ? more.words[2 * events.count - 1] : 0;
            more.add([previous + 1, reached + (arrives(previous, cell) ? 1 : 0)]);
            events.add([turn, agent, cell, goal]);
            while (newest.length <= agent) newest.push(0);
            newest[agent] = events.count;
        },
        addEdit: (turn, cell, isOpen) => edits.add([turn, cell, isOpen]),
        /* As it was after so many turns; `touch` hears of the cells that are others than before. */
        goTo(turn, touch) {
            shownTurn = turn;
            while (shownEvents < events.count && eventOf(shownEvents, 0) <= turn) {
                const agent = eventOf(shownEvents, 1);
                while (latest.length <= agent) latest.push(0);
                latest[agent] = ++shownEvents;
            }
            while (shownEvents && eventOf(shownEvents - 1, 0) > turn) latest[eventOf(--shownEvents, 1)] = before(shownEvents) + 1;
            while (shownEdits < edits.count && editOf(shownEdits, 0) < turn) write(shownEdits, editOf(shownEdits++, 2), touch);
            while (shownEdits && editOf(shownEdits - 1, 0) >= turn) write(--shownEdits, editOf(shownEdits, 2) ? 0 : 1, touch);
        },
        /* Of those that are there: calls `see(agent, cell, goal, number of the event)`. */
        each(see) {
            for (let agent = 0; agent < latest.length; agent++) {
                const number = latest[agent] - 1;
                if (number >= 0 && eventOf(number, 2) !== nowhere) see(agent, eventOf(number, 2), eventOf(number, 3), number);
            }
        },
        /* The cells that an agent came from, the last one first; `number`: its event. */
        trail(number, most) {
            const found = [];
            for (let at = number, cell = eventOf(number, 2); found.length < most && (at = before(at)) >= 0 && eventOf(at, 2) !== nowhere;)
                if (eventOf(at, 2) !== cell) found.push((cell = eventOf(at, 2)));
            return found;
        },
        /* From which turn on it is there. */
        since: (number) => eventOf(number, 0),
        /* Goals reached until the turn that is shown. (Goals that move are not counted when they are caught.) */
        reached: () => (shownEvents ? more.words[2 * shownEvents - 1] : 0),
        /* The next turn at which something was edited, or the one before: the state before its edits. */
        editTurn(from, direction) {
            let low = 0, high = edits.count; // the first edit of this turn, or a later one
            const wanted = direction > 0 ? from + 1 : from;
            while (low < high) {
                const middle = (low + high) >> 1;
                if (editOf(middle, 0) < wanted) low = middle + 1;
                else high = middle;
            }
            if (direction > 0) return low < edits.count ? editOf(low, 0) : frames.length;
            return low ? editOf(low - 1, 0) : 0;
        },
    };
    return recording;
}

/* ---- recordings in files ---- */

const malformed = (what) => new Error(`its recording is malformed: ${what}`);

/* Whole rows of words, whose first one, the turn, ascends and is at most `turns`. */
function checkRows(words, width, turns, name) {
    if (words.length % width) throw malformed(`its ${name} are cut`);
    for (let i = 0, last = 0; i < words.length; i += width) {
        if (words[i] < last || words[i] > turns) throw malformed(`its ${name} are not in order`);
        last = words[i];
    }
}

/* Options as `cairn simulate` wrote them, a line each: { agents: '40', service: '' }. */
export function readOptions(text) {
    return Object.fromEntries(text.split('\n').filter(Boolean).map((line) => {
        const at = line.indexOf(' ');
        return at < 0 ? [line, ''] : [line.slice(0, at), line.slice(at + 1)];
    }));
}

/* `sections`: { options, events, edits, frames }, a text and words; `open`: the cells of the world. Throws if one does not fit the other. */
export function readRecording({ options, events, edits, frames }, open) {
    const recording = createRecording(open), inside = (cell) => cell < open.length, state = open.slice();
    if (!frames.length) throw malformed('it has no turns');
    checkRows(events, eventWords, frames.length, 'events');
    checkRows(edits, editWords, frames.length - 1, 'edits');
    for (let i = 0; i < events.length; i += eventWords) {
        const [turn, agent, cell, goal] = events.subarray(i, i + eventWords), isAway = cell === nowhere && goal === nowhere;
        if (turn > 0 ? agent >= recording.agents : agent !== recording.agents) throw malformed(`there is no agent ${agent}`);
        if (!isAway && !(inside(cell) && inside(goal))) throw malformed(`agent ${agent} is outside of the world`);
        recording.addEvent(turn, agent, cell, goal);
    }
    for (let i = 0; i < edits.length; i += editWords) {
        const [turn, cell, isOpen] = edits.subarray(i, i + editWords);
        if (!inside(cell) || isOpen > 1 || state[cell] === isOpen) throw malformed('an edit changes nothing');
        state[cell] = isOpen;
        recording.addEdit(turn, cell, isOpen);
    }
    for (const nanoseconds of frames) recording.frames.push(nanoseconds / 1e6);
    return { recording, options: readOptions(options) };
}
