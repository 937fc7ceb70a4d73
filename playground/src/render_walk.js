/* render_walk.js: an agent on its way: where it has been, where it is going, and itself. */

function trail(context, view, points) {
    context.beginPath();
    points.forEach(({ x, y }, i) => context[i ? 'lineTo' : 'moveTo']((x - view.x) * view.scale, (y - view.y) * view.scale));
    context.stroke();
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
