// hierarchies.mjs: measures planners that search an abstraction and writes the tables of docs/hierarchies.md. Started by bench/hierarchies:
//
//     node bench/hierarchies.mjs QUICK
//
// Lengths, times and bytes come from `cairn bench --json`: for each map all planners one after the other in one process, so that what
// else the machine does hits them alike; a ratio to A* is one of sums over the same problems. Edits come from bench_upkeep,
// instructions from bench/instructions.txt.
import { spawnSync } from "node:child_process";
import fs from "node:fs";

const quick = process.argv[2] === "1";
const data = process.env.CAIRN_DATA;
const page = "docs/hierarchies.md";
const every = quick ? 100 : 20;
const repeat = quick ? 1 : 3; // of each query; the median of its times counts
const cairn = "build/release/cairn";
const capeMap = `${data}/sc1/AcrosstheCape.map`;

// ---- what is measured ----

const planners = [
    ["A\\*", "astar"],
    ["jump points, with their table", "jps-plus"],
    ["HPA\\*, defaults", "hpa"],
    ["HPA\\*, rays", "hpa:smooth=rays"],
    ["HPA\\*, rays in a box", "hpa:smooth=box"],
    ["HPA\\*, 1 level, clusters of 10", "hpa:levels=1,size=10"],
    ["HPA\\*, 1 level, clusters of 24", "hpa:levels=1,size=24"],
    ["HPA\\*, clusters of 24, rays", "hpa:size=24,smooth=rays"],
    ["HPA\\*, 1 level, clusters of 32", "hpa:levels=1,size=32"],
    ["HPA\\*, 2 levels, clusters of 5", "hpa:levels=2,size=5"],
    ["HPA\\*, 2 levels, clusters of 10", "hpa:levels=2,size=10"],
    ["HPA\\*, 3 levels, clusters of 10", "hpa:levels=3,size=10"],
    ["HPA\\*, entrances by tiers", "hpa:entrances=tiers"],
    ["DHPA\\*, defaults", "dhpa"],
    ["DHPA\\*, clusters of 10", "dhpa:size=10"],
    ["PRA\\*, defaults", "pra"],
    ["PRA\\*(∞), rays", "pra:smooth=rays"],
    ["PRA\\*(16)", "pra:k=16"],
    ["PRA\\*(16), rays", "pra:k=16,smooth=rays"],
    ["MM, defaults", "mm"],
    ["MM, not trimmed, not smoothed", "mm:trim=0,smooth=none"],
    ["MM, trimmed", "mm:trim=10,smooth=none"],
    ["MM, not trimmed, rays", "mm:trim=0,smooth=rays"],
    ["MM, trimmed, rays", "mm:trim=10,smooth=rays"],
    ["MM, trimmed, rays in a box", "mm:trim=10,smooth=box"],
    ["MM, two centres ahead", "mm:trim=15,ahead=2,smooth=none"],
    ["MM, plain centres", "mm:centres=plain,trim=10,smooth=none"],
    ["MM, optimised centres", "mm:centres=optimised,trim=10,smooth=none"],
    ["MM, 2 levels", "mm:levels=2"],
    ["DBA\\*, defaults", "dbastar"],
    ["DBA\\*, not smoothed", "dbastar:smooth=none"],
    ["DBA\\*, detours kept, not smoothed", "dbastar:detour=1000,smooth=none"],
    ["Hierarchical A\\*", "hierarchical-astar"],
];
const edited = ["jps-plus", "hpa", "hpa:levels=2", "dhpa", "pra", "mm"];

// ---- the registry ----

function run(command, words) {
    const result = spawnSync(command, words, {
        encoding: "utf8",
        maxBuffer: 1 << 28,
        stdio: ["ignore", "pipe", "inherit"],
    });
    if (result.error) throw result.error;
    if (result.status !== 0) throw new Error(`${command} ${words.join(" ")} ended with ${result.status}`);
    return result.stdout;
}

const registry = JSON.parse(run(cairn, ["algorithms", "--json"]));

// Is it the name of an algorithm, with parameters and choices that it has?
function known(spec) {
    const [name, rest] = spec.split(":");
    const algorithm = registry.find((a) => a.name === name);
    return (
        algorithm &&
        (rest ?? "")
            .split(",")
            .filter((word) => word)
            .every((word) => {
                const [key, value] = word.split("=");
                const parameter = algorithm.parameters.find((p) => p.name === key);
                return parameter && (!parameter.choices || parameter.choices.includes(value));
            })
    );
}

