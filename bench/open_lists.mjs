// open_lists.mjs: measures the open lists and writes the tables and the chart of docs/open-lists.md. Started by bench/open-lists:
//
//     node bench/open_lists.mjs all|quick|page|comparisons|weights|stored [PREFIX…]
//
// Each world is asked the same random queries with each list (bench/open_lists.c), all in one process: operations, bytes and processor
// time, the least of some rounds in which the lists take turns. A second run counts instructions by callgrind. A list that takes too
// long for that is not counted ("–"). A third run counts comparisons, by the program of the development build: the loops that are made
// for the heap count them there alone, so that a release does not pay for it. The searches are the same, which is checked. The data go
// to build/open-lists.json and build/open-lists-comparisons.json, and the page is made from them. Weighted A* with buckets and with the
// heap is timed for several weights by itself, with data in build/open-lists-weights.json. So are the plain loops of bench/stored.h, which
// differ in whether F and H are stored: build/open-lists-stored.json.
import { spawnSync } from "node:child_process";
import fs from "node:fs";
import { draw } from "./grid_chart.mjs";

const [mode, ...prefix] = process.argv.slice(2);
const data = process.env.CAIRN_DATA;
const page = "docs/open-lists.md";
const picture = "docs/pictures/open-lists.svg";
const secondPicture = "docs/pictures/open-lists-comparisons.svg";
const store = "build/open-lists.json";
const secondStore = "build/open-lists-comparisons.json";
const thirdStore = "build/open-lists-weights.json";
const fourthStore = "build/open-lists-stored.json";
const program = "build/release/bin/bench_open_lists";
const counter = "build/dev/bin/bench_open_lists";
const longest = 80e3; // microseconds: a list that takes longer for the queries of a world is not counted by callgrind

// ---- what is measured ----

// All in the loop for any space, but for the first two, which are A*'s own.
const lists = [
    ["buckets, in their loops", "open=buckets"],
    ["4-ary heap, in its loops", "open=heap"],
    ["buckets", "open=buckets,loop=generic"],
    ["HOT queue", "open=hot-queue"],
    ["4-ary heap", "open=heap,loop=generic"],
    ["binary heap with places", "open=binary-heap"],
    ["skew heap", "open=skew-heap"],
    ["splay tree", "open=splay-tree"],
    ["skip list", "open=skip-list"],
    ["sorted array", "open=sorted-array"],
    ["sorted linked list", "open=sorted-list"],
    ["unsorted array", "open=unsorted-array"],
    ["unsorted linked list", "open=unsorted-list"],
];
const variants = [
    ["binary heap, places in the records", "open=binary-heap"],
    ["binary heap, places in a hash table", "open=binary-heap,member=hash"],
    ["sorted linked list, places in the records", "open=sorted-list"],
    ["sorted linked list, places in a hash table", "open=sorted-list,member=hash"],
    ["binary heap, H computed again", "open=binary-heap"],
    ["binary heap, H stored", "open=binary-heap,store=h"],
    ["skew heap, H computed again", "open=skew-heap"],
    ["skew heap, H stored", "open=skew-heap,store=h"],
];
const worlds = [
    ["game, 280", `${data}/dao/arena2.map`, 4],
    ["game, 512", `${data}/bg512/AR0011SR.map`, 3],
    ["game, 1024", `${data}/sc1/Cauldron.map`, 1],
    ["maze, 128", "maze/128", 6],
    ["maze, 512", `${data}/maze/maze512-8-5.map`, 1],
    ["random, 512", `${data}/random/random512-40-5.map`, 1],
    ["terrain, 64", "caves/64+terrain", 20],
    ["terrain, 128", "caves/128+terrain", 8],
    ["terrain, 256", "caves/256+terrain", 3],
    ["terrain, 512", "caves/512+terrain", 1],
    ["terrain, 1024", "caves/1024+terrain", 1],
];
const small = ["game, 280", "maze, 128", "terrain, 64", "terrain, 128"]; // for a quick run
const few = ["game, 512", "maze, 512", "terrain, 256"]; // for the other algorithms and for variants
const algorithms = [
    ["astar", "A\\*", worlds.map(([name]) => name)],
    ["dijkstra", "Dijkstra's algorithm, to a goal", few],
    ["wastar:weight=2", "Weighted A\\*, w = 2", few],
];
const weights = [1.25, 1.5, 2, 3, 5]; // buckets against the heap, which does not reopen nodes
const plain = [
    ["F in the entry of the list, H made for each push", "plain/entry", "16"],
    ["F and H in the record", "plain/record+h", "24"],
    ["F in the record, H made for each push", "plain/record", "20"],
    ["H in the record, F made for each comparison", "plain/h", "20"],
    ["neither: F and H made for each comparison", "plain/none", "16"],
];
const stored = [...few, "terrain, 1024"];
const grown = worlds.map(([name]) => name).filter((name) => name.startsWith("terrain"));

