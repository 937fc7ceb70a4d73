/* timeline.js: one line of time for the page, with one set of buttons and keys: of the simulation as long as one is shown, of the walk as long as somebody walks, else of the search. */
export function createTimeline(app) {
    const { player, walk, simulation } = app, listeners = [];
    const tell = () => listeners.forEach((heard) => heard());
    player.on(tell);
    walk.on(tell);
    simulation.on(tell);
    const isWalk = () => walk.phase !== 'none', played = () => (simulation.isShown() ? simulation.time : isWalk() ? walk.time : null);
    const current = () => played() ?? player;

    const timeline = {
        on: (heard) => listeners.push(heard),
        /* 'search', 'walk' or 'simulation'. */
        get of() { return simulation.isShown() ? 'simulation' : isWalk() ? 'walk' : 'search'; },
        get at() { return current().at; },
        get target() { return current().target; },
        get count() { return current().count; },
        get running() { return current().running; },
        play: () => current().play(),
        pause: () => current().pause(),
        toggle: () => (timeline.running ? timeline.pause() : timeline.play()),
        seek: (event) => current().seek(event),
        step: (events) => current().seek(current().target + events),
        /* To the next expansion of a search; to the next change or plan of a walk; to the next edit of a simulation. */
        stepFar: (direction) => (played() ? played().stepEvent(direction) : player.stepExpansion(direction)),
        toEnd: () => (played() ? played().toNow() : player.seek(player.count)),
        /* [{ turn, at, changes: how many, first: number of the first of them, isScripted }] */
        flags: () => played()?.flags() ?? [],
    };
    return timeline;
}
