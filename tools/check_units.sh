#!/bin/sh
# tools/check_units.sh [--full | PLANNER]: is one unit of work bounded, for every planner of the registry and its
# parameters? With --full for each two of them, too; of one PLANNER (NAME:KEY=VALUE), in each world. Compiles the core
# as a release does, but so that each basic block calls a function; reads off the machine code how many instructions
# follow each call; and runs tests/units/units.c, which says what is asked and how it is counted.
set -eu
cd "$(dirname "$0")/.."
for tool in gcc objdump; do
    command -v $tool >/dev/null || { echo "check_units: $tool is needed" >&2 && exit 1; }
done
folder=build/units
mkdir -p "$folder"
objects=$(mktemp -d "$folder/objects.XXXXXX")
trap 'rm -rf "$objects"' EXIT
# No call may replace a return: the return address says which block called. Memory is not cleared or copied in place,
# but by functions that count. With calls in them, loops do not become loops of vectors: where that matters, there are none.
flags="-std=c17 -fno-pie -fno-optimize-sibling-calls -ffp-contract=off"
case $(uname -m) in x86_64) flags="$flags -mstringop-strategy=libcall" ;; esac
tools/sources.sh HOT >"$objects/hot"
tools/sources.sh COLD >"$objects/cold"
tools/sources.sh CORE |
    xargs -P "$(nproc)" -I FILE sh -c 'level=-O2; ! grep -qx FILE "'"$objects"'/hot" || level=-O3
        ! grep -qx FILE "'"$objects"'/cold" || level=-Os
        trace=-fsanitize-coverage=trace-pc
        case FILE in */gates_arrays.c) trace= ;; esac
        gcc '"$flags"' $trace $level -DCAIRN_BUILDING -Iinclude -Isrc -c FILE -o "'"$objects"'/$(echo FILE | tr / _).o"'
gcc -std=c17 -O1 -Wall -Wextra -Iinclude -Isrc -no-pie tests/units/units.c "$objects"/*.o -o "$folder/units" \
    -Wl,--wrap=memset,--wrap=memcpy,--wrap=memmove,--wrap=memcmp \
    -Wl,--wrap=crn_gate_arrays_least,--wrap=crn_gate_arrays_reach -lpthread -lm
# Instructions before the first call of a function count with it; padding does not count.
objdump -d --no-show-raw-insn "$folder/units" | awk '
    function flush() { if (site) print site, count ? count : 1; site = ""; count = 0 }
    / <.*>:$/ { flush(); next }
    !/^ *[0-9a-f]+:\t/ { next }
    called { flush(); site = substr($1, 1, length($1) - 1); count = ahead; ahead = called = 0 }
    /<__sanitizer_cov_trace_pc>$/ { called = 1; if (!site) ahead = count; next }
    $2 !~ /^(nop|cs|data16|xchg)/ { count++ }
' | sort >"$objects/weights"
"$folder/units" "$objects/weights" "$@"
