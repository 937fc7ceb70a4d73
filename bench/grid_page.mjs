// grid_page.mjs: makes docs/performance.md and its charts from build/grid/results.json (see grid_run.mjs), bench/instructions.txt
// and bench/reference.txt. The text of the page is written by hand; what stands between the lines
//
//     <!-- NAME: made by bench/grid -->  and  <!-- end of NAME -->
//
// is made here. A run that did not measure everything leaves the page alone and writes its own into build/grid.
import fs from "node:fs";
import { draw } from "./grid_chart.mjs";

const results = JSON.parse(fs.readFileSync("build/grid/results.json", "utf8"));
const folder = results.whole ? "docs" : "build/grid";
const registry = new Map(results.algorithms.map((a) => [a.name, a]));

// Some searches give up long paths: how long they take says little, and nothing is drawn of it.
const gaveUp = (row) => registry.get(row.algorithm).exponential && row.solved < row.problems;

// ---- words ----

function digits(n) {
    if (n === null || n === undefined || !Number.isFinite(n)) return "–";
    if (n >= 999.5) return Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, ",");
    return n >= 100 ? n.toFixed(0) : n >= 10 ? n.toFixed(1) : n >= 1 ? n.toFixed(2) : n.toPrecision(2);
}

function bytes(n) {
    if (n === null || n === undefined) return "–";
    if (n < 1024) return `${n} B`;
    return n < 1024 * 1024 ? `${digits(n / 1024)} KB` : `${digits(n / 1024 / 1024)} MB`;
}

function duration(us) {
    if (us === null || us === undefined) return "–";
    return us < 1000 ? `${digits(us)} µs` : us < 1e6 ? `${digits(us / 1e3)} ms` : `${digits(us / 1e6)} s`;
}

const longer = (fraction) => (fraction === null ? "–" : Math.abs(fraction) < 5e-6 ? "0" : `${digits(fraction * 100)} %`);
const times = (factor) => (factor === null || !Number.isFinite(factor) ? "–" : `${digits(factor)}×`);
const code = (name) => `\`${name}\``;

function geometric(numbers) {
    const good = numbers.filter((n) => n > 0);
    return good.length ? Math.exp(good.reduce((sum, n) => sum + Math.log(n), 0) / good.length) : NaN;
}

const mean = (numbers) => numbers.reduce((sum, n) => sum + n, 0) / numbers.length;

// First column and `words` to the left, the rest to the right.
function table(headings, rows, words = 1) {
    const line = (cells) => `| ${cells.join(" | ")} |`;
    const rule = `|${headings.map((_, i) => (i < words ? "---" : "--:")).join("|")}|`;
    return [line(headings), rule, ...rows.map(line)].join("\n");
}

// ---- counts ----

function readColumns(name) {
    const lines = fs.readFileSync(name, "utf8").split("\n");
    return lines.filter((line) => line && line[0] !== "#").map((line) => line.split(/\s+/));
}

const counts = new Map(
    readColumns("bench/instructions.txt").map(([map, , algorithm, queries, , , instructions, misses]) => [
        `${map} ${algorithm}`,
        { queries: Number(queries), instructions: Number(instructions), misses: Number(misses) },
    ]),
);
const references = readColumns("bench/reference.txt").map(([map, , astar, jps2, jps2plus]) => ({
    map,
    astar: Number(astar),
    jps2: Number(jps2),
    jps2plus: Number(jps2plus),
}));
const countOf = (map, algorithm) => counts.get(`${map} ${algorithm}`);

// ---- which to take ----

// An algorithm over all maps it was measured on.
function overall(name) {
    const rows = results.rows.filter((row) => row.algorithm === name && !row.problem);
    const cells = (row) => {
        const map = results.maps.find((m) => m.name === row.map);
        return map.width * map.height;
    };
    const indexed = rows.filter((row) => row.index_bytes !== null);
    return {
        name,
        maps: rows.length,
        speed: geometric(rows.map((row) => 1 / row.ratio)),
        least: Math.min(...rows.map((row) => 1 / row.ratio)),
        most: Math.max(...rows.map((row) => 1 / row.ratio)),
        longer: mean(rows.map((row) => row.suboptimality_mean ?? 0)),
        bytes: indexed.length ? mean(indexed.map((row) => row.index_bytes / cells(row))) : null,
        build: indexed.length ? mean(indexed.map((row) => (row.index_build_ms * 1e6) / cells(row))) : null,
        solved: rows.some(gaveUp) ? mean(rows.map((row) => row.solved / row.problems)) : 1,
        info: registry.get(name),
    };
}

