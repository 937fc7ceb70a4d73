#!/bin/bash
# tools/check_words.sh [FILE…]: which words of tools/words.txt stand in the texts of the project (or in the FILEs)?
#
# Prints "file:line: word → what to write instead" for each, and ends with 1 if there was one. With --count it prints
# the number of hits in each folder instead. tools/words.txt says how words and exceptions are written.
set -euo pipefail
cd "$(dirname "$0")/.."
exec perl - "$@" <<'END'
use strict;
use warnings;

# A pattern of the list as a regular expression. A space stands for any white space, and for the start of a comment's
# next line.
sub compile {
    my ($pattern) = @_;
    $pattern =~ s/ /(?:\\s+(?:(?:\\*|\/\/|>|#)\\s+)?)/g;
    return qr/$pattern/i;
}

# Whole words only, but also those within identifiers.
sub compile_word {
    my $pattern = compile(@_);
    return qr/(?<![A-Za-z])(?:$pattern)(?![A-Za-z])/;
}

my (@words, @skipped);
open my $list, '<', 'tools/words.txt' or die "tools/words.txt: $!\n";
while (<$list>) {
    chomp;
    next if /^\s*(#|$)/;
    if (/^skip (\S+) : (.+)$/) {
        push @skipped, qr/^$1$/;
    } elsif (/^word (.+?) => (.+)$/) {
        push @words, { pattern => compile_word($1), instead => $2, phrases => [], paths => [] };
    } elsif (@words && /^    phrase (.+?) : (.+)$/) {
        push @{ $words[-1]{phrases} }, compile($1);
    } elsif (@words && /^    path (\S+)(?: (.+?))? : (.+)$/) {
        my ($path, $phrase) = ($1, $2);
        push @{ $words[-1]{paths} }, [ qr/^$path/, defined $phrase ? compile($phrase) : undef ];
    } else {
        die "tools/words.txt:$.: neither a word nor an exception: $_\n";
    }
}
close $list;

my $count = @ARGV && $ARGV[0] eq '--count' ? shift : '';
my @files = @ARGV;
if (!@files) {
    my $all = `git ls-files -co --exclude-standard src include program docs README.md CONTRIBUTING.md`;
    @files = grep { -f && /\.(c|h|inc|def|md|html)$/ } split /\n/, $all;
}

# Is the hit from $from to $to of the text part of an exception?
sub excepted {
    my ($word, $file, $text, $from, $to) = @_;
    my @phrases = @{ $word->{phrases} };
    for (@{ $word->{paths} }) {
        my ($path, $phrase) = @$_;
        next if $file !~ $path;
        return 1 if !defined $phrase;
        push @phrases, $phrase;
    }
    my $start = $from > 80 ? $from - 80 : 0;
    my $near = substr $$text, $start, $to - $start + 80;
    for my $phrase (@phrases) {
        pos($near) = 0;
        while ($near =~ /$phrase/g) {
            return 1 if $-[0] + $start <= $from && $to <= $+[0] + $start;
            pos($near) = $-[0] + 1;
        }
    }
    return 0;
}

my ($hits, %folders) = (0);
for my $file (@files) {
    next if grep { $file =~ $_ } @skipped;
    open my $in, '<', $file or die "$file: $!\n";
    my $text = do { local $/; <$in> };
    close $in;
    my @found;
    for my $word (@words) {
        while ($text =~ /$word->{pattern}/g) {
            my ($from, $to) = ($-[0], $+[0]);
            push @found, [ $from, $to, $word->{instead} ] if !excepted($word, $file, \$text, $from, $to);
            pos($text) = $to;
        }
    }
    for (sort { $a->[0] <=> $b->[0] } @found) {
        my ($from, $to, $instead) = @$_;
        my $line = 1 + (substr($text, 0, $from) =~ tr/\n//);
        my $what = substr $text, $from, $to - $from;
        $what =~ s/\s+(?:(?:\*|\/\/)\s+)?/ /g;
        print "$file:$line: $what → $instead\n" if !$count;
        $hits++;
        my ($folder) = $file =~ m{^((?:src/)?[^/]*)};
        $folders{$folder}++;
    }
}
if ($count) { print "$folders{$_}\t$_\n" for sort keys %folders }
exit($hits > 0);
END
