#!/bin/bash
# tests/test_advise.sh PROGRAM SOURCE: `cairn advise`: who obeys what a game needs, that the recommended one does, that what is
# told fits what `cairn bench` and `cairn build` tell, the chart, and what is refused. Times differ from run to run: what depends
# on them is only compared within one document.
set -u
program=$(realpath "$1") source=$(realpath "$2") subcommand=advise
. "$source/tests/common.sh"
cd "$work" || exit 1
ln -s "$source/maps" maps

top() { # KEY, of the document that was printed last
    sed -n "s/^  \"$1\": \(.*[^,]\),*\$/\1/p" out
}
of() { # ALGORITHM KEY
    grep "\"algorithm\": \"$1\"" out | sed 's/, "whole": {.*/}/' | sed -n "s/.*\"$2\": \(\"[^\"]*\"\|[^,}]*\)[,}].*/\1/p"
}
is() { # WHAT VALUE
    checks=$((checks + 1))
    [ "$1" = "$2" ] || fail "$what: \"$1\", not \"$2\""
}
holds() { # EXPRESSION of numbers
    awk "BEGIN { exit !($1) }" </dev/null
    ok "$1 does not hold"
}

# ---- everybody is measured, and the fastest of those that obey wins ----
run 0 maps/rooms-small.txt --all --json --edits 5
winner=$(top recommended | tr -d '"')
is "$(of "$winner" obeys)" true
[ "$(grep -c '"algorithm"' out)" -ge 10 ]
ok "there are few candidates"
fastest=$(grep '"obeys": true' out | sed 's/, "whole".*//; s/.*"frame_us": \([^,]*\),.*/\1/' | sort -g | head -n 1)
holds "$(of "$winner" frame_us) <= $fastest * 1.1"
for algorithm in astar hpa mm; do # all problems, all edits: 7 squares, closed and opened
    is "$(of $algorithm problems)" 168
done
is "$(of astar suboptimality_max)" 0
is "$(of astar index_bytes)" null
holds "$(of hpa repair_us_max) >= $(of hpa repair_us_mean)"
# what a frame takes is what its parts take: 50 paths, 5 edits with repairs, 60 frames. Whole paths: those that are asked for,
# and from the middle of each those that are broken; all are watched
form() { # ALGORITHM FORM KEY
    grep "\"algorithm\": \"$1\"" out | sed -n "s/.*\"$2\": {[^}]*\"$3\": \([^,}]*\)[,}].*/\1/p"
}
edits="5 * ($(of hpa repair_us_mean) + $(top commit_us_mean))"
watch="$(top follow_us_per_step) * $(of hpa steps_mean)"
broken=$(form hpa whole broken_per_second)
time="50 * ($(of hpa time_us_mean) + $watch) + $broken * ($(of hpa rest_us_mean) + $watch / 2)"
holds "($(form hpa whole frame_us) - ($time + $edits) / 60) ^ 2 < 0.01"
holds "($(form hpa whole searches_per_second) - 50 - $broken) ^ 2 < 0.01 && $broken > 0 && $broken < 2.5 * 200"
holds "$(top follow_us_per_step) > 0"
# pieces: of all pieces of a path the mean; agents ask at their ends, too, at random moments
of_pieces() { # PATHS EDITS AGENTS FRAMES ALGORITHM PIECE: do the numbers of its pieces hold?
    local pieces steps asked each ends
    pieces=$(of "$5" pieces_mean) steps="($(of "$5" steps_mean) / $(of "$5" pieces_mean))"
    asked="($1 + $(form "$5" in_pieces broken_per_second))"
    each="($(of "$5" pieces_us_mean) / $pieces + $(top follow_us_per_step) * $steps)"
    ends="($3 * 8 / $steps < $1 * $pieces ? $3 * 8 / $steps : $1 * $pieces)"
    set -- "$5" "$asked / (1 - exp(-$asked / $ends))" "$2 * ($(of "$5" repair_us_mean) + $(top commit_us_mean))" "$4" "$5" "$6"
    holds "($(form "$1" in_pieces searches_per_second) - $2) ^ 2 < 0.01"
    holds "($(form "$1" in_pieces frame_us) - ($2 * $each + $3) / $4) ^ 2 < 0.01"
    holds "$(form "$1" in_pieces broken_per_second) < $(form "$1" whole broken_per_second) && $pieces > 1"
    # each at least twice as long as the one before
    holds "$pieces <= 1 + log($(of "$1" steps_mean) / $6 + 1) / log(2)"
}
of_pieces 50 5 200 60 hpa 8
is "$(form astar in_pieces frame_us)" null
less=$(awk "BEGIN { print ($(form hpa whole frame_us) > $(form hpa in_pieces frame_us)) }")
is "$(of hpa frame_us)" "$([ "$less" = 1 ] && form hpa in_pieces frame_us || form hpa whole frame_us)"
is "$(of "$winner" piece)" "$(top piece)"
# index, the largest search and a deviation, 200 paths
holds "($(of hpa memory_bytes) - $(of hpa index_bytes) - $(of hpa search_bytes_max) - $(of hpa search_bytes_deviation) - 200 * $(of hpa path_bytes_mean)) ^ 2 < 100"
bytes=$(of hpa index_bytes) && cp out whole.json

