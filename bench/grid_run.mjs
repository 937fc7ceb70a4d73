// grid_run.mjs: measures what docs/performance.md shows and writes build/grid/results.json. Started by bench/grid:
//
//     node bench/grid_run.mjs QUICK [ALGORITHM…]
//
// Every figure comes from `cairn bench --json`, bench_upkeep or a program of bench/others, each run as a process of its own.
// For each map the algorithms run one after the other, and that in several rounds; a figure is the median of the rounds,
// a ratio to A* the median of the ratios within a round, so that what else the machine does hits all of them alike. Both sides of
// a ratio are asked the same problems, equally often.
//
// How long an algorithm takes is not known before. On a named map a pilot run on a few problems tells: what would take too long is
// asked fewer problems (evenly thinned), in one round; what does not even end its pilot is left out. From size to size
// the size before tells, and a line ends where the next point would take too long. All of that is told on the page.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";

const work = "build/grid";
const cairn = "build/release/cairn";
const quick = process.argv[2] === "1";
const chosen = process.argv.slice(3);
const data = process.env.CAIRN_DATA;

const rounds = quick ? 1 : 3;
const pairSeconds = quick ? 0.2 : 1; // for one algorithm on one map, one round
const pointSeconds = quick ? 0.3 : 3; // for one algorithm at one size
const pilotSeconds = quick ? 20 : 60; // more than that, index and all, is too slow for this page
const buildSeconds = quick ? 2 : 15; // for an index at one size

// ---- running others ----

function run(command, words, seconds = 600) {
    const result = spawnSync(command, words, { encoding: "utf8", timeout: seconds * 1000, maxBuffer: 1 << 28 });
    if (result.error?.code === "ETIMEDOUT") return { problem: `more than ${seconds} s` };
    if (result.error) return { problem: result.error.message };
    if (result.status !== 0) return { problem: result.stderr.trim().split("\n")[0] };
    return { text: result.stdout };
}

function progress(text) {
    if (process.stderr.isTTY) process.stderr.write(`\r\x1b[K${text}`);
}

// One row of `cairn bench`, or { problem }.
function bench(algorithm, map, options, seconds) {
    const words = ["bench", "--json", "-a", algorithm, "--every", String(options.every), "--repeat", String(options.repeat)];
    const result = run(cairn, [...words, ...(options.more ?? []), map], seconds);
    return result.problem ? result : JSON.parse(result.text).rows[0];
}

const seconds = (row, problems) => (row.time_us_mean * problems) / 1e6;

function median(numbers) {
    const sorted = numbers.filter((n) => n !== null).sort((a, b) => a - b);
    return sorted.length ? sorted[sorted.length >> 1] : null;
}

// The rows of several rounds as one; those of rounds that failed are left out, unless all did.
function combine(all) {
    const rows = all.filter((row) => !row.problem);
    if (!rows.length) return all[0];
    const result = { ...rows[0] };
    for (const key of Object.keys(result))
        if (/^time_us|^index_build_ms$|^ratio$/.test(key)) result[key] = median(rows.map((row) => row[key] ?? null));
    return result;
}

// ---- what there is to measure ----

function sizeOf(map) {
    const head = fs.readFileSync(map, "utf8").slice(0, 200);
    return { width: Number(/width (\d+)/.exec(head)[1]), height: Number(/height (\d+)/.exec(head)[1]) };
}

const problemsOf = (map) => fs.readFileSync(`${map}.scen`, "utf8").trim().split("\n").length - 1;

const references = fs
    .readFileSync("bench/reference.txt", "utf8")
    .split("\n")
    .filter((line) => line && line[0] !== "#")
    .map((line) => line.split(/\s+/));

function listMaps() {
    const bundled = fs.readdirSync("maps").filter((name) => fs.existsSync(`maps/${name}.scen`) && name.endsWith(".map"));
    const maps = bundled.map((name) => ({ name: `maps/${name}`, file: `maps/${name}`, every: quick ? 10 : 1 }));
    for (const [name, every] of references) {
        const file = `${data}/${name}`;
        // Four times as many problems as are counted, so that the slowest hundredth means something.
        if (!quick && data && fs.existsSync(file)) maps.push({ name, file, every: Math.max(1, Number(every) / 4) });
    }
    for (const map of maps) {
        Object.assign(map, sizeOf(map.file));
        map.problems = Math.ceil(problemsOf(map.file) / map.every);
    }
    return maps;
}

