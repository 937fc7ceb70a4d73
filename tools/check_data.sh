#!/bin/sh
# tools/check_data.sh PROGRAM SET: checks every map of a set of the MovingAI benchmarks in the
# folder CAIRN_DATA against the published lengths, on every K-th problem (CAIRN_EVERY=K; 400, or what
# leaves about four problems a map if that is more): algorithms without an index on every map, those
# with one and those that search for seconds on every fifth, those that build for seconds on every
# fifteenth. With CAIRN_EVERY=1 astar on every single problem, and all algorithms on every 400th of
# every map. What takes even longer is checked on small maps only. Ends with 77, "skipped", without
# the data.
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
slow=cluster-table searches=smastar builds=gateway,hcdps
# The planners that need an index (true) or none (false), but those that are named above, as `-a` takes
# them.
planners() {
    "$program" algorithms --json | grep '"kind": "planner".*"needs_index": '"$1" |
        sed 's/^ *{"name": "\([^"]*\)".*/\1/' | grep -vxF "$(echo "$slow,$searches,$builds" | tr , '\n')" |
        paste -sd,
}
check() { # ALGORITHMS MAP…
    algorithms=$1
    shift
    [ -z "$algorithms" ] || "$program" check --threads 2 --every "$every" -a "$algorithms" "$@"
}
# check_some ALGORITHMS N: on every N-th map
check_some() {
    algorithms=$1 step=$2 number=0
    set --
    for map in "$CAIRN_DATA/$set"/*.map; do
        [ $((number % step)) != 0 ] || set -- "$@" "$map"
        number=$((number + 1))
    done
    check "$algorithms" "$@"
}
check "$(planners false)" "$CAIRN_DATA/$set"/*.map
check_some "$(planners true),$searches" $nth
[ $nth = 1 ] || nth=15
check_some $builds $nth
find "$CAIRN_DATA/$set" -name '*.map' -size -24k \
    -exec "$program" check --threads 2 --every 20 -a $slow {} +
