#!/bin/bash
# tools/mutants.sh [--every K | NAME…]: shows that the tests notice small mistakes. Each file
# tests/mutants/NAME.patch makes one in the sources; a line in front of the patch names
# the tests that must fail, as test program, or program and a pattern for its cases:
#
#     # kill: test_cost
#     # kill: test_planner.*unreachable*
#
# A mutant lives if those tests still pass; then this script fails. One copy of the tree
# and one build folder serve all mutants, so that each costs one compiled file. Tests run as a
# sample (CAIRN_TEST_SAMPLE), and whole only for what that does not notice.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/common.sh
work=build/mutants
mkdir -p $work

patches=()
if [ $# = 0 ]; then
    patches=(tests/mutants/*.patch)
elif [ "$1" = --every ]; then
    all_patches=(tests/mutants/*.patch)
    for ((i = 0; i < ${#all_patches[@]}; i += ${2:?"--every needs a number"})); do patches+=("${all_patches[i]}"); done
else
    for name in "$@"; do patches+=("tests/mutants/$(basename "$name" .patch).patch"); done
fi
[ -e "${patches[0]}" ] || { echo "mutants: no patch in tests/mutants" && exit 1; }

kill_line() {
    sed -n '/^--- /q; s/^# kill: *//p' "$1"
}

# The programs that the given kill lines name.
programs() {
    local word
    for word in "$@"; do echo "${word%%.*}"; done | sort -u
}

# The tests of kill lines as one ctest pattern: `*` is any text.
pattern() {
    local word all=
    for word in "$@"; do
        # A program alone: all of its cases, or the test of that name. (ctest counts parentheses.)
        case $word in *.*) ;; *) all="$all|^$word\$" word="$word.*" ;; esac
        word=${word//./\\.}
        all="$all|^${word//\*/.*}\$"
    done
    echo "(${all#|})"
}

run_tests() { # SAMPLE WORD…
    local -x CAIRN_TEST_SAMPLE=$1
    shift
    ctest --test-dir $copy_build -R "$(pattern "$@")" -j 2 --stop-on-failure --no-tests=error \
        --output-on-failure
}

make_copy >$work/log 2>&1 || { tail -n 30 $work/log && exit 1; }
all=()
for patch in "${patches[@]}"; do
    mapfile -t words < <(kill_line "$patch" | tr ' ' '\n' | grep .)
    [ ${#words[@]} -gt 0 ] || { echo "mutants: $patch has no line \"# kill: …\"" && exit 1; }
    all+=("${words[@]}")
done
echo "mutants: building the tests without a mistake"
mapfile -t targets < <(programs "${all[@]}")
ninja -C $copy_build -j "$jobs" "${targets[@]}" >$work/log 2>&1 || { tail -n 40 $work/log && exit 1; }
if ! run_tests 5 "${all[@]}" >$work/log 2>&1; then
    tail -n 40 $work/log
    echo "mutants: these tests must pass before a mutant can be killed"
    exit 1
fi

restore() {
    while read -r file; do
        cp "$file" "$copy/$file"
    done <$work/touched
}

count=0 alive=()
for patch in "${patches[@]}"; do
    name=$(basename "$patch" .patch)
    count=$((count + 1))
    mapfile -t words < <(kill_line "$patch" | tr ' ' '\n' | grep .)
    mapfile -t targets < <(programs "${words[@]}")
    sed -n 's|^+++ b/\([^\t]*\).*|\1|p' "$patch" >$work/touched
    progress="mutants: $count of ${#patches[@]}: $name"
    if ! patch -d $copy -p1 --forward --no-backup-if-mismatch -F1 <"$patch" >$work/log 2>&1; then
        restore
        find $copy -name '*.rej' -delete
        cat $work/log
        echo "$progress: the patch does not apply"
        alive+=("$name")
        continue
    fi
    if ! ninja -C $copy_build -j "$jobs" "${targets[@]}" >$work/log 2>&1; then
        tail -n 20 $work/log
        echo "$progress: does not compile, so it shows nothing"
        alive+=("$name")
    elif run_tests 5 "${words[@]}" >$work/log 2>&1 && run_tests 1 "${words[@]}" >$work/log 2>&1; then
        echo "$progress: ALIVE: ${words[*]} did not notice"
        alive+=("$name")
    else
        killer=$(sed -n 's/.*Test *#[0-9]*: \([^ ]*\) .*\*\*\*.*/\1/p' $work/log | head -n 1)
        echo "$progress: killed by $killer"
    fi
    restore
done
echo "mutants: $((count - ${#alive[@]})) of $count killed"
[ ${#alive[@]} = 0 ] || { echo "mutants: alive: ${alive[*]}" && exit 1; }
