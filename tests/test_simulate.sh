#!/bin/bash
# tests/test_simulate.sh PROGRAM SOURCE: `cairn simulate`: the same seed gives the same walks, walks cost what paths do, edits,
# goals that move, scripts, the animated picture, and what is refused.
set -u
program=$(realpath "$1") source=$(realpath "$2") subcommand=simulate
. "$source/tests/common.sh"
cd "$work" || exit 1
ln -s "$source/maps" maps

value() { # KEY, of the JSON that was printed last
    sed -n "s/^  \"$1\": \(.*[^,]\),*\$/\1/p" out
}
is() { # KEY VALUE
    checks=$((checks + 1))
    [ "$(value "$1")" = "$2" ] || fail "$what: $1 is $(value "$1"), not $2"
}
above() { # KEY LEAST
    checks=$((checks + 1))
    [ "$(value "$1")" -gt "$2" ] || fail "$what: $1 is $(value "$1"), not above $2"
}
untimed() { # without what depends on the clock, or on threads
    grep -v '_us\|per_second\|"beside"' out
}

# ---- every kind of algorithm: same seed, same walks; all arrive; every move is an edge ----
for algorithm in astar jps hpa lpastar dstar-lite lss-lrtastar; do
    "$program" algorithms | grep -q "^$algorithm " || continue
    run 0 maps/rooms.map -a $algorithm --agents 12 --goals 2 --edits 9 --edit-life 30 --json
    is algorithm "\"$algorithm\"" && is agents 12 && is arrived 12 && is illegal 0
    is stuck 0 && is goals_reached 24 && is seed 1
    above edits 5
    above moves 24
    above peak_bytes 1000
    untimed >"$algorithm.json"
    run 0 maps/rooms.map -a $algorithm --agents 12 --goals 2 --edits 9 --edit-life 30 --json
    untimed | cmp -s - "$algorithm.json"
    ok "another run differs"
    run 0 maps/rooms.map -a $algorithm --agents 12 --goals 2 --edits 9 --edit-life 30 --json --seed 2
    ! untimed | cmp -s - "$algorithm.json"
    ok "another seed does not differ"
done

# ---- in a world that stays as it is, a walk costs what the path does ----
echo 'cairn-walk 1
map maps/rooms.map
from 3,3
to 120,80' >still.walk
run 0 --script still.walk --json
cost=$(value cost_units)
"$program" path maps/rooms.map --from 3,3 --to 120,80 --json >out 2>err
is cost_units "$cost"

# ---- paths are broken, and planned again; budgets are kept ----
run 0 maps/rooms.map -a astar --agents 5 --edits 12 --edit-ahead 3 --edit-size 2 --edit-life 9 --json
above breaks 2
above replans 2
run 0 maps/rooms.map -a astar --agents 5 --agent-work 20 --json
is work_max 20
above response_frames_max 2
run 0 maps/village.txt --agents 4 --roam 2 --json
above replans 4
run 1 maps/rooms.map --agents 5 --turns 1 --json
is frames 1
run 1 --script maps/cut-off.walk
has out '1 without a path'
for walk in "$source"/maps/*.walk; do
    [ "${walk##*/}" = cut-off.walk ] || run 0 --script "$walk" --agents 2
done
run 0 maps/village.txt --agents 3
has out 'auto on village.txt\|astar on village.txt'
has out '3 of 3 agents arrived'

# ---- fog: all arrive though they know nothing; what they see is counted; edits are seen late ----
for algorithm in astar hpa dstar-lite mpgaastar adstar rtdstar lss-lrtastar; do
    "$program" algorithms | grep -q "^$algorithm " || continue
    run 0 maps/rooms.map -a $algorithm --agents 3 --sensor 5 --unknown --json
    is illegal 0 && is arrived 3
    above seen 10
done
run 0 maps/rooms.map --agents 6 --edits 4 --edit-life 40 --edit-ahead 12 --sensor 2 --json
is illegal 0
above seen 0
run 0 maps/rooms.map --agents 6 --sensor 2 --json
is seen 0
run 2 maps/rooms.map --unknown
has err '--unknown needs --sensor R'
run 3 maps/village.txt --radius 1 --sensor 1
has err 'range'

