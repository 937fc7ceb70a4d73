#!/bin/sh
# Prints a list of cmake/sources.cmake, one path a line: tools/sources.sh CORE, HEADERS,
# IO, PROGRAM, TEST, … CORE includes the algorithms named by src/algorithms.def and the
# heuristics of src/heuristics.def, as the build does (cmake/algorithms.cmake). For scripts that compile without CMake.
set -eu
cd "$(dirname "$0")/.."
case ${1-} in
HEADERS | CPP_HEADERS | IO_HEADERS) name=CAIRN_$1 ;;
[A-Z]*) name=CAIRN_$1_SOURCES ;;
*) echo "usage: tools/sources.sh LIST" >&2 && exit 2 ;;
esac
awk -v name="$name" '
    $0 == "set(" name { found = inside = 1; next }
    inside && /^\)/ { inside = 0 }
    inside && NF && $1 !~ /^#/ { print $1 }
    END { if (!found) { print "tools/sources.sh: no list " name > "/dev/stderr"; exit 1 } }
' cmake/sources.cmake
if [ "$1" = CORE ]; then
    sed -n 's/^ *CRN_ALGORITHM( *\([a-z_]*\) *, *\([a-z0-9_]*\) *).*/src\/\1\/\2/p' src/algorithms.def |
        while read -r path; do
            if [ -d "$path" ]; then ls "$path"/*.c; else echo "$path.c"; fi
        done
    sed -n 's/^ *CRN_HEURISTIC( *\([a-z0-9_]*\) *).*/src\/heuristic\/\1.c/p' src/heuristics.def
fi
