/* plot.js: points and curves on two axes, as SVG: colours come from the style, so both themes are served. Points can be picked: the nearest one under
 * the pointer is ringed, and a click tells which it is.
 */
const space = 'http://www.w3.org/2000/svg';
const margin = { left: 44, right: 12, top: 24, bottom: 36 };
const reach = 14;

function shape(tag, attributes, ...children) {
    const element = document.createElementNS(space, tag);
    for (const [name, value] of Object.entries(attributes)) if (value !== undefined) element.setAttribute(name, value);
    element.append(...children);
    return element;
}

/* An axis from least to most: { place(value) → 0…1, ticks }. Logarithmic ones begin at a power of ten. */
export function createAxis(least, most, isLog) {
    if (isLog) {
        const low = Math.floor(Math.log10(least)), high = Math.max(low + 1, Math.ceil(Math.log10(most) - 1e-9));
        const ticks = [], every = Math.ceil((high - low) / 5);
        for (let power = low; power <= high; power += every) ticks.push(10 ** power);
        return { place: (value) => (Math.log10(Math.max(value, 10 ** low)) - low) / (high - low), ticks };
    }
    const span = most - least || 1, rough = span / 4, unit = 10 ** Math.floor(Math.log10(rough));
    const step = unit * [1, 2, 5, 10].find((factor) => factor * unit >= rough * 0.999);
    const low = Math.floor(least / step + 1e-9) * step, high = Math.ceil(most / step - 1e-9) * step || step, ticks = [];
    for (let i = 0; low + i * step <= high + step / 2; i++) ticks.push(low + i * step);
    return { place: (value) => (value - low) / (high - low || 1), ticks };
}

/* `series`: [{ index, points: [{ x, y, problem }], curve }]; `across`, `down`: { axis, text(value), name }. `picked(problem, index)` and `describe` for points. */
export function createPlot({ test, title, series, across, down, width = 308, height = 200, picked, describe }) {
    const right = width - margin.right, bottom = height - margin.bottom;
    const toX = (value) => margin.left + across.axis.place(value) * (right - margin.left);
    const toY = (value) => bottom - down.axis.place(value) * (bottom - margin.top);
    const round = (value) => Math.round(value * 10) / 10;
    const plot = shape('svg', { class: 'plot', viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': `${title}: ${down.name} against ${across.name}`, 'data-test': test });

    plot.append(shape('text', { class: 'title', x: 0, y: 13 }, title));
    for (const value of down.axis.ticks)
        plot.append(shape('line', { class: 'tick', x1: margin.left, x2: right, y1: round(toY(value)), y2: round(toY(value)) }),
            shape('text', { x: margin.left - 6, y: round(toY(value)) + 4, 'text-anchor': 'end' }, down.text(value)));
    for (const [i, value] of across.axis.ticks.entries())
        plot.append(shape('line', { class: 'tick', x1: round(toX(value)), x2: round(toX(value)), y1: margin.top, y2: bottom }),
            shape('text', { x: round(toX(value)), y: bottom + 14, 'text-anchor': i && i === across.axis.ticks.length - 1 ? 'end' : 'middle' }, across.text(value)));
    plot.append(shape('rect', { class: 'frame', x: margin.left, y: margin.top, width: right - margin.left, height: bottom - margin.top }),
        shape('text', { x: (margin.left + right) / 2, y: height - 5, 'text-anchor': 'middle' }, across.name));

    const placed = [];
    for (const { index, points, curve } of series) {
        const at = points.map((point) => ({ ...point, index, left: round(toX(point.x)), top: round(toY(point.y)) }));
        placed.push(...at);
        if (curve) plot.append(shape('path', { class: `curve series-${index}`, d: at.map(({ left, top }, i) => (i ? `H${left}V${top}` : `M${left} ${top}`)).join('') }));
        else plot.append(shape('path', { class: `dots series-${index}`, d: at.map(({ left, top }) => `M${left} ${top}h0`).join('') }));
    }

    const ring = shape('circle', { class: 'ring', r: 6, visibility: 'hidden' }), tip = shape('title', {});
    plot.append(ring, tip);
    const nearest = (event) => {
        const box = plot.getBoundingClientRect(), scale = width / box.width, x = (event.clientX - box.left) * scale, y = (event.clientY - box.top) * scale;
        let best = null, least = reach * scale;
        for (const point of placed) {
            const distance = Math.hypot(point.left - x, point.top - y);
            if (distance < least) [best, least] = [point, distance];
        }
        return best;
    };
    const mark = (point) => {
        ring.setAttribute('visibility', point ? 'visible' : 'hidden');
        plot.style.cursor = point ? 'pointer' : 'default';
        tip.textContent = point ? describe(point) : '';
        if (point) for (const [name, value] of [['cx', point.left], ['cy', point.top]]) ring.setAttribute(name, value);
    };
    plot.addEventListener('pointermove', (event) => mark(nearest(event)));
    plot.addEventListener('pointerleave', () => mark(null));
    plot.addEventListener('click', (event) => {
        const point = nearest(event);
        if (point) picked(point.problem, point.index);
    });
    plot.points = placed; // for tests
    return plot;
}
