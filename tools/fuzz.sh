#!/bin/bash
# tools/fuzz.sh [SECONDS [NAME…]]: runs the fuzz targets, each for so long (15), two at a
# time. Starts from fuzz/corpus/NAME and what earlier runs found (build/fuzz/corpus/NAME).
# An input that fails is kept in build/fuzz/failures and fails the script; add it to
# fuzz/corpus/NAME with the fix.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/common.sh
seconds=${1:-15}
[[ $seconds =~ ^[0-9]+$ ]] || { echo "usage: tools/fuzz.sh [SECONDS [NAME…]]" >&2 && exit 2; }
shift || true
names=("$@")
if [ ${#names[@]} = 0 ]; then
    mapfile -t names < <(tools/sources.sh FUZZ | sed 's/.*fuzz_\(.*\)\.c$/\1/')
fi
build_preset fuzz
mkdir -p build/fuzz/failures

fuzz_one() {
    local name=$1 log=build/fuzz/$1.log
    mkdir -p "build/fuzz/corpus/$name"
    if "build/fuzz/bin/fuzz_$name" -max_total_time="$seconds" -timeout=120 -rss_limit_mb=2048 -print_final_stats=1 \
        -artifact_prefix="build/fuzz/failures/$name-" "build/fuzz/corpus/$name" "fuzz/corpus/$name" >"$log" 2>&1; then
        echo "fuzz: $name: $(sed -n 's/^stat::number_of_executed_units: *//p' "$log") runs in $seconds s, no failure"
    else
        echo "fuzz: $name: FAILED"
        tail -n 40 "$log"
        return 1
    fi
}

failed=0 running=()
finish() {
    wait "$1" || failed=1
}
for name in "${names[@]}"; do
    if [ ${#running[@]} -ge 2 ]; then
        finish "${running[0]}"
        running=("${running[@]:1}")
    fi
    echo "fuzz: $name: for $seconds s"
    fuzz_one "$name" &
    running+=($!)
done
for pid in "${running[@]}"; do finish "$pid"; done
exit $failed