// ---- measuring ----

function run(words) {
    const result = spawnSync(words[0], words.slice(1), { encoding: "utf8", maxBuffer: 1 << 26, stdio: ["ignore", "pipe", "pipe"] });
    if (result.error) throw result.error;
    if (result.status !== 0) throw new Error(`${words.join(" ")} ended with ${result.status}\n${result.stderr}`);
    return result.stdout;
}

const spec = (algorithm, list) => algorithm === "plain" ? list : `${algorithm}${algorithm.includes(":") ? "," : ":"}${list}`;

// Instructions by planner: each is a dump of its own.
function instructions(world, queries, specs) {
    const out = `build/open-lists.callgrind`;
    run(["valgrind", "--quiet", "--tool=callgrind", "--instr-atstart=no", `--callgrind-out-file=${out}`, program, "-i", "-q", String(queries), world, ...specs]);
    const found = new Map();
    for (const file of fs.readdirSync("build").filter((name) => name.startsWith("open-lists.callgrind"))) {
        const text = fs.readFileSync(`build/${file}`, "utf8");
        const name = /^desc: Trigger: Client Request: (.*)$/m.exec(text)?.[1];
        if (name) found.set(name, Number(/^totals: (\d+)/m.exec(text)[1]));
        fs.unlinkSync(`build/${file}`);
    }
    return found;
}

// The rows of one run of the program, which is words that begin with its name.
function asked(words, name, world, queries, algorithm, specs) {
    return run([...words, "-q", String(queries), world, ...specs])
        .trim()
        .split("\n")
        .map((line) => {
            const [planner, ...numbers] = line.split(" ");
            const [count, cost, expanded, generated, reopened, pushes, compares, bytes, listBytes, us] = numbers.map((n) => (n === "-" ? null : Number(n)));
            return { world: name, algorithm, planner, queries: count, cost, expanded, generated, reopened, pushes, compares, bytes, listBytes, us };
        });
}

function timed(name, world, queries, algorithm, specs) {
    return asked([...prefix, program, "-r", mode === "quick" ? "1" : "5"], name, world, queries, algorithm, specs);
}

function measure(name, world, queries, algorithm, wanted) {
    const rows = timed(name, world, queries, algorithm, [...new Set(wanted.map(([, list]) => spec(algorithm, list)))]);
    const counted = instructions(world, queries, rows.filter((row) => row.us <= longest).map((row) => row.planner));
    for (const row of rows) row.instructions = counted.get(row.planner) ?? null;
    if (algorithm !== "wastar:weight=2" && new Set(rows.map((row) => row.cost)).size !== 1) throw new Error(`${name}: other costs`);
    console.error(`${name}, ${algorithm}`);
    return rows;
}

// Times only.
function measureWeights() {
    const rows = [];
    for (const [name, world, queries] of worlds)
        for (const weight of weights) {
            const specs = ["open=buckets", "open=heap"].map((list) => `wastar:weight=${weight},${list}`);
            rows.push(...timed(name, world, queries, "weights", specs).map((row) => ({ ...row, weight })));
            console.error(`${name}, weight ${weight}`);
        }
    return rows;
}

function measureStored() {
    return worlds.filter(([name]) => stored.includes(name)).flatMap(([name, world, queries]) => {
        const rows = measure(name, world, queries, "plain", plain);
        if (new Set(rows.map((row) => row.expanded)).size !== 1) throw new Error(`${name}: other searches`);
        return rows;
    });
}

function measureAll() {
    const rows = [];
    for (const [algorithm, , names] of algorithms)
        for (const [name, world, queries] of worlds)
            if (names.includes(name) && (mode !== "quick" || small.includes(name)))
                rows.push(...measure(name, world, queries, algorithm, algorithm === "astar" && few.includes(name) ? [...lists, ...variants] : lists));
    return rows;
}

// Comparisons of A*, of every list. `rows` of the release, if there are any, come from the same searches.
function countComparisons(rows) {
    const counted = [];
    for (const [name, world, queries] of worlds)
        if (mode !== "quick" || small.includes(name)) {
            const specs = lists.map(([, list]) => spec("astar", list));
            counted.push(...asked([counter, "-r", "1"], name, world, queries, "astar", specs));
            console.error(`${name}, comparisons`);
        }
    for (const row of counted) {
        const same = rows.find(({ world, planner }) => world === row.world && planner === row.planner) ?? row;
        if (row.compares === null) throw new Error(`${row.planner} counts no comparisons`);
        if (same.pushes !== row.pushes || same.expanded !== row.expanded || (same.compares ?? row.compares) !== row.compares)
            throw new Error(`${row.world}, ${row.planner}: another search in the development build`);
    }
    return counted;
}

