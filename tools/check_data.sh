#!/bin/sh
# tools/check_data.sh PROGRAM SET: checks every map of a set of the MovingAI benchmarks in
# the folder CAIRN_DATA against the published lengths: all algorithms on every K-th
# problem (CAIRN_EVERY=K, 400), and with CAIRN_EVERY=1 astar on every single one and all
# algorithms on the usual sample. What takes seconds to build on a large map is checked on small ones only. Ends with 77, "skipped", without the data.
set -eu
program=$1 set=$2
if [ -z "${CAIRN_DATA-}" ]; then
    echo "skipped: CAIRN_DATA is not set (the folder with the MovingAI benchmarks)"
    exit 77
fi
if [ ! -d "$CAIRN_DATA/$set" ]; then
    echo "skipped: no folder $set in CAIRN_DATA"
    exit 77
fi
every=${CAIRN_EVERY:-400}
if [ "$every" = 1 ]; then
    "$program" check -a astar "$CAIRN_DATA/$set"/*.map
    every=400
fi
slow=cluster-table
others=$("$program" algorithms | awk -v slow=$slow '$2 == "planner" && $1 != slow { printf "%s%s", n++ ? "," : "", $1 }')
"$program" check --threads 2 --every "$every" -a "$others" "$CAIRN_DATA/$set"/*.map
find "$CAIRN_DATA/$set" -name '*.map' -size -24k -exec "$program" check --threads 2 --every 20 -a $slow {} +
