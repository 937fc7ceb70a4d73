#!/bin/bash
# Measures the generated maps: the tables of docs/generators.md, on standard output. `--large` adds the maps of 19 and
# 30 million cells, which take some minutes. More arguments are maps to measure beside them.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/common.sh
large=0
[ "${1-}" != --large ] || { large=1 && shift; }
build_preset release cairn_program bench_generators
cairn=build/release/cairn measure=build/release/bin/bench_generators
folder=$(mktemp -d)
trap 'rm -rf "$folder"' EXIT

map() { # NAME KIND [more of `cairn generate`]: for the seeds 1 to 3
    for seed in 1 2 3; do
        $cairn generate "$2" --seed $seed "${@:3}" -o "$folder/$1-$seed.map" >/dev/null
        maps+=("$folder/$1-$seed.map")
    done
}
maps=()
map random random
map rooms rooms
map maze-1 maze
map maze-8 maze --corridor 8
map caves caves
map pseudo-rts pseudo-rts
map battlefield battlefield
map battlefield-658 battlefield --size 658x768
map facility facility
$measure "${maps[@]}" "$@"
if [ $large = 1 ]; then
    $cairn generate facility --size 4096x4608 --percent 15 --loops 14 -o "$folder/facility-19.map" >/dev/null
    $cairn generate facility --size 7261x4096 --percent 15 --loops 14 -o "$folder/facility-30.map" >/dev/null
    echo
    $measure --problems 250 --buckets 250-749 "$folder/facility-19.map" "$folder/facility-30.map"
fi
