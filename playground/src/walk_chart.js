/* walk_chart.js: the work of every turn as a row of bars, on a scale by powers of ten: most turns look along the path, some plan. */
import { count } from './format.js';

const height = 64;

export function createWalkChart() {
    const canvas = document.createElement('canvas');
    canvas.className = 'chart';
    canvas.dataset.test = 'walk-chart';
    canvas.setAttribute('role', 'img');

    return {
        element: canvas,
        draw(turns, most) {
            const ratio = globalThis.devicePixelRatio || 1, width = canvas.clientWidth || 308, style = getComputedStyle(canvas);
            canvas.width = Math.round(width * ratio);
            canvas.height = Math.round(height * ratio);
            canvas.setAttribute('aria-label', turns.length ? `Work of ${count(turns.length)} turns, at most ${count(most)} units` : 'Work of every turn');
            const context = canvas.getContext('2d'), bars = Math.min(turns.length, Math.floor(width / 2));
            context.scale(ratio, ratio);
            context.fillStyle = style.getPropertyValue('--line');
            context.fillRect(0, height - 1, width, 1);
            const top = Math.log10(1 + Math.max(10, most)), wide = Math.max(1, Math.min(6, width / Math.max(1, bars) - 1));
            for (let i = 0; i < bars; i++) {
                const part = turns.slice(Math.floor((i * turns.length) / bars), Math.floor(((i + 1) * turns.length) / bars));
                const work = Math.max(...part.map((turn) => turn.work)), high = (Math.log10(1 + work) / top) * (height - 14);
                context.fillStyle = style.getPropertyValue(part.some((turn) => turn.kind === 'stop') ? '--wrong' : part.some((turn) => turn.plans || turn.broken) ? '--series-1' : '--accent');
                context.fillRect((i * width) / Math.max(bars, width / 7), height - 1 - high, wide, high);
            }
            context.fillStyle = style.getPropertyValue('--faint');
            context.font = '12px system-ui, sans-serif';
            if (turns.length) context.fillText(`most: ${count(most)} units of work`, 0, 11);
        },
    };
}
