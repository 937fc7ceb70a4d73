// advise.mjs: is what `cairn advise` recommends as good as the best that measuring everything finds, and what `auto` takes
// without measuring? Writes the two tables of docs/advise.md, between their marks.
//
//     node bench/advise.mjs docs/advise.md FOLDER [MAPS]
//
// MAPS: so many maps of CAIRN_DATA (20), spread evenly over its sets and over the files of each. Each map is asked with three
// presets, as a user would, and everything is measured once (--all), with the edits of one of them. What each preset makes of
// these measurements is worked out here, by the rule of docs/advise.md; for the preset that was asked, it must be what the
// program says. Then the recommended candidate is compared with the best one that obeys. Processor time of the recommendation
// is told. Every answer is kept in FOLDER; those that are there are not asked for again, so it can go on after an end.
// CAIRN_PROGRAM names another program than build/strict/cairn.
import { spawnSync } from "node:child_process";
import fs from "node:fs";

const sets = ["dao", "bg512", "wc3", "sc1", "street", "room", "maze", "random"];
const presets = ["pc", "strategy", "shooter"], measured = "strategy";
const data = process.env.CAIRN_DATA;
const cairn = process.env.CAIRN_PROGRAM ?? "build/strict/cairn";
const [page, folder, total = "20"] = process.argv.slice(2);

function spread(names, count) {
    return names.length <= count ? names : Array.from({ length: count }, (_, i) => names[Math.floor((i + 0.5) * names.length / count)]);
}

function mapsOf(set, i) {
    const names = fs.readdirSync(`${data}/${set}`).filter((name) => name.endsWith(".map")).sort();
    const before = Math.floor(i * total / sets.length), after = Math.floor((i + 1) * total / sets.length);
    return spread(names, after - before).map((name) => `${set}/${name.slice(0, -4)}`);
}

function advise(map, preset, ...more) {
    const file = `${folder}/${[map.replace("/", "-"), preset, ...more].join("").replace(/[^\w-]/g, "_")}.json`;
    if (!fs.existsSync(file)) {
        const words = ["advise", `${data}/${map}.map`, "--preset", preset, "--json", ...more];
        const result = spawnSync(cairn, words, { encoding: "utf8", maxBuffer: 1 << 26, stdio: ["ignore", "pipe", "inherit"] });
        if (result.error) throw result.error;
        JSON.parse(result.stdout);
        fs.writeFileSync(file, result.stdout);
    }
    return JSON.parse(fs.readFileSync(file, "utf8"));
}

// What a candidate takes of a frame, and whether it obeys: program/advise_choose.c once more, from what was measured.
function judge(c, needs, commit) {
    const edits = needs.edits_per_second;
    const repair = c.index_bytes === null ? 0 : c.repair_us_mean ?? 1e3 * c.index_build_ms;
    const frame = (needs.requests_per_second * c.time_us_mean + (edits ? edits * (repair + commit) : 0)) / needs.frames_per_second;
    const memory = (c.index_bytes ?? 0) + c.search_bytes_max + c.search_bytes_deviation + needs.agents * c.path_bytes_mean;
    const answered = c.solved > 0 && c.problems - c.solved <= 0.01 * c.problems && !["refused", "slow build"].includes(c.verdict);
    const stalls = edits && c.index_bytes !== null && !c.slices && c.repair_us_max > needs.budget_us;
    const obeys = answered && memory <= needs.memory_bytes && 100 * c.suboptimality_mean <= needs.longer_percent &&
        frame <= needs.budget_us && !stalls;
    return { algorithm: c.algorithm, frame, obeys };
}

// The rule here must say what the program said of its own preset.
function check(map, all) {
    for (const c of all.candidates.filter(({ solved }) => solved)) {
        const { frame, obeys } = judge(c, all.needs, all.commit_us_mean ?? 0);
        if (obeys !== c.obeys || Math.abs(frame / c.frame_us - 1) > 1e-3) throw new Error(`${map}: ${c.algorithm} is judged otherwise`);
    }
}

// What a candidate takes as a multiple of the best that obeys.
function ratioOf(judged, name) {
    const best = judged.filter(({ obeys }) => obeys).toSorted((a, b) => a.frame - b.frame)[0];
    const chosen = judged.find(({ algorithm }) => algorithm === name);
    if (!best || !chosen) return `${name ?? "nobody"}, best ${best?.algorithm ?? "nobody"}`;
    return `\`${chosen.algorithm}\` ${chosen.obeys ? (chosen.frame / best.frame).toFixed(2) : "does not obey"}`;
}

function cellsOf(map, preset, all) {
    const asked = advise(map, preset);
    const judged = all.candidates.filter(({ solved }) => solved).map((c) => judge(c, asked.needs, all.commit_us_mean ?? 0));
    return [`${ratioOf(judged, asked.recommended)} (${asked.seconds.toFixed(1)} s)`, ratioOf(judged, asked.auto)];
}

function put(mark, rows) {
    const text = fs.readFileSync(page, "utf8");
    const [begin, end] = [`<!-- ${mark} -->\n`, `<!-- end of ${mark} -->`];
    const heads = `| map | ${presets.map((preset) => `\`${preset}\``).join(" | ")} |\n|---|${presets.map(() => "---|").join("")}\n`;
    fs.writeFileSync(page, text.slice(0, text.indexOf(begin) + begin.length) + heads + rows.join("\n") + "\n" + text.slice(text.indexOf(end)));
}

fs.mkdirSync(folder, { recursive: true });
const rows = [[], []];
for (const map of sets.flatMap(mapsOf)) {
    const all = advise(map, measured, "--all");
    check(map, all);
    const cells = presets.map((preset) => cellsOf(map, preset, all));
    rows.forEach((table, i) => table.push(`| ${map} | ${cells.map((cell) => cell[i]).join(" | ")} |`));
    console.error(rows[0].at(-1));
}
["measured by bench/advise.mjs", "what auto takes, by bench/advise.mjs"].forEach((mark, i) => put(mark, rows[i]));
