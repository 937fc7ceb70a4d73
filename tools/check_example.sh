#!/bin/sh
# tools/check_example.sh PROGRAM SOURCE: runs an example; where its source ends with a
# comment that begins "Output:", compares.
set -eu
program=$1 source=$2
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
"$program" >"$work/printed"
if grep -q '^/\* Output:$' "$source"; then
    sed '1,/^\/\* Output:$/d; /^ *\*\/$/,$d; s/^ \*$//; s/^ \* //' "$source" >"$work/expected"
    diff -u "$work/expected" "$work/printed"
else
    cat "$work/printed"
    [ -s "$work/printed" ]
fi
