#!/bin/sh
# tools/check_units.sh [PLANNER]: is one unit of work bounded, for every planner of the registry? Compiles the core so
# that basic blocks are counted, and runs tests/units/units.c, which says what is asked and how it is counted.
set -eu
cd "$(dirname "$0")/.."
folder=build/units
mkdir -p "$folder"
objects=$(mktemp -d "$folder/objects.XXXXXX")
trap 'rm -rf "$objects"' EXIT
for source in $(tools/sources.sh CORE); do echo "$source"; done |
    xargs -P "$(nproc)" -I FILE sh -c '${CC:-gcc} -std=c17 -O1 -fsanitize-coverage=trace-pc -fno-builtin-memset \
        -fno-builtin-memcpy -fno-builtin-memmove -ffp-contract=off -DCAIRN_BUILDING -Iinclude -Isrc -c FILE \
        -o "'"$objects"'/$(echo FILE | tr / _).o"'
${CC:-gcc} -std=c17 -O1 -Wall -Wextra -Iinclude tests/units/units.c "$objects"/*.o -o "$folder/units" \
    -Wl,--wrap=memset,--wrap=memcpy,--wrap=memmove -lpthread -lm
"$folder/units" "$@"