function listAlgorithms() {
    const registry = JSON.parse(run(cairn, ["algorithms", "--json"]).text);
    const fit = registry.filter((a) => a.worlds.includes("grid"));
    for (const name of chosen)
        if (!fit.some((a) => a.name === name)) {
            console.error(`there is no algorithm "${name}" for grids`);
            process.exit(2);
        }
    return chosen.length ? fit.filter((a) => a.name === "astar" || chosen.includes(a.name)) : fit;
}

// ---- all algorithms on named maps ----

// How an algorithm can be measured on a map in bearable time.
function planPair(map, algorithm) {
    const pilotEvery = map.every * Math.max(1, Math.floor(map.problems / 12));
    const start = Date.now();
    const row = bench(algorithm, map.file, { every: pilotEvery, repeat: 1 }, pilotSeconds);
    if (row.problem) return row;
    const total = seconds(row, map.problems);
    const thin = Math.min(Math.ceil(total / (3 * pairSeconds)), Math.floor(map.problems / 12) || 1);
    const dear = (Date.now() - start) / 1000 > 5 * pairSeconds; // an index that takes long to build, for one
    return {
        every: map.every * thin,
        repeat: Math.max(1, Math.min(3, Math.floor(pairSeconds / total))),
        rounds: dear || total / thin > pairSeconds ? 1 : rounds,
    };
}

// A round: every algorithm once by its plan, and astar once by each plan that any of them has.
function measureRound(map, algorithms, plans, round) {
    const bases = new Map();
    const measure = (name, plan) => bench(name, map.file, plan, 10 * pilotSeconds);
    const measureBase = (plan) => {
        const key = `${plan.every} ${plan.repeat}`;
        if (!bases.has(key)) bases.set(key, measure("astar", plan));
        return bases.get(key);
    };
    return algorithms.map(({ name }, i) => {
        if (plans[i].problem) return { problem: plans[i].problem };
        if (round >= plans[i].rounds) return null;
        progress(`${map.name}: ${name}, round ${round + 1} of ${rounds}`);
        const base = measureBase(plans[i]);
        const row = name === "astar" ? base : measure(name, plans[i]);
        return { ...row, ratio: row.problem || base.problem ? null : row.time_us_mean / base.time_us_mean };
    });
}

function measureMap(map, algorithms) {
    const plans = algorithms.map((a) => planPair(map, a.name));
    const found = Array.from({ length: rounds }, (_, round) => measureRound(map, algorithms, plans, round));
    return algorithms.map((a, i) => {
        const rows = found.map((round) => round[i]).filter(Boolean);
        const good = rows.filter((row) => !row.problem).length;
        return { ...combine(rows), algorithm: a.name, map: map.name, rounds: good };
    });
}

// ---- time against size ----

const kinds = ["rooms", "caves", "battlefield", "random"];
const sizes = quick ? [64, 128, 256] : [64, 128, 256, 512, 1024, 2048, 4096];
const problemsMade = quick ? 10 : 40;
// Fewer on large maps, the same for all algorithms.
const everyAt = (size) => (size >= 4096 ? 4 : size >= 2048 ? 2 : 1);

function makeMap(kind, size) {
    const file = `${work}/maps/${kind}-${size}-${problemsMade}.map`;
    if (fs.existsSync(`${file}.scen`)) return file;
    fs.mkdirSync(`${work}/maps`, { recursive: true });
    run(cairn, ["generate", kind, "--size", `${size}x${size}`, "-o", file]);
    const made = run(cairn, ["generate", "scenario", file, "--count", String(problemsMade), "-o", `${file}.scen`]);
    if (made.problem) throw new Error(made.problem);
    return file;
}

// The next point of a line, or null where the line ends: from one size to the next costs grow four- to fivefold.
function measurePoint(algorithm, kind, size, before) {
    if (before === null) return null;
    const every = everyAt(size);
    const predicted = before ? (seconds(before, problemsMade) * 5) / every : 0;
    if (predicted > pointSeconds || (before?.index_build_ms ?? 0) * 5 > 1000 * buildSeconds) return null;
    progress(`${kind} ${size} x ${size}: ${algorithm}`);
    const row = bench(algorithm, makeMap(kind, size), { every, repeat: predicted < 0.5 ? 3 : 1 }, pilotSeconds);
    return row.problem ? null : { ...row, map: undefined, kind, size };
}

