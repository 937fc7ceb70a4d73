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

// The forms of answers of a candidate, from what was measured: program/advise_choose.c once more. Without edits only whole
// paths. `all` was measured with the edits of one preset; others have none.
function formsOf(c, needs, all) {
    if (!needs.edits_per_second) return [{ searches: needs.requests_per_second, each: c.time_us_mean, longer: c.suboptimality_mean }];
    if (needs.edits_per_second !== all.needs.edits_per_second) throw new Error("measured with other edits");
    const follow = (steps) => steps * all.follow_us_per_step;
    const asked = (form) => needs.requests_per_second + form.broken_per_second;
    const again = c.whole.broken_per_second * (c.rest_us_mean + follow(c.steps_mean) / 2);
    const first = needs.requests_per_second * (c.time_us_mean + follow(c.steps_mean));
    const forms = [{ searches: asked(c.whole), each: (first + again) / asked(c.whole), longer: c.suboptimality_mean }];
    if (c.in_pieces.frame_us === null) return forms;
    const steps = c.steps_mean / c.pieces_mean;
    const ends = Math.min(needs.agents * needs.steps_per_second, needs.requests_per_second * c.steps_mean) / steps;
    const searches = asked(c.in_pieces) / (1 - Math.exp(-asked(c.in_pieces) / ends));
    forms.push({ searches, each: c.pieces_us_mean / c.pieces_mean + follow(steps), longer: c.in_pieces.suboptimality_mean });
    return forms;
}

// What a candidate takes of a frame, in the form of answers that takes less, and whether it obeys.
function judge(c, needs, all) {
    const edits = needs.edits_per_second, most = needs.longer_percent / 100;
    const repair = c.index_bytes === null ? 0 : c.repair_us_mean ?? 1e3 * c.index_build_ms;
    const frameOf = ({ searches, each }) => (searches * each + (edits ? edits * (repair + all.commit_us_mean) : 0)) / needs.frames_per_second;
    const [whole, pieces] = formsOf(c, needs, all);
    const better = pieces && (frameOf(pieces) < frameOf(whole) || whole.longer > most);
    const form = better && pieces.longer <= most ? pieces : whole;
    const memory = (c.index_bytes ?? 0) + c.search_bytes_max + c.search_bytes_deviation + needs.agents * c.path_bytes_mean;
    const answered = c.solved > 0 && c.problems - c.solved <= 0.01 * c.problems && !["refused", "slow build"].includes(c.verdict);
    const stalls = edits && c.index_bytes !== null && !c.slices && c.repair_us_max > needs.budget_us;
    const obeys = answered && memory <= needs.memory_bytes && form.longer <= most && frameOf(form) <= needs.budget_us && !stalls;
    return { algorithm: c.algorithm, frame: frameOf(form), pieces: form === pieces, obeys };
}

// The rule here must say what the program said of its own preset.
function check(map, all) {
    for (const c of all.candidates.filter(({ solved }) => solved)) {
        const { frame, pieces, obeys } = judge(c, all.needs, all);
        if (obeys !== c.obeys || pieces !== c.piece > 0 || Math.abs(frame / c.frame_us - 1) > 1e-3) throw new Error(`${map}: ${c.algorithm} is judged otherwise`);
    }
}

// What a candidate takes as a multiple of the best that obeys.
function ratioOf(judged, name) {
    const best = judged.filter(({ obeys }) => obeys).toSorted((a, b) => a.frame - b.frame)[0];
    const chosen = judged.find(({ algorithm }) => algorithm === name);
    if (!best || !chosen) return `${name ?? "nobody"}, best ${best?.algorithm ?? "nobody"}`;
    return `\`${chosen.algorithm}\`${chosen.pieces ? " in pieces" : ""} ${chosen.obeys ? (chosen.frame / best.frame).toFixed(2) : "does not obey"}`;
}

function cellsOf(map, preset, all) {
    const asked = advise(map, preset);
    const judged = all.candidates.filter(({ solved }) => solved).map((c) => judge(c, asked.needs, all));
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