# ---- agents with a size may walk whole lines; of two changes of a cell in a turn the last one counts ----
run 0 maps/village.txt -a theta --radius 1 --agents 3 --seed 2 --json
is illegal 0
printf '#####\n#...#\n#####\n' >lane.txt
printf 'cairn-walk 1\nmap lane.txt\nfrom 1,1\nto 3,1\nat 1 block 2,1\nat 1 open 2,1\n' >twice.walk
run 0 --script twice.walk --turns 50 --png twice.png

# ---- the picture ----
if run 0 maps/village.txt --agents 3 --turns 500 --edits 5 --png film.png --json && [ -e film.png ]; then
    python3 "$source/tests/film.py" film.png $(($(value frames) + 1)) >colours 2>err
    ok "the picture is not as it should be"
    grep -q '2: ' colours # what was closed
    ok "no cell that was closed"
    cp film.png first.png
    run 0 maps/village.txt --agents 3 --turns 500 --edits 5 --png film.png --json
    cmp -s film.png first.png
    ok "the picture of another run differs"
fi
run 0 maps/rooms.map --agents 3 --goals 20 --edits 9 --edit-life 9 --json --png long.png
[ ! -e long.png ] || python3 "$source/tests/film.py" long.png $(($(value frames) / ($(value frames) / 400 + 1) + 1 + ($(value frames) % ($(value frames) / 400 + 1) > 0))) >colours 2>err
ok "turns are not left out as they should be"

# ---- paths from a service: the same for any number of threads; budgets hold; every step is right ----
busy="maps/rooms.map --service --agents 40 --goals 3 --edits 12 --edit-ahead 9 --edit-share 50 --edit-life 40"
for algorithm in astar jps hpa mm theta; do
    "$program" algorithms | grep -q "^$algorithm " || continue
    # shellcheck disable=SC2086 # words
    run 0 $busy -a $algorithm --work 2000 --json
    is arrived 40 && is goals_reached 120 && is illegal 0 && is false_reasons 0 && is overspent 0
    above broken 5
    above shortcuts 0
    above moves 2000
    [ "$(value work_max)" -le 2000 ]
    ok "$(value work_max) units of 2000 in a turn"
    is over_budget 0 && is undivided 0
    untimed >"$algorithm.json"
    # shellcheck disable=SC2086
    run 0 $busy -a $algorithm --work 2000 --threads 3 --json
    untimed | cmp -s - "$algorithm.json"
    ok "with three threads it is not the same"
done
# what cannot be divided is made beside the turns; within turns it takes more, and then it is said
if "$program" algorithms | grep -q "^alt "; then
    run 0 maps/rooms.map --service --agents 5 --goals 2 --edits 12 --edit-life 40 -a alt --work 2000 --json
    is over_budget 0 && is undivided 0 && is illegal 0 && is false_reasons 0
    above outdated 3
    above copy_bytes 99999
    above beside 0
    run 0 maps/rooms.map --service --agents 5 --goals 2 --edits 12 --edit-life 40 -a alt --work 2000 --threads 2 --json
    is over_budget 0 && is beside 0
    # shellcheck disable=SC2086
    run 0 $busy -a alt --work 2000 --no-background --json
    above over_budget 0
    above undivided 0
    is overspent 0 && is copy_bytes 0
fi
run 2 maps/rooms.map --service --no-background --background 5
# indexes are made beside the turns: no turn takes more than it may
for algorithm in hpa jps-plus; do
    "$program" algorithms | grep -q "^$algorithm " || continue
    # shellcheck disable=SC2086
    run 0 $busy -a $algorithm --work 2000 --background 10 --json
    is arrived 40 && is illegal 0 && is over_budget 0 && is overspent 0
    above outdated 99
    above copy_bytes 99999
    untimed >"$algorithm.json"
    # shellcheck disable=SC2086
    run 0 $busy -a $algorithm --work 2000 --background 10 --threads 3 --json
    untimed | cmp -s - "$algorithm.json"
    ok "with three threads it is not the same"
