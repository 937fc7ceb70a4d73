#!/bin/sh
# Makes two files of the whole core: tools/amalgamate.sh FOLDER writes FOLDER/cairn.c and
# FOLDER/cairn/cairn.h, and copies the header for C++ beside it. Compile the one, include the other as
# if the library were installed, <cairn/cairn.h>:
#
#     cc -O2 -IFOLDER -c FOLDER/cairn.c          (add -DCAIRN_NO_THREADS where there are no POSIX threads)
#     cc -IFOLDER game.c cairn.o -lm             (and -pthread with older C libraries)
#
# The folder cairn is a part of it: the same program compiles with an installed library.
# Headers are pasted once, where they are first included; .inc and .def files each time.
# Macros that a source file defines for itself end with that file.
set -eu
[ $# = 1 ] || { echo "usage: tools/amalgamate.sh FOLDER" >&2 && exit 2; }
mkdir -p "$1/cairn"
out=$(cd "$1" && pwd)
cd "$(dirname "$0")/.."
core=$(tools/sources.sh CORE)

# Both files by one program; HEADER=1 makes cairn.h, else cairn.c.
# shellcheck disable=SC2016
paste='
function fail(text)
{
    print "tools/amalgamate.sh: " text > "/dev/stderr"
    failed = 1
    exit 1
}
function exists(name,    line, is)
{
    is = (getline line < name) >= 0
    close(name)
    return is
}
function folder(name)
{
    return name ~ /\// ? substr(name, 1, match(name, /\/[^\/]*$/)) : ""
}
function find(name, from)
{
    if (exists(folder(from) name)) return folder(from) name
    if (exists("src/" name)) return "src/" name
    fail(from " includes \"" name "\", which is not there")
}
function include(line, from)
{
    if (line ~ /"/) {
        split(line, part, "\"")
        paste(find(part[2], from))
    } else if (line ~ /<cairn\//) {
        if (header) fail(from ": public headers include each other by \"name.h\"")
        if (line ~ /io\.h/) fail(from ": the core does not know io.h")
    } else if (line ~ /</) {
        print line
    } else {
        fail(from ": cannot follow " line)
    }
}
function paste(name,    line, macro, i, count, macros)
{
    if (name ~ /\.h$/) {
        if (name in pasted) return
        pasted[name] = 1
    }
    print "\n/* ---- " name " ---- */\n"
    count = 0
    while ((getline line < name) > 0) {
        if (line ~ /^[ \t]*#[ \t]*include/) {
            include(line, name)
            continue
        }
        if (name ~ /\.c$/ && match(line, /^[ \t]*#[ \t]*define[ \t]+[A-Za-z0-9_]+/)) {
            macro = substr(line, RSTART, RLENGTH)
            sub(/.*[ \t]/, "", macro)
            if (!((name, macro) in defined)) macros[++count] = macro
            defined[name, macro] = 1
        }
        print line
    }
    close(name)
    for (i = 1; i <= count; i++) print "#undef " macros[i]
}
BEGIN {
    print "/* Cairn " version ": pathfinding for games. Made by tools/amalgamate.sh; do not edit."
    while ((getline line < "LICENSE") > 0) print (line == "" ? " *" : " * " line)
    print " */"
    if (header) {
        paste("include/cairn/cairn.h")
    } else {
        print "#if defined(__clang__) /* not every inline function is used by every build */"
        print "#pragma clang diagnostic ignored \"-Wunused-function\""
        print "#endif"
        print "#define CAIRN_BUILDING"
        print "#include \"cairn/cairn.h\""
        for (i = 1; i < ARGC; i++) paste(ARGV[i])
    }
    exit failed
}'
version=$(sed -n 's/^#define CAIRN_VERSION_[A-Z]* \([0-9]*\)$/\1/p' include/cairn/base.h | paste -sd. -)
awk -v version="$version" -v header=1 "$paste" >"$out/cairn/cairn.h"
# shellcheck disable=SC2086 # one word per file
awk -v version="$version" -v header=0 "$paste" $core >"$out/cairn.c"
cp include/cairn/cairn.hpp "$out/cairn/cairn.hpp"
