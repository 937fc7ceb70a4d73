#!/bin/sh
# Dependencies point one way:
#
#     core ← world ← open, heuristic, path, generate, store ← abstract ← search ← the families ← game
#
# A folder of src may include its own files and those to its left. io and the program
# stand outside: they use the public headers and their own. The core library knows no
# stdio, clock or locale, and of the public headers all but io.h. Files are written by io/output.c
# alone, so that they appear whole or not at all; the lock of `cairn reproduce` stays empty.
set -eu
cd "$(dirname "$0")/.."
find src program -name '*.[ch]' -o -name '*.inc' | sort | xargs awk '
    BEGIN {
        allow["core"] = "core"
        allow["world"] = allow["core"] " world"
        allow["generate"] = allow["world"] " generate"
        allow["open"] = allow["core"] " open"
        allow["heuristic"] = allow["world"] " heuristic"
        allow["path"] = allow["world"] " path"
        allow["store"] = allow["world"] " store"
        allow["abstract"] = allow["world"] " path store abstract"
        allow["search"] = allow["abstract"] " open heuristic search"
        n = split("jump table hierarchy spatial realtime continuous", family, " ")
        for (i = 1; i <= n; i++) allow[family[i]] = allow["search"] " " family[i]
        allow["realtime"] = allow["realtime"] " continuous"
        allow["game"] = allow["search"] " jump table hierarchy spatial realtime continuous game"
        allow["io"] = "io"
        allow["program"] = "program"
    }
    function complain(text)
    {
        print FILENAME ":" FNR ": " text
        bad = 1
    }
    FNR == 1 {
        n = split(FILENAME, part, "/")
        home = part[1] == "program" ? "program" : n > 2 ? part[2] : ""
        if (!(home in allow)) complain("tools/check_includes.sh does not know this folder")
        outside = home == "io" || home == "program"
    }
    /^[ \t]*#[ \t]*include[ \t]*"/ {
        split($0, quoted, "\"")
        target = quoted[2]
        if (target == "algorithms.def" || target == "heuristics.def") next
        folder = target ~ /\// ? substr(target, 1, index(target, "/") - 1) : home
        if (index(" " allow[home] " ", " " folder " ") == 0)
            complain(home " must not include \"" target "\"")
    }
    /^[ \t]*#[ \t]*include[ \t]*</ && !outside {
        if ($0 ~ /<(stdio|time|locale|signal|wchar|assert|errno|sys\/.*|unistd)(\.h)?>/)
            complain("the core must not use " $0)
        if ($0 ~ /<cairn\/io\.h>/) complain("the core does not know io.h")
    }
    outside && FILENAME != "src/io/output.c" && !/run->lock = open\(/ {
        if ($0 ~ /fopen\(.*"[wa]|fopen\(.*"r[b+]*\+|freopen\(|O_CREAT|O_WRONLY|creat\(|mkstemp\(/)
            complain("files are written by io/output.c alone")
    }
    END { exit bad }
'
