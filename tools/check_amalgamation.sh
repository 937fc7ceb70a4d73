#!/bin/bash
# Makes the two-file library and uses it as a stranger would: compiled by gcc and clang with
# all warnings as errors, with and without threads, then the golden program, also without optimisation, and the
# first example built with it and compared.
set -euo pipefail
cd "$(dirname "$0")/.."
out=build/amalgamation
rm -rf $out
tools/amalgamate.sh $out
echo "amalgamation: cairn.c has $(wc -l <$out/cairn.c) lines, cairn.h $(wc -l <$out/cairn.h)"
# The examples and the golden program include <cairn/cairn.h>.
mkdir -p $out/include/cairn
cp $out/cairn.h $out/include/cairn/cairn.h
mapfile -t golden < <(tools/sources.sh GOLDEN)
warnings=(-Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)

# check_golden NAME COMPILER FLAGS…
check_golden() {
    local name=$1 compiler=$2
    shift 2
    "$compiler" -std=c17 -ffp-contract=off "$@" -c $out/cairn.c -o "$out/$name.o"
    "$compiler" -std=c17 -O2 "-I$out/include" "$out/$name.o" "${golden[@]}" -pthread -lm -o "$out/golden-$name"
    tools/check_output.sh tests/golden.txt "$out/golden-$name"
}
check_compiler() {
    "$1" "${warnings[@]}" -O1 -DCAIRN_NO_THREADS -fsyntax-only $out/cairn.c
    check_golden "$1-O0" "$1" -O0 -DCAIRN_NO_THREADS
    check_golden "$1-O2" "$1" -O2 "${warnings[@]}"
    "$1" -std=c17 "-I$out/include" "$out/$1-O2.o" examples/first_path.c -pthread -lm -o "$out/first_path-$1"
    tools/check_example.sh "$out/first_path-$1" examples/first_path.c
    echo "amalgamation: $1: compiles without a warning, answers as the library does, with -O0 and -O2"
}
# Both at once.
check_compiler gcc &
check_compiler clang
wait $!
echo '#include "cairn.h"' | g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -x c++ -fsyntax-only -I$out -
