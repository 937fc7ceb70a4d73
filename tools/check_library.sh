#!/bin/sh
# tools/check_library.sh FOLDER [BUDGET]: looks at the libcairn.a and libcairn.so built there.
#  - only cairn_ names are exported by the shared library, cairn_ and crn_ by the static;
#  - no variable can be written to: the library has no global state;
#  - of the C library only memory, strings, threads and sqrt, floor, fabs are used, and of the compiler's what the
#    processor can do;
#  - the stripped shared library has no more bytes than the budget of this name.
set -eu
dir=$1

# The budgets, in bytes. Whoever raises one says in the commit what the library got for it.
budget_all=1047000  # every algorithm
budget_astar=345000 # CAIRN_ALGORITHMS=astar
eval "limit=\$budget_${2-all}"
bad=0
complain() {
    echo "libcairn $1:" && echo "$2" | sed 's/^/    /' && bad=1
}
exported=$(nm -D --defined-only "$dir/libcairn.so" | awk '$NF !~ /^cairn_/ { print $NF }')
[ -z "$exported" ] || complain "exports foreign names" "$exported"
global=$(nm -g --defined-only "$dir/libcairn.a" 2>/dev/null | awk 'NF == 3 && $3 !~ /^(cairn|crn)_/ { print $3 }')
[ -z "$global" ] || complain "has foreign global names" "$global"
writable=$(objdump -t "$dir/libcairn.a" | awk '
    substr($0, 18, 7) ~ /O/ {
        split(substr($0, 26), part, "[ \t]+")
        if (part[1] ~ /^(\.t?data|\.t?bss|\*COM\*)/ && part[1] !~ /^\.data\.rel\.ro/) print part[3]
    }')
[ -z "$writable" ] || complain "has global state" "$writable"
used=$(nm -u "$dir/libcairn.a" 2>/dev/null | awk '$1 == "U" { print $2 }' | sort -u |
    grep -Ev '^(cairn_|crn_|pthread_|_GLOBAL_OFFSET_TABLE_$|__stack_chk_fail$|__tls_get_addr$|__cpu_model$)' |
    grep -Evx 'malloc|calloc|realloc|free|aligned_alloc|abort|mem(cpy|move|set|cmp|chr)|str(len|cmp|ncmp|chr|rchr|cpy|ncpy|cat|str|spn|cspn)|sqrt|floor|fabs|qsort' || true)
[ -z "$used" ] || complain "uses more of the C library than it may" "$used"

work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
for file in libcairn.a libcairn.so; do
    cp -L "$dir/$file" "$work/$file"
    case $file in *.so) strip "$work/$file" ;; *) strip --strip-unneeded "$work/$file" ;; esac
    size=$(wc -c <"$work/$file")
    case $file in
    *.a) echo "$file, stripped: $size bytes" ;;
    *) echo "$file, stripped: $size bytes of $limit" ;;
    esac
done
# What the README says must be true within 15 KB.
case ${2-all} in
all) told=$(sed -n 's/.*stripped shared library of about \([0-9]*\) KB.*/\1/p' "$(dirname "$0")/../README.md") ;;
*) told=$(sed -n 's/.*shared library of about [0-9]* KB (\([0-9]*\) KB with A.*/\1/p' "$(dirname "$0")/../README.md") ;;
esac
off=$((size / 1000 - ${told:-0}))
[ "${off#-}" -le 15 ] || complain "is not as large as README.md says" "$size bytes, not about ${told:-?} KB"
[ "$size" -le "$limit" ] || complain "is too large" "$file has $size bytes, allowed are $limit"
exit $bad