function measureSizes(algorithms) {
    const points = [];
    for (const kind of kinds) {
        const last = algorithms.map(() => undefined);
        for (const size of sizes)
            algorithms.forEach((a, i) => {
                last[i] = measurePoint(a.name, kind, size, last[i]);
                if (last[i]) points.push(last[i]);
            });
    }
    return points;
}

// ---- edits ----

function measureEdits() {
    progress("edits");
    const size = quick ? 512 : 4096;
    const maps = [];
    for (const line of (run("build/release/bin/bench_upkeep", [String(size)]).text ?? "").split("\n")) {
        const head = /^(.+): (\d+) x \d+$/.exec(line);
        const space = /grid ([\d.]+) ms, space with regions ([\d.]+) ms, ([\d.]+) and ([\d.]+) bytes/.exec(line);
        const times = /^ {4}(.+?) +mean +([\d.]+) us +median +([\d.]+) +99.9 % +([\d.]+) +worst +([\d.]+)/.exec(line);
        if (head) maps.push({ kind: head[1], size: Number(head[2]), times: [] });
        if (space) Object.assign(maps.at(-1), { space_ms: Number(space[2]), space_bytes: Number(space[4]) });
        if (times) {
            const [mean, middle, p999, worst] = times.slice(2).map(Number);
            maps.at(-1).times.push({ what: times[1], mean, median: middle, p999, worst });
        }
    }
    return maps;
}

// ---- what could be installed instead ----

const otherMaps = ["maps/rooms.map", "dao/brc202d.map", "sc1/BigGameHunters.map"];
const otherProblems = quick ? 10 : 60;

function version(command, words) {
    const result = run(command, words);
    return result.problem ? "" : result.text.trim();
}

function listOthers() {
    const npm = `${work}/npm/node_modules/pathfinding/package.json`;
    const script = fs.existsSync(npm);
    const javascript = script ? `PathFinding.js ${JSON.parse(fs.readFileSync(npm, "utf8")).version}` : "PathFinding.js";
    const tcod = `libtcod ${version("dpkg-query", ["-W", "-f=${source:Upstream-Version}", "libtcod-dev"]).split("+")[0]}`.trim();
    const boost = `Boost.Graph ${version("dpkg-query", ["-W", "-f=${Version}", "libboost-dev"]).split(".").slice(0, 2).join(".")}`.trim();
    const program = (name) => (fs.existsSync(`${work}/${name}`) ? [`${work}/${name}`] : null);
    const finder = (name) => (script ? [process.execPath, "bench/others/pathfinding.js", `${work}/npm`, name] : null);
    // Boost first: what it finds where corners are cut is what libtcod is held against.
    return [
        { name: `${boost}, \`astar_search\``, rule: "never", command: program("boost") },
        { name: `${tcod}, own function`, rule: "never", command: program("libtcod") },
        { name: `${javascript}, A\\*`, rule: "never", command: finder("astar") },
        { name: `${javascript}, JPS`, rule: "never", command: finder("jps") },
        { name: `${boost}, \`astar_search\``, rule: "always", command: program("boost"), judge: true },
        { name: `${tcod}, own map`, rule: "always", command: program("libtcod") },
    ];
}

// Ours: astar under both rules, and the fastest that finds cheapest paths without an index and with one.
function listOurs(algorithms, rows) {
    const ratio = (name) => {
        const mine = rows.filter((row) => row.algorithm === name && row.ratio);
        return mine.length ? Math.exp(mine.reduce((sum, row) => sum + Math.log(row.ratio), 0) / mine.length) : Infinity;
    };
    const fastest = (indexed) =>
        algorithms
            .filter((a) => a.optimal && a.needs_index === indexed)
            .map((a) => a.name)
            .sort((a, b) => ratio(a) - ratio(b))[0];
    const names = [...new Set(["astar", fastest(false), fastest(true)])].filter(Boolean);
    return [...names.map((name) => ({ name, rule: "never" })), { name: "astar", rule: "always" }];
}

function percentiles(times) {
    const sorted = [...times].sort((a, b) => a - b);
    return {
        time_us_mean: sorted.reduce((sum, t) => sum + t, 0) / sorted.length,
        time_us_median: sorted[sorted.length >> 1],
        time_us_p99: sorted[Math.ceil(sorted.length * 0.99) - 1],
        time_us_max: sorted.at(-1),
    };
}

