#!/bin/bash
# The same query gives the same bytes everywhere: the golden program as gcc and clang compile it with full optimisation, and with 1,
# 2, 3 and 8 workers, must print tests/golden.txt. `--update` writes that file from the first of them, for when answers change on
# purpose. (tools/check_amalgamation.sh compares without and with less optimisation, the preset `wasm` with WebAssembly.)
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
# Two at a time.
build/strict/bin/golden >$out/gcc.txt &
build/clang/bin/golden >$out/clang.txt
wait $!
compare "gcc -O3" $out/gcc.txt
compare "clang -O3" $out/clang.txt
for workers in 1 3; do
    build/strict/bin/golden --threads $workers >$out/workers-$workers.txt &
    build/strict/bin/golden --threads $((workers == 1 ? 2 : 8)) >$out/workers-$((workers == 1 ? 2 : 8)).txt
    wait $!
done
for workers in 1 2 3 8; do compare "gcc -O3 with $workers workers" $out/workers-$workers.txt; done
exit $failed
