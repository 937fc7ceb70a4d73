#!/bin/bash
# tools/check_hcdps_edits.sh PROGRAM TEST: looks at the whole index of `hcdps` after each of many random edits on maps of 512×512 cells
# (TEST is test_hcdps_edits, whose head says what is looked at): generated ones, and a map of bg512 if CAIRN_DATA has it.
# 100 edits of each map; with CAIRN_EVERY=1 (./test --full) 2,000, and of a maze too, where all links are looked at after every
# 100th only.
set -eu
program=$1 test=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
edits=100
[ "${CAIRN_EVERY-}" != 1 ] || edits=2000

check() { # EDITS MAP
    echo "$(basename "$2"): $1 edits"
    CAIRN_TEST_CASE=all_is_right_after_each_edit_of_a_map CAIRN_HCDPS_MAP=$2 CAIRN_HCDPS_EDITS=$1 "$test" >"$work/log" 2>&1 || {
        cat "$work/log"
        exit 1
    }
    grep -q 'PASSED.* 1 test' "$work/log" || { cat "$work/log" && echo "nothing was tested" && exit 1; }
}

for kind in facility caves; do
    "$program" generate $kind --size 512x512 -o "$work/$kind.map" >/dev/null
    check $edits "$work/$kind.map"
done
if [ $edits = 2000 ]; then
    "$program" generate maze --size 512x512 -o "$work/maze.map" >/dev/null
    CAIRN_HCDPS_WHOLE=100 check $edits "$work/maze.map"
fi
real=${CAIRN_DATA-}/bg512/AR0400SR.map
[ ! -f "$real" ] || check $edits "$real"
