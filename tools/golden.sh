#!/bin/bash
# The same query gives the same bytes everywhere: builds the golden program with gcc and
# clang at -O0 and -O3 and for WebAssembly, straight from the sources, runs each (one of
# them with 1, 2, 3 and 8 workers too), and compares what it prints with tests/golden.txt.
# `--update` writes that file from the first build, for when answers change on purpose.
set -euo pipefail
cd "$(dirname "$0")/.."
update=0
[ "${1-}" != --update ] || update=1
out=build/golden
mkdir -p $out
mapfile -t sources < <(tools/sources.sh CORE && tools/sources.sh GOLDEN)
flags=(-std=c17 -DCAIRN_BUILDING -ffp-contract=off -fvisibility=hidden -Iinclude -Isrc)
failed=0

# compile NAME COMPILER FLAGS…: two files at a time.
compile() {
    local name=$1 dir=$out/$1
    shift
    mkdir -p "$dir"
    rm -f "$dir"/*.o
    printf '%s\n' "${sources[@]}" |
        xargs -P 2 -I{} sh -c 'dir=$1 file=$2; shift 2; "$@" -c "$file" -o "$dir/$(echo "$file" | tr / _).o"' \
            sh "$dir" {} "$@" "${flags[@]}"
}

compare() {
    local name=$1 printed=$2
    if [ $update = 1 ] && [ ! -e $out/updated ]; then
        cp "$printed" tests/golden.txt
        touch $out/updated
        echo "golden: $name: written to tests/golden.txt ($(wc -l <"$printed") lines)"
    elif cmp -s "$printed" tests/golden.txt; then
        echo "golden: $name: $(wc -l <"$printed") lines, all equal"
    else
        echo "golden: $name: DIFFERS from tests/golden.txt (< expected, > printed):"
        diff tests/golden.txt "$printed" | head -n 10 || true
        failed=1
    fi
}

rm -f $out/updated
for compiler in gcc clang; do
    for level in -O0 -O3; do
        name=$compiler$level
        echo "golden: $name: building"
        compile "$name" "$compiler" "$level"
        $compiler "$out/$name"/*.o -pthread -lm -o "$out/$name/golden"
        wait # for the one before: one runs while the next is built
        "$out/$name/golden" >"$out/$name.txt" &
    done
done
wait
for name in gcc-O0 gcc-O3 clang-O0 clang-O3; do compare $name $out/$name.txt; done

for workers in 1 2 3 8; do
    $out/gcc-O3/golden --threads $workers >$out/workers.txt
    cmp -s $out/workers.txt tests/golden.txt || compare "gcc-O3 with $workers workers" $out/workers.txt
done
[ $failed != 0 ] || echo "golden: gcc-O3 with 1, 2, 3 and 8 workers: all equal"

echo "golden: wasm32-wasi: building"
wasm=(clang --target=wasm32-wasi --sysroot=/usr -O2)
compile wasm "${wasm[@]}" -DCAIRN_NO_THREADS
"${wasm[@]}" $out/wasm/*.o -o $out/wasm/golden.wasm
node --no-warnings --experimental-wasi-unstable-preview1 tests/wasm/run.mjs $out/wasm/golden.wasm >$out/wasm.txt
compare wasm32-wasi $out/wasm.txt
exit $failed
