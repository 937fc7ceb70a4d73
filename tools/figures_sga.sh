#!/bin/bash
# Makes the figures of docs/results/figures.md anew: docs/results/figures/8-*.png, after those of Anguelov's thesis
# about SGA* (2011, figures 8.3 to 8.13), on small maps drawn here.
set -euo pipefail
cd "$(dirname "$0")/.."
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT
mkdir -p docs/results/figures

map() { # NAME WIDTH HEIGHT X,Y,WIDTH,HEIGHT…: open ground with blocks on it; blocks of dots are open
    awk -v width="$2" -v height="$3" -v blocks="${*:4}" 'BEGIN {
        count = split(blocks, block, " ")
        for (y = 0; y < height; y++) for (x = 0; x < width; x++) cell[x, y] = "."
        for (i = 1; i <= count; i++) {
            open = sub(/^-/, "", block[i])
            split(block[i], at, ",")
            for (y = at[2]; y < at[2] + at[4]; y++)
                for (x = at[1]; x < at[1] + at[3]; x++) cell[x, y] = open ? "." : "#"
        }
        for (y = 0; y < height; y++) {
            row = ""
            for (x = 0; x < width; x++) row = row cell[x, y]
            print row
        }
    }' >"$folder/$1.txt"
}

draw() { # FIGURE MAP FROM TO ALGORITHM [more of `cairn path`]
    local file=$folder/$2.txt code=0
    [ -f "$file" ] || file=maps/$2
    ./run path "$file" --from "$3" --to "$4" -a "$5" --png "docs/results/figures/$1.png" "${@:6}" >/dev/null || code=$?
    [ $code -le 1 ] || exit $code
    echo "docs/results/figures/$1.png"
}

map posts 40 16 8,5,3,7 18,3,4,6 27,6,3,7
draw 8-03 posts 2,8 37,7 sga:variant=1

map wall 48 28 36,4,2,18
draw 8-04a wall 3,13 45,13 astar
draw 8-04b wall 3,13 45,13 sga:variant=1

draw 8-05a battlefield.map 169,139 23,7 astar
draw 8-05b battlefield.map 169,139 23,7 sga:variant=1 --smooth rays

map room 40 20 14,5,11,10 -15,6,9,8
draw 8-06 room 3,10 36,9 sga:variant=1,labels=off
map ends 40 20 3,6,9,8 -4,7,7,6
draw 8-07a ends 7,10 35,9 sga:variant=1,labels=off --partial
draw 8-07b ends 35,9 7,10 sga:variant=1,labels=off --partial

draw 8-08a wall 3,13 45,20 astar
draw 8-08b wall 3,13 45,20 astar --smooth sight --colour none

map comb 50 26 8,0,2,18 15,0,2,19 22,0,2,20 29,0,2,19 36,0,2,18
draw 8-09a comb 3,6 46,6 astar
draw 8-09b comb 3,6 46,6 sga:variant=1
draw 8-10a comb 3,6 46,6 sga
draw 8-10b comb 3,6 46,6 sga --smooth rays

map tower 48 28 16,5,8,18
draw 8-11a tower 3,14 44,12 sga:trim=distance
draw 8-11b tower 3,14 44,12 sga:trim=deviation

map hollow 50 24 12,4,24,2 34,6,2,12 12,18,24,2
draw 8-12a hollow 18,9 45,13 sga:variant=1
draw 8-12b hollow 18,9 45,13 sga

map cell 50 24 12,6,3,12 24,0,3,14 36,7,9,9 -38,9,5,5
draw 8-13 cell 3,12 40,11 sga:labels=off --partial
