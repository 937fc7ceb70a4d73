#!/bin/bash
# Which lines the tests run: builds the preset `coverage`, runs the tests, prints a table
# and writes build/coverage/report/index.html.
#
# tools/coverage.sh --corpus: which lines of each parser and loader (tools/parsers.txt) the kept inputs of the fuzz
# targets run; fails if it is less than 90 of 100 for one of them. Ends in a few minutes, most of which is the build.
# With a name, tools/coverage.sh --corpus NAME, it also lists the functions of that parser.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/common.sh
least=90

# The lines of a source file's functions, as "name lines percent", summed over the programs that contain it.
functions_of() {
    local object
    # program/reproduce_journal.c is part of a fuzz target
    for object in $(find build/coverage -name "$(basename "$1").gcda" -path "*$1.gcda") \
        $([ "$1" != program/reproduce_journal.c ] || find build/coverage -name fuzz_journal.c.gcda); do
        gcov -f -n "$object" 2>/dev/null
    done | awk '
        /^Function / { name = $2; gsub(/\x27/, "", name) }
        /^File / { name = "" }
        /^Lines executed:/ && name != "" { split($0, part, /[:%]| of /); print name, part[4], (part[2] + 0 > 100 ? 100 : part[2]); name = "" }'
}

# NAME FILE PATTERN [BUT]: says what the corpus runs of it; false if that is too little.
check_parser() {
    local listed
    listed=$(functions_of "$2" | awk -v pattern="$3" -v but="${4-}" '$1 ~ pattern && (but == "" || $1 !~ but)')
    [ "$only" != "$1" ] || awk '{ printf "    %-32s %4d lines %6.1f %%\n", $1, $2, $3 }' <<<"$listed"
    awk -v name="$1" -v file="$2" -v least=$least '
        NF { lines += $2; run += $2 * $3 / 100 }
        END {
            percent = lines ? 100 * run / lines : 0
            printf "corpus: %-15s %5.1f %% of %4d lines  %s%s\n", name, percent, lines, file,
                percent < least ? "  TOO LITTLE" : ""
            exit percent < least
        }' <<<"$listed"
}

measure_corpus() {
    local name file pattern but failed=0
    want gcc has_command gcov
    want libcmocka-dev has_file /usr/include/cmocka.h
    install_missing
    build_preset coverage replays
    find build/coverage -name '*.gcda' -delete
    ctest --preset coverage -j "$jobs" -L fuzz >build/coverage/replays.log || { tail -n 30 build/coverage/replays.log && exit 1; }
    while read -r name file pattern but; do
        case $name in '' | \#*) continue ;; esac
        check_parser "$name" "$file" "$pattern" "$but" || failed=1
    done <tools/parsers.txt
    [ $failed = 0 ] || { echo "corpus: too little of a parser is run; see tools/coverage.sh" && exit 1; }
    exit 0
}

want_build_tools
only=${2-}
[ "${1-}" != --corpus ] || measure_corpus
want gcovr has_command gcovr
want libcmocka-dev has_file /usr/include/cmocka.h
install_missing
build_preset coverage
find build/coverage -name '*.gcda' -delete
ctest --preset coverage -j "$jobs" -LE data || echo "Some tests failed; the table counts what ran."
mkdir -p build/coverage/report
gcovr --root . --filter src/ --filter program/ --html-details build/coverage/report/index.html --txt -