// The same planner under another specification has the same of these.
function canonical(spec) {
    const [name, rest] = spec.split(":");
    const given = Object.fromEntries((rest ?? "").split(",").map((word) => word.split("=")));
    const parameters = registry.find((a) => a.name === name)?.parameters ?? [];
    return [name, ...parameters.map((p) => `${p.name}=${given[p.name] ?? p.default}`)].join(" ");
}

const first = new Map(); // of several specifications of one planner
for (const [, spec] of planners) if (!first.has(canonical(spec))) first.set(canonical(spec), spec);
const measured = planners.filter(([, spec]) => known(spec) && first.get(canonical(spec)) === spec);
const left = planners.filter(([, spec]) => !known(spec)).map(([, spec]) => spec);

// ---- measuring ----

function sizeOf(map) {
    const head = fs.readFileSync(map, "utf8").slice(0, 200);
    return { width: Number(/width (\d+)/.exec(head)[1]), height: Number(/height (\d+)/.exec(head)[1]) };
}

function mapsOf(set) {
    const names = fs.readdirSync(`${data}/${set}`).filter((name) => name.endsWith(".map"));
    const maps = names.sort().map((name) => `${data}/${set}/${name}`);
    return quick ? maps.filter((_, i) => i % 10 === 0) : maps;
}

// Sums over all maps, by algorithm.
function measure(maps, step) {
    const specs = measured.map(([, spec]) => spec);
    const words = ["bench", "--json", "--every", String(step), "--repeat", String(repeat), "-a", specs.join(","), ...maps];
    const sums = new Map();
    for (const row of JSON.parse(run(cairn, words)).rows) {
        const size = sizeOf(row.map);
        const sum = sums.get(canonical(row.algorithm)) ?? {
            problems: 0, solved: 0, failed: 0, longer: 0, pieces: 0, worst: 0, within1: 0, within5: 0, time: 0, first: 0,
            expanded: 0, peak: 0, index: 0, build: 0, cells: 0, maps: 0, times: [],
        };
        sum.problems += row.problems;
        sum.solved += row.solved;
        sum.failed += row.failed;
        sum.longer += row.suboptimality_mean * row.solved;
        sum.pieces += (row.pieces_suboptimality_mean ?? row.suboptimality_mean) * row.solved;
        sum.worst = Math.max(sum.worst, row.suboptimality_max);
        sum.within1 += row.within_1_percent * row.solved;
        sum.within5 += row.within_5_percent * row.solved;
        sum.time += row.time_us_mean * row.problems;
        sum.first += row.first_move_us_mean * row.problems;
        sum.expanded += row.expanded_mean * row.problems;
        sum.peak = Math.max(sum.peak, row.peak_bytes);
        sum.index += row.index_bytes ?? 0;
        sum.build += row.index_build_ms ?? 0;
        sum.cells += size.width * size.height;
        sum.maps++;
        sum.times.push(row.time_us_mean);
        sums.set(canonical(row.algorithm), sum);
    }
    return sums;
}

function measureEdits() {
    const maps = mapsOf("sc1").map((map) => ({ map, cells: sizeOf(map).width * sizeOf(map).height }));
    const largest = maps.sort((a, b) => b.cells - a.cells || (a.map < b.map ? -1 : 1))[0].map;
    const places = [...new Set([capeMap, largest])].filter((map) => fs.existsSync(map));
    const rows = [];
    for (const map of places) {
        const { width, height } = sizeOf(map);
        for (const spec of edited.filter(known)) {
            const text = run("build/release/bin/bench_upkeep", ["-a", spec, map]);
            const figure = (line) => new RegExp(`${line}, synced +mean +([0-9.]+) .*99.9 % +([0-9.]+) +worst +([0-9.]+)`).exec(text);
            const one = figure("one cell");
            const patch = figure("16 x 16");
            rows.push({ map: `${map.split("/").pop()}, ${width}×${height}`, spec, one, patch, build: /built in ([0-9.]+)/.exec(text)[1] });
        }
    }
    return rows;
}

// ---- the tables ----

const percent = (fraction, digits = 1) => `${(100 * fraction).toFixed(digits)} %`;
const rounded = (n) => (n >= 100 ? n.toFixed(0) : n >= 10 ? n.toFixed(1) : n.toFixed(2));
const grouped = (n) => Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, ",");
const milliseconds = (us) => `${rounded(Number(us) / 1000)}`;

