#!/bin/bash
# tools/check_mutants.sh: every mutant of tests/mutants can still be tried, in seconds and without a build. Each patch
# applies to the tree as tools/mutants.sh applies it, names tests that exist on a line "# kill: …", and has a number of
# its own. Whether those tests notice the mistake is for tools/mutants.sh to say.
set -uo pipefail
cd "$(dirname "$0")/.." || exit 1
bad=0
complain() { echo "mutants: $*" && bad=1; }

# A word of a kill line: a test program, or program.pattern, whose literal parts stand in the program's source.
check_word() {
    local patch=$1 word=$2 program=${2%%.*} part parts source
    if [ -f "tests/$program.c" ]; then
        source=tests/$program.c
    elif [ -f "tests/test_$program.sh" ] && [ "$program" = "$word" ]; then
        return
    else
        complain "$patch: there is no test \"$word\""
        return
    fi
    case $word in *.*) ;; *) return ;; esac
    IFS='*' read -ra parts <<<"${word#*.}"
    for part in "${parts[@]}"; do
        grep -qF -e "$part" "$source" || complain "$patch: $source has no case \"$part\""
    done
}

check_patch() {
    local patch=$1 words=() word
    mapfile -t words < <(sed -n '/^--- /q; s/^# kill: *//p' "$patch" | tr ' ' '\n' | grep .)
    [ ${#words[@]} -gt 0 ] || complain "$patch has no line \"# kill: …\""
    for word in "${words[@]}"; do check_word "$patch" "$word"; done
    local said
    if ! said=$(patch -p1 --dry-run --forward --no-backup-if-mismatch -F1 <"$patch" 2>&1); then
        complain "$patch does not apply:"
        printf '    %s\n' "$said"
    fi
}

patches=(tests/mutants/*.patch)
[ -e "${patches[0]}" ] || { complain "no patch in tests/mutants" && exit 1; }
for patch in "${patches[@]}"; do check_patch "$patch"; done
while read -r number; do
    complain "number $number is used twice:" tests/mutants/"$number"-*.patch
done < <(printf '%s\n' "${patches[@]}" | sed 's/.*\///; s/-.*//' | sort | uniq -d)
[ $bad = 1 ] || echo "mutants: ${#patches[@]} patches apply"
exit $bad
