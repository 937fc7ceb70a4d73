/* walk_story.js: what happens on a walk, told in lines: "step 12: the way is blocked, index repaired and planned anew in 0.3 ms, 412 units of work". */
import { count, milliseconds } from './format.js';

const linesKept = 500;

/* What one turn did, in words; '' if it was a step like any other. */
export function turnText(turn, isFirst) {
    const parts = [];
    if (turn.changes) parts.push(turn.changes[1] - turn.changes[0] === 1 ? 'the script changes the world' : `the script makes ${turn.changes[1] - turn.changes[0]} changes`);
    if (turn.isFirst) parts.push('the world has changed: the old path is followed while the index is built again in the background');
    if (turn.rebuilt) parts.push('the new index is there');
    if (turn.broken) parts.push('the way is blocked');
    const done = [turn.syncs ? 'index repaired' : '', turn.plans ? (isFirst ? 'planned' : 'planned anew') : turn.pieces ? 'next piece planned' : ''].filter(Boolean);
    if (done.length) parts.push(`${done.join(' and ')} in ${milliseconds(turn.ms)}, ${count(turn.work)} units of work${turn.turns > 1 ? ` in ${count(turn.turns)} turns` : ''}`);
    if (turn.kind === 'stop') parts.push(`${turn.inFog ? 'it knows of no path' : 'no path is left'} (${turn.statusText})`);
    if (turn.arrived) parts.push('arrived');
    return parts.join(', ');
}

/* Two turns of which the first was spent thinking. */
function together(a, b) {
    const changes = a.changes && b.changes ? [a.changes[0], b.changes[1]] : a.changes ?? b.changes;
    const sum = (name) => a[name] + b[name];
    return { ...b, at: a.at, changes, broken: a.broken || b.broken, rebuilt: a.rebuilt || b.rebuilt, syncs: sum('syncs'), plans: sum('plans'), pieces: sum('pieces'), work: sum('work'), ms: sum('ms'), turns: a.turns + 1 };
}

export function createStory() {
    const lines = [], story = { lines, walks: 0 };
    let total = 0, whole = null, stands = false, planned = false; // whole: the turns of one thought, as one

    function note(step, text) {
        const last = lines[lines.length - 1];
        if (last?.step === step && last.text === text) return;
        lines.push({ number: ++total, step, text });
        if (lines.length > linesKept) lines.shift();
    }

    return Object.assign(story, {
        clear({ indexBytes, buildMs }) {
            lines.length = 0;
            story.walks++;
            [whole, stands, planned] = [null, false, false];
            if (indexBytes) note(0, `index built in ${milliseconds(buildMs)}`);
        },
        note,
        add(turn) {
            whole = whole ? together(whole, turn) : { ...turn, turns: 1 };
            if (turn.kind === 'think') return;
            const text = turnText(whole, !planned), wasStanding = stands;
            stands = turn.kind === 'stop';
            if (whole.plans) planned = true;
            if (text && !(stands && wasStanding && !whole.plans && !whole.changes)) note(whole.at, text);
            whole = null;
        },
    });
}
