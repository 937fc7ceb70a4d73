#!/bin/bash
# tools/shots.sh: makes the pictures of docs/playground.md with the browser of the page's tests. The page must have been built (playground/README.md).
set -euo pipefail
cd "$(dirname "$0")/.."
exec playground/test/run.sh playground/shots.mjs