# ---- the index is that of `cairn build`; sampled edits leave the map as it was ----
subcommand=
run 0 build maps/rooms-small.txt -a hpa -o index.cairn
run 0 bench maps/rooms-small.txt -a hpa --random 5 --json
is "$(sed -n 's/.*"index_bytes": \([0-9]*\).*/\1/p' out | head -n 1)" "$bytes"
subcommand=advise
run 0 maps/rooms-small.txt -a hpa --edits 1 --json
is "$(of hpa index_bytes)" "$bytes"

# ---- needs exclude ----
run 0 maps/rooms.map --longer 0 --json --all -a astar,hpa,greedy
is "$(top recommended)" '"astar"'
is "$(of hpa verdict)" '"length"'
is "$(of greedy obeys)" false
run 1 maps/rooms.map --memory 1 --json
is "$(top recommended)" null
is "$(of astar verdict)" '"memory"'
run 1 maps/rooms.map --requests 10000000 --fps 1 --budget 1
has out 'No candidate meets all limits'
has out 'The fastest is .*, but it takes .* of each frame, which has 1.00 us'
# alt holds as many bytes as landmarks need; with one agent its paths are nothing
run 0 maps/rooms.map -a alt,astar --agents 1 --requests 1 --memory 150 --json
is "$(of alt verdict)" '"memory"'
is "$(top recommended)" '"astar"'
# a repair that cannot be divided must fit into a frame
run 1 maps/rooms.map -a gateway --edits 1 --budget 2000 --fps 1000 --json --requests 1
is "$(of gateway verdict)" '"stall"'
run 0 maps/rooms.map -a gateway --edits 0 --budget 2000 --fps 1 --json --requests 1
is "$(of gateway repair_us_mean)" null
# what cannot serve the world, and what it leaves to another algorithm
printf 'p sp 3 4\na 1 2 5\na 2 1 5\na 2 3 5\na 3 2 5\n' >three.gr
run 0 three.gr --json
is "$(of jps verdict)" '"refused"'
is "$(of astar obeys)" true
run 0 maps/doors.cairn -a astar --json

# ---- what edits break ----
# a square that covers everything breaks each path, each piece, and is half of the edits
run 0 maps/cave.txt --agents 300 --edits 4 --edit-size 256 --budget 1000000 --memory 200000 -a mm --json
is "$(form mm whole broken_per_second)" 600
is "$(form mm in_pieces broken_per_second)" 600
# on a line of 200 cells a random cell lies ahead of one of four agents, the middle of a path ahead of more
printf '%0200d\n' 0 | tr 0 . >line.txt
run 0 line.txt --agents 100 --edits 2 --edit-size 1 --budget 1000000 --memory 200000 -a astar --json
holds "$(form astar whole broken_per_second) > 25 && $(form astar whole broken_per_second) < 45"

