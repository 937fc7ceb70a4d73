// thousand.mjs: a thousand agents in a world that changes, with each of several planners: what a frame takes, how long goals wait,
// what becomes of them. Writes the tables of docs/simulate.md, between their marks, and its chart.
// Fails if a step is wrong or refused, or if one of the limits below breaks; the page is written all the same.
//
//     CAIRN_DATA=DATA node bench/thousand.mjs docs/simulate.md [TURNS]
//
// TURNS: 3,600 unless told: a minute of the game. Then nothing is closed and nobody gets another goal any more, and all walk
// to theirs, so that it is known what became of each goal. Times are processor time of one thread (bench/thousand.scenario).
// CAIRN_PROGRAM names another program than build/strict/cairn.
import { spawnSync } from "node:child_process";
import fs from "node:fs";

const data = process.env.CAIRN_DATA;
const cairn = process.env.CAIRN_PROGRAM ?? "build/strict/cairn";
const [page, turns = "3600"] = process.argv.slice(2);

function run(...words) {
    const result = spawnSync(cairn, words, { encoding: "utf8", maxBuffer: 1 << 26, stdio: ["ignore", "pipe", "inherit"] });
    if (result.error) throw result.error;
    return JSON.parse(result.stdout);
}

/* One run: every step has been looked at, so a fault is the end of it. */
function simulate(map, spec, ...more) {
    const words = ["simulate", `${data}/${map}.map`, "--scenario", "bench/thousand.scenario", "--turns", turns, "--drain", "18000", "-a", spec, ...more];
    const result = run(...words, "--json");
    console.error(words.slice(4).join(" "), result.frame_us_p999, result.later_frames_mean);
    if (result.illegal || result.false_reasons || result.overspent) throw new Error(`${spec}: a wrong step, reason or budget`);
    return result;
}

// What must hold of the planner that `cairn advise` names, asked as it says, and of `hpa` in pieces.
const limits = [
    { what: "99.9 % of frames, us", most: 1500, of: (r) => r.frame_us_p999 },
    { what: "frames until a later goal has its first piece, on average", most: 3, of: (r) => r.later_frames_mean },
    { what: "goals out of 100 in reach that are not reached", most: 1, of: (r) => 100 * (1 - r.reached_share) },
];
function check(name, r) {
    for (const { what, most, of } of limits) {
        const value = of(r);
        if (value !== null && value <= most) continue;
        console.error(`${name}: ${what}: ${value}, and ${most} are allowed`);
        process.exitCode = 1;
    }
}

const ms = (us) => (us / 1000).toFixed(2);
const count = (number) => number.toLocaleString("en");
const bytes = (number) => `${(number / 1048576).toFixed(1)} MB`;

/* What became of the goals: those out of reach, all others that were not reached by their reasons, and the share of goals in reach
 * that were. */
function goals({ goals_given, goals_open, reached_share, given_up: { unreachable = 0, ...others } }) {
    const reasons = Object.entries(others).map(([reason, times]) => `${count(times)} ${reason}`);
    if (goals_open) reasons.push(`${count(goals_open)} open`);
    return `${count(goals_given)} | ${count(unreachable)} | ${reasons.join(", ") || "0"} | ${(Math.floor(reached_share * 1e4) / 100).toFixed(2)} %`;
}

function row(name, r) {
    const times = ["p50", "p99", "p999", "max"].map((part) => ms(r[`frame_us_${part}`])).join(" | ");
    return `| ${name} | ${times} | ${r.opening_frames_mean.toFixed(1)} | ${r.later_frames_mean.toFixed(2)} | ${goals(r)} | ${count(r.broken)} | ${bytes(r.peak_bytes)} | ${bytes(r.index_bytes)} |\n`;
}

const head = `| planner | frame: half | 99 % | 99.9 % | worst | first goals wait | later ones | goals | out of reach | given up | others reached | paths broken | memory | index |
|---|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|---:|
`;

const across = "sc1/AcrosstheCape", memory = ["--memory", "8192", "--searches", "2", "--search-memory", "3072"];
const pieces = (piece) => (piece ? ["--piece", `${piece}`] : []);
const named = (spec, piece, more = "") => ({ name: `\`${spec}\`${piece ? ` in pieces of ${piece}` : ""}${more}`, spec, piece });

// The game as `cairn advise` is told of it: squares close and open, twenty times a second.
const game = ["--agents", "1000", "--edits", "20", "--fps", "60", "--budget", "1000", "--memory", "8192"];
const advice = run("advise", `${data}/${across}.map`, ...game, "--json");
const advised = { ...named(advice.recommended, advice.piece, " (advised)"), held: true };
const others = [
    ...["jps-plus", "jps", "hpa", "dhpa", "mm", "sga", "astar"].map((spec) => named(spec, 0)),
    ...["hpa", "dhpa", "mm", "sga"].map((spec) => ({ ...named(spec, 32), held: spec === "hpa" })),
].filter(({ spec, piece }) => spec !== advised.spec || piece !== advised.piece);

let large = head;
for (const { name, spec, piece, held } of [advised, ...others]) {
    const result = simulate(across, spec, ...memory, ...pieces(piece));
    large += row(name, result);
    if (held) check(name, result);
}
let small = head.replace("planner", "map and planner");
for (const map of ["bg512/AR0400SR", "bg512/AR0500SR", "bg512/AR0701SR"])
    for (const spec of ["mm", "sga"])
        small += row(`${map}, \`${spec}\``, simulate(map, spec, "--agents", "200", "--piece", "32", "--memory", "2048", "--searches", "1", "--search-memory", "1024"));
run("simulate", `${data}/${across}.map`, "--scenario", "bench/thousand.scenario", "--turns", turns, "-a", advised.spec, ...pieces(advised.piece), ...memory, "--chart", "docs/pictures/simulate-chart.png", "--json");

const text = fs.readFileSync(page, "utf8");
const put = (now, name, table) => {
    const begin = `<!-- ${name}, measured by bench/thousand.mjs -->\n`, at = now.indexOf(begin) + begin.length;
    return now.slice(0, at) + table + now.slice(now.indexOf("<!-- end of it -->", at));
};
fs.writeFileSync(page, put(put(text, "a thousand", large), "two hundred", small));
