// sets.mjs: how good planners with an index are on every set of published maps: writes the table of a page, between its two marks.
//
//     node bench/sets.mjs PAGE SETS ALGORITHM…
//     node bench/sets.mjs docs/algorithms/hcdps.md all hcdps hcdps:depth=3
//
// SETS: all that CAIRN_DATA has, or some of them: `dao,bg512`. The rows of others stay as they are; each set is written as soon as it is measured. Asked are about 400 published problems of each set, of all of its maps alike (`cairn bench --every K --json`), with the
// default agent; those that have no path for it, as A* finds, are left out. CAIRN_PROGRAM names another program than build/strict/cairn. A map
// with problems that are not solved, or by another algorithm, is named, and the script fails. (Where start and goal are the same nobody is asked.) No figure comes from a clock: the same program writes the same table.
import { spawnSync } from "node:child_process";
import fs from "node:fs";

const wanted = 400; // problems of a set
const sets = ["dao", "da2", "bg512", "wc3", "sc1", "street", "room", "maze", "random"];
const data = process.env.CAIRN_DATA;
const cairn = process.env.CAIRN_PROGRAM ?? "build/strict/cairn";
const [page, chosen, ...specs] = process.argv.slice(2);
const misses = [];

function cellsOf(map) {
    const head = fs.readFileSync(map, "utf8").slice(0, 200);
    return Number(/width (\d+)/.exec(head)[1]) * Number(/height (\d+)/.exec(head)[1]);
}

function problemsOf(map) {
    return fs.readFileSync(`${map}.scen`, "utf8").trimEnd().split("\n").length - 1;
}

function bench(maps, every) {
    const words = ["bench", "--json", "--every", String(every), "-a", ["astar", ...specs].join(","), ...maps];
    const result = spawnSync(cairn, words, { encoding: "utf8", maxBuffer: 1 << 28, stdio: ["ignore", "pipe", "inherit"] });
    if (result.error) throw result.error;
    return JSON.parse(result.stdout).rows;
}

// Sums over the maps of a set, for one planner.
function sum(rows, spec) {
    const total = { problems: 0, solved: 0, longer: 0, worst: 0, bytes: 0, cells: 0 };
    const answers = new Map(rows.filter((row) => row.algorithm === "astar").map((row) => [row.map, row]));
    for (const row of rows.filter(({ algorithm }) => algorithm === spec)) {
        const { solved: problems, answered_by: { astar: asked = 0 } } = answers.get(row.map), own = row.answered_by[spec.split(":")[0]] ?? 0;
        if (own !== asked || row.solved !== problems) misses.push(`${spec}, ${row.map}: ${row.solved} of ${problems} solved, ${own} of ${asked} by itself`);
        total.problems += problems;
        total.solved += row.solved;
        total.longer += row.suboptimality_mean * row.solved;
        total.worst = Math.max(total.worst, row.suboptimality_max);
        total.bytes += row.index_bytes;
        total.cells += cellsOf(row.map);
    }
    return total;
}

function measure(set) {
    const maps = fs.readdirSync(`${data}/${set}`).filter((name) => name.endsWith(".map")).sort().map((name) => `${data}/${set}/${name}`);
    const every = Math.ceil(maps.reduce((count, map) => count + problemsOf(map), 0) / wanted);
    const rows = bench(maps, every);
    console.error(`${set}: every ${every}th problem`);
    return { set, maps, every, sums: specs.map((spec) => sum(rows, spec)) };
}

function rowOf({ set, maps, every, sums }) {
    const cells = sums.flatMap(({ problems, solved, longer, worst, bytes, cells: area }) => [
        ((100 * longer) / solved).toFixed(1), (100 * worst).toFixed(0), (bytes / area).toFixed(2), `${solved}/${problems}`,
    ]);
    return `| ${[`${set} (${maps.length})`, every, ...cells].join(" | ")} |`;
}

const marks = /(<!-- measured by bench\/sets.mjs -->\n)([^]*)(<!-- end of measured -->)/;

// Puts the row of a set into the table of the page.
function write(found) {
    const text = fs.readFileSync(page, "utf8");
    if (!marks.test(text)) throw new Error(`${page}: the marks are missing`);
    const head = [
        `| set (maps) | every | ${specs.map((spec) => `\`${spec}\`: mean | worst | bytes a cell | solved`).join(" | ")} |`,
        `|---|---:|${specs.map(() => "---:|---:|---:|---:").join("|")}|`,
    ];
    const before = marks.exec(text)[2].split("\n"), old = before[0] === head[0] ? before : [];
    const rows = sets.map((set) => (set === found.set ? rowOf(found) : old.find((line) => line.startsWith(`| ${set} (`)))).filter((row) => row);
    fs.writeFileSync(page, text.replace(marks, (_, first, _table, last) => `${first}${[...head, ...rows].join("\n")}\n${last}`));
}

for (const set of chosen === "all" ? sets.filter((one) => fs.existsSync(`${data}/${one}`)) : chosen.split(",")) write(measure(set));
for (const miss of misses) console.error(miss);
process.exit(misses.length ? 1 : 0);
