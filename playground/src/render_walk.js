/* render_walk.js: an agent on its way: where it has been, where it is going, its subgoals, and itself. */

function trail(context, view, points) {
    context.beginPath();
    points.forEach(({ x, y }, i) => context[i ? 'lineTo' : 'moveTo']((x - view.x) * view.scale, (y - view.y) * view.scale));
    context.stroke();
}

/* A square, of which `half` is from the middle to a side. */
function square(context, view, { x, y }, half, fill, outline) {
    const at = view.toScreen(x, y);
    context.fillStyle = fill;
    context.strokeStyle = outline;
    context.beginPath();
    context.rect(at.x - half, at.y - half, 2 * half, 2 * half);
    context.fill();
    context.stroke();
}

/* `subgoals`: { coming, passed }. Those that lie behind are small and dark, those to come are hollow and joined by a dashed line, the one that the agent climbs to is large and full. */
export function drawSubgoals(context, view, { coming, passed }, { marks }) {
    const half = Math.max(3.5, view.scale * 0.22), [next, ...later] = coming;
    context.lineWidth = Math.max(1.5, half * 0.3);
    if (later.length) {
        context.strokeStyle = marks.path;
        context.setLineDash([half, half]);
        trail(context, view, coming);
        context.setLineDash([]);
    }
    for (const one of passed) square(context, view, one, half * 0.75, marks.trail, marks.casing);
    for (const one of later) square(context, view, one, half, marks.casing, marks.path);
    context.lineWidth = Math.max(2, half * 0.4);
    if (next) square(context, view, next, half * 1.4, marks.path, marks.outline);
}

/* `walk`: { trail, ahead, at, phase }. */
export function drawWalk(context, view, walk, { marks }) {
    const width = Math.max(2.5, view.scale * 0.2);
    context.lineJoin = context.lineCap = 'round';
    for (const [points, colour] of [[walk.trail, marks.trail], [walk.ahead.length ? [walk.at, ...walk.ahead.slice(1)] : [], marks.path]]) {
        if (points.length < 2) continue;
        context.strokeStyle = marks.casing;
        context.lineWidth = width + Math.max(1.5, view.scale * 0.1);
        trail(context, view, points);
        context.strokeStyle = colour;
        context.lineWidth = width;
        trail(context, view, points);
    }
}

/* Above start and goal. */
export function drawAgent(context, view, walk, { marks }) {
    const at = view.toScreen(walk.at.x, walk.at.y), radius = Math.max(6, view.scale * 0.4);
    context.beginPath();
    context.arc(at.x, at.y, radius, 0, 7);
    context.fillStyle = walk.phase === 'stopped' ? marks.current : marks.agent;
    context.strokeStyle = marks.casing;
    context.lineWidth = Math.max(2, radius * 0.3);
    context.fill();
    context.stroke();
    context.lineWidth = 1;
    context.strokeStyle = marks.outline;
    context.beginPath();
    context.arc(at.x, at.y, radius + Math.max(1, radius * 0.15), 0, 7);
    context.stroke();
}
