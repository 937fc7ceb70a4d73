#!/bin/sh
# tools/check_data.sh PROGRAM SET: checks every map of a set of the MovingAI benchmarks in the
# folder CAIRN_DATA against the published lengths, on every K-th problem (CAIRN_EVERY=K; 400, or what
# leaves about four problems a map if that is more): algorithms without an index on every map, those
# with one on every fifth. With CAIRN_EVERY=1 astar on every single problem, and all algorithms on
# every 400th of every map. What takes seconds to build on a large map is checked on small ones
# only. Ends with 77, "skipped", without the data.
set -eu
program=$1 set=$2
if [ -z "${CAIRN_DATA-}" ]; then
    echo "skipped: CAIRN_DATA is not set (the folder with the MovingAI benchmarks)"
    exit 77
fi
if [ ! -d "$CAIRN_DATA/$set" ]; then
    echo "skipped: no folder $set in CAIRN_DATA"
    exit 77
fi
usual=$(cat "$CAIRN_DATA/$set"/*.scen | wc -l)
usual=$((usual / 4 / $(find "$CAIRN_DATA/$set" -name '*.map' | wc -l)))
[ $usual -gt 400 ] || usual=400
every=${CAIRN_EVERY:-$usual} nth=5
if [ "$every" = 1 ]; then
    "$program" check -a astar "$CAIRN_DATA/$set"/*.map
    every=400 nth=1
fi
slow=cluster-table
# The planners that need an index (true) or none (false), but the slow one, as `-a` takes them.
planners() {
    "$program" algorithms --json | grep '"kind": "planner".*"needs_index": '"$1" |
        sed 's/^ *{"name": "\([^"]*\)".*/\1/' | grep -vx "$slow" | paste -sd,
}
check() { # ALGORITHMS MAP…
    algorithms=$1
    shift
    [ -z "$algorithms" ] || "$program" check --threads 2 --every "$every" -a "$algorithms" "$@"
}
check "$(planners false)" "$CAIRN_DATA/$set"/*.map
algorithms=$(planners true) number=0
for map in "$CAIRN_DATA/$set"/*.map; do
    [ $((number % nth)) != 0 ] || set -- "$@" "$map"
    number=$((number + 1))
done
shift 2 # the program and the set
check "$algorithms" "$@"
find "$CAIRN_DATA/$set" -name '*.map' -size -24k \
    -exec "$program" check --threads 2 --every 20 -a $slow {} +
