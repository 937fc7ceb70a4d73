#!/bin/bash
# tools/docs.sh           writes the tables of README.md: algorithms and what they support from the registry, instructions from
#                         bench/instructions.txt and bench/reference.txt, and how many lines the program has
# tools/docs.sh --check   says where the documentation no longer fits the code: those tables, the program in
#                         the README, a page and a picture for each algorithm, the numbers of
#                         docs/fill-patterns.md, code and commands shown in pages, links to files, and the walk of
#                         docs/adding-an-algorithm.md, which is followed to the letter in a copy of the tree
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/common.sh
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
build_preset strict cairn_program
program=build/strict/cairn
wrong=0
complain() {
    echo "$*" >&2
    wrong=1
}

# One object of the registry a line: the value of a key that holds a text or a truth value.
field() {
    sed -n 's/.*"'"$1"'": *"\{0,1\}\([^",}]*\(, [^",}]*\)*\)"\{0,1\}[,}].*/\1/p' <<<"${line%%\"parameters\"*}"
}

table() {
    echo "| name | finds | what it is | source |"
    echo "|---|---|---|---|"
    local line finds
    while IFS= read -r line; do
        finds="a path"
        [ "$(field bounded)" = false ] || finds="a bounded path"
        [ "$(field optimal)" = false ] || finds="the cheapest path"
        echo "| [\`$(field name)\`](docs/algorithms/$(field name).md) | $finds | $(field summary | sed 's/\*/\\*/g') | $(field source) |"
    done < <("$program" algorithms --json | grep '"name"')
}

# Who serves what: a dot is native, a hollow one delegated, a blank refused.
support() {
    local features=("4" "8" hex graph terrain heights links sizes goals "no goal") line feature
    printf '| name |' && printf ' %s |' "${features[@]}" && echo
    printf '|---|' && printf ':-:|%.0s' "${features[@]}" && echo
    while IFS= read -r line; do
        printf '| `%s` |' "$(field name)"
        for feature in "${features[@]}"; do
            case $(field "$feature") in native) printf ' ● |' ;; delegated) printf ' ○ |' ;; *) printf '   |' ;; esac
        done
        echo
    done < <("$program" algorithms --json | grep '"name"')
}

# What our algorithms need for the maps of bench/reference.txt, beside what the reference needs.
counts() {
    echo "| map | \`astar\` | of its A\\* | \`jps\` | of its JPS2 | \`jps-plus\` | of its JPS2+ |"
    echo "|---|--:|--:|--:|--:|--:|--:|"
    awk '
        function thousands(n,    text) {
            text = ""
            while (n >= 1000) { text = sprintf(",%03d%s", n % 1000, text); n = int(n / 1000) }
            return n text
        }
        /^#/ { next }
        NR == FNR { count[$1, $2, $3] = $7; next }
        {
            row = "| " $1
            for (i = 3; i <= 5; i++) {
                name = i == 3 ? "astar" : i == 4 ? "jps" : "jps-plus"
                n = count[$1, $2, name]
                row = row " | " (n ? thousands(n) : "?") " | " (n ? sprintf("%.3f", n / $i) : "?")
            }
            print row " |"
        }' bench/instructions.txt bench/reference.txt
}

program_of_readme() {
    awk '/^```/ { inside = found && !inside; if (!inside && found) exit; next } /^<!-- examples\/first_path.c/ { found = 1 } inside' \
        README.md
}

readme() { # README.md with the tables, and the number of lines of the program, as they should be
    table >"$work/table"
    counts >"$work/counts"
    support >"$work/support"
    awk -v table="$work/table" -v counts="$work/counts" -v support="$work/support" -v lines="$(program_of_readme | wc -l)" '
        /^<!-- end of (algorithms|counts|support) -->/ { inside = 0 }
        /^## How do I find a path in [0-9]+ lines\?/ { sub(/[0-9]+/, lines) }
        !inside { print }
        /^<!-- algorithms:/ { inside = 1; while ((getline row < table) > 0) print row }
        /^<!-- support:/ { inside = 1; while ((getline row < support) > 0) print row }
        /^<!-- counts:/ { inside = 1; while ((getline row < counts) > 0) print row }' README.md
}

