#!/bin/sh
# Sizes that keep the sources readable: no line of src, include and program above 100 columns, no file
# above 700 lines; of the functions half have at most 10 lines, 99 of 100 at most 40.
set -eu
cd "$(dirname "$0")/.."
find src include program -name '*.[ch]' | sort | xargs perl -CSD -ne '
    chomp;
    if (length > 100) { print "$ARGV:$.: a line of ", length, " columns\n"; $bad = 1 }
    if ($_ eq "{") { $begin = $. }
    elsif ($_ eq "}" && $begin) { push @functions, $. - $begin - 1; $begin = 0 }
    if (eof) {
        if ($. > 700) { print "$ARGV: $. lines\n"; $bad = 1 }
        $begin = 0;
        close ARGV;
    }
    END {
        @functions = sort { $a <=> $b } @functions;
        my ($median, $most) = ($functions[@functions / 2], $functions[int(@functions * 0.99)]);
        print "functions: ", scalar @functions, ", median $median lines, 99 of 100 at most $most\n";
        $bad = 1 if $median > 10 || $most > 40;
        $? = 1 if $bad;
    }'
