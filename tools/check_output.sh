#!/bin/sh
# tools/check_output.sh FILE COMMAND…: fails unless the command prints exactly that file.
set -eu
expected=$1
shift
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$@" >"$work/printed"
if ! diff "$expected" "$work/printed" >"$work/difference"; then
    echo "Not as in $expected (< expected, > printed):"
    head -n 20 "$work/difference"
    exit 1
fi
echo "$(wc -l <"$expected") lines, all equal"
