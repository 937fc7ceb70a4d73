#!/bin/bash
# Builds with some of the algorithms (CAIRN_ALGORITHMS): A* alone is a small library that finds a path, and A* with jump
# point search passes the conformance suite and gives the golden answers of both.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/common.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
quietly() { "$@" >"$work/log" 2>&1 || { tail -n 40 "$work/log" && exit 1; }; }

core="-DCAIRN_BUILD_IO=OFF -DCAIRN_BUILD_PROGRAM=OFF -DCAIRN_BUILD_EXAMPLES=OFF -DCAIRN_BUILD_BENCH=OFF -DCAIRN_INSTALL=OFF"
# shellcheck disable=SC2086 # one word per option
quietly cmake -G Ninja -B build/astar -DCMAKE_C_COMPILER=gcc -DCMAKE_BUILD_TYPE=Release -DCAIRN_WERROR=ON $core \
    -DCAIRN_ALGORITHMS=astar
quietly ninja -C build/astar -j "$jobs"
tools/check_library.sh build/astar astar
gcc -std=c17 -Iinclude examples/first_path.c build/astar/libcairn.a -o "$work/first_path" -lpthread -lm
tools/check_example.sh "$work/first_path" examples/first_path.c

quietly cmake --preset strict -B build/subset -DCAIRN_BUILD_SHARED=OFF '-DCAIRN_ALGORITHMS=astar;jps'
quietly ninja -C build/subset -j "$jobs" test_conformance_paths test_conformance_goals test_conformance_trace golden
quietly ctest --test-dir build/subset -j "$jobs" -R 'test_conformance_(paths|goals|trace)' --output-on-failure
grep 'tests passed' "$work/log"
build/subset/bin/golden >"$work/golden"
if grep -vxFf tests/golden.txt "$work/golden"; then
    echo "A build with astar and jps alone gives these answers, which tests/golden.txt does not have." && exit 1
fi
echo "golden answers of a build with astar and jps: $(wc -l <"$work/golden") lines"
