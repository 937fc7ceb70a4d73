// grid_chart.mjs: lines on two logarithmic axes, as SVG. Told apart by colour (Okabe and Ito's, which people with any kind of
// colour vision can tell apart), by marker, and by the name at the end of each line, which comes in the order of the ends.

const width = 920;
const sides = { left: 74, right: 690, top: 48 };
const lowest = 436; // the bottom, unless more names need more room
const colours = ["#000000", "#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#7f7f7f"];
const markers = [
    (x, y) => `<circle cx="${x}" cy="${y}" r="3.6"/>`,
    (x, y) => `<path d="M${x - 3.4} ${y - 3.4}h6.8v6.8h-6.8z"/>`,
    (x, y) => `<path d="M${x} ${y - 4.6}l4.4 7.6h-8.8z"/>`,
    (x, y) => `<path d="M${x} ${y - 5}l5 5l-5 5l-5 -5z"/>`,
    (x, y) => `<path d="M${x} ${y + 4.6}l4.4 -7.6h-8.8z"/>`,
];
const gap = 17; // between two names
const plotOf = (names) => ({ ...sides, bottom: Math.max(lowest, sides.top + gap * names) });

const round = (n) => Math.round(n * 10) / 10;

function duration(us) {
    if (us >= 1e6) return `${us / 1e6} s`;
    return us >= 1e3 ? `${us / 1e3} ms` : `${us} µs`;
}

function axes(chart, plot, toX, toY, low, high) {
    const parts = [];
    for (const x of chart.ticks) {
        parts.push(`<path d="M${toX(x)} ${plot.top}V${plot.bottom}" class="grid"/>`);
        parts.push(`<text x="${toX(x)}" y="${plot.bottom + 18}" text-anchor="middle">${x}</text>`);
    }
    for (let decade = low; decade <= high; decade++) {
        const y = toY(10 ** decade);
        parts.push(`<path d="M${plot.left} ${y}H${plot.right}" class="grid"/>`);
        parts.push(`<text x="${plot.left - 8}" y="${y + 4}" text-anchor="end">${(chart.label ?? duration)(10 ** decade)}</text>`);
    }
    const middle = (plot.left + plot.right) / 2;
    parts.push(`<text x="${middle}" y="${plot.bottom + 42}" text-anchor="middle">${chart.across}</text>`);
    parts.push(`<text x="${plot.left}" y="26" class="title">${chart.title}</text>`);
    return parts;
}

// Names beside the ends, moved apart where they would cover each other.
function places(lines, plot, toY) {
    const wanted = lines.map((line, i) => ({ i, y: toY(line.points.at(-1).y) })).sort((a, b) => a.y - b.y);
    for (let k = 1; k < wanted.length; k++) wanted[k].y = Math.max(wanted[k].y, wanted[k - 1].y + gap);
    const over = Math.max(0, (wanted.at(-1)?.y ?? 0) - plot.bottom);
    let limit = Infinity;
    for (const place of wanted.reverse()) {
        place.y = Math.min(place.y, limit, over ? plot.bottom : Infinity);
        limit = place.y - gap;
    }
    const result = [];
    for (const place of wanted) result[place.i] = round(place.y);
    return result;
}

function drawLine(line, plot, toX, toY, nameY, lastTick) {
    const colour = colours[line.style % colours.length];
    const marker = markers[line.style % markers.length];
    const dash = line.style >= colours.length ? ' stroke-dasharray="6 4"' : "";
    const at = line.points.map((p) => [toX(p.x), toY(p.y)]);
    const [endX, endY] = at.at(-1);
    const ended = line.points.at(-1).x < lastTick;
    const nameX = plot.right + 34;
    const name = ended ? `${line.name} (to ${line.points.at(-1).x})` : line.name;
    return [
        `<g stroke="${colour}" fill="${colour}">`,
        `<polyline points="${at.map((p) => p.join(",")).join(" ")}" fill="none" stroke-width="2"${dash}/>`,
        ...at.map(([x, y]) => marker(x, y)),
        ended ? "" : `<path d="M${endX + 6} ${endY}L${nameX - 14} ${nameY}" stroke-width="0.7" fill="none"/>`,
        marker(nameX - 6, nameY),
        `<text x="${nameX + 4}" y="${nameY + 4}" stroke="none">${name}</text>`,
        "</g>",
    ].filter(Boolean);
}

// chart: { title, across, ticks, lines: [{ name, style, points: [{ x, y }] }], marks: [{ y, text }] }; y in microseconds, or what `label` makes
// a text of.
export function draw(chart) {
    const plot = plotOf(chart.lines.length);
    const height = plot.bottom + 64;
    const values = chart.lines.flatMap((line) => line.points.map((p) => p.y));
    const low = Math.floor(Math.log10(Math.min(...values)));
    const high = Math.ceil(Math.log10(Math.max(...values)));
    const first = Math.log(chart.ticks[0]);
    const span = Math.log(chart.ticks.at(-1)) - first || 1;
    const toX = (x) => round(plot.left + 14 + ((Math.log(x) - first) / span) * (plot.right - plot.left - 28));
    const toY = (y) => round(plot.bottom - ((Math.log10(y) - low) / (high - low || 1)) * (plot.bottom - plot.top));
    const names = places(chart.lines, plot, toY);
    const marks = chart.marks
        .filter((mark) => Math.log10(mark.y) > low && Math.log10(mark.y) < high)
        .flatMap((mark) => [
            `<path d="M${plot.left} ${toY(mark.y)}H${plot.right}" class="mark"/>`,
            `<text x="${plot.left + 8}" y="${toY(mark.y) - 5}" class="remark">${mark.text}</text>`,
        ]);
    return [
        `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}">`,
        "<style>text{font:13px sans-serif;fill:#222}.title{font-size:16px;font-weight:bold}.grid{stroke:#ddd}" +
            ".mark{stroke:#888;stroke-dasharray:3 4}.remark{fill:#555;font-size:12px}</style>",
        `<rect width="${width}" height="${height}" fill="#fff"/>`,
        ...axes(chart, plot, toX, toY, low, high),
        ...marks,
        ...chart.lines.flatMap((line, i) => drawLine(line, plot, toX, toY, names[i], chart.ticks.at(-1))),
        "</svg>",
        "",
    ].join("\n");
}
