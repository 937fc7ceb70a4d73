/* bar_chart.js: a number of every turn as a row of bars, on a scale by powers of ten: most turns cost little, some much. Of more turns than there is room for, each bar is the largest of some. */
import { count } from './format.js';

const height = 64;

/* `test`: its name for tests. */
export function createBarChart(test) {
    const canvas = document.createElement('canvas');
    canvas.className = 'chart';
    canvas.dataset.test = test;
    canvas.setAttribute('role', 'img');

    return {
        element: canvas,
        /* `turns`: how many; `valueOf(turn)`; `least`: what is shown as 1; `styleOf(first, end)`: the colour of the bar of these turns, as a name of style.css; `about`: what it shows, `caption`: what is written above. */
        draw({ turns, valueOf, most, least = 1, styleOf, about, caption }) {
            const ratio = globalThis.devicePixelRatio || 1, width = canvas.clientWidth || 308, style = getComputedStyle(canvas);
            canvas.width = Math.round(width * ratio);
            canvas.height = Math.round(height * ratio);
            canvas.setAttribute('aria-label', turns ? `${about} of ${count(turns)} turns: ${caption}` : `${about} of every turn`);
            const context = canvas.getContext('2d'), bars = Math.min(turns, Math.floor(width / 2)), scaled = (value) => Math.log10(1 + value / least);
            context.scale(ratio, ratio);
            context.fillStyle = style.getPropertyValue('--line');
            context.fillRect(0, height - 1, width, 1);
            const top = scaled(Math.max(10 * least, most)), wide = Math.max(1, Math.min(6, width / Math.max(1, bars) - 1));
            for (let i = 0; i < bars; i++) {
                const first = Math.floor((i * turns) / bars), end = Math.floor(((i + 1) * turns) / bars);
                let value = 0;
                for (let turn = first; turn < end; turn++) value = Math.max(value, valueOf(turn));
                const high = (scaled(value) / top) * (height - 14);
                context.fillStyle = style.getPropertyValue(styleOf(first, end));
                context.fillRect((i * width) / Math.max(bars, width / 7), height - 1 - high, wide, high);
            }
            context.fillStyle = style.getPropertyValue('--faint');
            context.font = '12px system-ui, sans-serif';
            if (turns) context.fillText(caption, 0, 11);
        },
    };
}
