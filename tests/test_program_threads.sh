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

# Maps of published tables are measured by several threads at a time; times are left out.
for threads in 1 2 3; do
    run 0 reproduce h-paths h-entrances --maps 3 --every 200 --repeat 1 --problems --threads $threads -o "$work/reproduced-$threads"
    diff -r -x '*-times.*' -x index.md -x journal "$work/reproduced-1" "$work/reproduced-$threads" >"$work/out" 2>&1
    ok "other tables than with one thread"
done

end_checks
