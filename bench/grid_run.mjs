// grid_run.mjs: measures what docs/performance.md shows and writes build/grid/results.json. Started by bench/grid:
//
//     node bench/grid_run.mjs QUICK [ALGORITHM…]
//
// Every figure comes from `cairn bench --json`, bench_upkeep or a program of bench/others, each run as a process of its own.
// For each map the algorithms run one after the other, and that in several rounds; a figure is the median of the rounds,
// a ratio to A* the median of the ratios within a round, so that what else the machine does hits all of them alike.
//
// How long an algorithm takes is not known before: a pilot run on a few problems tells. What would take too long is asked
// fewer problems (evenly thinned), in one round; what does not even end its pilot is left out. All of that is told on the page.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import os from "node:os";

const work = "build/grid";
const cairn = "build/release/cairn";
const quick = process.argv[2] === "1";
const chosen = process.argv.slice(3);
const data = process.env.CAIRN_DATA;

const rounds = quick ? 1 : 3;
const pairSeconds = quick ? 0.2 : 1.5; // for one algorithm on one map, one round
const pointSeconds = quick ? 0.3 : 2; // for one algorithm at one size
const pilotSeconds = quick ? 20 : 60; // more than that, index and all, is too slow for this page
const fewest = 5; // problems that make a point of a chart

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

// The rows of several rounds as one.
function combine(rows) {
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

function listMaps() {
    const bundled = fs.readdirSync("maps").filter((name) => fs.existsSync(`maps/${name}.scen`) && name.endsWith(".map"));
    const maps = bundled.map((name) => ({ name: `maps/${name}`, file: `maps/${name}`, every: quick ? 10 : 1 }));
    const reference = fs.readFileSync("bench/reference.txt", "utf8").split("\n");
    for (const [name, every] of reference.filter((line) => line && line[0] !== "#").map((line) => line.split(/\s+/))) {
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
    const fit = registry.filter((a) => a.kind === "planner" && a.worlds.includes("grid"));
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

function measureMap(map, algorithms) {
    const plans = algorithms.map((a) => planPair(map, a.name));
    const rows = algorithms.map(() => []);
    for (let round = 0; round < rounds; round++) {
        algorithms.forEach((a, i) => {
            if (plans[i].problem || round >= plans[i].rounds) return;
            progress(`${map.name}: ${a.name}, round ${round + 1} of ${rounds}`);
            rows[i].push(bench(a.name, map.file, plans[i], 10 * pilotSeconds));
        });
        const base = rows[algorithms.findIndex((a) => a.name === "astar")][round];
        for (const all of rows) if (all[round]) all[round].ratio = base ? all[round].time_us_mean / base.time_us_mean : null;
    }
    return algorithms.map((a, i) =>
        plans[i].problem
            ? { algorithm: a.name, map: map.name, problem: plans[i].problem }
            : { ...combine(rows[i]), map: map.name, rounds: rows[i].length },
    );
}

// ---- time against size ----

const kinds = ["rooms", "caves", "battlefield", "random"];
const sizes = quick ? [64, 128, 256] : [64, 128, 256, 512, 1024, 2048, 4096];
const problemsAtSize = quick ? 10 : 40;

function makeMap(kind, size) {
    const file = `${work}/maps/${kind}-${size}-${problemsAtSize}.map`;
    if (fs.existsSync(`${file}.scen`)) return file;
    fs.mkdirSync(`${work}/maps`, { recursive: true });
    run(cairn, ["generate", kind, "--size", `${size}x${size}`, "-o", file]);
    const made = run(cairn, ["generate", "scenario", file, "--count", String(problemsAtSize), "-o", `${file}.scen`]);
    if (made.problem) throw new Error(made.problem);
    return file;
}

// The next point of a line, or null where the line ends: from one size to the next costs grow four- to fivefold.
function measurePoint(algorithm, kind, size, before) {
    if (before === null) return null;
    const predicted = before ? seconds(before, 1) * 5 : 0;
    const thin = Math.ceil((predicted * problemsAtSize) / pointSeconds) || 1;
    if (problemsAtSize / thin < fewest && predicted * fewest > 3 * pointSeconds) return null;
    if ((before?.index_build_ms ?? 0) * 5 > 1000 * pilotSeconds) return null;
    const every = Math.min(thin, Math.floor(problemsAtSize / fewest));
    progress(`${kind} ${size} x ${size}: ${algorithm}`);
    const row = bench(algorithm, makeMap(kind, size), { every, repeat: predicted < 0.02 ? 3 : 1 }, pilotSeconds);
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

const otherMaps = ["maps/rooms.map", "dao/brc202d.map", "sc1/BigGameHunters.map", "random/random512-30-0.map"];

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
    // Boost first: what it finds where corners are cut is what the others are held against.
    return ["never", "always"].flatMap((rule) => [
        { name: `${boost}, \`astar_search\``, rule, command: program("boost") },
        { name: rule === "never" ? `${tcod}, own function` : `${tcod}, own map`, rule, command: program("libtcod") },
        { name: `${javascript}, A\\*`, rule, command: finder("astar") },
        { name: `${javascript}, JPS`, rule, command: finder("jps") },
    ]);
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

function measureOthers(maps, algorithms) {
    const others = listOthers();
    const rows = [];
    for (const map of maps.filter((m) => otherMaps.includes(m.name))) {
        const every = map.every * (quick ? 2 : 4);
        const expected = { never: published(map, every) };
        const found = [];
        for (let round = 0; round < rounds; round++) {
            const base = {};
            const add = (i, row) => {
                if (!row.problem) row.ratio = row.time_us_mean / base[row.rule];
                (found[i] ??= []).push(row);
            };
            ["never", "always"].forEach((rule, i) => {
                const row = bench("astar", map.file, { every, repeat: 1, more: ["--corners", rule] });
                base[rule] = row.time_us_mean;
                add(i, { ...row, name: "Cairn, `astar`", rule, map: map.name, agree: row.optimal });
            });
            others.forEach((other, i) => {
                const row = { name: other.name, rule: other.rule, map: map.name };
                if (!other.command) return add(i + 2, { ...row, problem: "not installed" });
                progress(`${map.name}: ${other.name}, round ${round + 1} of ${rounds}`);
                const answer = askOther(other, map, every);
                expected[other.rule] ??= answer.lengths;
                const lengths = answer.lengths;
                delete answer.lengths;
                const sums = lengths && { problems: lengths.length, agree: agree(lengths, expected[other.rule]) };
                add(i + 2, { ...row, ...answer, ...sums });
            });
        }
        rows.push(...found.map(combine));
    }
    return rows;
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

const start = Date.now();
const algorithms = listAlgorithms();
const maps = listMaps();
const results = {
    machine: machine(),
    quick,
    whole: !quick && !chosen.length,
    rounds,
    problemsAtSize,
    algorithms,
    maps: maps.map(({ file, ...rest }) => rest),
    rows: maps.flatMap((map) => measureMap(map, algorithms)),
    points: measureSizes(algorithms),
    edits: measureEdits(),
    others: measureOthers(maps, algorithms),
};
results.minutes = (Date.now() - start) / 60000;
progress("");
fs.writeFileSync(`${work}/results.json`, JSON.stringify(results, null, 1));
