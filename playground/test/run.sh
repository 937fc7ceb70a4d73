#!/bin/bash
# The end-to-end tests of the playground: node and Debian's chromium-headless-shell (or the browser that CAIRN_CHROMIUM names);
# playwright-core comes from npm, in the version of package-lock.json, into
# build/playground-test: run.sh [OPTION OF NODE…] [FILE…]. The page must have been built (playground/build.mjs).
# Three files at a time, each with a browser of its own: one alone often waits for a frame or a timer.
set -euo pipefail
here=$(cd "$(dirname "$0")" && pwd)
tools=$here/../../build/playground-test
if ! cmp -s "$here/package-lock.json" "$tools/package-lock.json" || [ ! -d "$tools/node_modules/playwright-core" ]; then
    mkdir -p "$tools"
    cp "$here/package.json" "$here/package-lock.json" "$tools/"
    npm ci --prefix "$tools" --ignore-scripts --no-audit --no-fund --silent
fi
options=()
while [[ ${1-} == --* ]]; do options+=("$1") && shift; done
exec node --test --test-concurrency=3 "${options[@]}" "${@:-$here}"
