#!/bin/bash
# tools/demo.sh PROGRAM: what ./run shows: every algorithm on every bundled map, as a table (a row for
# each algorithm; all rows in out/bench.txt) and as pictures in out/. The algorithms are asked of the program; nothing lists them here.
set -euo pipefail
cd "$(dirname "$0")/.."
program=$1
maps=(maps/*.map maps/*.txt)
mapfile -t algorithms < <("$program" algorithms --json | grep -o '"name": *"[^"]*", *"aliases"' | cut -d'"' -f4)
count=${#algorithms[@]}
[ "$count" -gt 0 ] || { echo "the program lists no algorithms" >&2 && exit 1; }

echo "Finding paths on ${#maps[@]} bundled maps (maps/) with $count algorithms: ${algorithms[*]}"
echo
mkdir -p out
"$program" bench --summary --rows out/bench.txt "${maps[@]}"
echo
echo "One row for each map and algorithm: out/bench.txt."

# The hardest problem of each map, drawn for each algorithm.
total=$((${#maps[@]} * count)) done=0 failed=0
echo "Drawing $total pictures, each as PNG and SVG: what the search looked at, in order of colour, and the path …"
page=out/index.html
cat >$page <<'END'
<!doctype html>
<meta charset="utf-8">
<title>Cairn</title>
<style>
body { font: 15px sans-serif; margin: 2em; }
div { display: flex; flex-wrap: wrap; gap: 1em; }
figure { margin: 0; }
img { width: 300px; border: 1px solid #ccc; }
</style>
<h1>Every algorithm on every bundled map</h1>
END
for map in "${maps[@]}"; do
    name=$(basename "$map")
    read -r from to < <(awk 'NF == 9 && $9 > longest { longest = $9; best = $5 "," $6 " " $7 "," $8 }
                             END { print best }' "$map.scen")
    printf '<h2>%s, from %s to %s</h2>\n<div>\n' "$name" "$from" "$to" >>$page
    for algorithm in "${algorithms[@]}"; do
        done=$((done + 1))
        [ ! -t 2 ] || printf '\r\033[Kpicture %d of %d: %s, %s' $done $total "$name" "$algorithm" >&2
        picture=${name%.*}-$algorithm
        if "$program" path "$map" --from "$from" --to "$to" -a "$algorithm" --png "out/$picture.png" \
            --svg "out/$picture.svg" >out/.printed 2>&1; then
            printf '<figure><img src="%s.svg" alt=""><figcaption>%s</figcaption></figure>\n' "$picture" "$algorithm" >>$page
        elif grep -q '^part of a path: out of budget' out/.printed; then # some give up long paths
            printf '<figure><img src="%s.svg" alt=""><figcaption>%s gave up</figcaption></figure>\n' "$picture" "$algorithm" >>$page
        else
            [ ! -t 2 ] || printf '\r\033[K' >&2
            echo "$algorithm on $name from $from to $to:" >&2
            cat out/.printed >&2
            failed=1
        fi
    done
    echo '</div>' >>$page
done
[ ! -t 2 ] || printf '\r\033[K' >&2
rm -f out/.printed
[ $failed = 0 ] || exit 1

echo "The pictures are in out/, all of them on one page: out/index.html."
echo
read -r from to < <(awk 'END { print $5 "," $6, $7 "," $8 }' maps/village.txt.scen)
cat <<END
What to try next:
    ./run path maps/village.txt --from $from --to $to --draw
                                one path, drawn in the terminal
    ./run view maps/village.txt
                                the playground: paint a world, watch every algorithm search it
    ./run bench YOUR.map --random 1000 -a astar,jps,hpa
                                compare algorithms on a map of your own
    ./run algorithms jps        what an algorithm can do, and its parameters
    ./run --help                all commands
README.md says which algorithm to take and how to use the library; docs/recipes/ has programs to start from.
END
