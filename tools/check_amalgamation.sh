#!/bin/bash
# Makes the two-file library and uses it as a stranger would: compiled by gcc and clang with all
# warnings as errors, with and without threads, then the golden program and the first example built
# with it and compared: as gcc optimises it and as clang does not, with default parameters; with
# `--full` as each of them does both, with all parameters.
set -euo pipefail
cd "$(dirname "$0")/.."
out=build/amalgamation
rm -rf $out
tools/amalgamate.sh $out
echo "amalgamation: cairn.c has $(wc -l <$out/cairn.c) lines, cairn.h $(wc -l <$out/cairn/cairn.h)"
# The program of the README, as it stands there.
awk '/^```/ { inside = found && !inside; if (!inside && found) exit; next } /^<!-- examples\/first_path.c/ { found = 1 } inside' \
    README.md >$out/readme.c
mapfile -t golden < <(tools/sources.sh GOLDEN)
warnings=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)

# check_golden NAME COMPILER FLAGS…
check_golden() {
    local name=$1 compiler=$2
    shift 2
    "$compiler" -std=c17 -ffp-contract=off "$@" -c $out/cairn.c -o "$out/$name.o"
    "$compiler" -std=c17 -O2 "-I$out" "$out/$name.o" "${golden[@]}" -pthread -lm -o "$out/golden-$name"
    tools/check_output.sh $out/golden.txt "$out/golden-$name" "${lines[@]}"
}
# check_compiler COMPILER LEVEL…
check_compiler() {
    local compiler=$1 level threads
    shift
    "$compiler" "${warnings[@]}" -O1 -DCAIRN_NO_THREADS -fsyntax-only $out/cairn.c
    for level in "$@"; do
        threads=-DCAIRN_NO_THREADS
        [ "$level" = -O0 ] || threads=-UCAIRN_NO_THREADS
        check_golden "$compiler$level" "$compiler" "$level" $threads "${warnings[@]}"
        "$compiler" -std=c17 "-I$out" "$out/$compiler$level.o" "$out/readme.c" \
            -pthread -lm -o "$out/first_path-$compiler"
        tools/check_example.sh "$out/first_path-$compiler" examples/first_path.c
    done
    echo "amalgamation: $compiler: compiles without a warning, answers as the library does, with $*"
}
# Both at once.
if [ "${1-}" = --full ]; then
    gcc=(-O0 -O2) clang=(-O0 -O2) lines=()
    cp tests/golden.txt $out/golden.txt
else
    gcc=(-O2) clang=(-O0) lines=(--defaults)
    grep -Ev '/(large|rich|hex-large) ' tests/golden.txt >$out/golden.txt
fi
check_compiler gcc "${gcc[@]}" &
check_compiler clang "${clang[@]}"
wait $!
g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -I$out tests/test_cpp.cpp $out/gcc-O2.o -pthread -lm -o $out/test_cpp
$out/test_cpp