# where other paths are rarely hit, half of the closing squares are on the path of one agent, who has passed half of them
printf '%0100d\n' $(yes 0 | head -n 100) | tr 0 . >open.txt
run 0 open.txt --agents 1 --edits 2 --edit-size 1 --budget 1000000 --memory 200000 -a astar --json
holds "$(form astar whole broken_per_second) > 0.2 && $(form astar whole broken_per_second) < 0.35"
# a large agent needs more than the cell that it is on
for size in '--footprint 1' '--footprint 16' '--radius 8'; do
    run 0 open.txt --agents 100 --edits 2 --edit-size 1 --budget 1000000 --memory 200000 -a astar --json $size
    form astar whole broken_per_second
done >sizes
holds "$(sed -n 2p sizes) > 4 * $(sed -n 1p sizes) && $(sed -n 3p sizes) > 4 * $(sed -n 1p sizes)"

# ---- pieces: where edits break paths that are much longer than what an agent walks ----
subcommand=generate
run 0 caves --size 200x200 -o caves.map
subcommand=advise
run 0 caves.map --agents 2000 --edits 20 --longer 30 --budget 1000000 --memory 200000 -a mm,astar --json --save pieces.scenario
for key in recommended piece; do top $key; done >first
is "$(tr '\n' ' ' <first)" '"mm" 8 '
has pieces.scenario '^piece 8$'
has pieces.scenario '^speed 8$'
of_pieces 500 20 2000 60 mm 8
holds "$(form mm in_pieces frame_us) < $(form mm whole frame_us)"
is "$(of mm frame_us)" "$(form mm in_pieces frame_us)"
run 0 caves.map --agents 2000 --edits 20 --longer 30 --budget 1000000 --memory 200000 -a mm,astar --svg chart.svg
has out '^Use mm, and ask for pieces of 8 steps'
has out '^Whole paths of it would take '
has out '^in pieces: the next 8 steps or more'
has out '^mm in pieces <'
has chart.svg '>mm in pieces<'
# agents that walk faster, or ask less often, get longer ones
run 0 caves.map --agents 2000 --requests 1000 --edits 2 --speed 16 --longer 30 --budget 1000000 --memory 200000 -a mm --json
holds "$(of mm piece) > 8"
# no pieces that are longer than allowed
run 1 caves.map --agents 2000 --edits 20 --longer 0 --budget 1000000 --memory 200000 -a mm --json
holds "$(form mm in_pieces suboptimality_mean) > 0 && $(form mm in_pieces frame_us) < $(form mm whole frame_us)"
is "$(of mm piece)" 0
is "$(of mm frame_us)" "$(form mm whole frame_us)"
# whole paths where no pieces are given
run 0 caves.map --agents 2000 --edits 20 --budget 1000000 --memory 200000 -a astar --json --save pieces.scenario
is "$(top piece)" 0
! grep -q piece pieces.scenario
ok "pieces of a planner that gives none"
# a world that does not change, and agents that walk to the end of a path before they ask again
run 0 caves.map --agents 2000 --budget 1000000 --memory 200000 -a mm --json
is "$(top piece)" 0
is "$(form mm in_pieces frame_us)" null
is "$(top follow_us_per_step)" 0
run 0 maps/cave.txt --agents 2 --requests 1 --speed 60 --edits 1 --budget 1000000 --memory 200000 -a mm --json --save pieces.scenario
is "$(form mm in_pieces frame_us)" null
has pieces.scenario '^speed 60$'

# ---- people and charts ----
run 0 maps/rooms.map --preset strategy --svg chart.svg
has out '1,000 agents, 250 paths and 10.0 edits of 16 x 16 cells a second'
has out '^Use '
has chart.svg '<svg'
has chart.svg 'meets all limits<'
has chart.svg 'less than 3 % longer<'
run 0 maps/rooms.map -a astar,mm,hpa:size=10,greedy --svg chart.svg --all
# the lengths of paths: the squares of the legend, and one of each size among the points
for size in 5.6 9.8 14.0 18.2; do
    [ "$(grep -c "width=\"$size\"" chart.svg)" -ge 2 ]
    ok "no square of $size"
