// advise.mjs: is what `cairn advise` recommends as good as the best that measuring everything finds? Writes the table of
// docs/advise.md, between its two marks.
//
//     node bench/advise.mjs docs/advise.md [MAPS]
//
// MAPS: so many maps a set of CAIRN_DATA (3), spread evenly over the files. Each map is asked with three presets, as a user
// would, and once more with --all. In the document of that run the recommended candidate is compared with the best one that
// obeys. Processor time of the first run is told. CAIRN_PROGRAM names another program than build/strict/cairn.
import { spawnSync } from "node:child_process";
import fs from "node:fs";

const sets = ["dao", "bg512", "wc3", "sc1", "street", "room", "maze", "random"];
const presets = ["pc", "strategy", "shooter"];
const data = process.env.CAIRN_DATA;
const cairn = process.env.CAIRN_PROGRAM ?? "build/strict/cairn";
const [page, each = "3"] = process.argv.slice(2);

function spread(names, count) {
    return names.length <= count ? names : Array.from({ length: count }, (_, i) => names[Math.floor((i + 0.5) * names.length / count)]);
}

function advise(map, preset, ...more) {
    const words = ["advise", map, "--preset", preset, "--json", ...more];
    const result = spawnSync(cairn, words, { encoding: "utf8", maxBuffer: 1 << 26, stdio: ["ignore", "pipe", "inherit"] });
    if (result.error) throw result.error;
    return JSON.parse(result.stdout);
}

function compare(map, preset) {
    const asked = advise(map, preset), all = advise(map, preset, "--all");
    const obeying = all.candidates.filter(({ obeys }) => obeys);
    const best = obeying.toSorted((a, b) => a.frame_us - b.frame_us)[0];
    const chosen = all.candidates.find(({ algorithm }) => algorithm === asked.recommended);
    console.error(`${map} ${preset}: ${asked.recommended}, best ${best?.algorithm}`);
    return { chosen, best, seconds: asked.seconds };
}

function cell({ chosen, best, seconds }) {
    if (!best || !chosen) return `${chosen?.algorithm ?? "nobody"}, best ${best?.algorithm ?? "nobody"} (${seconds.toFixed(1)} s)`;
    const ratio = chosen.obeys ? (chosen.frame_us / best.frame_us).toFixed(2) : "does not obey";
    return `\`${chosen.algorithm}\` ${ratio} (${seconds.toFixed(1)} s)`;
}

const rows = [];
for (const set of sets) {
    const names = fs.readdirSync(`${data}/${set}`).filter((name) => name.endsWith(".map")).sort();
    for (const name of spread(names, Number(each)))
        rows.push(`| ${set}/${name.slice(0, -4)} | ${presets.map((preset) => cell(compare(`${data}/${set}/${name}`, preset))).join(" | ")} |`);
}
const text = fs.readFileSync(page, "utf8");
const [begin, end] = ["<!-- measured by bench/advise.mjs -->\n", "<!-- end of it -->"];
const table = `| map | ${presets.map((preset) => `\`${preset}\``).join(" | ")} |\n|---|${presets.map(() => "---|").join("")}\n${rows.join("\n")}\n`;
fs.writeFileSync(page, text.slice(0, text.indexOf(begin) + begin.length) + table + text.slice(text.indexOf(end)));
