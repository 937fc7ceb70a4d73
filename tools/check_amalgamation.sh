#!/bin/bash
# Makes the two-file library and uses it as a stranger would: compiled by gcc and clang with
# all warnings as errors, with and without threads, then the golden program and the first
# example built with it and compared.
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
warnings=(-std=c17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror)
for compiler in gcc clang; do
    $compiler "${warnings[@]}" -O2 -ffp-contract=off -c $out/cairn.c -o $out/$compiler.o
    $compiler "${warnings[@]}" -O1 -DCAIRN_NO_THREADS -c $out/cairn.c -o $out/$compiler-single.o
    use=("$compiler" -std=c17 -O2 -ffp-contract=off "-I$out/include" "$out/$compiler.o" -pthread)
    "${use[@]}" "${golden[@]}" -lm -o $out/golden-$compiler
    "${use[@]}" examples/first_path.c -lm -o $out/first_path-$compiler
    tools/check_output.sh tests/golden.txt $out/golden-$compiler
    tools/check_example.sh $out/first_path-$compiler examples/first_path.c
    echo "amalgamation: $compiler: compiles without a warning, answers as the library does"
done
echo '#include "cairn.h"' | g++ -std=c++17 -Wall -Wextra -Wpedantic -Werror -x c++ -fsyntax-only -I$out -
