# tests/common.sh: what tests of the program as others see it share. To be sourced by a test that has set `program`, and `subcommand` if all runs
# are of one. Gives it a folder `work`, where `out` and `err` hold what the last run printed.
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
export LC_ALL=C
checks=0 failed=0 what=

fail() {
    echo "FAILED: $*"
    sed 's/^/    out: /' "$work/out" | head -n 5
    sed 's/^/    err: /' "$work/err" | head -n 5
    failed=$((failed + 1))
}

# run CODE ARGS…: the program (`cairn $subcommand ARGS`) must end with this code.
run() {
    local code=$1
    shift
    what="cairn${subcommand:+ $subcommand} $*"
    checks=$((checks + 1))
    "$program" ${subcommand:+"$subcommand"} "$@" >"$work/out" 2>"$work/err" </dev/null
    local got=$?
    [ $got = "$code" ] || fail "$what ended with $got, not $code"
}

has() { # FILE PATTERN
    checks=$((checks + 1))
    grep -q -e "$2" "$1" || fail "$what: no \"$2\" in $1"
}

ok() { # WHAT, after a command that must have succeeded
    local code=$?
    checks=$((checks + 1))
    [ $code = 0 ] || fail "$what: $1"
}

# The last thing that a test does.
end_checks() {
    echo "$checks checks, $failed failed"
    [ $failed = 0 ]
}