function setTable(title, sums) {
    const astar = sums.get(canonical("astar"));
    const lines = [
        `### ${title}`,
        "",
        `${astar.maps} maps, ${grouped(astar.problems)} problems; A\\* takes ${rounded(astar.time / astar.problems)} µs for one.`,
        "",
        "| planner | `-a` | longer: mean | in pieces | worst | within 1 % | within 5 % | times as fast as A\\* | first 16 steps | expanded, of A\\* | index, bytes a cell | built in ms | search, KB |",
        "|---|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|",
    ];
    for (const [name, spec] of measured) {
        const s = sums.get(canonical(spec));
        const index = s.index ? [rounded(s.index / s.cells), rounded(s.build / s.maps)] : ["–", "–"];
        const cells = [
            name, `\`${spec}\``, percent(s.longer / s.solved, 2), percent(s.pieces / s.solved, 2), percent(s.worst), percent(s.within1 / s.solved), percent(s.within5 / s.solved),
            rounded(astar.time / s.time), rounded(astar.first / s.first), percent(s.expanded / astar.expanded), ...index, rounded(s.peak / 1024),
        ];
        lines.push(`| ${cells.join(" | ")} |`);
    }
    const failed = measured.filter(([, spec]) => sums.get(canonical(spec)).failed).map(([, spec]) => `${spec}: ${sums.get(canonical(spec)).failed}`);
    if (failed.length) lines.push("", `Not solved: ${failed.join(", ")}.`);
    return lines;
}

// What the theses say, and what it is here. A claim whose planners are not measured is left out.
function claims(dao, bg512, cape, edits) {
    const rows = [];
    const both = (spec) => [dao.get(canonical(spec)), bg512.get(canonical(spec))];
    const add = (source, claim, specs, value) => {
        if (specs.every((spec) => dao.has(canonical(spec)))) rows.push(`| ${source} | ${claim} | ${value(...specs.map(both))} |`);
    };
    const mean = ([a, b]) => `${percent(a.longer / a.solved)}, ${percent(b.longer / b.solved)}`;
    const share = (key) => ([a, b]) => `${percent(a[key] / a.solved)}, ${percent(b[key] / b.solved)}`;
    const ratio = (key) => ([a, b], [c, d]) => `${rounded(c[key] / a[key])}, ${rounded(d[key] / b[key])}`;
    const best = ([a, b], [c, d]) =>
        [[a, c], [b, d]].map(([x, y]) => rounded(Math.max(...x.times.map((time, i) => y.times[i] / time)))).join(", ");
    add("T 7.1.5", "HPA\\* up to 9 times faster than A\\*: on the best map", ["hpa:levels=1,size=10", "astar"], best);
    add("T 7.2", "HPA\\* unsmoothed: about 6 % longer on average", ["hpa:levels=1,size=10"], mean);
    add("T 7.2", "HPA\\* smoothed: less than 1 % longer", ["hpa:smooth=rays"], mean);
    const inPieces = ([a, b]) => `${percent(a.pieces / a.solved)}, ${percent(b.pieces / b.solved)}`;
    add("T 7.3", "HPA\\* in pieces: much longer, and smoothing does not help", ["hpa:smooth=rays"], inPieces);
    add("T 7.2", "DHPA\\* 1.9 times faster than HPA\\*: both with clusters of 32", ["dhpa:size=32", "hpa:levels=1,size=32"], ratio("time"));
    add("T 7.2", "the same, both with clusters of 10", ["dhpa:size=10", "hpa:levels=1,size=10"], ratio("time"));
    add("T 7.2", "the same, each with defaults (32 and 24)", ["dhpa", "hpa"], ratio("time"));
    add("T 7.2", "DHPA\\*: times the memory of HPA\\*, both with clusters of 32", ["hpa:levels=1,size=32", "dhpa:size=32"], ratio("index"));
    add("T 7.2", "the same, each with defaults", ["hpa", "dhpa"], ratio("index"));
    add("T 7.3", "PRA\\*(∞) within 1 % for 98 % of the paths", ["pra"], share("within1"));
    add("T 7.3", "PRA\\*(16) within 5 % for 98 % of the paths", ["pra:k=16"], share("within5"));
    add("T 7.4", "MM with 10 % trimming as little as 5 % longer", ["mm:trim=10,smooth=none"], mean);
    add("T 7.4", "MM, optimised centres: half the expansions. Plain against optimised", ["mm:centres=optimised,trim=10,smooth=none", "mm:centres=plain,trim=10,smooth=none"], ratio("expanded"));
    add("H 4.2", "512×512 cells: HPA\\* built in 28,000 ms; here on bg512", ["hpa:levels=1,size=10"], ([, b]) => `${rounded(b.build / b.maps)} ms`);
    add("H 4.2", "512×512 cells: PRA\\* built in 1,100 ms; here on bg512", ["pra"], ([, b]) => `${rounded(b.build / b.maps)} ms`);
    if (cape) {
        const of = (spec) => percent(cape.get(canonical(spec)).expanded / cape.get(canonical("astar")).expanded);
        const longer = (spec) => percent(cape.get(canonical(spec)).longer / cape.get(canonical(spec)).solved);
        add("H 4.1", "AcrosstheCape: HPA\\* expands 2.9 % of what A\\* does, 3 % longer", ["hpa:levels=1,size=10"], () => `${of("hpa:levels=1,size=10")}, ${longer("hpa:levels=1,size=10")} longer`);
        add("H 4.1", "AcrosstheCape: PRA\\* expands 1.6 %, 16 % longer", ["pra"], () => `${of("pra")}, ${longer("pra")} longer`);
    }
    for (const row of edits.filter((edit) => edit.spec === "pra" && /Cape/.test(edit.map))) {
        rows.push(`| H 4.4 | PRA\\*, 768×768, upper levels after an edit: 3,900 ms | ${milliseconds(row.one[1])} ms, worst ${milliseconds(row.one[3])} |`);
    }
    return ["### What the theses say", "", "Two figures are those of dao and bg512.", "", "| source | claim | here |", "|---|---|---|", ...rows];
}