done
run 0 maps/rooms.map --service --agents 30 --arrivals 20 --speed 60 --json
is arrived 30
above frames 89
run 0 maps/rooms.map --service -a hpa --agents 20 --goals 2 --piece 5 --json
is arrived 20 && is illegal 0
above answers 80
run 0 maps/rooms.map --service --agents 900 --memory 700 --searches 1 --json
is arrived 900
[ "$(value peak_bytes)" -le $((700 * 1024)) ]
ok "more memory than allowed: $(value peak_bytes)"
run 0 maps/rooms.map --service --agents 5 --roam 9 --json
is arrived 5 && is illegal 0
# An agent at either end of a bridge, which is cut for good: the goal cannot be reached.
printf '@@@@@@@@@\n@...@...@\n@.......@\n@...@...@\n@@@@@@@@@\n' >bridge.txt
printf 'cairn-walk 1\nmap bridge.txt\nfrom 1,2\nto 7,2\nat 9 block 4,2\n' >bridge.walk
run 1 --script bridge.walk --service --turns 300 --json
is arrived 0 && is stuck 1 && is false_reasons 0 && is illegal 0 && is broken 1

# An answer is judged in the world that it was found in: when it is taken, a way may be open again.
for seed in 1 3; do
    run 1 maps/rooms.map --service --agents 400 --goals 99 --work 300 --edits 1 --edit-size 6 --edit-life 7 --turns 600 --seed $seed --json
    is false_reasons 0 && is illegal 0
    above goals_open 300
done

# ---- goals are accounted for: in the end all that can be reached have been, and the others have a reason ----
drain="maps/rooms.map --service --agents 60 --goals 999 --edits 6 --edit-size 9 --edit-life 40 --speed 40 --work 3000 --turns 900"
# shellcheck disable=SC2086 # words
run 1 $drain --json
above goals_open 50
# shellcheck disable=SC2086
run 0 $drain --drain 3000 --record drain.cairn --json
is goals_open 0 && is illegal 0 && is false_reasons 0 && is stuck 0
given=$(value goals_given) unreachable=$(sed -n 's/.*"unreachable": \([0-9]*\).*/\1/p' out)
is goals_reached $((given - ${unreachable:-0}))
is reached_share 1
above goals_given 200
above frames 900
run 0 --replay drain.cairn --json
is goals_given "$given"
is goals_open 0

# ---- agents that stand in the way are obstacles for a while: fewer meet on one cell, all steps are right, nobody stands for ever ----
crowd="maps/rooms-small.txt --service --agents 30 --goals 6 --turns 6000 --work 2000"
# shellcheck disable=SC2086 # words
run 0 $crowd --layer-weight 1 --json
meetings=$(value collisions)
is edits 0
for threads in 1 3; do
    # shellcheck disable=SC2086
    run 0 $crowd --layer-weight 1 --obstacles 40 --threads $threads --json --record crowd.cairn
    is arrived 30 && is illegal 0 && is goals_reached 180
    above obstacles 40
    above held 40
    above edits 40
    [ $((2 * $(value collisions))) -lt "$meetings" ]
    ok "$(value collisions) meetings, and $meetings without obstacles"
    untimed | grep -v '"map"' >"crowd-$threads.json"
done
cmp -s crowd-1.json crowd-3.json
ok 'another number of threads differs'
run 0 --replay crowd.cairn --json
untimed | grep -v '"map"' | cmp -s - crowd-1.json
ok 'what was recorded is not the same again'
# shellcheck disable=SC2086
run 1 $crowd --turns 400 --layer-weight 1 --obstacles 200 --png crowd.png
if [ -e crowd.png ]; then
    python3 "$source/tests/film.py" crowd.png 201 >colours 2>err
    grep -q ' 3: ' colours
    ok 'no obstacle is drawn'
fi

