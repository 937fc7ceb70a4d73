/* render_simulation.js: the agents of a simulation: dots with a short trail, each of one of eight colours, and their goals, small hollow squares of the same. */
import { nowhere } from './recording.js';

/* Seen on light and on dark ground, and, but for two of them, told apart without seeing red and green. */
export const agentColours = ['#1f7fd1', '#d9601a', '#0f9d76', '#c85aa5', '#a87b08', '#1f9fc0', '#8a63d2', '#c0394f'];
const trailCells = 6;

/* `glide`: over so many turns an agent glides from the cell before to its own; 0 = it is where it is. */
export function drawSimulation(context, view, { recording, glide }, { geometry }, { marks, isDark }) {
    const groups = agentColours.map(() => ({ agents: [], goals: [], trails: [] })), radius = Math.max(3, view.scale * 0.4), half = Math.max(2, view.scale * 0.26);
    const inSight = ({ x, y }) => x > -radius && y > -radius && x < view.width + radius && y < view.height + radius;
    const screen = (cell) => {
        const { x, y } = geometry.centre(cell);
        return view.toScreen(x, y);
    };
    /* On the way between neighbours; who comes from elsewhere is there. */
    const between = (from, to, part) => {
        if (!from || part >= 1 || Math.hypot(to.x - from.x, to.y - from.y) > 1.6 * view.scale) return to;
        return { x: from.x + (to.x - from.x) * part, y: from.y + (to.y - from.y) * part };
    };
    recording.each((agent, cell, goal, number) => {
        const group = groups[agent % groups.length], trail = recording.trail(number, trailCells).map(screen);
        const place = glide ? between(trail[0], screen(cell), (recording.turn - recording.since(number) + 1) / glide) : screen(cell);
        if (goal !== nowhere && goal !== cell) group.goals.push(screen(goal));
        if (!inSight(place)) return;
        group.agents.push(place);
        group.trails.push([place, ...trail]);
    });

    context.lineJoin = context.lineCap = 'round';
    groups.forEach(({ trails }, i) => {
        context.strokeStyle = agentColours[i];
        context.globalAlpha = 0.4;
        context.lineWidth = Math.max(1.5, view.scale * 0.24);
        context.beginPath();
        for (const points of trails) points.forEach(({ x, y }, k) => context[k ? 'lineTo' : 'moveTo'](x, y));
        context.stroke();
    });
    context.globalAlpha = 1;
    context.lineWidth = Math.max(1.25, view.scale * 0.12);
    groups.forEach(({ goals }, i) => { // hollow
        context.strokeStyle = agentColours[i];
        context.beginPath();
        for (const { x, y } of goals) if (inSight({ x, y })) context.rect(x - half, y - half, 2 * half, 2 * half);
        context.stroke();
    });
    context.lineWidth = Math.max(0.75, radius * 0.2);
    context.strokeStyle = isDark ? marks.casing : marks.outline;
    groups.forEach(({ agents }, i) => {
        context.fillStyle = agentColours[i];
        context.beginPath();
        for (const { x, y } of agents) {
            context.moveTo(x + radius, y);
            context.arc(x, y, radius, 0, 7);
        }
        context.fill();
        context.stroke();
    });
}
