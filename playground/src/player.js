/* player.js: the clock of a playback: at which event it is, where it is going, and how fast. It drives one or more fills, frame by frame,
 * and never does more in a frame than fits into it: a jump over half a million events is spread over several.
 */
const eventsAtATime = 4000;
const frameMs = 10;

export const speeds = [
    { value: '5', text: '5 / s' }, { value: '50', text: '50 / s' }, { value: '500', text: '500 / s' }, { value: '5000', text: '5 000 / s' },
    { value: '50000', text: '50 000 / s' }, { value: '500000', text: '500 000 / s' }, { value: 'whole', text: 'whole in 5 s' },
    { value: 'once', text: 'all at once' },
];

export function createPlayer() {
    const listeners = [];
    let trace = null, fill = null, now = 0, target = 0, running = false, speed = 'whole', frame = 0, before = 0, part = 0;

    const tell = () => listeners.forEach((heard) => heard());

    function wake() {
        if (!frame) frame = requestAnimationFrame(tick);
    }

    function rate() {
        return speed === 'whole' ? Math.max(10, trace.count / 5) : Number(speed);
    }

    /* Where the playback should be after this frame. */
    function advance(elapsed) {
        if (speed === 'once') target = trace.count;
        else {
            part += (elapsed / 1000) * rate();
            target = Math.min(trace.count, target + Math.floor(part));
            part -= Math.floor(part);
        }
        if (target === trace.count) running = false;
    }

    function tick(time) {
        frame = 0;
        if (!trace) return;
        if (running) advance(Math.min(100, time - before));
        before = time;
        const end = performance.now() + frameMs;
        while (now !== target && performance.now() < end) {
            const next = now < target ? Math.min(target, now + eventsAtATime) : Math.max(target, now - eventsAtATime);
            fill.play(now, next);
            now = next;
        }
        tell();
        if (running || now !== target) wake();
    }

    return {
        on: (heard) => listeners.push(heard),
        get at() { return now; },
        get target() { return target; },
        get count() { return trace?.count ?? 0; },
        get running() { return running; },
        get ended() { return !trace || target === trace.count; },
        setSpeed(value) {
            speed = value;
        },
        /* A new trace: shown whole, or from the beginning. */
        show(nextTrace, nextFill, whole) {
            [trace, fill, now, running, part] = [nextTrace, nextFill, 0, false, 0];
            fill.show(trace);
            target = trace && whole ? trace.count : 0;
            wake();
            tell();
        },
        play() {
            if (!trace) return;
            if (target === trace.count) {
                fill.show(trace);
                now = target = 0;
            }
            running = true;
            part = 0;
            before = performance.now();
            wake();
            tell();
        },
        pause() {
            running = false;
            tell();
        },
        seek(event) {
            if (!trace) return;
            running = false;
            target = Math.max(0, Math.min(trace.count, Math.round(event)));
            wake();
            tell();
        },
        step(events) {
            this.seek(target + events);
        },
        /* To the next expansion, or the one before. */
        stepExpansion(direction) {
            if (!trace) return;
            const expandedAt = (event) => (event > 0 ? trace.order[event - 1] : 0);
            let event = target;
            do event += direction;
            while (event > 0 && event < trace.count && expandedAt(event) === expandedAt(target));
            this.seek(event);
        },
    };
}
