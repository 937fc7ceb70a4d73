/* player.js: the clock of a playback: at which event it is, where it is going, and how fast. It drives one or more fills, one of every map, frame by frame,
 * and never does more in a frame than fits into it: a jump over half a million events is spread over several.
 *
 * Each map has a track: a trace, its fill, and how far that has been played. The playback is as long as its longest track; others are either at the same event
 * or at the same part of their whole (`together`).
 */
const eventsAtATime = 4000;
const frameMs = 10;

export const speeds = [
    { value: '5', text: '5 / s' }, { value: '50', text: '50 / s' }, { value: '500', text: '500 / s' }, { value: '5000', text: '5 000 / s' },
    { value: '50000', text: '50 000 / s' }, { value: '500000', text: '500 000 / s' }, { value: 'whole', text: 'whole in 5 s' },
    { value: 'once', text: 'all at once' },
];

export const togethers = [{ value: 'event', text: 'the same event' }, { value: 'part', text: 'the same part' }];

export function createPlayer() {
    const listeners = [], tracks = new Map();
    let count = 0, target = 0, wish = Infinity, running = false, speed = 'whole', together = 'event', frame = 0, before = 0, part = 0;

    const tell = () => listeners.forEach((heard) => heard());

    function wake() {
        if (!frame) frame = requestAnimationFrame(tick);
    }

    function rate() {
        return speed === 'whole' ? Math.max(10, count / 5) : Number(speed);
    }

    /* Where a track is when the playback is at `event`. */
    function placeOf(track, event) {
        if (!track.trace) return 0;
        if (together === 'event') return Math.min(event, track.trace.count);
        return count ? Math.round((event * track.trace.count) / count) : 0;
    }

    function longest() {
        return [...tracks.values()].reduce((best, track) => ((track.trace?.count ?? -1) > (best?.trace?.count ?? -1) ? track : best), null);
    }

    const arrived = () => [...tracks.values()].every((track) => track.now === placeOf(track, target));

    /* Where the playback should be after this frame. */
    function advance(elapsed) {
        if (speed === 'once') target = count;
        else {
            part += (elapsed / 1000) * rate();
            target = Math.min(count, target + Math.floor(part));
            part -= Math.floor(part);
        }
        want(target);
        if (target === count) running = false;
    }

    /* The event at which the user has the playback: no trace that comes later moves it elsewhere. */
    function want(event) {
        wish = event === count ? Infinity : event;
    }

    function move(track, end) {
        const goal = placeOf(track, target);
        while (track.now !== goal && performance.now() < end) {
            const next = track.now < goal ? Math.min(goal, track.now + eventsAtATime) : Math.max(goal, track.now - eventsAtATime);
            track.fill.play(track.now, next);
            track.now = next;
        }
    }

    function tick(time) {
        frame = 0;
        if (running) advance(Math.min(100, time - before));
        before = time;
        const begin = performance.now();
        let served = 0;
        for (const track of tracks.values()) move(track, begin + (frameMs * ++served) / tracks.size);
        tell();
        if (running || !arrived()) wake();
    }

    /* The tracks are others than before: the playback is at the event at which it was wanted last, or at the end if it was wanted there. */
    function changed() {
        count = longest()?.trace?.count ?? 0;
        if (!count) wish = Infinity; // nothing to play: the next trace is shown whole
        target = Math.min(wish, count);
        if (target === count) running = false;
        wake();
        tell();
    }

    function rewind() {
        target = 0;
        want(0);
        for (const track of tracks.values()) {
            track.fill.show(track.trace);
            track.now = 0;
        }
    }

    return {
        on: (heard) => listeners.push(heard),
        /* How far the longest track has been played. */
        get at() { return arrived() ? target : longest()?.now ?? 0; },
        get target() { return target; },
        get count() { return count; },
        get running() { return running; },
        get ended() { return target === count; },
        get together() { return together; },
        /* How far the track of this key has been played. */
        placeOn: (key) => tracks.get(key)?.now ?? 0,
        setSpeed(value) {
            speed = value;
        },
        setTogether(value) {
            together = value;
            wake();
            tell();
        },
        /* A new trace: shown up to the event at which the playback was, and played on from there if it was running. */
        show(key, trace, fill) {
            fill.show(trace);
            tracks.set(key, { trace, fill, now: 0 });
            changed();
        },
        remove(key) {
            if (tracks.delete(key)) changed();
        },
        play() {
            if (!count) return;
            if (target === count) rewind();
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
            running = false;
            target = Math.max(0, Math.min(count, Math.round(event)));
            want(target);
            wake();
            tell();
        },
        step(events) {
            this.seek(target + events);
        },
        /* To the next expansion, or the one before, of the longest track. */
        stepExpansion(direction) {
            if (!count) return;
            const { order } = longest().trace, expandedAt = (event) => (event > 0 ? order[event - 1] : 0);
            let event = target;
            do event += direction;
            while (event > 0 && event < count && expandedAt(event) === expandedAt(target));
            this.seek(event);
        },
    };
}
