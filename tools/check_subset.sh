#!/bin/bash
# tools/check_subset.sh [--full]: builds with some of the algorithms (CAIRN_ALGORITHMS). A* alone is a small library that finds a
# path, passes the conformance suite and gives its golden answers; with --full, A* with jump point search does so too.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/common.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
quietly() { "$@" >"$work/log" 2>&1 || { tail -n 40 "$work/log" && exit 1; }; }

# subset NAME ALGORITHMS: builds and tests them in build/NAME.
subset() {
    local dir=build/$1 algorithms=$2
    quietly cmake --preset strict -B "$dir" "-DCAIRN_ALGORITHMS=$algorithms"
    quietly ninja -C "$dir" -j "$jobs" libcairn.a libcairn.so test_conformance_paths test_conformance_goals test_conformance_trace test_conformance_auto golden
    quietly ctest --test-dir "$dir" -j "$jobs" -R 'test_conformance_(paths|goals|trace|auto)' --output-on-failure
    grep 'tests passed' "$work/log"
    "$dir/bin/golden" >"$work/golden"
    if grep -vxFf tests/golden.txt "$work/golden"; then
        echo "A build with $algorithms alone gives these answers, which tests/golden.txt does not have." && exit 1
    fi
    echo "golden answers of a build with $algorithms: $(wc -l <"$work/golden") lines"
}
subset astar astar
tools/check_library.sh build/astar astar
gcc -std=c17 -Iinclude examples/first_path.c build/astar/libcairn.a -o "$work/first_path" -lpthread -lm
tools/check_example.sh "$work/first_path" examples/first_path.c
[ "${1-}" != --full ] || subset subset 'astar;jps'