# ---- recordings: the same again, with a clock too; scenarios; charts ----
run 0 maps/rooms.map --service --agents 50 --goals 2 --edits 7 --edit-life 50 --budget 200 --record run.cairn --json
untimed | grep -v '"map"' >recorded.json
run 0 --replay run.cairn --json
untimed | grep -v '"map"' | cmp -s - recorded.json
ok "what was recorded is not the same again"
run 0 maps/village.txt -a dstar-lite --agents 4 --roam 3 --radius 0.4 --record walk.cairn
run 0 --replay walk.cairn --chart walk.svg
has walk.svg 'How long does a frame take'
run 2 --replay walk.cairn --agents 3
has err 'in the recording'
run 3 --replay maps/village.txt
has err 'is no recording'
head -c 3000 run.cairn >torn.cairn
run 3 --replay torn.cairn
printf '# all of it\n\nservice\n agents 30 \ngoals 2\nwork 500\nseed 5\n' >some.scenario
run 0 maps/rooms.map --service --agents 30 --goals 2 --work 500 --seed 5 --json
untimed >direct.json
run 0 maps/rooms.map --scenario some.scenario --json
untimed | cmp -s - direct.json
ok "a scenario does something else than its options"
run 0 maps/rooms.map --scenario some.scenario --agents 3 --seed 1 --json
is agents 3 && is seed 1 && is goals_reached 6
printf 'agents 3\nagent 4\n' >wrong.scenario
run 3 maps/rooms.map --scenario wrong.scenario
has err 'wrong.scenario: line 2'
printf 'png film.png\n' >wrong.scenario
run 3 maps/rooms.map --scenario wrong.scenario
has err 'line 1'
run 3 maps/rooms.map --scenario none.scenario
if run 0 maps/village.txt --service --agents 3 --png service.png --chart chart.png --json && [ -e service.png ]; then
    python3 "$source/tests/film.py" service.png $(($(value frames) / ($(value frames) / 400 + 1) + 1 + ($(value frames) % ($(value frames) / 400 + 1) > 0))) >colours 2>err
    ok "the picture of the service is not as it should be"
    head -c 4 chart.png | grep -q PNG
    ok "the chart is no PNG"
fi

# ---- what is refused ----
run 2 maps/rooms.map --budget 100
has err '--budget needs --service'
run 2 maps/rooms.map --obstacles 9
has err '--obstacles needs --service'
run 2 maps/rooms.map --service --obstacles 9
has err '--obstacles needs --layer-weight W'
run 2 maps/rooms.map --turns 9 --drain 9
has err '--drain needs --service'
run 2 maps/rooms.map --service --drain 9
has err '--drain needs --turns'
run 2 maps/rooms.map --service --sensor 3
has err 'navigators'
run 2 maps/rooms.map --service -a dstar-lite
has err 'is a navigator'
run 2 maps/rooms.map --service --speed 80
run 2 maps/rooms.map --service --shortcuts sometimes
run 2 maps/rooms.map --service --work 9 --soft 9
run 2 maps/rooms.map --edit-share 3 --edits 4
run 2 --script maps/wall.walk --record wall.cairn
run 2
has err 'expected one map, got none'
run 2 maps/rooms.map maps/village.txt
run 2 maps/rooms.map --agents 0
run 2 maps/rooms.map --edit-size 4
has err '--edit-size needs --edits K'
run 2 maps/rooms.map --png maps/rooms.map
has err 'would be overwritten'
run 2 maps/rooms.map -a atsar
has err 'did you mean astar?'
run 2 maps/rooms.map --replan sometimes
run 2 --script maps/wall.walk --goals 3
has err '--goals does not go with --script'
run 3 none.map
printf '@@\n@@\n' >solid.txt
run 3 solid.txt
has err 'no place for an agent'
printf 'p sp 2 1\na 1 2 5\n' >two.gr
run 2 two.gr
has err 'grid'
echo 'cairn-walk 1
from 1,1
to 500,1' >far.walk
run 3 maps/village.txt --script far.walk
has err 'outside'
run 3 maps/village.txt --png nowhere/film.png

end_checks