done
run 0 maps/rooms.map --preset console --agents 7 --json
is "$(sed -n 's/.*"agents": \([0-9]*\).*/\1/p' out)" 7
is "$(sed -n 's/.*"memory_bytes": \([0-9]*\).*/\1/p' out | head -n 1)" 2097152

# ---- the settings, as `cairn simulate` takes them ----
run 0 maps/rooms.map --neighbours 4 --footprint 1 --longer 30 --agents 30 --requests 8 --edits 6 --edit-size 5 --fps 30 --budget 1000000 --memory 3000 -a mm,hpa \
    --save made.scenario --json
winner=$(top recommended | tr -d '"') index=$(of "$(top recommended | tr -d '"')" index_bytes)
[ "$index" != null ] || index=0
for line in "algorithm $winner" service "agents 30" "fps 30" "edits 10" "edit-size 5" "edit-life 65" "neighbours 4" "memory $((3000 - (index + 1023) / 1024))"; do
    has made.scenario "^$line\$"
done
is "$(sed -n 's/^search-memory //p' made.scenario)" "$(awk '/^memory/ { m = $2 } /^searches/ { s = $2 } END { print int(int(m / 2) / s) }' made.scenario)"
for name in $(sed '/^#/d; /^neighbours/d; s/ .*//' made.scenario); do # what the example of the recipe reads
    grep -q "\"$name\"" "$source/examples/settings.c"
    ok "examples/settings.c does not know $name"
done
subcommand=simulate
run 1 maps/rooms.map --scenario made.scenario --turns 90 --json # agents walk on and on
is "$(sed -n 's/^ *"algorithm": "\([^"]*\)".*/\1/p' out | head -n 1)" "${winner%%:*}"
is "$(sed -n 's/.*"agents": \([0-9]*\).*/\1/p' out | head -n 1)" 30
is "$(sed -n 's/.*"edits": \([0-9]*\).*/\1/p' out | head -n 1)" 10 # in three seconds: 8 squares close, and 2 of them open again
is "$(sed -n 's/.*"illegal": \([0-9]*\).*/\1/p' out | head -n 1)" 0
subcommand=advise
# who needs much for a search gets fewer searches at a time
run 0 maps/rooms.map -a astar --agents 1 --requests 1 --memory 260 --save small.scenario
has small.scenario '^searches 1$'
has small.scenario '^search-memory 130$'
run 1 maps/rooms.map --memory 1 --save none.scenario
[ ! -e none.scenario ]
ok "settings without a choice"
run 2 maps/rooms.map --save maps/rooms.map
has err 'would be overwritten'

# ---- auto ----
run 0 maps/rooms.map -a astar --longer 0 --json
is "$(top auto)" '"jps-plus"'
run 0 maps/rooms.map -a astar --memory 70 --agents 1 --requests 1
has out 'auto:memory=70,changes=0,optimal=0 would take jps\.'
run 0 maps/rooms.map --neighbours 4 -a astar --edits 2 --budget 1000000 --json
is "$(top auto)" '"hpa:size=10"'

# ---- what is refused ----
run 2
has err 'expected one world, got none'
run 2 maps/rooms.map --preset consol
has err 'did you mean console?'
run 2 maps/rooms.map --preset zzzzzzzz
has err 'expected pc, console, shooter or strategy'
run 2 maps/rooms.map -a atsar
has err 'did you mean astar?'
run 2 maps/rooms.map --agents 0
run 2 maps/rooms.map --svg maps/rooms.map
has err 'would be overwritten'
run 2 maps/rooms.map --fps 5 --save slow.scenario
has err 'speed 8 needs more frames in a second than --fps 5'
run 2 maps/rooms.map --agents 100001 --save slow.scenario
has err 'at most 100000 agents'
run 2 three.gr --save three.scenario
has err 'grid'
run 2 three.gr --edits 3
has err 'grid'
run 3 none.map
printf '@@\n@@\n' >solid.txt
run 3 solid.txt
has err 'no two places are joined'

end_checks
