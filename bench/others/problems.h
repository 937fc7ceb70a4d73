/* problems.h: what the programs of this folder share: a MovingAI map and its scenario, read
 * plainly, and how a library is asked and timed. Each program is one library that could be
 * installed instead of Cairn:
 *
 *     PROGRAM RULE MAP SCENARIO EVERY REPEAT
 *
 * RULE is `never` (no diagonal step past a blocked cell, as in the published lengths) or `always`.
 * The first and then every EVERY-th problem is asked REPEAT times. Printed are a line `setup
 * MILLISECONDS` for what is made of the map once, then a line `LENGTH MICROSECONDS` for each
 * problem: the path's length, added up from its cells outside the clock, and the median time until
 * those cells are in an array. No path has the length -1.
 */
#ifndef BENCH_OTHERS_PROBLEMS_H
#define BENCH_OTHERS_PROBLEMS_H

#include <algorithm>
#include <chrono>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <iostream>
#include <sstream>
#include <string>
#include <vector>

struct Cell {
    int x, y;
};

struct Map {
    int width = 0, height = 0;
    bool cut_corners = false;
    std::vector<char> open;

    bool is_open(int x, int y) const
    {
        return x >= 0 && y >= 0 && x < width && y < height &&
               open[(size_t)y * (size_t)width + (size_t)x];
    }
    /* From an open cell to one of its eight neighbours. */
    bool may_step(int x, int y, int dx, int dy) const
    {
        if (!is_open(x + dx, y + dy)) return false;
        return !dx || !dy || cut_corners || (is_open(x + dx, y) && is_open(x, y + dy));
    }
};

struct Problem {
    Cell from, to;
};

inline void fail(const std::string &what)
{
    std::cerr << what << "\n";
    std::exit(1);
}

inline Map read_map(const char *name, const std::string &rule)
{
    Map map;
    std::ifstream file(name);
    std::string word, row;
    file >> word >> word >> word >> map.height >> word >> map.width >> word;
    if (!file || word != "map" || map.width < 1 || map.height < 1)
        fail(std::string(name) + ": no map");
    if (rule != "never" && rule != "always") fail(rule + ": no rule for corners");
    map.cut_corners = rule == "always";
    for (int y = 0; y < map.height && file >> row; y++)
        for (char c : row) map.open.push_back(c == '.' || c == 'G' || c == 'S');
    if (map.open.size() != (size_t)map.width * (size_t)map.height)
        fail(std::string(name) + ": wrong size");
    return map;
}

inline std::vector<Problem> read_problems(const char *name, int every)
{
    std::vector<Problem> problems;
    std::ifstream file(name);
    std::string line, word;
    std::getline(file, line);
    for (int i = 0; std::getline(file, line); i++) {
        std::istringstream words(line);
        Problem p;
        words >> word >> word >> word >> word >> p.from.x >> p.from.y >> p.to.x >> p.to.y;
        if (words && i % every == 0) problems.push_back(p);
    }
    if (problems.empty()) fail(std::string(name) + ": no problems");
    return problems;
}

inline double now_us()
{
    return std::chrono::duration<double, std::micro>(
               std::chrono::steady_clock::now().time_since_epoch())
        .count();
}

inline double length_of(const std::vector<Cell> &path)
{
    double length = path.empty() ? -1 : 0;
    for (size_t i = 1; i < path.size(); i++)
        length += path[i].x != path[i - 1].x && path[i].y != path[i - 1].y ? std::sqrt(2.0) : 1;
    return length;
}

/* Library(map) makes what it needs once; find(problem, path) fills the path, from start to goal. */
template <class Library> int run(int argc, char **argv)
{
    if (argc != 6) fail("arguments: RULE MAP SCENARIO EVERY REPEAT");
    Map map = read_map(argv[2], argv[1]);
    std::vector<Problem> problems = read_problems(argv[3], std::max(1, std::atoi(argv[4])));
    std::vector<double> times((size_t)std::max(1, std::atoi(argv[5])));
    double start = now_us();
    Library library(map);
    std::printf("setup %.3f\n", (now_us() - start) / 1e3);
    std::vector<Cell> path;
    for (size_t i = 1; i <= 16; i++)
        library.find(problems[problems.size() * i / 16 - (i == 16)], path);
    for (const Problem &problem : problems) {
        for (double &time : times) {
            path.clear();
            start = now_us();
            library.find(problem, path);
            time = now_us() - start;
        }
        std::sort(times.begin(), times.end());
        std::printf("%.8f %.3f\n", length_of(path), times[times.size() / 2]);
    }
    return 0;
}

#endif
