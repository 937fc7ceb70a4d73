#!/bin/sh
# Formats every C file in place; with --check only says which are not formatted.
set -eu
cd "$(dirname "$0")/.."
format=clang-format-14
command -v $format >/dev/null 2>&1 || format=clang-format
case $($format --version) in
*"version 14."*) ;;
*) echo "tools/format.sh: clang-format 14 is needed, other releases format differently" >&2 && exit 1 ;;
esac
files=$(find include src program examples tests fuzz bench bindings -name '*.[ch]' -o -name '*.inc' -o -name '*.cpp' -o -name '*.hpp' | sort)
if [ "${1-}" != --check ]; then
    # shellcheck disable=SC2086 # one word per file
    $format -i --style=file $files
    exit
fi
# shellcheck disable=SC2086
$format --dry-run -Werror --style=file $files >/dev/null 2>&1 && exit 0
for file in $files; do # which?
    $format --dry-run -Werror --style=file "$file" 2>/dev/null || echo "$file is not formatted"
done
echo "tools/format.sh does it"
exit 1
