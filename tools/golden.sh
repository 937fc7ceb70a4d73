#!/bin/bash
# The same query gives the same bytes everywhere: the golden program as clang and gcc compile it
# with full optimisation, the latter with 1 and 3 workers (`--full`: with 2, 8 and as many as there
# are processors, too), must print tests/golden.txt. `--update` writes that file from what gcc makes
# of it, for when answers change on purpose. (tools/check_amalgamation.sh compares without and with
# less optimisation, the preset `wasm` with WebAssembly.)
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/common.sh
out=build/golden
mkdir -p $out
failed=0

compare() {
    local name=$1 printed=$2
    if cmp -s "$printed" tests/golden.txt; then
        echo "golden: $name: $(wc -l <"$printed") lines, all equal"
    else
        echo "golden: $name: DIFFERS from tests/golden.txt (< expected, > printed):"
        diff tests/golden.txt "$printed" | head -n 10 || true
        failed=1
    fi
}

build_preset strict golden
if [ "${1-}" = --update ]; then
    build/strict/bin/golden >tests/golden.txt
    echo "golden: written to tests/golden.txt ($(wc -l <tests/golden.txt) lines)"
fi
build_preset clang golden
# Two at a time: `print PRESET WORKERS`, 0 = as many as there are processors.
print() {
    "build/$1/bin/golden" $([ "$2" = 0 ] || echo --threads "$2") >"$out/$1-$2.txt"
}
runs=("clang 0" "strict 3" "strict 1")
[ "${1-}" != --full ] || runs+=("strict 0" "strict 2" "strict 8")
for run in "${runs[@]}"; do
    [ "$(jobs -rp | wc -l)" -lt 2 ] || wait -n
    # shellcheck disable=SC2086 # two words
    print $run &
done
wait
for run in "${runs[@]}"; do
    read -r preset count <<<"$run"
    workers=" with $count workers"
    [ "$count" != 0 ] || workers=
    compiler=gcc
    [ "$preset" = strict ] || compiler=clang
    compare "$compiler -O3$workers" "$out/$preset-$count.txt"
done
exit $failed