// ---- the tables ----

const grouped = (n) => Math.round(n).toString().replace(/\B(?=(\d{3})+$)/g, ",");
const rounded = (n) => (n >= 100 ? grouped(n) : n >= 10 ? n.toFixed(1) : n.toFixed(2));

const finder = (rows) => (world, algorithm, list) => rows.find((row) => row.world === world && row.planner === spec(algorithm, list));

// Returns a function that makes a table of lists by worlds; the least of each column, without those in loops of their own and what is nothing, is bold.
function matrices(rows) {
    const of = finder(rows);
    return (algorithm, names, value, show = rounded, named = lists) => {
        const columns = names.filter((name) => rows.some((row) => row.world === name));
        const cell = (list, name) => {
            const row = of(name, algorithm, list);
            const figure = row ? value(row, name) : null;
            return figure === null || !Number.isFinite(figure) ? null : figure;
        };
        const least = new Map(columns.map((name) => [name, Math.min(...named.filter(([title]) => !/loops/.test(title)).map(([, list]) => cell(list, name) || Infinity))]));
        const body = named.map(([title, list]) => {
            const cells = columns.map((name) => {
                const figure = cell(list, name);
                if (figure === null) return "–";
                return figure === least.get(name) && !/loops/.test(title) ? `**${show(figure)}**` : show(figure);
            });
            return `| ${title} | \`${list}\` | ${cells.join(" | ")} |`;
        });
        return [`| list | \`open\` | ${columns.join(" | ")} |`, `|---|---|${"---:|".repeat(columns.length)}`, ...body, ""];
    };
}

const perPair = (row) => row.compares / row.pushes;

function comparisons(rows) {
    const table = matrices(rows)("astar", worlds.map(([name]) => name), perPair, (n) => (n ? rounded(n) : "0"));
    return ["### Comparisons for a push and its pop", "", "A\\*.", "", ...table].join("\n").trimEnd();
}

function tables(rows) {
    const of = finder(rows);
    const here = (names) => names.filter((name) => rows.some((row) => row.world === name));
    const matrix = matrices(rows);
    const each = (row) => (row.instructions === null ? null : row.instructions / row.expanded);
    const buckets = (algorithm) => (row, name) => row.us / of(name, algorithm, "open=buckets,loop=generic").us;

    const parts = [];
    for (const [algorithm, title, names] of algorithms) {
        if (!here(names).length) continue;
        if (algorithm.startsWith("wastar"))
            parts.push(`### ${title}: thousand instructions for a query`, "", "Buckets reopen nodes, the others do not.", "", ...matrix(algorithm, names, (row) => (row.instructions === null ? null : row.instructions / row.queries / 1000), grouped));
        else parts.push(`### ${title}: instructions for a node that is expanded`, "", ...matrix(algorithm, names, each));
        parts.push(`### ${title}: time, times that of the buckets in the same loop`, "", ...matrix(algorithm, names, buckets(algorithm)));
    }
    parts.push("### What a search asks of its list", "");
    parts.push("A\\*. A changed entry is one of a state that was open when a cheaper path to it was found.", "");
    parts.push("| world | queries | expanded | pushes | of them changed entries | entries on the list, at most |", "|---|---:|---:|---:|---:|---:|");
    for (const name of here(worlds.map(([name]) => name))) {
        const row = of(name, "astar", "open=binary-heap");
        const changed = row.pushes - row.generated - row.reopened;
        const most = (of(name, "astar", "open=unsorted-array").listBytes - 168) / 32; // the list itself, and an item
        parts.push(`| ${name} | ${row.queries} | ${grouped(row.expanded)} | ${grouped(row.pushes)} | ${((100 * changed) / row.pushes).toFixed(1)} % | ${grouped(most)} |`);
    }
    parts.push("", "### Bytes of the list, at most", "", "A\\*. Places in records are not counted here, but in the next table.", "", ...matrix("astar", worlds.map(([name]) => name), (row) => row.listBytes, grouped, lists.slice(2)));
    const some = here(few);
    if (!some.length) return parts.join("\n");
    parts.push("### Membership, and what records store", "", "A\\*. Instructions for a node that is expanded, and KB of the whole search.", "");
    parts.push(`| list | \`open\` | ${some.map((name) => `${name} | KB`).join(" | ")} |`, `|---|---|${"---:|---:|".repeat(some.length)}`);
    for (const [title, list] of variants) {
        const cells = some.map((name) => {
            const row = of(name, "astar", list);
            return `${each(row) === null ? "–" : rounded(each(row))} | ${grouped(row.bytes / 1024)}`;
        });
        parts.push(`| ${title} | \`${list}\` | ${cells.join(" | ")} |`);
    }
    return parts.join("\n");
}

