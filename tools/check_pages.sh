#!/bin/bash
# tools/check_pages.sh [PAGE…]: do the pages (default: all of them) show what is there?
#
#   <!-- FILE -->           before a fenced block: its lines stand in FILE, in a row; indentation is left to the page
#   <!-- output of FILE --> its lines stand in a row in the comment "Output:" of an example
#   ```console              lines after "$ " are commands, run in the folder of the project; what follows is
#                           what they print. A line "…" stands for any lines, "…" within a line for the rest of it
set -euo pipefail
cd "$(dirname "$0")/.."
pages=("$@")
[ ${#pages[@]} -gt 0 ] || mapfile -t pages < <(git ls-files -co --exclude-standard '*.md')
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
wrong=0
blocks=0 commands=0
complain() {
    echo "$*" >&2
    wrong=1
}

# Do the lines of file $1 stand in a row in file $2?
within() {
    awk 'NR == FNR { want[++n] = $0; next } { have[++m] = $0 }
         END {
             for (i = 0; i + n <= m; i++) {
                 for (k = 1; k <= n && have[i + k] == want[k]; k++);
                 if (k > n) exit 0
             }
             exit 1
         }' "$1" "$2"
}

check_snippet() { # WHERE FILE: the block is in $work/block
    [ -f "$2" ] || { complain "$1: no such file: $2" && return; }
    sed 's/^ *//' "$work/block" >"$work/want"
    sed 's/^ *//' "$2" >"$work/have"
    within "$work/want" "$work/have" || complain "$1: these lines are not in $2 in a row"
}

check_output() { # WHERE FILE
    [ -f "$2" ] || { complain "$1: no such file: $2" && return; }
    sed '1,/^\/\* Output:$/d; /^ *\*\/$/,$d; s/^ \*$//; s/^ \* //' "$2" >"$work/have"
    within "$work/block" "$work/have" || complain "$1: $2 does not print this"
}

check_command() { # WHERE COMMAND: what the page says it prints is in $work/want
    local printed want code=0
    commands=$((commands + 1))
    # A fresh clone has no out/; build/ is there as soon as ./run has been called.
    [[ $2 != *out/* ]] || complain "$1: \"$2\" needs the folder out/, which a fresh clone does not have"
    printed=$(bash -c "$2" 2>&1 </dev/null) || code=$?
    # 1 is "no path", which is what some pages are about.
    [ $code -le 1 ] || complain "$1: \"$2\" ends with $code"
    want=$(sed 's/[][\\*?]/\\&/g; s/…/*/g' "$work/want")
    # shellcheck disable=SC2053 # it is a pattern
    [[ $printed == $want ]] || {
        complain "$1: \"$2\" prints something else:"
        printf '%s\n' "$printed" | diff "$work/want" - >&2 || true
    }
}

check_console() { # WHERE
    local command='' line
    : >"$work/want"
    while IFS= read -r line; do
        if [ "${line#\$ }" != "$line" ]; then
            [ -z "$command" ] || check_command "$1" "$command"
            command=${line#\$ }
            : >"$work/want"
        else
            printf '%s\n' "$line" >>"$work/want"
        fi
    done <"$work/block"
    [ -z "$command" ] || check_command "$1" "$command"
}

for page in "${pages[@]}"; do
    number=0 marker='' inside=0
    while IFS= read -r line; do
        number=$((number + 1))
        case $inside$line in
        0'<!-- output of '*' -->') marker=${line#<!-- } marker=${marker% -->} ;;
        0'<!-- '*.c' -->') marker=${line#<!-- } marker=${marker% -->} ;;
        '0```console') inside=1 kind=console where=$page:$number && : >"$work/block" ;;
        '0```'*) inside=1 kind=$marker where=$page:$number && : >"$work/block" ;;
        '1```')
            case $kind in
            console) check_console "$where" ;;
            'output of '*) check_output "$where" "${kind#output of }" ;;
            ?*) check_snippet "$where" "$kind" ;;
            esac
            [ -z "$kind" ] || blocks=$((blocks + 1))
            inside=0 marker=''
            ;;
        1*) printf '%s\n' "$line" >>"$work/block" ;;
        0?*) marker='' ;;
        esac
    done <"$page"
done
[ $wrong = 0 ] && echo "$blocks blocks and $commands commands of ${#pages[@]} pages are as shown"
exit $wrong