if [ "${1-}" != --check ]; then
    readme >"$work/readme"
    cp "$work/readme" README.md
    exit
fi

readme | diff -u README.md - >&2 || complain "README.md: what tools/docs.sh writes is old; run it"

program_of_readme >"$work/program"
sed '1{/^\/\*/d}; /^\/\* Output:$/,$d' examples/first_path.c | sed '${/^$/d}' | diff -u - "$work/program" >&2 ||
    complain "README.md: the program is not examples/first_path.c"

for name in $("$program" algorithms --json | grep -o '"name": *"[^"]*", *"aliases"' | cut -d'"' -f4); do
    [ -f "docs/algorithms/$name.md" ] || complain "docs/algorithms/$name.md is missing"
    [ -f "docs/pictures/$name.png" ] || complain "docs/pictures/$name.png is missing (tools/pictures.sh)"
done

tools/fills.sh --check || wrong=1
tools/check_pages.sh || wrong=1

while IFS=: read -r page link; do
    target=$(sed 's/^](//; s/)$//; s/#.*//' <<<"$link")
    case $target in
    http* | '') ;;
    *) [ -e "$(dirname "$page")/$target" ] || complain "$page: no such file: $target" ;;
    esac
done < <(git ls-files -co --exclude-standard '*.md' | xargs grep -oH '](\([^)]*\))')

# The walk.
walk=docs/adding-an-algorithm.md
block() { # N: the N-th block of C in the page
    awk -v wanted="$1" '/^```c/ { n++; inside = 1; next } /^```/ { inside = 0 } inside && n == wanted' $walk
}
make_copy >"$work/log" 2>&1 || { tail -n 20 "$work/log" && exit 1; }
block 1 >$copy/src/search/pinch.c
block 2 >>$copy/src/algorithms.def
block 3 >$copy/src/search/slf.c
block 4 >>$copy/src/algorithms.def
block 5 >$copy/src/heuristic/ahead.c
block 6 >>$copy/src/heuristics.def
at_most() { # LINES FILE: what an exercise may take
    [ "$(wc -l <"$copy/$2")" -le "$1" ] || complain "$walk: $2 has more than $1 lines"
}
at_most 120 src/search/slf.c
at_most 60 src/heuristic/ahead.c
for file in src/search/pinch.c src/search/slf.c src/heuristic/ahead.c; do
    gcc -std=c17 -Wall -Wextra -Wpedantic -Wshadow -Wconversion -Werror -Iinclude -I$copy/src -fsyntax-only $copy/$file ||
        complain "$walk: $file has warnings"
done
# Does NAME, an algorithm that the page adds or changes, pass the conformance suite and find a path?
walk_with() { # NAME [SPEC]
    if ! CAIRN_TEST_ALGORITHM=$1 ctest --test-dir $copy_build -j "$jobs" -R 'conformance_(paths|memory)' --output-on-failure \
        >"$work/log" 2>&1; then
        tail -n 40 "$work/log" >&2
        complain "$walk: what it adds fails the conformance suite with $1"
    elif ! $copy_build/cairn path maps/cave.txt --from 5,4 --to 52,20 -a "${2-$1}" >"$work/log" 2>&1; then
        cat "$work/log" >&2
        complain "$walk: cairn path -a ${2-$1} fails"
    fi
}
if ! ninja -C $copy_build -j "$jobs" cairn_program test_conformance_paths test_conformance_memory >"$work/log" 2>&1; then
    tail -n 20 "$work/log" >&2
    complain "$walk: what it says does not build"
else
    walk_with pinch
    walk_with slf
    walk_with astar astar:heuristic=ahead
fi
exit $wrong