// Buckets against the heap, by world and weight.
function weightTable(rows) {
    const parts = ["### Weighted A\\*: buckets against the heap", "", "Each in loops of its own. Times as much, with buckets, as with the heap.", ""];
    parts.push("| world | weight | nodes expanded | time | cost of the paths |", "|---|---:|---:|---:|---:|");
    for (const [name] of worlds)
        for (const weight of weights) {
            const find = (list) => rows.find((row) => row.world === name && row.planner === `wastar:weight=${weight},${list}`);
            const [a, b] = [find("open=buckets"), find("open=heap")];
            parts.push(`| ${name} | ${weight} | ${rounded(a.expanded / b.expanded)} | ${rounded(a.us / b.us)} | ${(a.cost / b.cost).toFixed(3)} |`);
        }
    return parts.join("\n");
}

// The plain loops: the same searches, but for what is stored.
function storedTable(rows) {
    const parts = ["### A plain A\\*: F and H stored, or made again", "", "Instructions for a node that is expanded; and time, times that of the first row.", ""];
    parts.push(`| stored | bytes of a record | ${stored.map((name) => `${name} | time`).join(" | ")} |`, `|---|---:|${"---:|---:|".repeat(stored.length)}`);
    for (const [title, name, bytes] of plain) {
        const cells = stored.map((world) => {
            const find = (wanted) => rows.find((row) => row.world === world && row.planner === wanted);
            const [row, first] = [find(name), find(plain[0][1])];
            return `${row.instructions === null ? "–" : rounded(row.instructions / row.expanded)} | ${rounded(row.us / first.us)}`;
        });
        parts.push(`| ${title} | ${bytes} | ${cells.join(" | ")} |`);
    }
    return parts.join("\n");
}

// A line for each list, over the sides of the caves with terrain.
function chart(rows, title, value) {
    const side = (name) => Number(name.split(" ").at(-1));
    const lines = lists.map(([name, list], style) => ({
        name,
        style,
        points: rows
            .filter((row) => grown.includes(row.world) && row.planner === spec("astar", list) && value(row))
            .map((row) => ({ x: side(row.world), y: value(row) })),
    }));
    return draw({
        title,
        across: "cells on a side, caves with terrain",
        ticks: grown.map(side),
        label: (n) => grouped(n),
        lines: lines.filter((line) => line.points.length),
        marks: [],
    });
}

// ---- the page ----

const load = (file) => JSON.parse(fs.readFileSync(file, "utf8"));
const save = (file, rows) => fs.writeFileSync(file, JSON.stringify(rows, null, 1));

// Writes a text between two marks of the page.
function write(by, end, written) {
    const marks = new RegExp(`(<!-- ${by} -->\\n)[^]*(<!-- ${end} -->)`);
    const text = fs.readFileSync(page, "utf8");
    if (!marks.test(text)) throw new Error(`${page}: the marks are missing`);
    fs.writeFileSync(page, text.replace(marks, (_, before, after) => `${before}\n${written}\n\n${after}`));
}

const begun = Date.now();
const wants = (...modes) => mode === "all" || modes.includes(mode);
const rows = mode === "page" ? load(store) : wants("quick") ? measureAll() : [];
const counted = mode === "page" ? load(secondStore) : wants("quick", "comparisons") ? countComparisons(rows) : [];
const weighted = mode === "page" ? load(thirdStore) : wants("weights") ? measureWeights() : [];
const plainly = mode === "page" ? load(fourthStore) : wants("stored") ? measureStored() : [];
if (mode === "quick") {
    console.log(`${tables(rows)}\n\n${comparisons(counted)}`);
} else {
    if (wants("weights")) save(thirdStore, weighted);
    if (weighted.length) write("weights measured by bench/open-lists", "end of weights", weightTable(weighted));
    if (wants("stored")) save(fourthStore, plainly);
    if (plainly.length) write("stored or not, measured by bench/open-lists", "end of stored or not", storedTable(plainly));
    if (wants()) save(store, rows);
    if (wants("comparisons")) save(secondStore, counted);
    if (rows.length) {
        write("measured by bench/open-lists", "end of measured", tables(rows));
        fs.writeFileSync(picture, chart(rows, "A*: instructions for a node that is expanded", (row) => row.instructions && row.instructions / row.expanded));
    }
    if (counted.length) {
        write("counted by bench/open-lists", "end of counted", comparisons(counted));
        fs.writeFileSync(secondPicture, chart(counted, "A*: comparisons for a push and its pop", perPair));
    }
    console.error(`${page} and its charts written after ${((Date.now() - begun) / 60000).toFixed(1)} minutes`);
}