function editTable(edits) {
    const lines = [
        "### Edits",
        "",
        "Commit and sync, ms of processor time (`bench_upkeep -a`); cells and patches anywhere on the map, 2,000 of each.",
        "",
        "| map | planner | built | one cell: mean | 99.9 % | worst | 16×16 patch: mean | worst |",
        "|---|---|---:|---:|---:|---:|---:|---:|",
    ];
    for (const { map, spec, one, patch, build } of edits) {
        const cells = [map, `\`${spec}\``, build, ...one.slice(1).map(milliseconds), milliseconds(patch[1]), milliseconds(patch[3])];
        lines.push(`| ${cells.join(" | ")} |`);
    }
    return lines;
}

function instructionTable() {
    const rows = fs.readFileSync("bench/instructions.txt", "utf8").split("\n").map((line) => line.split(/\s+/));
    const of = (map, name) => rows.find((row) => row[0] === map && row[2] === name);
    const names = [...new Set(rows.filter((row) => /@16$/.test(row[2])).map((row) => row[2].replace("@16", "")))];
    const maps = ["sc1/BigGameHunters.map", "sc1/AcrosstheCape.map"];
    if (!names.length) return [];
    const lines = [
        "### Instructions",
        "",
        "A query, counted as [bench/instructions](../bench/instructions) counts; the share is of what the A\\* of the strongest public program needs.",
        "",
        "| planner | map | whole path | share | first 16 steps | share |",
        "|---|---|---:|---:|---:|---:|",
    ];
    for (const map of maps)
        for (const name of ["astar", "jps-plus", ...names]) {
            const whole = of(map, name);
            const first = of(map, `${name}@16`) ?? whole;
            if (whole) lines.push(`| \`${name}\` | ${map} | ${grouped(whole[6])} | ${whole[8]} | ${grouped(first[6])} | ${first[8]} |`);
        }
    return [...lines, ""];
}

// ---- the page ----

const begun = Date.now();
const dao = measure(mapsOf("dao"), every);
const bg512 = measure(mapsOf("bg512"), every);
const cape = fs.existsSync(capeMap) ? measure([capeMap], quick ? 400 : 40) : null;
const edits = measureEdits();
const tables = [
    ...setTable("Dragon Age: Origins (dao)", dao),
    "",
    ...setTable("Baldur's Gate II, 512×512 (bg512)", bg512),
    "",
    ...editTable(edits),
    "",
    ...instructionTable(),
    ...claims(dao, bg512, cape, edits),
].join("\n");
const minutes = ((Date.now() - begun) / 60000).toFixed(1);
if (left.length) console.error(`left out, not in the registry: ${left.join(" ")}`);
if (quick) {
    console.log(tables);
} else {
    const marks = /(<!-- measured by bench\/hierarchies -->\n)[^]*(<!-- end of measured -->)/;
    const text = fs.readFileSync(page, "utf8");
    if (!marks.test(text)) throw new Error(`${page}: the marks are missing`);
    fs.writeFileSync(page, text.replace(marks, (_, before, after) => `${before}\n${tables}\n\n${after}`));
    console.error(`${page} written after ${minutes} minutes`);
}