const ranking = results.algorithms
    .map((a) => overall(a.name))
    .filter((a) => a.maps)
    .sort((a, b) => b.speed - a.speed);

function finds(info) {
    return info.optimal ? "the cheapest path" : info.bounded ? "a bounded path" : "a path";
}

function choice() {
    // Who finds the cheapest path also finds one that is not much longer.
    const rules = [
        ["the cheapest path, nothing computed beforehand", (a) => a.info.optimal && !a.info.needs_index],
        ["the cheapest path, an index may be built", (a) => a.info.optimal],
        ["a path that may be somewhat longer", (a) => (a.info.optimal || a.info.bounded) && !a.info.needs_index],
        ["any path", (a) => !a.info.needs_index],
    ];
    const rows = rules.flatMap(([want, fits]) => {
        const best = ranking.find((a) => a.solved === 1 && fits(a));
        if (!best) return [];
        const index = best.bytes === null ? "none" : `${digits(best.bytes)} bytes a cell, ${digits(best.build)} ns a cell to build`;
        return [[want, code(best.name), times(best.speed), `${times(best.least)} to ${times(best.most)}`, longer(best.longer), index]];
    });
    return table(["wanted", "take", "speed-up over `astar`", "least and most of a map", "longer", "index"], rows, 2);
}

function allOfThem() {
    const rows = ranking.map((a) => [
        `[${code(a.name)}](algorithms/${a.name}.md)`,
        a.solved < 1 ? `${finds(a.info)}, in ${digits(a.solved * 100)} % of the problems` : finds(a.info),
        times(a.speed),
        `${times(a.least)} to ${times(a.most)}`,
        longer(a.longer),
        a.bytes === null ? "–" : digits(a.bytes),
        a.build === null ? "–" : digits(a.build),
    ]);
    const headings = ["algorithm", "finds", "speed-up over `astar`", "least and most of a map", "longer"];
    return table([...headings, "index, bytes a cell", "build, ns a cell"], rows, 2);
}

// ---- the yardstick ----

function shares(algorithms, column) {
    const counted = references.filter((r) => algorithms.some((a) => countOf(r.map, a.name)));
    const rows = algorithms
        .filter((a) => counted.some((r) => countOf(r.map, a.name)))
        .map((a) => {
            const all = counted.map((r) => (countOf(r.map, a.name)?.instructions ?? NaN) / r[column]);
            return [code(a.name), ...all.map((share) => (Number.isFinite(share) ? share.toFixed(3) : "–")), geometric(all).toFixed(3)];
        });
    return rows.length ? table(["algorithm", ...counted.map((r) => shortName(r.map)), "geometric mean"], rows) : "";
}

