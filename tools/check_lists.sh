#!/bin/sh
# Every source file is in cmake/sources.cmake (or src/algorithms.def), every listed file
# is there, every script says it can be run, and every case of tests/threads.txt and every test
# that cmake/tests.cmake compiles with optimisation exists.
set -eu
cd "$(dirname "$0")/.."
listed=$(mktemp) && found=$(mktemp)
trap 'rm -f "$listed" "$found"' EXIT
for list in CORE HEADERS CPP_HEADERS IO_HEADERS IO PROGRAM TEST TEST_SUPPORT EXAMPLE BENCH FUZZ JS; do
    tools/sources.sh $list
done | sort >"$listed"
find include/cairn -name '*.h' -o -name '*.hpp' >"$found"
find src program examples fuzz bench -name '*.c' ! -name replay.c >>"$found"
find bindings -maxdepth 2 -name '*.c' >>"$found"
find tests -maxdepth 1 -name '*.c' ! -name 'golden*.c' >>"$found"
sort -o "$found" "$found"
bad=0
if ! diff "$listed" "$found" >/dev/null; then
    comm -23 "$listed" "$found" | sed 's/^/listed, but not there: /'
    comm -13 "$listed" "$found" | sed 's/^/not in cmake\/sources.cmake: /'
    bad=1
fi
for duplicate in $(uniq -d "$listed"); do echo "listed twice: $duplicate" && bad=1; done
for script in run test .ci/run tools/*.sh tests/*.sh bench/instructions bench/grid bench/hierarchies; do
    case $script in */common.sh) continue ;; esac
    [ -x "$script" ] || { echo "not executable: $script" && bad=1; }
done
grep -v '^#' tests/threads.txt | while IFS=. read -r test name; do
    grep -qsw "$name" "tests/$test.c" || echo "tests/threads.txt: no case $test.$name"
done >"$found"
for test in $(sed -n '/^set(busy_tests/,/)/ { s/^set(busy_tests//; s/)//; p; }' cmake/tests.cmake); do
    [ -f "tests/$test.c" ] || echo "cmake/tests.cmake: busy_tests has $test, which is no test"
done >>"$found"
cat "$found"
[ ! -s "$found" ] || bad=1
exit $bad
