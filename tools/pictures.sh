#!/bin/bash
# Makes the pictures of the README and the documentation anew: docs/pictures/*.png. One for each
# algorithm of the registry, all of the same problem, and those that single pages ask for.
set -euo pipefail
cd "$(dirname "$0")/.."
draw() { # NAME MAP FROM TO [more of `cairn path`]
    ./run path "$2" --from "$3" --to "$4" --png "docs/pictures/$1.png" "${@:5}" >/dev/null
    echo "docs/pictures/$1.png"
}
mkdir -p docs/pictures
for name in $(./run algorithms --json | grep -o '"name": *"[^"]*", *"aliases"' | cut -d'"' -f4); do
    draw "$name" maps/village.txt 57,14 2,21 -a "$name"
done
draw rooms maps/rooms.map 114,33 13,1 --smooth sight
draw trap-astar maps/u-trap.txt 16,10 44,10 -a astar
draw trap-greedy maps/u-trap.txt 16,10 44,10 -a greedy
draw trap-tbastar maps/u-trap.txt 16,10 44,10 -a tbastar:slice=10
draw bidirectional-sides maps/cave.txt 5,4 52,20 -a bidirectional --colour g
draw bidirectional-trap maps/u-trap.txt 16,10 44,10 -a bidirectional --colour g
draw turns-astar maps/village.txt 5,2 50,27 -a astar --colour none
draw turns-fewest maps/village.txt 5,2 50,27 -a astar:turns=fewest --colour none
for tie in large-g small-g; do
    draw "ties-$tie" maps/bridge.txt 9,8 50,20 -a "astar:open=heap,tie=$tie"
done
draw walls-none maps/cave.txt 5,4 52,20 --colour none
draw walls-near maps/cave.txt 5,4 52,20 --wall 2,3 --colour none
for kind in none rays sight spline; do
    draw "smooth-$kind" maps/village.txt 57,14 2,21 -a greedy --smooth "$kind" --colour none
done
draw size-point maps/village.txt 38,13 14,21 --colour none
draw size-large maps/village.txt 38,13 14,21 --colour none --radius 2

# The kinds of generated maps, each with the longest of a few random problems.
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
kind() { # KIND SIZE [more of `cairn generate`]
    ./run generate "$1" --size "$2" -o "$folder/$1.map" "${@:3}" >/dev/null
    ./run generate scenario "$folder/$1.map" --count 20 -o "$folder/$1.scen" >/dev/null
    read -r from to < <(awk 'END { print $5 "," $6, $7 "," $8 }' "$folder/$1.scen")
    draw "generate-$1" "$folder/$1.map" "$from" "$to"
}
kind random 128x96
kind rooms 128x96
kind maze 128x96 --corridor 2
kind caves 192x144
kind pseudo-rts 192x144
kind battlefield 512x384
kind facility 512x384

# What indexes look like, of the algorithms that are built in; thin lines are paths before they are smoothed.
names=" $(./run algorithms --json | grep -o '"name": *"[^"]*", *"aliases"' | cut -d'"' -f4 | tr '\n' ' ') "
index() { # PICTURE ALGORITHM LAYER [more of `cairn path`]
    [[ $names == *" ${2%%:*} "* ]] || return 0
    draw "$1" "${map[@]}" -a "$2" --overlay="$3" --colour none "${@:4}"
}
map=(maps/village.txt 57,14 2,21)
index cluster-table-clusters cluster-table:size=10 1
index hpa-clusters hpa:size=10,levels=1,smooth=none 1
index hpa-smooth hpa:size=10,levels=1,smooth=none 1 --smooth rays
index mm-regions mm:smooth=none 1 --smooth rays
index mm-whole mm:trim=0,smooth=none 1
index mm-trimmed mm:trim=20,smooth=none 1
index dbastar-regions dbastar:smooth=none 1 --smooth rays
index dbastar-whole dbastar:trim=0,detour=1000,smooth=none 1
index dbastar-trimmed dbastar:smooth=none 1
index jps-plus-points jps-plus 1
index hcdps-regions hcdps 1
index dlrtastar-areas dlrtastar 1
index knn-lrtastar-records knn-lrtastar:records=40 1
map=(maps/rooms-small.txt 1,1 46,20)
index gateway-gates gateway 1
map=(maps/maze.map 21,1 77,14)
index dead-end-chambers dead-end 1
map=(maps/cave.txt 5,4 52,20)
for layer in 1 2 3; do index pra-$layer pra $layer; done
for layer in 1 2; do
    index alt-rings-$layer alt $layer
    index hierarchical-astar-$layer hierarchical-astar $layer
done
