#!/bin/bash
# tests/test_program.sh PROGRAM CRAFT SOURCE: what others script against: exit codes, JSON keys,
# what goes to which stream, helpful errors, the examples of the help.
set -u
program=$(realpath "$1") craft=$(realpath "$2") source=$(realpath "$3")
. "$source/tests/common.sh"
cd "$source" || exit 1
export COLUMNS=80
unset NO_COLOR

out_has() {
    checks=$((checks + 1))
    grep -q -e "$1" "$work/out" || fail "$what: no \"$1\" on standard output"
}

out_lacks() {
    checks=$((checks + 1))
    ! grep -q -e "$1" "$work/out" || fail "$what: \"$1\" on standard output"
}

err_has() {
    checks=$((checks + 1))
    grep -q -e "$1" "$work/err" || fail "$what: no \"$1\" on standard error"
}

err_empty() {
    checks=$((checks + 1))
    [ ! -s "$work/err" ] || fail "$what: standard error is not empty"
}

out_empty() {
    checks=$((checks + 1))
    [ ! -s "$work/out" ] || fail "$what: standard output is not empty"
}

# keys NAME…: exactly these keys, in this order, in the first object of the document.
keys() {
    checks=$((checks + 1))
    local got
    got=$(grep -o '"[a-z_0-9]*": ' "$work/out" | tr -d '": ' | head -n $# | tr '\n' ' ')
    [ "$got" = "$* " ] || fail "$what: the keys are $got"
}

# The document is JSON, if there is somebody to ask.
is_json() {
    local reader
    if command -v node >/dev/null 2>&1; then
        reader=(node -e 'JSON.parse(require("fs").readFileSync(process.argv[1], "utf8"))')
    elif command -v python3 >/dev/null 2>&1; then
        reader=(python3 -m json.tool)
    else
        return 0
    fi
    checks=$((checks + 1))
    "${reader[@]}" "$work/out" >/dev/null 2>&1 || fail "$what: this is no JSON"
}

# ---- the program as a whole ----
run 2
err_has 'Usage: cairn COMMAND'
run 0 --help
out_has 'algorithms'
run 0 help
for words in '--help' '-h' 'help' 'help --help'; do
    # shellcheck disable=SC2086 # they are words
    run 0 help $words
    out_has '^Usage: cairn COMMAND'
done
run 0 --version
out_has '^cairn [0-9]*\.[0-9]*\.[0-9]*$'
run 2 pth
err_has '^cairn: there is no command "pth"; did you mean path?'
run 2 frobnicate
err_has '^cairn: '
for command in path bench build check convert explain generate info algorithms reproduce simulate view; do
    run 0 $command --help
    out_has 'Examples:'
    err_empty
    checks=$((checks + 1)) # bytes of UTF-8 that continue a character are no columns
    LC_ALL=C awk '{ gsub(/[\200-\277]/, "") } length > 100 { exit 1 }' "$work/out" ||
        fail "$what: a line of more than 100 columns"
    run 0 help $command
    out_has "^cairn $command "
    run 2 $command --jsno
    err_has 'did you mean --json?'
    out_empty
done

# ---- algorithms ----
run 0 algorithms
out_has '^astar '
run 0 algorithms wastar
out_has 'weight'
run 2 algorithms asatr
err_has 'did you mean astar?'
run 0 algorithms hpa
out_has 'returns paths in pieces'
run 0 algorithms pra
out_has 'syncs in the background'
run 0 algorithms hpa
out_has 'builds and repairs in slices'
run 0 algorithms theta
out_has 'paths of any angle'
run 0 algorithms
out_has '^lazy-theta .*any angle'
run 0 algorithms --json
is_json
keys name aliases kind family summary source optimal bounded any_angle needs_index repairs filters pieces background slices \
    anytime next_move exponential may_be_trapped worlds neighbourhoods corners terrain support 4 8 hex graph terrain heights links sizes goals

# ---- path: of any angle ----
for algorithm in theta lazy-theta; do
    run 0 path maps/cave.txt --from 5,4 --to 52,20 -a $algorithm --draw
    out_has 'length     54.3'
    run 0 path maps/cave.txt --from 5,4 --to 52,20 -a $algorithm --smooth sight
    out_has ', smoothed 54.3'
    for kind in rays box=3; do
        run 2 path maps/cave.txt --from 5,4 --to 52,20 -a $algorithm --smooth $kind
        err_has 'paths of any angle cannot be smoothed by rays: use sight or spline'
    done
    run 0 path maps/cave.txt --from 5,4 --to 52,20 -a $algorithm --smooth spline --json
    out_has '"any_angle": true'
done

# ---- path: walks ----
for walk in maps/*.walk; do
    run 0 path --script "$walk"
    err_empty
done
run 0 path --script maps/blocked-ahead.walk --draw
out_has '^arrived: astar from (3,3) to (45,20)'
out_has 'steps      56, cost 352,410 units'
out_has '1 change, the path is broken, plan'
out_has 'A start, B goal'
run 0 path --script maps/blocked-ahead.walk -a pra --json --svg "$work/walk.svg" --png "$work/walk.png"
is_json
keys status arrived algorithm end goal moves cost_units turns changes_made changes_left plans pieces syncs breaks work \
    work_mean work_max expanded move_us_mean move_us_max peak_bytes agent_bytes index_bytes walked events
out_has '"arrived": true'
out_has '"end": \[45, 20\]'
out_has '"syncs": 1'
[ -s "$work/walk.svg" ] && [ -s "$work/walk.png" ] || fail "$what: no pictures"
run 0 path --script maps/corridor.walk --replan changed
out_has 'steps      40,'
run 0 path --script maps/corridor.walk --replan changed --work 10 --moves
out_has 'plan, thinks'
run 0 path --script maps/blocked-ahead.walk -a hpa --piece 6
out_has 'next piece'
run 0 path --script maps/blocked-ahead.walk -a pra --background
run 0 path --script maps/cut-off.walk
out_has '^stopped: '
out_has 'reason     unreachable, at (6,8)'
sed 's/^expect stopped/expect arrived/' maps/cut-off.walk >"$work/cut.walk"
run 3 path --script "$work/cut.walk"
err_has 'rooms-small.txt'
run 1 path --script "$work/cut.walk" maps/rooms-small.txt
run 2 path --script maps/cut-off.walk --from 1,1
err_has 'is for single paths'
run 2 path --script maps/cut-off.walk --replan sometimes
err_has 'blocked or changed'
run 2 path maps/cave.txt --from 5,4 --to 52,20 --moves
err_has '--script FILE is missing'
run 2 path --script maps/cut-off.walk a b
printf 'cairn-walk 1\nfrom 1,1\nto 2,2\n' >"$work/bare.walk"
run 2 path --script "$work/bare.walk"
err_has 'has no map of its own'
run 3 path --script maps/cave.txt
err_has 'maps/cave.txt:1: a walk script starts with'
printf 'cairn-walk 1\nfrom 1,1\nto 99,2\n' >"$work/far.walk"
run 3 path --script "$work/far.walk" maps/cave.txt
err_has 'the goal lies outside'
printf 'cairn-walk 1\nrows\n....\nend\nfrom 0,0\nto 3,0\nat 1 block 4,0\n' >"$work/out.walk"
run 3 path --script "$work/out.walk"
err_has 'outside the map'

# ---- path: found ----
run 0 path maps/village.txt --from 9,5 --to 50,22
out_has '^found: '
out_has 'length     50.3848'
err_empty
run 0 path maps/village.txt --from=9,5 --to=50,22 --json
is_json
keys status partial any_angle end reason cost_units length waypoints answered_by expanded time_us peak_bytes
out_has '"status": "found"'
out_has '"end": \[50, 22\]'
out_has '"reason": null'
out_has '"any_angle": false'
out_has '"cost_units": 289259'
out_has '"answered_by": "astar"'
out_has '"waypoints": \[\[9, 5\], '
run 0 path maps/village.txt --from 9,5 --to 50,22 -a auto
out_has '^found: jps from'
run 0 path maps/village.txt --from 9,5 --to 50,22 -a auto:memory=9000,changes=0 --neighbours 4 --json
out_has '"answered_by": "alt"'
run 2 path maps/village.txt --from 9,5 --to 50,22 -a auto:best=1
err_has 'its parameters: memory, changes, optimal'
run 0 build maps/village.txt -a auto:memory=9000 -o "$work/auto.cairn"
run 0 path maps/village.txt --from 9,5 --to 50,22 -a jps-plus --index "$work/auto.cairn"
run 0 path maps/village.txt --from 9,5 --to 50,22 -a auto:memory=9000 --index "$work/auto.cairn"
out_has '^found: jps-plus from'
run 0 bench maps/village.txt --random 5 -a auto,astar --json
out_has '"algorithm": "auto"'
out_has '"answered_by": {"jps": 5}'
run 0 bench maps/village.txt --random 5 -a auto,astar
out_lacks 'delegated'
run 0 path --script maps/corridor.walk -a auto
run 0 algorithms auto
out_has 'memory'
run 2 algorithms auto --json
run 0 path maps/village.txt --from 9,5 --to 9,5 --json
out_has '"waypoints": \[\[9, 5\]\]'
out_has '"cost_units": 0'
run 0 path maps/village.txt --from 9,5 --to 50,22 --smooth sight --json
is_json
run 0 path maps/village.txt --from 9,5 --to 50,22 -a greedy --json
cost=$(sed -n 's/.*"cost_units": \([0-9]*\).*/\1/p' "$work/out")
for kind in rays box box=3; do
    run 0 path maps/village.txt --from 9,5 --to 50,22 -a greedy --smooth $kind --json
    is_json
    smoothed=$(sed -n 's/.*"cost_units": \([0-9]*\).*/\1/p' "$work/out")
    checks=$((checks + 1))
    [ "$smoothed" -lt "$cost" ] && [ "$smoothed" -ge 289259 ] || fail "$what: cost $smoothed, $cost before"
done
run 0 path maps/village.txt --from 9,5 --to 50,22 -a greedy --smooth rays
out_has 'cost .*, smoothed '
run 0 path maps/village.txt --from 9,5 --to 50,22 --smooth sight --json
sed 's/"time_us": [^,]*//' "$work/out" >"$work/asked"
run 0 path maps/village.txt --from 9,5 --to 50,22 --smooth string --json
sed -i 's/"time_us": [^,]*//' "$work/out"
checks=$((checks + 1))
cmp -s "$work/asked" "$work/out" || fail "$what: string is not the same as sight"
# A curve: its points are places, the first of them the middle of the start; what it follows are the waypoints.
run 0 path maps/village.txt --from 9,5 --to 50,22 --smooth spline --json
is_json
out_has '"waypoints": \[\[9, 5\], '
out_has '"curve": \[\[9.5, 5.5\], .*\[50.5, 22.5\]\]'
run 0 path maps/village.txt --from 9,5 --to 50,22 --smooth spline --draw --png "$work/c.png" --svg "$work/c.svg"
out_has 'length .*, smoothed '
out_has 'curve *[0-9]* points'
out_has 'A'
checks=$((checks + 1))
[ "$(grep -c 'M9.5 5.5L' "$work/c.svg")" -gt 0 ] || fail "$what: no curve in the picture"
run 0 path maps/hills.tmj --from 1,1 --to 20,12 --smooth spline --draw --svg "$work/c.svg"
run 0 path maps/village.txt --from 9,5 --to 50,22 --draw
out_has '#.*A.*#.*#' # the start's house
out_has '\*'
out_has 'B'
run 0 path maps/village.txt --from 9,5 --to 50,22 --draw --json
is_json
err_has '#'
run 0 path maps/farm.tmx --from 3,2 --to 28,2 --terrain water=9 --json
out_has '"status": "found"'
run 0 info maps/hills.tmj
out_has 'a grid of 24 x 16'
for algorithm in $("$program" algorithms | awk 'NR > 1 && $2 == "planner" { print $1 }'); do
    to=54,20
    ! "$program" algorithms "$algorithm" | grep -q 'gives up long paths' || to=13,4
    run 0 path maps/cave.txt --from 4,5 --to $to -a "$algorithm" --json
    out_has '"status": "found"'
done
if "$program" algorithms idastar >/dev/null 2>&1; then
    run 1 path maps/cave.txt --from 4,5 --to 54,20 -a idastar
    out_has '^part of a path: out of budget'
    run 0 check -a idastar:effort=1000 maps/cave.txt
    out_has 'gave up [0-9]* of 60 problems'
    out_has 'all are correct'
fi
if "$program" algorithms smastar >/dev/null 2>&1; then
    run 0 check -a smastar:nodes=40 maps/cave.txt
    out_has 'no path fits in [0-9]* of 60 problems'
    out_has 'all are correct'
    run 0 check -a smastar:nodes=40 maps/cave.txt --json
    out_has '"none_fits": [1-9]'
fi

# ---- path: profiles ----
run 0 path maps/rooms-small.txt --from 1,1 --to 48,24 --neighbours 4 --json
out_has '"length": 70'
run 0 path maps/rooms-small.txt --from 1,1 --to 48,24 --corners always
run 0 path maps/bridge.txt --from 10,3 --to 30,3 --terrain swamp=1,2=1 --json
out_has '"length": 20,'
run 2 path maps/village.txt --from 9,5 --to 50,22 --neighbours 6
run 2 path maps/village.txt --from 9,5 --to 50,22 --corners maybe
run 2 path maps/village.txt --from 9,5 --to 50,22 --terrain lava=3
err_has 'lava'
run 2 path maps/village.txt --from 9,5 --to 50,22 --terrain swamp=256
run 2 path maps/village.txt --from 9,5 --to 50,22 --terrain swamp=1e1
run 2 path maps/village.txt --from 9,5 --to 50,22 --terrain swamp=-1
run 0 info maps/bridge.txt --terrain swamp=1.5
out_has 'cost 1.5$'
run 3 path maps/village.txt --from 9,5 --to 50,22 --terrain "$(seq 0 255 | sed 's/$/=0/' | paste -sd,)"
err_has 'forbids every terrain class'

# ---- path: no path, and why ----
run 1 path maps/village.txt --from 6,3 --to 9,5 --json
out_has '"answered_by": null'
run 1 path maps/village.txt --from 9,5 --to 6,3 --json
is_json
keys status partial any_angle end reason cost_units length waypoints answered_by expanded time_us peak_bytes
out_has '"status": "blocked goal"'
out_has '"reason": "the goal (6,3) is a blocked cell"'
out_has '"answered_by": "astar"'
out_has '"partial": true'
out_has '"end": \[6, 2\]'
err_empty
run 1 path maps/village.txt --from 6,3 --to 9,5 --json
out_has '"partial": false'
out_has '"end": null'
out_has '"length": null'
out_has '"waypoints": \[\]'
run 1 path maps/village.txt --from 22,12 --to 9,5
out_has 'no path: blocked start'
out_has 'is water'
run 1 path maps/village.txt --from 9,5 --to 60,0
out_has 'outside the map of 60 x 30'
run 1 path maps/village.txt --from -1,0 --to 9,5 --json
out_has '"status": "out of bounds"'
printf '..#..\n' >"$work/wall.txt"
run 1 path "$work/wall.txt" --from 0,0 --to 4,0 --json
out_has '"status": "unreachable"'
out_has '"reason": "no path leads from (0,0) to (4,0)"'
out_has '"partial": true'
run 0 path "$work/wall.txt" --from 0,0 --to 4,0 --partial
out_has 'part of a path: unreachable'
out_has 'ends at    (1,0)'
run 0 path "$work/wall.txt" --from 0,0 --to 2,0 --partial
out_has 'the goal (2,0) is a blocked cell'
run 1 path "$work/wall.txt" --from 2,0 --to 0,0 --partial

# ---- path: wrong usage, bad data ----
run 2 path
run 2 path maps/village.txt --from 9,5
run 2 path maps/village.txt --to 9,5 --from
run 2 path maps/village.txt --from 9 --to 50,22
run 2 path maps/village.txt --from 9,5 --to 50,22 -a asatr
err_has '^cairn: there is no algorithm "asatr"; did you mean astar?'
run 2 path maps/village.txt --from 9,5 --to 50,22 -a wastar:wieght=2
err_has '^cairn: '
for kind in splines box=0 box= box=3x ''; do
    run 2 path maps/village.txt --from 9,5 --to 50,22 --smooth="$kind"
done
err_has 'must be none, sight, string, rays, box, box=N or spline'
run 2 path maps/village.txt --from 9,5 --to 50,22 --json=yes
run 3 path "$work/none.map" --from 0,0 --to 1,1
err_has "^cairn: $work/none.map: cannot be opened"
out_empty
printf 'type octile\nheight 2\nwidth 2\nmap\n..\n.x\n' >"$work/bad.map"
run 3 path "$work/bad.map" --from 0,0 --to 1,1
err_has "^cairn: $work/bad.map:6: 'x' in column 2"
out_empty
run 3 path "$work/bad.map" --from 0,0 --to 1,1 --json
is_json
keys error status exit_code
out_has "\"error\": \"$work/bad.map:6: 'x' in column 2"
out_has '"status": "bad data",'
out_has '"exit_code": 3$'
err_empty
run 3 path "$work" --from 0,0 --to 1,1
: >"$work/empty.map"
run 3 info "$work/empty.map"
run 3 path maps/village.txt --from 9,5 --to 50,22 --svg "$work/no/folder.svg"
run 3 path maps/village.txt --from 9,5 --to 50,22 --trace "$work/no/folder.yaml"
err_has "^cairn: $work/no/folder.yaml: cannot be written"
if [ -e /dev/full ]; then
    run 3 path maps/village.txt --from 9,5 --to 50,22 --trace /dev/full
    err_has '^cairn: /dev/full: cannot be written'
fi

# ---- path: pictures ----
run 0 path maps/bridge.txt --from 3,3 --to 50,22 --svg "$work/path.svg"
checks=$((checks + 1))
head -c 4 "$work/path.svg" | grep -q '<svg' || fail "$what: no SVG"
for by in order g h f none; do
    run 0 path maps/bridge.txt --from 3,3 --to 50,22 --svg "$work/$by.svg" --colour $by
    run 0 path maps/bridge.txt --from 3,3 --to 50,22 --draw --color $by
done
run 2 path maps/bridge.txt --from 3,3 --to 50,22 --overlay
err_has 'png FILE or --svg FILE is missing'
run 2 path maps/bridge.txt --from 3,3 --to 50,22 --overlay --svg "$work/path.svg"
err_has 'the index of .* cannot be shown'
# Every algorithm shows its index, or says that it has none to show.
for name in $("$program" algorithms --json | grep -o '"name": *"[^"]*", *"aliases"' | cut -d'"' -f4); do
    if "$program" path maps/bridge.txt --from 3,3 --to 50,22 -a "$name" --overlay --svg "$work/$name.svg" >/dev/null 2>"$work/err"; then
        run 2 path maps/bridge.txt --from 3,3 --to 50,22 -a "$name" --overlay=255 --svg "$work/path.svg"
        err_has 'has no level 255'
    else
        err_has 'the index of .* cannot be shown'
    fi
done
# A map that is one cluster has an index with nothing in it: that is no mistake of who asks for all of it.
printf '....\n....\n....\n' >"$work/small.txt"
for name in hpa dhpa pra mm jps-plus alt hierarchical-astar; do
    run 0 path "$work/small.txt" --from 0,0 --to 3,2 -a $name --overlay --svg "$work/small.svg"
done
for level in 0 x 256 1x; do
    run 2 path maps/bridge.txt --from 3,3 --to 50,22 --overlay=$level --svg "$work/path.svg"
    err_has 'must be a level from 1 on or all'
done
run 2 path maps/bridge.txt --from 3,3 --to 50,22 --colour blue
err_has 'must be order, g, h, f or none'
if "$program" path maps/bridge.txt --from 3,3 --to 50,22 --png "$work/path.png" >"$work/out" 2>"$work/err"; then
    checks=$((checks + 1))
    head -c 4 "$work/path.png" | grep -q 'PNG' || fail "$what: no PNG"
else
    err_has 'no PNG support'
fi

# ---- path: traces ----
# The document is YAML of the right shape, if there is somebody to ask.
is_trace() {
    python3 -c 'import yaml' 2>/dev/null || return 0
    checks=$((checks + 1))
    python3 - "$work/steps.yaml" "$1" <<'END' || fail "$what: this is no trace"
import sys, yaml
d = yaml.safe_load(open(sys.argv[1]))
e = d["events"]
assert d["version"] == "1.4.0" and d["views"]["main"][0]["$"] == "rect" and d["pivot"]["scale"] == 1
assert all(set(x) == set("type id pId x y f g h".split()) for x in e)
assert not e or (e[0]["type"] == "source" and e[0]["pId"] is None)
assert sys.argv[2] == "any" or e[-1]["type"] == sys.argv[2]
END
}
expanded() { # as many "expanding" events as the program says it expanded
    checks=$((checks + 1))
    local told
    told=$(sed -n 's/.*"expanded": \([0-9]*\).*/\1/p' "$work/out")
    [ "$(grep -c 'type: expanding' "$work/steps.yaml")" = "$told" ] || fail "$what: the trace does not tell of $told"
}
run 0 path maps/bridge.txt --from 3,3 --to 50,22 --trace "$work/steps.yaml" --svg "$work/path.svg" --json
is_json
is_trace end
expanded
run 0 path maps/bridge.txt --from 3,3 --to 50,22 -a wastar:weight=3 --trace "$work/steps.yaml" --json
is_trace end
expanded
run 1 path "$work/wall.txt" --from 0,0 --to 4,0 --trace "$work/steps.yaml" --json
is_trace end # of the part that can be walked
expanded

# ---- what is counted ----
# Expanded nodes are a part of the generated ones, unless nodes are reopened: then it is said.
run 0 path maps/cave.txt --from 5,4 --to 52,20
out_has '^  expanded   [0-9,]* of [0-9,]* generated$'
run 0 path maps/rooms.map --from 114,33 --to 13,1
out_has '^  expanded   [0-9,]* (reopened: [0-9,]*), generated [0-9,]*$'
counted=0
for algorithm in $("$program" algorithms | awk 'NR > 1 && $2 == "planner" { print $1 }'); do
    for world in 'maps/rooms.map 114,33 13,1' 'maps/bridge.txt 3,3 50,22' 'maps/hills.tmj 1,1 20,12'; do
        read -r map from to <<<"$world"
        "$program" path "$map" --from "$from" --to "$to" -a "$algorithm" >"$work/out" 2>"$work/err" || continue
        counted=$((counted + 1))
        what="$algorithm on $map" && checks=$((checks + 1))
        tr -d , <"$work/out" | awk '$1 == "expanded" && $3 == "of" && $2 > $4 { exit 1 }' ||
            fail "$what: more are expanded than generated"
    done
done
[ $counted -gt 40 ] || fail "only $counted searches were counted"

# ---- standard input and output as files ----
# pipes CODE FILE ARGS…: the same as `run`, with FILE on standard input, through a pipe.
pipes() {
    local code=$1 file=$2
    shift 2
    what="cairn $* < $file"
    checks=$((checks + 1))
    cat "$file" | "$program" "$@" >"$work/out" 2>"$work/err"
    local got=$?
    [ $got = "$code" ] || fail "$what ended with $got, not $code"
}
run 0 path maps/village.txt --from 9,5 --to 50,22
grep -v time "$work/out" >"$work/asked"
for name in - /dev/stdin; do
    pipes 0 maps/village.txt path $name --from 9,5 --to 50,22
    checks=$((checks + 1))
    grep -v time "$work/out" | cmp -s - "$work/asked" || fail "$what: another answer than from a file"
done
"$program" path <(cat maps/village.txt) --from 9,5 --to 50,22 | grep -v time | cmp -s - "$work/asked"
ok 'a named pipe gives another answer than a file'
"$program" path /dev/stdin --from 9,5 --to 50,22 <maps/village.txt | grep -v time | cmp -s - "$work/asked"
ok 'a redirected file gives another answer'
printf 'p sp 3 2\na 1 2 5\na 2 3 6\n' >"$work/piped.gr"
pipes 0 "$work/piped.gr" path - --from 0 --to 2
out_has 'cost       11 units'
pipes 0 maps/farm.tmx info -
out_has 'a grid of 30 x 16'
pipes 0 maps/rooms.map.scen check -a astar maps/rooms.map --scen -
out_has 'all are correct'
pipes 0 maps/corridor.walk path --script - maps/u-trap.txt --json
out_has '"arrived": '
run 0 path maps/cave.txt --from 4,5 --to 54,20 --repro "$work/piped.cairn"
out_has "  repro      $work/piped.cairn: world, agent, query and algorithm"
pipes 0 "$work/piped.cairn" path -
out_has '^found: astar from (4,5) to (54,20)'
pipes 2 maps/village.txt bench -a astar - --scen -
err_has 'can be read only once'
# What is written to standard output comes whole and alone; what is told goes to standard error.
for kind in map txt cairn png; do
    run 0 convert maps/village.txt "$work/named.$kind"
    run 0 convert maps/village.txt - --format $kind
    err_has '^-: a grid of 60 x 30'
    checks=$((checks + 1))
    cmp -s "$work/out" "$work/named.$kind" || fail "$what: not what is written to a file"
done
run 0 convert maps/village.txt -
head -n 1 "$work/out" | grep -q '^type octile'
ok 'a map is the default'
run 2 convert maps/village.txt - --format gif
err_has 'must end in'
run 0 convert "$work/piped.gr" -
cp "$work/out" "$work/graph.cairn"
run 2 convert "$work/piped.gr" - --format map
pipes 0 "$work/graph.cairn" path - --from 0 --to 2
run 0 generate caves --size 50x40 --seed 3 -o "$work/named.map"
run 0 generate caves --size 50x40 --seed 3 -o -
cmp -s "$work/out" "$work/named.map"
ok 'a generated map is the same on standard output'
run 0 generate scenario maps/village.txt --count 20 -o -
out_has '^version 1'
err_has '20 problems'
run 0 build maps/rooms.map -a alt -o "$work/named.cairn"
run 0 build maps/rooms.map -a alt -o -
cmp -s "$work/out" "$work/named.cairn"
ok 'an index is the same on standard output'
cp "$work/out" "$work/index.cairn"
pipes 0 "$work/index.cairn" path maps/rooms.map --from 114,33 --to 13,1 -a alt --index -
for flag in svg png trace repro; do
    run 0 path maps/cave.txt --from 4,5 --to 54,20 --$flag "$work/named" --json
    run 0 path maps/cave.txt --from 4,5 --to 54,20 --$flag - --json
    err_has '"status": "found"'
    checks=$((checks + 1))
    cmp -s "$work/out" "$work/named" || fail "$what: not what is written to a file"
done
run 2 path maps/cave.txt --from 4,5 --to 54,20 --svg - --trace -
err_has 'would be the same file'
if [ -e /dev/full ]; then
    checks=$((checks + 1))
    "$program" convert maps/village.txt - >/dev/full 2>"$work/err" && fail 'a full disk looks like success'
    err_has 'cannot be written'
fi
# Where a file cannot be written whole, on a disk that has room for a kilobyte, the old one stays and nothing else is left.
mkdir "$work/disk"
on_full_disk() { # FILE ARGS…, the name of the file last
    local file=$work/disk/$1
    shift
    echo old >"$file"
    program=$work/little-room run 3 "$@" "$file"
    err_has "^cairn: $file: cannot be written"
    checks=$((checks + 1))
    [ "$(cat "$work"/disk/*)" = old ] || fail "$what: the old file is gone, or something is left: $(ls "$work/disk")"
    rm -f "$work"/disk/*
}
printf '%s\n' '#!/bin/bash' 'trap "" XFSZ' 'ulimit -f 1' "exec '$program' \"\$@\"" >"$work/little-room"
chmod +x "$work/little-room"
"$program" generate rooms --size 200x200 -o "$work/rooms200.map" >"$work/out" 2>&1
# The same if a signal ends the program in the middle of writing.
when_killed() { # FILE ARGS…
    local file=$work/disk/$1
    shift
    echo old >"$file"
    what="cairn $* $file, killed"
    checks=$((checks + 1))
    { (ulimit -f 1 -c 0 && exec env --default-signal=XFSZ "$program" "$@" "$file") >"$work/out" 2>"$work/err" </dev/null; } 2>/dev/null
    [ $? = 153 ] || fail "$what: it was not ended by SIGXFSZ"
    [ "$(cat "$work"/disk/*)" = old ] || fail "$what: the old file is gone, or something is left: $(ls "$work/disk")"
    rm -f "$work"/disk/*
}
on_bad_days() {
    on_full_disk "$@"
    when_killed "$@"
}
for ending in map txt png cairn; do
    on_bad_days a.$ending generate caves --size 200x200 -o
    on_bad_days a.$ending convert "$work/rooms200.map"
done
on_bad_days a.scen generate scenario "$work/rooms200.map" --count 200 -o
on_bad_days a.cairn build "$work/rooms200.map" -a hpa -o
on_bad_days a.txt bench maps/*.txt --random 2 --rows
on_bad_days a.html view maps/village.txt --page tests/data/page.html -o
for flag in svg png trace repro; do
    on_bad_days a path maps/rooms.map --from 114,33 --to 13,1 --$flag
    [ $flag = trace ] || [ $flag = repro ] || on_bad_days a path --script maps/blocked-ahead.walk --$flag
done
# A link stays a link, and what it leads to is replaced.
for output in 'generate caves -o' 'convert maps/village.txt' 'path maps/rooms.map --from 114,33 --to 13,1 --svg' \
    'path maps/rooms.map --from 114,33 --to 13,1 --trace' 'view maps/village.txt --page tests/data/page.html -o'; do
    echo old >"$work/disk/real.map"
    ln -s real.map "$work/disk/link.map"
    # shellcheck disable=SC2086 # they are words
    run 0 $output "$work/disk/link.map"
    checks=$((checks + 1))
    { [ -L "$work/disk/link.map" ] && [ "$(cat "$work/disk/real.map")" != old ] && [ "$(ls "$work/disk" | wc -l)" = 2 ]; } ||
        fail "$what: the link was replaced, or what it leads to was not: $(ls "$work/disk")"
    rm -f "$work"/disk/*
done
# Of two that write at once one comes last, and nothing else is left.
for ((i = 0; i < 5; i++)); do
    for algorithm in hpa alt; do
        "$program" build "$work/rooms200.map" -a $algorithm -o "$work/disk/index.cairn" >/dev/null 2>&1 &
    done
    wait
    run 0 info "$work/disk/index.cairn"
    checks=$((checks + 1))
    [ "$(ls "$work/disk")" = index.cairn ] || fail "two writers left $(ls "$work/disk")"
done
rm -f "$work"/disk/*
# Where nothing may be written.
if [ "$(id -u)" != 0 ]; then
    echo old >"$work/disk/a.map"
    chmod 555 "$work/disk"
    run 3 convert maps/village.txt "$work/disk/a.map"
    err_has 'cannot be written'
    run 3 path maps/rooms.map --from 114,33 --to 13,1 --trace "$work/disk/b"
    chmod 755 "$work/disk"
    checks=$((checks + 1))
    [ "$(cat "$work"/disk/*)" = old ] || fail 'something was written where nothing may be'
    rm -f "$work"/disk/*
fi

# ---- files that ask for much, or name what they should not ----
walk_of() { printf 'cairn-walk 1\n%s\nfrom 0,0\nto 1,1\n' "$1" >"$work/asks.walk"; }
walk_of 'generate maze 32768x32768'
run 3 path --script "$work/asks.walk"
err_has 'it asks for 1073741824 cells, but a file of its size may ask for at most 67108864 (--max-cells raises that)$'
walk_of 'generate random 40x40'
run 0 path --script "$work/asks.walk" --max-cells 1600
run 3 path --script "$work/asks.walk" --max-cells 1599
run 2 path --script "$work/asks.walk" --max-cells 0
err_has '--max-cells must be a whole number from 1 to 1073741824'
for command in path bench check build explain info convert simulate view generate; do
    run 0 $command --help
    out_has '--max-cells N'
done
"$program" generate random --size 300x300 --percent 0 -o "$work/white.png" >"$work/out" 2>&1
run 0 info "$work/white.png" --max-cells 90000
run 3 info "$work/white.png" --max-cells 89999
err_has 'white.png: it asks for 90000 cells, but a file of its size may ask for at most 89999 (--max-cells'
run 0 convert "$work/white.png" "$work/white.map"
run 0 info "$work/white.map" --max-cells 1 # it holds its cells
for name in /dev/zero "$work/white.map" ../white.map a/../../white.map; do
    walk_of "map $name"
    run 3 path --script "$work/asks.walk"
    err_has 'asks.walk:2: the map must lie in the folder of the script or below it'
done
mkfifo "$work/fifo.map"
walk_of 'map fifo.map'
run 3 path --script "$work/asks.walk"
err_has 'fifo.map: cannot be read: it is no regular file'
walk_of 'map white.map'
run 0 path --script "$work/asks.walk"
mkfifo "$work/white.map.scen" # beside the map, but nobody asked for it
run 3 bench "$work/white.map"

# ---- names that a terminal would obey ----
# plain: nothing that was printed is a command to a terminal, whatever names and texts came along.
plain() {
    checks=$((checks + 1))
    ! LC_ALL=C grep -q "$(printf '[\001-\010\013-\037\177]\|\302[\200-\237]\|\342\200\256')" "$work/out" "$work/err" ||
        fail "$what: prints what a terminal obeys"
}
odd=$work/$(printf 'a\033[31mb\302\2330m\342\200\256\n\377\303\266').map
if cp maps/rooms.map "$odd" 2>/dev/null; then
    shown='a\\x1b\[31mb\\xc2\\x9b0m\\xe2\\x80\\xae\\x0a\\xff'$(printf '\303\266')'\.map'
    run 0 info "$odd"
    plain
    out_has "/$shown: a grid of"
    run 0 info "$odd" --json
    plain
    out_has 'a\\u001b\[31mb\\u009b0m\\u202e\\n\\ufffd'
    run 3 info "$odd.none"
    plain
    err_has "^cairn: .*/$shown\.none: cannot be opened"
    run 3 info "$odd.none" --json
    plain
    run 0 convert "$odd" "$odd.png"
    plain
    run 0 bench "$odd" -a astar --random 3
    plain
    run 0 check "$odd" -a astar --random 3
    plain
    run 0 build "$odd" -a hpa -o "$odd.cairn"
    plain
    run 0 path "$odd" --from 114,33 --to 13,1 --repro "$odd.cairn"
    plain
    run 3 generate scenario "$odd" --count 3 -o "$work/odd.scen"
    plain
    run 2 path "$odd" --from "$(printf '\033]0;x\007')" --to 1,1
    plain
    run 2 "$(printf '\033[2J')"
    plain
    run 2 info "--$(printf '\033[2J')"
    plain
    run 2 path "$odd" --from 114,33 --to 13,1 -a "$(printf '\033[2J')"
    plain
    walk_of "title $(printf 'red \302\23331m text\177')
rows
..
..
end"
    run 0 path --script "$work/asks.walk"
    plain
    out_has 'red \\xc2\\x9b31m text\\x7f'
fi

# A byte-order mark is no part of a text.
marked() { printf '\357\273\277' | cat - "$1" >"$work/marked.${1##*.}"; }
for file in maps/village.txt maps/rooms.map maps/farm.tmx maps/hills.tmj "$work/piped.gr"; do
    run 0 info "$file"
    sed 1d "$work/out" >"$work/asked"
    marked "$file"
    run 0 info "$work/marked.${file##*.}"
    checks=$((checks + 1))
    sed 1d "$work/out" | cmp -s - "$work/asked" || fail "$what: another world because of a mark"
    pipes 0 "$work/marked.${file##*.}" info -
    sed 1d "$work/out" | cmp -s - "$work/asked"
    ok 'another world because of a mark'
done
marked maps/rooms.map.scen
run 0 check -a astar maps/rooms.map --scen "$work/marked.scen"
marked maps/cut-off.walk
run 0 path --script "$work/marked.walk" maps/rooms-small.txt

# ---- graphs ----
printf 'c a square\np sp 4 4\na 1 2 5\na 2 3 5\na 3 4 5\na 4 1 5\n' >"$work/square.gr"
run 2 path "$work/square.gr" --from 0 --to 3 --smooth spline
err_has 'a curve needs a path on a grid'
run 0 path "$work/square.gr" --from 0 --to 3 --json
out_has '"cost_units": 15'
out_has '"waypoints": \[0, 1, 2, 3\]'
run 1 path "$work/square.gr" --from 0 --to 4
out_has 'waypoints 0 to 3'
run 0 info "$work/square.gr"
out_has '4 waypoints and 4 directed edges'
run 0 info "$work/square.gr" --json
is_json
run 0 check --random 20 "$work/square.gr"
run 3 bench "$work/square.gr"
err_has '--random'

# ---- info ----
mkdir "$work/crafted" && "$craft" "$work/crafted" || fail "no files were crafted"
run 0 info maps/village.txt
out_has '60 x 30$'
out_has 'corners never'
run 0 info maps/village.txt --json
is_json
keys file world version width height layout cells open usable terrain ground swamp water trees extra_cost_cells \
    extra_cost_max height_min height_max links regions largest_region neighbours corners radius footprint \
    straight_units diagonal_units world_bytes space_bytes
out_has '"world": "grid"'
out_has '"layout": "square"'
run 0 info "$work/wall.txt"
out_has 'components 2, 50.0 % of the nodes in the largest'
run 0 info maps/hills.tmj
out_has '24 x 16 hexagons'
out_has 'extra cost 20 cells, up to 40'
out_has 'agent      6 neighbours$'
out_has 'costs      a step 5741 units$'
run 0 info maps/hills.tmj --json
is_json
out_has '"layout": "hex"'
checks=$((checks + 1))
! grep -q 'corners\|diagonal' "$work/out" || fail "$what: hexagons have no corners"
run 0 info "$work/crafted/linked.cairn"
out_has 'heights    -2 to 17'
out_has 'extra cost 5 cells, up to 27'
out_has 'links      12'
out_has 'components 1$'
run 0 path "$work/crafted/linked.cairn" --from 0,0 --to 35,0 --smooth spline --draw
out_has '  link '
out_has 'curve *[0-9]* points'
run 0 info "$work/crafted/linked.cairn" --json
is_json
out_has '"links": 12'
out_has '"regions": 1,'
out_has '"largest_region": 780'
run 0 info "$work/square.gr" --json
out_has '"regions": 1,'
run 0 build maps/rooms.map -a alt:landmarks=3 -o "$work/index.cairn"
run 0 info "$work/index.cairn"
out_has 'a .cairn file without a world'
out_has 'index      alt:landmarks=3,.* of a world of 12,065 nodes'
out_has 'sections   index 1[0-9]* B, index.marks'
run 0 info "$work/index.cairn" --json
is_json
keys file world index query written_by sections
out_has '"index": "alt:landmarks=3,'
out_has '"world": null'
run 2 info "$work/index.cairn" --radius 2
run 3 path "$work/index.cairn" --from 0,0 --to 1,1
err_has 'there is no world in this file'
run 2 info

# ---- bench ----
row_keys="algorithm map problems solved failed optimal suboptimality_mean suboptimality_max \
pieces_suboptimality_mean within_1_percent within_5_percent time_us_mean \
time_us_median time_us_p99 time_us_max first_move_us_mean answered_by astar expanded_mean generated_mean peak_bytes index_bytes \
index_build_ms world_bytes moves_mean move_us_mean move_us_max agent_bytes"
run 0 bench -a astar maps/random.map --json
is_json
err_empty
# shellcheck disable=SC2086
keys rows $row_keys
out_has '"problems": 203, "solved": 203, "failed": 0, "optimal": 203, "suboptimality_mean": 0,'
out_has '"index_bytes": null'
out_has '"within_1_percent": 1, "within_5_percent": 1,'
cp "$work/out" "$work/old.json"
out_has '"answered_by": {"astar": 200}'
run 0 bench -a astar maps/random.map --against "$work/old.json"
out_has 'old/expanded'
out_has ' 1\.00$'
run 0 bench -a astar maps/random.map --against "$work/old.json" --json
is_json
out_has '"expanded_ratio": 1}'
run 3 bench -a astar maps/random.map --against maps/random.map
run 3 bench -a astar maps/random.map --against "$work/none.json"
run 0 bench -a jps maps/random.map --json
out_has '"answered_by": {"astar": 200}'
run 0 bench -a jps,jps:jumps=always maps/random.map --json
out_has '"answered_by": {"jps": 200}'
run 0 bench -a jps,astar maps/random.map
out_has ' delegated '
run 0 bench -a jps maps/rooms.map
out_lacks ' delegated '
run 0 path -a jps maps/random.map --from 0,0 --to 5,5 --json
out_has '"answered_by": "astar"'
run 0 path -a jps maps/random.map --from 0,0 --to 5,5
out_has '  answered   by astar, to which jps delegates such queries'
run 0 bench -a astar,wastar:weight=2,heuristic=octile,greedy --every 100 --limit 2 --repeat 3 maps/rooms.map
out_has '^wastar:weight=2,heuristic=octile .* 2 '
run 0 bench -a bfs maps/random.map
out_has 'most %  in 1 %  in 5 %  mean us'
run 0 bench -a bfs maps/random.map --json
out_has '"within_1_percent": 0\.835, "within_5_percent": 0\.99,'
run 0 bench maps/u-trap.txt --limit 5
out_has '^dijkstra'
run 0 bench -a bfs --every 50 maps/random.map --json
out_has '"problems": 5, '
# All rows and their sums.
run 0 bench -a astar,dfs maps/random.map maps/u-trap.txt --summary --rows "$work/rows.txt"
out_has '^astar  *2  *'
out_has '^  expanded   nodes whose neighbours were looked at'
out_lacks 'random.map'
has "$work/rows.txt" '^astar  *random.map  *203 '
has "$work/rows.txt" '^dfs  *u-trap.txt '
run 0 bench -a astar,dfs maps/random.map maps/u-trap.txt --summary --json
is_json
checks=$((checks + 1))
tr -d '{}" ' <"$work/out" | awk -F, '
    function get(key,    i) { for (i = 1; i <= NF; i++) if ($i ~ "^" key ":") return substr($i, length(key) + 2) + 0 }
    /^summary/ { sums = 1 }
    /^algorithm:dfs/ && !sums { n += get("problems"); e += get("problems") * get("expanded_mean")
                                if (get("peak_bytes") > p) p = get("peak_bytes") }
    /^algorithm:dfs/ && sums { d = get("expanded_mean") - e / n
                               ok = get("problems") == n && d * d < 1e-6 && get("peak_bytes") == p && /map:null/ }
    END { exit !ok }' || fail "$what: the sums are not those of the rows"
# Ctrl-C: the rows that are finished. The second map comes from a pipe that is opened when the first is finished.
mkfifo "$work/pipe.map"
for json in '' --json; do
    what="cairn bench $json, interrupted" checks=$((checks + 1))
    # shellcheck disable=SC2086 # perhaps none
    env --default-signal=INT "$program" bench -a astar maps/random.map "$work/pipe.map" $json >"$work/out" 2>"$work/err" &
    exec 9>"$work/pipe.map"
    kill -INT $!
    exec 9>&-
    wait $!
    code=$?
    [ $code = 130 ] || fail "$what ended with $code, not 130"
    out_has 'random.map'
    out_lacks 'pipe.map'
    err_has '^cairn: note: interrupted'
    [ -z "$json" ] || is_json
done
run 3 bench "$work/wall.txt"
err_has 'no scenario'
run 0 bench -a astar --random 10 "$work/wall.txt" --json
out_has '"problems": 10, "solved": 10, "failed": 0, "optimal": 10,'
run 3 bench --scen maps/rooms.map.scen maps/village.txt
err_has 'was made for a map of'
run 2 bench --scen maps/rooms.map.scen maps/village.txt maps/rooms.map
run 2 bench --repeat 0 maps/rooms.map
run 2 bench --every x maps/rooms.map
run 2 bench

# ---- check ----
run 0 check --every 5 maps/random.map maps/village.txt
out_has 'all are correct'
run 0 check -a astar maps --json
is_json
out_has '"missed": 0'
out_has '"ok": true'
run 0 check --random 40 --corners one --terrain swamp=3,water=9 maps/bridge.txt
run 0 check --random 40 --neighbours 4 maps/cave.txt
run 0 check -a theta,lazy-theta maps/rooms-small.txt maps/random.map
run 0 bench -a theta --limit 20 maps/random.map --json
out_has '"optimal": null, "suboptimality_mean": -0.0'
run 0 bench -a theta --limit 20 maps/random.map
out_has '^theta .* 20 *20 *- '
sed '$d' maps/rooms.map.scen >"$work/wrong.scen"
printf '0\trooms.map\t127\t95\t0\t0\t1\t0\t0.5\n' >>"$work/wrong.scen"
run 1 check -a astar,greedy --scen "$work/wrong.scen" maps/rooms.map
out_has 'problem 200, (0,0) to (1,0): longer than optimal: length 1, published 0.5'
sed 's/0\.5$/2.5/' "$work/wrong.scen" >"$work/long.scen"
run 1 check -a bfs --scen "$work/long.scen" maps/rooms.map --json
is_json
out_has '"missed": 1'
out_has 'shorter than possible'
printf 'version 1\n0\tx\t5\t1\t0\t0\t4\t0\t0\n0\tx\t5\t1\t0\t0\t1\t0\t0\n' >"$work/wall.txt.scen"
run 1 check -a astar "$work/wall.txt"
out_has 'problem 2, (0,0) to (1,0): answered "found", expected "unreachable"'
# Hexagons count steps, links their cost; published lengths know neither.
run 0 check --random 40 maps/hills.tmj
run 0 check --random 40 --neighbours hex maps/village.txt
run 0 check --random 60 "$work/crafted/linked.cairn"
run 0 check --random 60 "$work/crafted/linked-hex.cairn"
run 0 convert maps/rooms.map "$work/hexrooms.cairn" --layout hex
run 0 bench "$work/hexrooms.cairn" --scen maps/rooms.map.scen -a astar --json
out_has '"problems": 200, "solved": 200, "failed": 0, "optimal": 200,'
printf 'version 1\n0\tx\t40\t20\t0\t0\t35\t0\t35\n' >"$work/linked.scen"
run 0 check "$work/crafted/linked.cairn" --scen "$work/linked.scen" -a astar
mkdir "$work/nothing"
run 3 check "$work/nothing"
err_has 'no \*.map'
# Clusters of another map: two, rows of grass and of swamp.
awk '{ if (NR % 2) gsub(/\./, "S"); print }' maps/rooms-small.txt >"$work/striped.txt"
run 0 build maps/rooms-small.txt -a cluster-table --clusters "$work/striped.txt" -o "$work/striped.cairn" --json
is_json
two=$(sed -n 's/.*"index_bytes": \([0-9]*\).*/\1/p' "$work/out")
run 0 build maps/rooms-small.txt -a cluster-table -o "$work/squares.cairn" --json
squares=$(sed -n 's/.*"index_bytes": \([0-9]*\).*/\1/p' "$work/out")
checks=$((checks + 1))
[ "$two" -lt "$squares" ] || fail "clusters of another map: $two bytes, $squares without them"
run 0 check maps/rooms-small.txt -a cluster-table --index "$work/striped.cairn"
run 2 build maps/rooms-small.txt -a alt --clusters "$work/striped.txt" -o "$work/x.cairn"
err_has 'alt takes no clusters'
run 3 build maps/rooms-small.txt -a cluster-table --clusters maps/village.txt -o "$work/x.cairn"
err_has 'expected a map of 50 x 26'
# What estimates promise.
run 0 check --heuristics -a alt,gateway,dead-end maps/rooms-small.txt
out_has '^alt .* yes .* all  *0$'
out_has 'all that is promised holds'
run 0 check --heuristics -a alt:landmarks=2,hierarchical-astar --terrain swamp=3,water=9 maps/bridge.txt --json
is_json
out_has '"ok": true'
run 0 check --heuristics "$work/crafted/linked.cairn"
run 0 check --heuristics "$work/square.gr"
run 2 check --heuristics -a hpa maps/rooms-small.txt
err_has 'hpa: its estimates cannot be checked'
run 2 check --heuristics

# ---- sizes, and explain ----
run 0 path maps/cave.txt --from 5,4 --to 12,8 --radius 1.5
run 1 path maps/cave.txt --from 5,4 --to 52,20 --radius 1.5
out_has 'blocked cell (51,20) is 0.5 cells away and this agent needs 1.5'
run 1 path maps/village.txt --from 9,5 --to 50,22 --footprint 2 --json
out_has '"status": "unreachable"'
run 0 path maps/village.txt --from 9,5 --to 50,22 --neighbours hex --json
out_has '"length": 51,'
for wrong in '--radius -1' '--radius 1e1' '--radius 33' '--radius' '--radius .' '--footprint 65' '--footprint 0' \
    '--radius 2 --footprint 2' '--neighbours hex --footprint 2'; do
    # shellcheck disable=SC2086 # the flags are words
    run 2 info maps/village.txt $wrong
    err_has '^cairn: '
done
run 0 explain maps/village.txt 9,5 --to 50,22
out_has '(9,5) can be stood on; the nearest blocked cell (9,3) is 1.5 cells away'
out_has '(50,22) can be reached from there'
out_has '\[\.\]'
run 1 explain maps/village.txt 9,5 --to 50,22 --radius 1
out_has '(50,22) cannot be reached: every path is too narrow'
out_has 'nearest cell that can be reached is (11,6)'
out_has 'north *too narrow'
run 1 explain maps/village.txt 21,12
out_has 'it is water, which is forbidden'
run 1 explain maps/village.txt 6,3
out_has '(6,3) is blocked'
run 1 explain "$work/wall.txt" 0,0 --to 4,0
out_has '(4,0) cannot be reached: no path leads there'
out_has 'nearest cell that can be reached is (1,0)'
run 1 explain "$work/wall.txt" 0,0 --to 2,0
out_has 'It cannot be reached: (2,0) is blocked'
run 1 explain "$work/wall.txt" 9,0
out_has '(9,0) lies outside the map of 5 x 1 cells'
run 1 explain "$work/wall.txt" 2,0 --to 0,0
out_has 'Nothing can be reached from there'
run 0 explain maps/cave.txt 5,4 --neighbours hex
out_has 'Steps lead to all 6 neighbours'
printf '...\n.#.\n...\n' >"$work/one.txt"
for cell in '1,0 south-east' '2,0 south-west' '0,1 east' '2,1 west' '1,2 north-east' '2,2 north-west'; do
    run 0 explain "$work/one.txt" "${cell% *}" --neighbours hex # the six cells round the blocked one
    out_has "not .*${cell#* } (blocked)"
    out_has "^  ${cell#* }  *blocked"
    run 0 explain "$work/one.txt" "${cell% *}" --neighbours hex --json
    is_json
    out_has "\"${cell#* }\": \"blocked\""
done
checks=$((checks + 1))
! grep -q '"north"\|"south"' "$work/out" || fail "$what: a hexagon has no neighbour in the north"
run 1 explain maps/village.txt 9,5 --to 6,3 --json
is_json
keys x y usable reason terrain clearance obstacle steps
out_has '"usable": true'
out_has '"reachable": "no"'
err_empty
run 2 explain maps/village.txt
run 2 explain maps/village.txt 9
err_has 'expected a cell X,Y'
run 2 explain maps/village.txt 9,5 --to here
run 3 explain "$work/absent.map" 1,1
# ---- no file that is read is overwritten, no two outputs are one file ----
# keeps FILE ARGS…: refused, and the file is as it was.
keeps() {
    local file=$1
    shift
    cp "$file" "$work/before"
    run 2 "$@"
    err_has 'would be'
    checks=$((checks + 1))
    cmp -s "$file" "$work/before" || fail "$what: $file was changed"
}
mkdir "$work/kept"
cp maps/rooms.map "$work/kept/world.map" && cp "$work/kept/world.map" "$work/kept/world.cairn"
run 0 convert maps/rooms.map "$work/kept/world.cairn"
run 0 build maps/rooms.map -a alt -o "$work/kept/index.cairn"
ln "$work/kept/world.map" "$work/kept/hard.map" && ln -s world.map "$work/kept/soft.map"
kept=$work/kept
keeps "$kept/world.map" convert "$kept/world.map" "$kept/../kept/world.map"
keeps "$kept/world.cairn" build "$kept/world.cairn" -a alt -o "$kept/world.cairn"
for name in world hard soft; do
    keeps "$kept/world.map" generate scaled "$kept/world.map" --factor 2 -o "$kept/$name.map"
    keeps "$kept/world.map" generate scenario "$kept/world.map" --count 3 -o "$kept/$name.map"
    for flag in --png --svg --trace --repro; do
        keeps "$kept/world.map" path "$kept/world.map" --from 114,33 --to 13,1 $flag "$kept/$name.map"
    done
done
for flag in --png --svg --trace --repro; do
    keeps "$kept/index.cairn" path maps/rooms.map --from 114,33 --to 13,1 -a alt --index "$kept/index.cairn" \
        $flag "$kept/index.cairn"
done
for flags in '--png --svg' '--svg --trace' '--trace --repro' '--repro --png'; do
    run 2 path maps/rooms.map --from 114,33 --to 13,1 "${flags% *}" "$kept/new" "${flags#* }" "$kept/./new"
    err_has "${flags% *}.* would be the same file"
    checks=$((checks + 1))
    [ ! -e "$kept/new" ] || fail "$what: a file was written"
done
run 0 path maps/rooms.map --from 114,33 --to 13,1 --svg /dev/null --trace /dev/null
# ---- flags that do not go with the world ----
run 2 path maps/hills.tmj --from 2,2 --to 20,10 --neighbours 8
err_has 'is made of hexagons'
run 2 info maps/hills.tmj --neighbours 4
run 2 info maps/hills.tmj --footprint 2
run 0 info maps/hills.tmj --neighbours hex
for flag in '--radius 2' '--neighbours 4' '--corners one' '--terrain 1=2' '--footprint 2' '--gradient 1' '--max-drop 2'; do
    # shellcheck disable=SC2086 # the flags are words
    run 2 path "$work/square.gr" --from 0 --to 3 $flag
    err_has "is a graph, where ${flag% *} has no effect"
done
run 2 convert maps/hills.tmj "$work/square.cairn" --layout square
err_has 'says that its cells are hexagons'
run 2 generate scenario maps/hills.tmj -o "$work/hills.scen"
err_has 'is made of hexagons'
[ ! -e "$work/square.cairn" ] && [ ! -e "$work/hills.scen" ] || fail "a refused command left a file"
# ---- .cairn files from elsewhere ----
run 0 path "$work/crafted/plain.cairn"
err_has 'note: .* was written by Cairn 0.0.1'
run 1 path "$work/crafted/budget.cairn"
out_has 'part of a path: out of budget'
out_has 'ends at    ([0-9]*,0), as far as the budget went'
for name in escape version unknown key smooth place; do
    run 3 path "$work/crafted/$name.cairn"
    err_has "^cairn: $work/crafted/$name.cairn: "
    out_empty
    checks=$((checks + 1))
    ! LC_ALL=C grep -q '[^ -~]' "$work/err" || fail "$what: raw bytes of the file are shown"
done
run 3 info "$work/crafted/escape.cairn"
run 3 path "$work/crafted/unknown.cairn"
err_has 'asatr'
run 0 path "$work/crafted/unknown.cairn" -a dijkstra # what flags say, the file need not know
printf 'hello' | cat - "$work/crafted/plain.cairn" >"$work/damaged.cairn"
run 3 path "$work/damaged.cairn"
err_has 'damaged.cairn: this is no .cairn file'
run 3 info "$work/damaged.cairn"
err_has 'damaged.cairn: this is no .cairn file'
# The agent of a file is that of every command.
run 0 path maps/cave.txt --from 4,5 --to 10,10 --radius 0.7 --repro "$work/agent.cairn"
run 0 info "$work/agent.cairn"
out_has 'radius 0.7'
out_has 'query      from 4,5 to 10,10'
out_has 'written by Cairn'
out_has '513 usable'
run 0 info "$work/agent.cairn" --radius 0 --json
is_json
out_has '"usable": 813'
out_has '"query": {"from": "4,5", "to": "10,10", "goals": 0'
run 0 info "$work/agent.cairn" --footprint 2
out_has '2 x 2 cells large'
run 1 explain "$work/agent.cairn" 53,21
out_has 'this agent needs 0.7'
run 0 explain "$work/agent.cairn" 53,21 --radius 0
run 0 check --random 20 "$work/agent.cairn"
out_has 'all are correct'
run 0 bench --random 20 -a astar "$work/agent.cairn" --json
cp "$work/out" "$work/small.json"
run 0 bench --random 20 -a astar "$work/agent.cairn" --radius 0.7 --json
checks=$((checks + 1))
[ "$(grep -o '"expanded_mean": [0-9.]*' "$work/out")" = "$(grep -o '"expanded_mean": [0-9.]*' "$work/small.json")" ] ||
    fail "$what: the agent of the file is another one"
run 0 build "$work/agent.cairn" -a alt -o "$work/agent-index.cairn"
run 0 path "$work/agent.cairn" -a alt --index "$work/agent-index.cairn"
run 3 path maps/cave.txt --from 4,5 --to 10,10 -a alt --index "$work/agent-index.cairn"
run 0 convert "$work/agent.cairn" "$work/alone.cairn" --json
is_json
err_has 'the agent in the file is left out'
err_has 'the query in the file is left out'
out_has '"lost": {"agent": 1, "query": 1}'
# ---- .cairn files: convert, repro and replay ----
# same_answer A B: two outputs of path that differ in nothing but the time.
same_answer() {
    checks=$((checks + 1))
    diff <(grep -v 'time\|repro' "$1") <(grep -v 'time\|repro' "$2") >/dev/null || fail "$what: another answer than before"
}
run 0 path maps/cave.txt --from 4,5 --to 54,20 -a wastar:weight=2 --corners one --smooth sight --repro "$work/r.cairn"
cp "$work/out" "$work/asked"
run 0 path "$work/r.cairn"
err_empty
same_answer "$work/asked" "$work/out"
run 0 path maps/cave.txt --from 4,5 --to 54,20 -a greedy --smooth box=4 --repro "$work/r3.cairn"
cp "$work/out" "$work/asked"
run 0 path "$work/r3.cairn"
same_answer "$work/asked" "$work/out"
run 0 path "$work/r.cairn" --to 4,6 -a dijkstra
out_has 'found: dijkstra from (4,5) to (4,6)'
run 0 path "$work/r.cairn" --repro "$work/r2.cairn"
checks=$((checks + 1))
cmp -s "$work/r.cairn" "$work/r2.cairn" || fail "$what: the copy differs"
for places in "-3,900 9,5" "9,5 60,0" "9,5 22,12" "22,12 9,5" "9,5 9,5"; do
    code=1
    [ "$places" != "9,5 9,5" ] || code=0
    run $code path maps/village.txt --from "${places% *}" --to "${places#* }" --repro "$work/r.cairn"
    cp "$work/out" "$work/asked"
    run $code path "$work/r.cairn"
    same_answer "$work/asked" "$work/out"
done
run 0 path maps/village.txt --from 22,12 --to 9,5 --terrain water=7 --repro "$work/r.cairn" --json
is_json
keys status partial any_angle end reason cost_units length waypoints answered_by expanded time_us peak_bytes repro
out_has "\"repro\": \"$work/r.cairn\""
run 0 path "$work/r.cairn" --json
is_json
out_lacks '"repro"'
run 1 path "$work/r.cairn" --terrain water=0
run 2 path "$work/r.cairn" --repro "$work/r.cairn"
err_has 'would be overwritten'
run 3 path maps/village.txt --from 9,5 --to 9,6 --repro "$work/nowhere/r.cairn"
printf 'p sp 3 2\na 1 2 5\na 2 3 6\n' >"$work/three.gr"
run 0 path "$work/three.gr" --from 0 --to 2 --repro "$work/r.cairn"
cp "$work/out" "$work/asked"
run 0 path "$work/r.cairn"
same_answer "$work/asked" "$work/out"
run 1 path "$work/three.gr" --from 0 --to 9 --repro "$work/r.cairn"
run 1 path "$work/r.cairn"
out_has 'there is no waypoint 9'
run 0 convert maps/village.txt "$work/v.cairn"
out_has 'a grid of 60 x 30'
err_empty
run 0 convert "$work/v.cairn" "$work/v.map" --json
is_json
keys input output world lost
err_empty
run 0 convert "$work/v.map" "$work/v2.cairn"
checks=$((checks + 1))
cmp -s "$work/v.cairn" "$work/v2.cairn" || fail "$what: another file than at first"
run 2 path "$work/v.cairn"
err_has '--from and --to are missing'
run 0 path "$work/v.cairn" --from 9,5 --to 50,22
run 0 info "$work/v.cairn"
run 0 convert "$work/three.gr" "$work/three.cairn"
out_has '3 waypoints and 2 edges'
run 0 path "$work/three.cairn" --from 0 --to 2
run 2 convert "$work/three.gr" "$work/three.map"
run 2 convert maps/village.txt
run 2 convert maps/village.txt "$work/v.gif"
err_has 'must end in'
cp maps/village.txt "$work/same.txt"
run 2 convert "$work/same.txt" "$work/./same.txt"
err_has 'would be overwritten'
run 3 convert "$work/none.map" "$work/v.map"
run 3 convert maps/village.txt "$work/nowhere/v.cairn"
head -c 500 "$work/v.cairn" >"$work/cut.cairn"
run 3 info "$work/cut.cairn"
err_has 'cut.cairn: the file is cut off: 500 of'
printf 'X' | dd of="$work/v.cairn" bs=1 seek=700 conv=notrunc status=none
run 3 info "$work/v.cairn"
err_has 'damaged'
run 1 path maps/village.txt --from 9,5 --to 50,22 --footprint 2 --repro "$work/r.cairn"
run 1 path "$work/r.cairn" # the size is in the file
run 0 path "$work/r.cairn" --footprint 1
for wrong in '--layer-weight x' '--layer-weight 256' '--gradient -1' '--max-climb 1.5' '--max-drop -2'; do
    # shellcheck disable=SC2086 # the flags are words
    run 2 info maps/village.txt $wrong
    err_has 'must be a'
done
# ---- a search from both ends: both are traced ----
run 0 path maps/cave.txt --from 5,4 --to 52,20 -a bidirectional --trace "$work/both.yaml" --json
expanded=$(sed -n 's/.*"expanded": \([0-9]*\).*/\1/p' "$work/out" | head -n 1)
checks=$((checks + 1))
[ "$(grep -c 'type: expand' "$work/both.yaml")" = "$expanded" ] || fail "$what: not all of $expanded nodes are traced"
# ---- costs near walls ----
for wrong in '--wall 2' '--wall x,3' '--wall 2,0' '--wall 16,3' '--wall 2,64' '--wall 2,3,4'; do
    # shellcheck disable=SC2086 # the flags are words
    run 2 info maps/village.txt $wrong
    err_has '--wall must be W,R'
done
run 2 info maps/village.txt --wall 2,3 --layer-weight 1
err_has 'leave out --layer-weight'
run 0 path maps/cave.txt --from 5,4 --to 52,20 --json
cost=$(sed -n 's/.*"cost_units": \([0-9]*\).*/\1/p' "$work/out")
for algorithm in astar jps hpa bidirectional astar:turns=fewest; do
    run 0 path maps/cave.txt --from 5,4 --to 52,20 --wall 2,3 -a $algorithm --json
    checks=$((checks + 1))
    [ "$(sed -n 's/.*"cost_units": \([0-9]*\).*/\1/p' "$work/out")" -gt "$cost" ] ||
        fail "$what: walls cost nothing"
done
run 0 path maps/cave.txt --from 5,4 --to 52,20 --wall 2,3 --repro "$work/w.cairn" --json
cost=$(sed -n 's/.*"cost_units": \([0-9]*\).*/\1/p' "$work/out")
run 0 path "$work/w.cairn" --json # the costs are in the file
checks=$((checks + 1))
[ "$(sed -n 's/.*"cost_units": \([0-9]*\).*/\1/p' "$work/out")" = "$cost" ] || fail "$what: other costs"
# ---- pictures and Tiled maps, read as the flags say ----
run 0 convert maps/village.txt "$work/v.png"
run 0 convert "$work/v.png" "$work/v3.cairn"
run 0 convert maps/village.txt "$work/v4.cairn"
checks=$((checks + 1))
cmp -s "$work/v3.cairn" "$work/v4.cairn" || fail "a picture of a grid is not the grid"
run 0 convert "$work/v.png" "$work/v.map" --threshold 250 # only the ground is white
run 0 convert "$work/v.png" "$work/v5.map" --palette 'ffffff=ground,000000=blocked,*=water'
checks=$((checks + 1))
[ "$(grep -c W "$work/v5.map")" -gt 3 ] && ! grep -q '[ST]' "$work/v5.map" || fail "$what: other colours are not water"
run 0 convert "$work/v.png" "$work/v6.cairn" --palette '000000=blocked,*=7/20' --tolerance 9
run 0 path "$work/v6.cairn" --from 9,5 --to 50,22 --json
cost=$(sed -n 's/.*"cost_units": \([0-9]*\).*/\1/p' "$work/out")
run 0 path "$work/v6.cairn" --from 9,5 --to 50,22 --layer-weight 0.5 --json
checks=$((checks + 1))
[ "$(sed -n 's/.*"cost_units": \([0-9]*\).*/\1/p' "$work/out")" -gt "$cost" ] || fail "$what: extra costs cost nothing"
run 3 convert "$work/v.png" "$work/v7.map" --palette 000000=blocked
err_has 'is no colour of the palette'
for wrong in '--palette 00=blocked' '--palette 000000=lava' '--palette 000000=swamp/256' '--palette *=' \
    '--threshold 0' '--threshold 256' '--palette *=1 --invert' '--tolerance 3' '--threshold 9 --layer x' '--layout round' \
    '--empty full' '--blocked 0' '--open 1,x'; do
    # shellcheck disable=SC2086 # the flags are words
    set -f && run 2 convert "$work/v.png" "$work/v7.map" $wrong && set +f
    err_has '^cairn: '
done
run 0 convert maps/farm.tmx "$work/farm.map" --layer walls --empty open
run 0 convert maps/farm.tmx "$work/farm2.map" --layer walls --empty blocked
checks=$((checks + 1))
! cmp -s "$work/farm.map" "$work/farm2.map" || fail "$what: empty cells are the same either way"
run 3 convert maps/farm.tmx "$work/farm3.map" --layer 'no such layer'
run 0 convert maps/cave.txt "$work/hex.cairn" --layout hex
run 0 path "$work/hex.cairn" --from 5,4 --to 52,20 --json
run 1 path "$work/hex.cairn" --from 5,4 --to 52,20 --radius 1
# ---- generate ----
run 0 generate kinds
for kind in random rooms maze caves pseudo-rts battlefield facility scaled scenario; do out_has "^$kind: "; done
run 0 generate kinds --json
err_empty
is_json
keys kind summary width height connected parameters name summary minimum maximum default
numbers=$(grep -o '"name": *"[^"]*"' "$work/out" | cut -d'"' -f4 | sort -u)
run 0 generate --help
for number in $numbers; do out_has "^ *--$number N"; done
run 0 generate caves --size 50x40 --seed 3 -o "$work/caves.map"
out_has 'caves, 50 x 40, seed 3'
run 0 generate caves --size 50x40 --seed 3 -o "$work/caves.txt" --json
is_json
keys kind file width height seed parameters percent rounds open
tail -n +5 "$work/caves.map" | cmp -s - "$work/caves.txt" || fail "a text map is not the rows of the .map"
run 0 generate scenario "$work/caves.map" --count 30 --seed 2 -o "$work/caves.map.scen"
out_has '30 problems'
run 0 check "$work/caves.map" --json
out_has '"ok": true'
run 0 generate scenario "$work/caves.map" --count 5 --buckets 3-5 -o "$work/few.scen" --json
is_json
keys kind file map seed problems lowest_bucket highest_bucket length_mean
run 0 generate scaled "$work/caves.map" --factor 3 -o "$work/large.map"
out_has '150 x 120'
run 2 generate
err_has 'expected a kind, got none'
run 2 generate cave -o "$work/x.map"
err_has 'did you mean caves'
run 2 generate zzzzzzzz -o "$work/x.map"
err_has 'generate kinds'
run 2 generate caves
err_has '-o FILE'
run 2 generate caves "$work/caves.map" -o "$work/x.map"
err_has 'expected no map, got 1'
run 2 generate scaled -o "$work/x.map"
err_has 'expected one map, got'
run 2 generate scenario -o "$work/x.scen"
err_has 'expected one map, got'
for size in 0x5 5 5x 32769x4 -1x3 5x5x5; do
    run 2 generate caves --size=$size -o "$work/x.map"
    err_has 'size must be WxH'
done
run 2 generate caves --percent 101 -o "$work/x.map"
err_has 'percent must be 0 to 100'
run 2 generate caves --corridor 2 -o "$work/x.map"
err_has 'does not use --corridor'
run 2 generate caves --count 2 -o "$work/x.map"
err_has 'does not use --count'
run 2 generate scenario "$work/caves.map" --size 5x5 -o "$work/x.scen"
err_has 'does not use --size'
run 2 generate scenario "$work/caves.map" --buckets 9-3 -o "$work/x.scen"
err_has 'LOW-HIGH'
run 2 generate caves -o "$work/x.doc"
err_has 'must end in .map'
run 3 generate caves -o "$work/no folder/x.map"
err_has 'cannot be written'
run 3 generate scaled "$work/none.map" -o "$work/x.map"
err_has 'none.map'
run 3 generate scenario "$work/caves.map" --buckets 5000-5001 --count 1 -o "$work/x.scen"
err_has 'only 0 of 1 problems'
[ ! -e "$work/x.map" ] && [ ! -e "$work/x.scen" ] || fail "a refused command left a file"

# ---- build ----
run 0 build maps/rooms.map -a alt -o "$work/rooms.cairn"
out_has 'bytes per cell$'
err_empty
run 0 build maps/rooms.map -a alt:landmarks=2 -o "$work/two.cairn" --json
is_json
keys algorithm world file index_bytes bytes_per_cell index_build_ms
run 0 path maps/rooms.map --from 114,33 --to 13,1 -a alt --index "$work/rooms.cairn"
out_has '^  index .*read in'
run 0 path maps/rooms.map --from 114,33 --to 13,1 -a alt
out_has '^  index .*built in'
run 0 bench maps/rooms.map -a astar,alt --every 20 --index "$work/rooms.cairn" --json
out_has '"algorithm": "alt".*"optimal": 10,.*"index_bytes": [0-9]*, "index_build_ms": null'
run 0 bench maps/rooms.map -a alt --every 20 --json
out_has '"index_bytes": [0-9]*, "index_build_ms": [0-9.]*'
run 0 bench maps/rooms.map -a astar,alt --every 20
out_has 'index  build ms$'
run 0 check maps/rooms.map -a alt --index "$work/rooms.cairn"
run 3 check maps/rooms.map -a alt:landmarks=2 --index "$work/rooms.cairn"
err_has 'rooms.cairn: the index was built with another value of landmarks'
run 3 path maps/village.txt --from 57,14 --to 2,21 -a alt --index "$work/rooms.cairn"
err_has 'built for another world, or for another agent'
run 3 path maps/rooms.map --from 114,33 --to 13,1 -a alt --corners one --index "$work/rooms.cairn"
run 2 path maps/rooms.map --from 114,33 --to 13,1 -a astar --index "$work/rooms.cairn"
err_has 'astar uses no index'
run 3 path maps/rooms.map --from 114,33 --to 13,1 -a alt --index "$work/none.cairn"
run 3 path maps/rooms.map --from 114,33 --to 13,1 -a alt --index maps/rooms.map
run 2 bench maps/rooms.map maps/random.map -a alt --index "$work/rooms.cairn"
run 2 build maps/rooms.map -a astar -o "$work/astar.cairn"
err_has 'astar uses no index'
run 2 build maps/rooms.map -a alt
run 2 build maps/rooms.map -a atl -o "$work/x.cairn"
run 3 build "$work/none.map" -a alt -o "$work/x.cairn"
run 3 build maps/rooms.map -a alt -o "$work/nowhere/x.cairn"

# ---- the examples of the help work ----
examples() { # of a command
    "$program" "$1" --help | sed -n 's/^  \(cairn .*\)/\1/p' | grep -v 'roads.gr\|benchmarks/'
}
mkdir "$work/examples" && ln -s "$source/maps" "$work/examples/maps" && ln -s "$program" "$work/cairn"
for command in path bench build check convert explain generate info algorithms simulate; do
    while IFS= read -r line; do
        checks=$((checks + 1))
        what=$line
        (cd "$work/examples" && PATH="$work:$PATH" bash -c "$line") >"$work/out" 2>"$work/err" </dev/null ||
            fail "the help's example: $line"
    done < <(examples $command)
done

end_checks
