#!/bin/bash
# tools/figures.sh [--check] [--every K] [PAGE…]: makes the figures of pages again that do not depend on a clock, or
# with --check says which of them are old; with --every, only of the first row of a table and then of every K-th. The pages (default: all below docs/) say how a table is made, in a
# line before it:
#
#   <!-- expanded: SPEC… -->           rows are "SET/MAP (K)"; the first columns are the cells that each SPEC expands
#                                      per query, for the first and then every K-th problem of the map
#   <!-- expanded by row: SET/MAP@K… -->  rows are `SPEC`; the columns are those maps, every K-th problem of each
#   <!-- work: SCRIPT… -->             rows are `SPEC`; every second column is the work of the turn of the last change, in
#                                      each of the walks, with --replan changed
#
# Other columns (times, bytes, instructions) stay as they are. Maps are looked for in $CAIRN_DATA; without it only
# tables that need none are made.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/common.sh
check=0
[ "${1-}" != --check ] || { check=1 && shift; }
every_row=1
[ "${1-}" != --every ] || { every_row=${2:?"--every needs a number"} && shift 2; }
pages=("$@")
[ ${#pages[@]} -gt 0 ] || mapfile -t pages < <(grep -rlE '^<!-- (expanded|expanded by row|work): ' docs --include='*.md' | sort)
build_preset strict cairn_program
program=build/strict/cairn
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

thousands() {
    sed ':again; s/\([0-9]\)\([0-9]\{3\}\)\($\|,\)/\1,\2\3/; t again' <<<"$1"
}

# expanded SPEC K MAP: "-" if the map is not there.
expanded() {
    local map=${CAIRN_DATA-}/$3.map
    [ -n "${CAIRN_DATA-}" ] && [ -f "$map" ] || { echo - && return; }
    thousands "$("$program" bench -a "$1" --every "$2" "$map" --json |
        sed -n 's/.*"expanded_mean": \([0-9.e+]*\).*/\1/p' | awk '{ printf "%.0f", $1 }')"
}

# changed_work SPEC SCRIPT
changed_work() {
    thousands "$("$program" path --script "$2" -a "$1" --replan changed --json |
        sed -n '/"changes": [1-9]/s/.*"work": \([0-9]*\).*/\1/p' | tail -n 1)"
}

# A row of a table with other figures: put ROW COLUMN FIGURE; "-" keeps what is there.
put() {
    [ "$3" = - ] && printf '%s\n' "$1" && return
    awk -F' \\| ' -v OFS=' | ' -v column="$2" -v figure="$3" '{ last = column == NF; $column = figure (last ? " |" : ""); print }' <<<"$1"
}

# The specification of a row: the first text in backticks, links and remarks left out.
spec_of() {
    sed -n 's/^| [^`]*`\([^`]*\)`.*/\1/p' <<<"$1"
}

remake_row() { # KIND ROW, with the words of the marker in $words
    local kind=$1 row=$2 place every spec column=2 word
    case $kind in
    expanded)
        place=$(sed -n 's/^| \([^ |]*\) ([0-9]*) .*/\1/p' <<<"$row") every=$(sed -n 's/^| [^ |]* (\([0-9]*\)) .*/\1/p' <<<"$row")
        for spec in "${words[@]}"; do
            row=$(put "$row" $column "$(expanded "$spec" "$every" "$place")")
            column=$((column + 1))
        done
        ;;
    'expanded by row')
        spec=$(spec_of "$row")
        for word in "${words[@]}"; do
            row=$(put "$row" $column "$(expanded "$spec" "${word#*@}" "${word%@*}")")
            column=$((column + 1))
        done
        ;;
    work)
        spec=$(spec_of "$row")
        for word in "${words[@]}"; do
            [ -z "$spec" ] || row=$(put "$row" $column "$(changed_work "$spec" "$word")")
            column=$((column + 2))
        done
        ;;
    esac
    printf '%s\n' "$row"
}

remake() { # PAGE
    local line kind='' rows=0
    words=()
    while IFS= read -r line; do
        if [[ $line =~ ^'<!-- '(expanded|expanded by row|work)': '(.*)' -->'$ ]]; then
            kind=${BASH_REMATCH[1]} rows=0
            read -ra words <<<"${BASH_REMATCH[2]}"
        elif [ -n "$kind" ] && [[ $line == '|'* ]]; then
            rows=$((rows + 1))
            # After the heading and the line below it.
            [ $rows -le 2 ] || [ $(((rows - 3) % every_row)) != 0 ] || line=$(remake_row "$kind" "$line")
        elif [ $rows -gt 0 ]; then
            kind='' rows=0
        fi
        printf '%s\n' "$line"
    done <"$1"
}

wrong=0
for page in "${pages[@]}"; do
    remake "$page" >"$work/page"
    if [ $check = 0 ]; then
        cmp -s "$page" "$work/page" || cp "$work/page" "$page"
    elif ! diff -u "$page" "$work/page"; then
        echo "$page: figures are old; run tools/figures.sh" >&2
        wrong=1
    fi
done
[ -n "${CAIRN_DATA-}" ] || echo "figures: CAIRN_DATA is not set: tables of its maps were left as they are"
exit $wrong
