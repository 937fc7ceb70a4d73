// pathfinding.js: PathFinding.js (npm `pathfinding`): its A* and its jump point search.
//
//     node pathfinding.js FOLDER FINDER RULE MAP SCENARIO EVERY REPEAT
//
// FOLDER holds node_modules; FINDER is astar or jps; the rest and the output are as in problems.h, with a third number
// in each line: the microseconds that copying the grid took. A grid of this library serves one
// query, so that every query needs a copy; the two are timed apart.
"use strict";
const fs = require("fs");
const path = require("path");

const [folder, finderName, rule, mapName, scenarioName, every, repeat] = process.argv.slice(2);
const library = require(path.resolve(folder, "node_modules", "pathfinding"));

function readGrid(name) {
    const lines = fs.readFileSync(name, "utf8").split(/\r?\n/);
    const first = lines.indexOf("map") + 1;
    const height = Number(lines.find((line) => line.startsWith("height ")).slice(7));
    return lines.slice(first, first + height).map((row) => Array.from(row, (c) => (".GS".includes(c) ? 0 : 1)));
}

function readProblems(name) {
    const lines = fs.readFileSync(name, "utf8").split(/\r?\n/).slice(1);
    return lines
        .map((line) => line.split(/\s+/).slice(4, 8).map(Number))
        .filter((numbers, i) => numbers.length === 4 && i % Number(every) === 0);
}

function makeFinder() {
    const diagonalMovement =
        rule === "never" ? library.DiagonalMovement.OnlyWhenNoObstacles : library.DiagonalMovement.Always;
    const options = { diagonalMovement, heuristic: library.Heuristic.octile };
    if (finderName === "astar") return new library.AStarFinder(options);
    return library.JumpPointFinder(options);
}

function lengthOf(cells) {
    let length = cells.length ? 0 : -1;
    for (let i = 1; i < cells.length; i++)
        length += cells[i][0] !== cells[i - 1][0] && cells[i][1] !== cells[i - 1][1] ? Math.SQRT2 : 1;
    return length;
}

const median = (numbers) => numbers.sort((a, b) => a - b)[numbers.length >> 1];
const now = () => Number(process.hrtime.bigint()) / 1e3;

const rows = readGrid(mapName);
const problems = readProblems(scenarioName);
let start = now();
const grid = new library.Grid(rows);
console.log(`setup ${((now() - start) / 1e3).toFixed(3)}`);
const finder = makeFinder();
const find = (problem, copy) => finder.findPath(...problem, copy);
for (let i = 1; i <= 16; i++) find(problems[Math.ceil((problems.length * i) / 16) - 1], grid.clone());
for (const problem of problems) {
    const times = [];
    const copies = [];
    let cells = [];
    for (let i = 0; i < Number(repeat); i++) {
        start = now();
        const copy = grid.clone();
        const middle = now();
        cells = find(problem, copy);
        times.push(now() - middle);
        copies.push(middle - start);
    }
    console.log(`${lengthOf(cells).toFixed(8)} ${median(times).toFixed(3)} ${median(copies).toFixed(3)}`);
}