const shortName = (map) => map.replace(/^.*\//, "").replace(/\.map$/, "");

function yardstick() {
    const paragraphs = [
        table(
            ["map", "queries", "A\\*", "JPS2", "JPS2+"],
            references.map((r) => [
                r.map,
                countOf(r.map, "astar")?.queries ?? "–",
                ...[r.astar, r.jps2, r.jps2plus].map(digits),
            ]),
        ),
    ];
    const add = (text, algorithms, column) => {
        const made = shares(algorithms, column);
        if (made) paragraphs.push(text, made);
    };
    const honest = results.algorithms.filter((a) => a.optimal || a.bounded);
    const exact = results.algorithms.filter((a) => a.optimal && a.name !== "dijkstra");
    add("Ours as a share of the A\\* column:", honest, "astar");
    add("Without an index, as a share of the JPS2 column:", exact.filter((a) => !a.needs_index), "jps2");
    add("With an index, as a share of the JPS2+ column:", exact.filter((a) => a.needs_index), "jps2plus");
    return paragraphs.join("\n\n");
}

// ---- maps ----

function mapRow(map, row) {
    const count = countOf(map.name, row.algorithm);
    if (row.problem) return [code(row.algorithm), ...Array(10).fill("–"), row.problem];
    const fewer = row.problems < map.problems ? ` (${row.problems})` : "";
    return [
        code(row.algorithm) + (gaveUp(row) ? ` (${row.solved} of ${row.problems} solved)` : fewer),
        digits(count?.instructions),
        count ? count.misses : "–",
        ...[row.time_us_mean, row.time_us_median, row.time_us_p99, row.time_us_max].map(digits),
        times(1 / row.ratio),
        longer(row.suboptimality_mean),
        bytes(row.index_bytes),
        row.index_build_ms === null ? "–" : `${digits(row.index_build_ms)} ms`,
        bytes(row.peak_bytes),
    ];
}

function maps() {
    const headings = ["algorithm", "instructions", "misses", "mean µs", "median", "p99", "worst"];
    return results.maps
        .map((map) => {
            const rows = results.rows.filter((row) => row.map === map.name).map((row) => mapRow(map, row));
            const head = `### ${map.name}\n\n${map.width} × ${map.height} cells, ${map.problems} problems.\n\n`;
            return head + table([...headings, "speed-up", "longer", "index", "build", "memory"], rows);
        })
        .join("\n\n");
}

// ---- sizes ----

function charts() {
    fs.mkdirSync(`${folder}/pictures`, { recursive: true });
    const kinds = [...new Set(results.points.map((p) => p.kind))];
    const ticks = [...new Set(results.points.map((p) => p.size))].sort((a, b) => a - b);
    // A* comes first and is black. Navigators are left out: two dozen lines more would hide the others.
    const planners = results.algorithms.filter((a) => a.kind === "planner");
    const names = ["astar", ...planners.map((a) => a.name).filter((name) => name !== "astar")];
    return kinds
        .map((kind) => {
            const lines = names
                .map((name, style) => ({
                    name,
                    style,
                    points: results.points
                        .filter((p) => p.kind === kind && p.algorithm === name && !gaveUp(p))
                        .map((p) => ({ x: p.size, y: p.time_us_mean })),
                }))
                .filter((line) => line.points.length);
            const picture = draw({
                title: `${kind}: mean time of a query`,
                across: "side of the square map in cells",
                ticks,
                lines,
                marks: [{ y: 1e6 / 60, text: "one frame at 60 a second" }],
            });
            fs.writeFileSync(`${folder}/pictures/performance-${kind}.svg`, picture);
            return `![${kind}: time against size](pictures/performance-${kind}.svg)`;
        })
        .join("\n\n");
}

// The largest maps in numbers.
function largest() {
    const size = Math.max(...results.points.map((p) => p.size));
    const cells = size * size;
    const at = results.points.filter((p) => p.size === size);
    const kinds = [...new Set(at.map((p) => p.kind))];
    const rows = results.algorithms
        .map((a) => {
            const mine = kinds.map((kind) => at.find((p) => p.kind === kind && p.algorithm === a.name && !gaveUp(p)));
            const found = mine.filter(Boolean);
            const indexed = found.filter((p) => p.index_bytes !== null);
            const worst = (key) => (indexed.length ? Math.max(...indexed.map((p) => p[key])) : null);
            return [
                code(a.name),
                ...mine.map((p) => (p ? duration(p.time_us_mean) : "–")),
                found.length ? bytes(Math.max(...found.map((p) => p.peak_bytes))) : "–",
                indexed.length ? digits(worst("index_bytes") / cells) : "–",
                indexed.length ? duration(worst("index_build_ms") * 1000) : "–",
            ];
        })
        .filter((row) => row.slice(1).some((cell) => cell !== "–"));
    const headings = ["algorithm", ...kinds, "memory of a search", "index, bytes a cell", "build"];
    const head = `At ${size} × ${size} cells, mean time of a query; memory, index and build: the most of the ${kinds.length} maps.`;
    return `${head}\n\n${table(headings, rows)}`;
}

// ---- edits, others, machine ----

function edits() {
    if (!results.edits.length) return "Not measured.";
    const whats = results.edits[0].times.map((t) => t.what);
    const rows = results.edits.map((map) => [
        `${map.kind}, ${map.size} × ${map.size}`,
        `${digits(map.space_ms)} ms`,
        digits(map.space_bytes),
        ...map.times.map((t) => `${duration(t.mean)}, ${duration(t.p999)}, ${duration(t.worst)}`),
    ]);
    return table(["map", "space made in", "bytes a cell", ...whats.map((w) => `${w}: mean, 99.9 %, worst`)], rows);
}

function othersOn(map) {
    const headings = ["library", "corners cut", "mean µs", "median", "worst", "times `astar`", "set-up", "copy a query", "right lengths"];
    const lines = results.others
        .filter((row) => row.map === map)
        .map((row) => [
            row.name,
            row.rule,
            ...(row.problem
                ? [row.problem, ...Array(6).fill("–")]
                : [
                      ...[row.time_us_mean, row.time_us_median, row.time_us_max].map(digits),
                      times(row.ratio),
                      row.setup_ms === undefined ? "–" : `${digits(row.setup_ms)} ms`,
                      row.copy_us ? duration(row.copy_us) : "–",
                      row.agree === undefined ? "–" : `${row.agree} of ${row.problems}`,
                  ]),
        ]);
    return `### Others on ${map}\n\n${table(headings, lines, 2)}`;
}

function others() {
    const maps = [...new Set(results.others.map((row) => row.map))];
    const entries = results.others.filter((row) => row.map === maps[0]);
    const rows = entries.map((entry) => {
        const mine = maps.map((map) => results.others.find((r) => r.map === map && r.name === entry.name && r.rule === entry.rule));
        return [entry.name, entry.rule, ...mine.map((row) => row.problem ?? times(row.ratio))];
    });
    const summary = table(["time as a multiple of our `astar`", "corners cut", ...maps], rows, 2);
    return [summary, ...maps.map(othersOn)].join("\n\n");
}

function machine() {
    const m = results.machine;
    const when = new Date(m.date).toLocaleDateString("en-GB", { day: "numeric", month: "long", year: "numeric" });
    return (
        `${m.cpu}, ${m.cores} cores, ${m.memory} GB; gcc ${m.gcc}, \`-O3\`, one thread; Node ${m.node}; ${when}. ` +
        `The run took ${digits(Object.values(results.minutes).reduce((sum, part) => sum + part))} minutes.`
    );
}

// ---- the page ----

function fill(page, name, text) {
    const begin = `<!-- ${name}: made by bench/grid -->`;
    const from = page.indexOf(begin);
    const to = page.indexOf(`<!-- end of ${name} -->`);
    if (from < 0 || to < from) throw new Error(`docs/performance.md has no place for "${name}"`);
    return `${page.slice(0, from + begin.length)}\n${text}\n${page.slice(to)}`;
}

const parts = { choice, "all of them": allOfThem, yardstick, maps, charts, largest, edits, others, machine };
let page = fs.readFileSync("docs/performance.md", "utf8");
for (const [name, make] of Object.entries(parts)) page = fill(page, name, make());
fs.writeFileSync(`${folder}/performance.md`, page);
console.log(`${folder}/performance.md`);

// Figures of wrong answers are worth nothing. (Who promises nothing may find paths too dear for a cost of 32 bits.)
const promises = (row) => registry.get(row.algorithm).optimal || registry.get(row.algorithm).bounded;
const wrong = [
    ...[...results.rows, ...results.points].filter((row) => promises(row) && !gaveUp(row) && row.solved < row.problems),
    ...results.rows.filter((row) => registry.get(row.algorithm).optimal && row.optimal < row.solved),
    ...results.others.filter((row) => row.agree < row.problems),
];
for (const row of wrong) console.error(`wrong answers: ${row.algorithm ?? row.name} on ${row.map ?? `${row.kind} ${row.size}`}`);
process.exitCode = wrong.length ? 1 : 0;
