#!/bin/bash
# tests/test_program_threads.sh PROGRAM SOURCE: what the program does with several threads: answers do not depend on their number.
set -u
program=$(realpath "$1") source=$(realpath "$2")
. "$source/tests/common.sh"
cd "$source" || exit 1

stable() { sed 's/"time_us_[a-z0-9]*": [0-9.e+-]*, //g; s/"first_move_us_mean": [0-9.e+-]*, //g' "$work/out"; }
run 0 bench -a astar,greedy,dfs --threads 1 maps/random.map --json
stable >"$work/one"
for threads in 2 3 8; do
    run 0 bench -a astar,greedy,dfs --threads $threads maps/random.map --json
    stable >"$work/many"
    checks=$((checks + 1))
    cmp -s "$work/one" "$work/many" || fail "$what: other answers than one thread"
done
run 0 check --random 40 --neighbours 4 maps/cave.txt --threads 2

end_checks