function askOther(other, map, every) {
    const words = [...other.command.slice(1), other.rule, map.file, `${map.file}.scen`, String(every), "1"];
    const result = run(other.command[0], words, 2 * pilotSeconds);
    if (result.problem) return result;
    const [setup, ...lines] = result.text.trim().split("\n");
    const numbers = lines.map((line) => line.split(" ").map(Number));
    const copies = numbers.map((n) => n[2]).filter((n) => n !== undefined);
    return {
        setup_ms: Number(setup.split(" ")[1]),
        copy_us: copies.length ? percentiles(copies).time_us_mean : null,
        lengths: numbers.map((n) => n[0]),
        ...percentiles(numbers.map((n) => n[1])),
    };
}

const published = (map, every) =>
    fs
        .readFileSync(`${map.file}.scen`, "utf8")
        .trim()
        .split("\n")
        .slice(1)
        .filter((_, i) => i % every === 0)
        .map((line) => Number(line.split(/\s+/)[8]));

// Published lengths have six digits or more.
const agree = (a, b) => a.filter((length, i) => Math.abs(length - b[i]) <= 1e-4 + 1e-5 * b[i]).length;

function askOurs(ours, map, every) {
    const row = bench(ours.name, map.file, { every, repeat: 1, more: ["--corners", ours.rule] });
    return { ...row, setup_ms: row.index_build_ms ?? undefined, agree: row.optimal };
}

// One round: everybody once, the ratio to our astar under the same rule beside each answer.
function askAll(entries, map, every, expected) {
    const base = {};
    return entries.map((entry) => {
        progress(`${map.name}: ${entry.name}`);
        const row = { name: entry.command === undefined ? `Cairn, \`${entry.name}\`` : entry.name, rule: entry.rule, map: map.name };
        if (entry.command === null) return { ...row, problem: "not installed" };
        const { lengths, map: file, ...answer } = entry.command ? askOther(entry, map, every) : askOurs(entry, map, every);
        Object.assign(row, answer);
        if (row.problem) return row;
        if (entry.name === "astar") base[entry.rule] = row.time_us_mean;
        if (lengths) {
            if (entry.judge) expected[entry.rule] = lengths;
            row.problems = lengths.length;
            if (expected[entry.rule]) row.agree = agree(lengths, expected[entry.rule]);
        }
        return { ...row, ratio: base[entry.rule] ? row.time_us_mean / base[entry.rule] : null };
    });
}

function measureOthers(maps, algorithms, measured) {
    const entries = [...listOurs(algorithms, measured), ...listOthers()];
    return maps
        .filter((map) => otherMaps.includes(map.name))
        .flatMap((map) => {
            const every = map.every * Math.ceil(map.problems / otherProblems);
            const expected = { never: published(map, every) };
            const found = Array.from({ length: rounds }, () => askAll(entries, map, every, expected));
            return entries.map((_, i) => combine(found.map((round) => round[i])));
        });
}

// ---- all of it ----

function machine() {
    return {
        cpu: os.cpus()[0].model.trim(),
        cores: os.cpus().length,
        memory: Math.round(os.totalmem() / 2 ** 30),
        gcc: version("gcc", ["-dumpfullversion"]),
        node: process.versions.node,
        date: new Date().toISOString().slice(0, 10),
    };
}

const minutes = {};
function timed(part, work) {
    const start = Date.now();
    const result = work();
    minutes[part] = (Date.now() - start) / 60000;
    return result;
}

const algorithms = listAlgorithms();
const maps = listMaps();
const rows = timed("maps", () => maps.flatMap((map) => measureMap(map, algorithms)));
const results = {
    machine: machine(),
    whole: !quick && !chosen.length && references.every(([name]) => maps.some((map) => map.name === name)),
    algorithms,
    maps: maps.map(({ file, ...rest }) => rest),
    rows,
    points: timed("sizes", () => measureSizes(algorithms)),
    edits: timed("edits", measureEdits),
    others: timed("others", () => measureOthers(maps, algorithms, rows)),
    minutes,
};
progress("");
fs.writeFileSync(`${work}/results.json`, JSON.stringify(results, null, 1));
