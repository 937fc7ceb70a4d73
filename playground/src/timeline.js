/* timeline.js: one line of time for the page, with one set of buttons and keys: of the walk as long as somebody walks, else of the search. */
export function createTimeline(app) {
    const { player, walk } = app, listeners = [];
    const tell = () => listeners.forEach((heard) => heard());
    player.on(tell);
    walk.on(tell);
    const isWalk = () => walk.phase !== 'none';
    const current = () => (isWalk() ? walk.time : player);

    const timeline = {
        on: (heard) => listeners.push(heard),
        isWalk,
        get at() { return current().at; },
        get target() { return current().target; },
        get count() { return current().count; },
        get running() { return current().running; },
        play: () => current().play(),
        pause: () => current().pause(),
        toggle: () => (timeline.running ? timeline.pause() : timeline.play()),
        seek: (event) => current().seek(event),
        step: (events) => current().seek(current().target + events),
        /* To the next expansion of a search; to the next change or plan of a walk. */
        stepFar: (direction) => (isWalk() ? walk.time.stepEvent(direction) : player.stepExpansion(direction)),
        toEnd: () => (isWalk() ? walk.time.toNow() : player.seek(player.count)),
        /* [{ turn, at, changes: how many, first: number of the first of them, isScripted }] */
        flags: () => (isWalk() ? walk.time.flags() : []),
    };
    return timeline;
}
