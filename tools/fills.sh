#!/bin/bash
# tools/fills.sh           makes the pictures of docs/fill-patterns.md and the numbers in it: which cells A* expands
#                          with no estimate, a good one, the best one, a table of clusters and too large a one, indoors and outdoors
# tools/fills.sh --check   says whether the numbers still hold and the pictures are there
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/common.sh

# NAME MAP FROM TO
levels=("indoor maps/rooms.map 3,90 120,4"
    "outdoor maps/village.txt 9,5 50,22")
# NAME ALGORITHM what it is
estimates=("null astar:heuristic=null none (Dijkstra)"
    "euclidean astar:heuristic=euclidean straight line"
    "octile astar:heuristic=octile octile distance"
    "clusters cluster-table:estimate=table table of clusters"
    "over wastar:weight=2,heuristic=euclidean straight line, doubled")
coloured="outdoor euclidean" # shown by g, h and f too

page=docs/fill-patterns.md pictures=docs/pictures/fills
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build_preset strict cairn_program
program=build/strict/cairn

number() { # KEY: of the JSON document in $work/json
    sed -n 's/.*"'"$1"'": *\([0-9.]*\).*/\1/p' "$work/json"
}

rows() {
    echo "| level | estimate | \`-a\` | expanded | cost | above the best |"
    echo "|---|---|---|---:|---:|---:|"
    local level map from to name algorithm what best
    for line in "${levels[@]}"; do
        read -r level map from to <<<"$line"
        best=
        for kind in "${estimates[@]}"; do
            read -r name algorithm what <<<"$kind"
            "$program" path "$map" --from "$from" --to "$to" -a "$algorithm" --json >"$work/json"
            : "${best:=$(number cost_units)}" # the first finds the cheapest path
            awk -v row="| $level | $what | \`$algorithm\`" -v expanded="$(number expanded)" -v cost="$(number length)" \
                -v units="$(number cost_units)" -v best="$best" \
                'BEGIN { printf "%s | %d | %.2f | %.1f %% |\n", row, expanded, cost, (units / best - 1) * 100 }'
        done
    done
}

page() { # the page with the numbers as they should be
    rows >"$work/rows"
    awk -v rows="$work/rows" '
        /^<!-- end of fills -->/ { inside = 0 }
        !inside { print }
        /^<!-- fills:/ { inside = 1; while ((getline row < rows) > 0) print row }' "$page"
}

each_picture() { # COMMAND: called with NAME MAP FROM TO ALGORITHM COLOUR
    local level map from to name algorithm what colour
    for line in "${levels[@]}"; do
        read -r level map from to <<<"$line"
        for kind in "${estimates[@]}"; do
            read -r name algorithm what <<<"$kind"
            "$1" "$level-$name" "$map" "$from" "$to" "$algorithm" order
            [ "$level $name" = "$coloured" ] || continue
            for colour in g h f; do "$1" "$level-$name-$colour" "$map" "$from" "$to" "$algorithm" $colour; done
        done
    done
}
draw() {
    "$program" path "$2" --from "$3" --to "$4" -a "$5" --colour "$6" --png "$pictures/$1.png" >/dev/null
    echo "$pictures/$1.png"
}
wrong=0
there() {
    [ -f "$pictures/$1.png" ] || { echo "$pictures/$1.png is missing (tools/fills.sh)" >&2 && wrong=1; }
}

if [ "${1-}" = --check ]; then
    page | diff -u "$page" - >&2 || { echo "$page: the numbers are old; run tools/fills.sh" >&2 && wrong=1; }
    each_picture there
    exit $wrong
fi
mkdir -p "$pictures"
page >"$work/page"
cp "$work/page" "$page"
each_picture draw
