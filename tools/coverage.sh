#!/bin/bash
# Which lines the tests run: builds the preset `coverage`, runs the tests, prints a table
# and writes build/coverage/report/index.html.
set -euo pipefail
cd "$(dirname "$0")/.."
. tools/common.sh
want_build_tools
want gcovr has_command gcovr
want libcmocka-dev has_file /usr/include/cmocka.h
install_missing
build_preset coverage
find build/coverage -name '*.gcda' -delete
ctest --preset coverage -j "$jobs" -LE data || echo "Some tests failed; the table counts what ran."
mkdir -p build/coverage/report
gcovr --root . --filter src/ --filter program/ --html-details build/coverage/report/index.html --txt -
