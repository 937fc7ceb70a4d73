#!/bin/bash
# tests/test_view.sh PROGRAM SOURCE: `cairn view`: what is served and what is refused, the world in the page, the page as a
# file, and how it ends. The page is a small one in place of the playground.
set -u
program=$(realpath "$1") source=$(realpath "$2") subcommand=view
. "$source/tests/common.sh"
server=
end() {
    [ -z "$server" ] || kill -KILL "$server" 2>/dev/null
    rm -rf "$work"
}
trap end EXIT
cd "$work" || exit 1
page=$source/tests/data/page.html maps=$source/maps

has_not() { # FILE PATTERN
    checks=$((checks + 1))
    ! grep -q -e "$2" "$1" || fail "$what: \"$2\" in $1"
}

# ---- serving ----

# serve ARGS…: starts `cairn view ARGS` and waits until it has said where: $url, $port.
serve() {
    what="cairn view $*"
    rm -f served
    "$program" view "$@" >served 2>err </dev/null &
    server=$!
    local i
    for ((i = 0; i < 20000; i++)); do
        url=$(grep -o 'http://[^" ]*/' served 2>/dev/null) && break
        kill -0 $server 2>/dev/null || break
        sleep 0.02
    done
    cp served out
    port=${url##*:}
    port=${port%/}
    [ -n "$url" ]
    ok "it does not say where it serves"
}

# stop SIGNAL: the server must end with 0.
stop() {
    kill "-$1" $server
    wait $server
    local code=$?
    server=
    [ $code = 0 ]
    ok "ended with $code after SIG$1"
}

# request ADDRESS METHOD PATH HOST: the head of the answer in `top`, the rest in `body`.
request() {
    what="$2 $3 with Host $4 at $1"
    : >answer
    if exec 3<>"/dev/tcp/$1/$port"; then
        printf '%s %s HTTP/1.1\r\n%sConnection: close\r\n\r\n' "$2" "$3" "${4:+Host: $4$'\r\n'}" >&3
        cat <&3 >answer
        exec 3>&-
    fi 2>/dev/null
    sed '/^\r$/q' answer | tr -d '\r' >top
    sed '1,/^\r$/d' answer >body
    cp top out
}

# answers CODE: what the last request must have got.
answers() {
    checks=$((checks + 1))
    [ "$(head -n 1 top | cut -d' ' -f2)" = "$1" ] || fail "$what: not $1"
    has top '^Content-Security-Policy: default-src .none.;'
    has top '^X-Content-Type-Options: nosniff$'
    has top '^Cache-Control: no-store$'
    has_not top '^Server:'
}

# world PAGE: the world in it, decoded, into world.cairn; its name into name.
world() {
    local line
    line=$(tail -n 3 "$1" | head -n 1)
    [[ $line =~ ^'<script type="application/octet-stream" id="world" data-name="'([^\"]*)'">'([A-Za-z0-9+/=]*)'</script>'$ ]]
    ok "$1: no world before the end of the body"
    printf '%s\n' "${BASH_REMATCH[1]-}" >name
    printf '%s' "${BASH_REMATCH[2]-}" | base64 -d >world.cairn
    ok "$1: the world is no base64"
    [ "$(tail -n 2 "$1" | tr -d '\n')" = '</body></html>' ]
    ok "$1: the page does not end as it did"
}

# same WORLD: all that is in it is in world.cairn too.
same() {
    rm -f expected.cairn got.cairn
    "$program" convert "$1" expected.cairn >/dev/null 2>&1
    "$program" convert world.cairn got.cairn >/dev/null 2>&1 && cmp -s expected.cairn got.cairn
    ok "the world in the page is not $1"
}

serve "$maps/village.txt" --page "$page" --json
has served '^  "url": "http://127\.0\.0\.1:[0-9]*/",$'
has served '"world": ".*village.txt"'
request 127.0.0.1 GET / "127.0.0.1:$port"
answers 200
has top '^Content-Type: text/html; charset=utf-8$'
policy=$(sed -n 's/^<meta http-equiv="Content-Security-Policy" content="\([^"]*\)">$/\1/p' "$page")
[ -n "$policy" ] && [ "$(sed -n 's/^Content-Security-Policy: //p' top)" = "$policy; frame-ancestors 'none'" ]
ok "the policy is not that of the page, without frames"
has top "script-src 'sha256-[^']*' 'wasm-unsafe-eval'; style-src 'sha256-[^']*'; img-src data:; worker-src blob:"
has_not top '\*\|https\?:\|unsafe-inline\|unsafe-eval.*unsafe-eval'
[ "$(sed -n 's/^Content-Length: //p' top)" = "$(wc -c <body)" ]
ok "the length is not that of the page"
cp body page.html
world page.html
has name '^village.txt$'
same "$maps/village.txt"
request 127.0.0.1 HEAD / "localhost:$port"
answers 200
has top "^Content-Length: $(wc -c <page.html)\$"
[ ! -s body ]
ok "there is more than a head"
for host in localhost LOCALHOST 127.0.0.1 '[::1]:99'; do
    request 127.0.0.1 GET / "$host"
    answers 200
done
for host in cairn.example "cairn.example:$port" localhost.example "127.0.0.1.example:$port" 10.0.0.1 '[::2]' ::1; do
    request 127.0.0.1 GET / "$host"
    answers 403
    has_not body world
done
request 127.0.0.1 GET / ''
has top '^HTTP/1.1 40[03] '
has_not body world
request 127.0.0.1 GET /favicon.ico localhost
answers 204
for path in /index.html /.. /../etc/passwd // /%2e%2e /world /favicon.ico/ 'http://localhost/'; do
    request 127.0.0.1 GET "$path" localhost
    answers 404
done
request 127.0.0.1 GET '/?x=1' localhost
answers 200
for method in POST PUT DELETE OPTIONS TRACE PATCH get; do
    request 127.0.0.1 $method / localhost
    answers 405
    has top '^Allow: GET, HEAD$'
done
request 127.0.0.1 POST /elsewhere localhost
answers 404

# Only this machine, by its loopback addresses: every other one of its own must refuse.
for address in 127.0.0.2 $(hostname -I 2>/dev/null); do
    case $address in *:*) continue ;; esac
    request "$address" GET / localhost
    [ ! -s answer ]
    ok "it answers"
done
if grep -q '^00000000000000000000000000000001 ' /proc/net/if_inet6 2>/dev/null; then
    request ::1 GET / "[::1]:$port"
    answers 200
fi

# Rubbish harms nothing.
head -c 100000 /dev/urandom 2>/dev/null | { exec 3<>"/dev/tcp/127.0.0.1/$port" && cat >&3; } 2>/dev/null
request 127.0.0.1 GET / localhost
answers 200
cmp -s body page.html
ok "it is another page now"

# ---- connections that say nothing ----
# count_open FD…: how many of these the other side has not ended: what can be read is its end.
count_open() {
    local open=0 fd
    for fd in "$@"; do read -r -t 0 -u "$fd" || open=$((open + 1)); done
    echo $open
}
what="200 connections that say nothing"
silent=()
for ((i = 0; i < 200; i++)); do
    exec {fd}<>"/dev/tcp/127.0.0.1/$port" || break
    silent+=("$fd")
done 2>/dev/null
[ ${#silent[@]} = 200 ]
ok "only ${#silent[@]} connections"
request 127.0.0.1 GET / localhost
answers 200
cmp -s body page.html
ok "it is another page now"
what="200 connections that say nothing"
open=$(count_open "${silent[@]}")
[ "$open" -gt 0 ] && [ "$open" -le 64 ] # those of them that came last
ok "$open are open beside the one that asked"
[ "$(count_open "${silent[0]}" "${silent[@]:199}")" = 1 ]
ok "it was not the oldest that was ended"
for fd in "${silent[@]}"; do exec {fd}>&-; done

# ---- a port that is taken ----
run 3 "$maps/village.txt" --page "$page" --port "$port" --no-browser
has err "^cairn: port $port is in use: choose another one with --port"
stop INT
what="cairn view on the port that was free again"
taken=$port
serve --page "$page" --port "$taken" --no-browser
[ "$port" = "$taken" ]
ok "it serves on $port, not on $taken"
has served '^The playground is at http://127.0.0.1'
request 127.0.0.1 GET / localhost
cmp -s body "$page"
ok "without a world the page is not as it was"
stop TERM

# ---- on a terminal ----

# until_has FILE PATTERN: waits for it.
until_has() {
    local i
    for ((i = 0; i < 20000; i++)); do
        grep -q -e "$2" "$1" 2>/dev/null && return
        sleep 0.02
    done
}

# terminal ARGS…: `cairn view ARGS` on a terminal, with what opens browsers noting what it is told; Ctrl-C when it serves.
terminal() {
    what="cairn view $* on a terminal"
    rm -f screen opened survived
    TERM=vt100 PATH=$work/bin:$PATH script -qefc "'$program' view --page '$page' $*" screen <keys >/dev/null 2>&1 &
    server=$!
    exec 4>keys
    until_has screen 'http://127.*/'
    [ "$*" = --no-browser ] || until_has opened http
    printf '\003' >&4
    wait $server
    ok "Ctrl-C does not end it well"
    server=
    exec 4>&-
    cp screen out
}
if command -v script >/dev/null 2>&1; then
    mkdir bin
    mkfifo keys
    # shellcheck disable=SC2016 # it is the script's own
    for opener in xdg-open open; do
        printf '#!/bin/sh\necho "$1" >%s/opened\nsleep 0.3\necho yes >%s/survived\n' "$work" "$work" >bin/$opener
        chmod +x bin/$opener
    done
    terminal
    has opened '^http://127\.0\.0\.1:[0-9]*/$'
    until_has survived yes
    has survived yes # Ctrl-C is not for the browser
    terminal --no-browser
    [ ! -e opened ]
    ok "it opened a browser"
fi

# ---- the page as a file ----
run 0 "$maps/village.txt" --page "$page" -o village.html
has out '^village.html: the playground with village.txt, '
cmp -s village.html page.html
ok "the file is not what is served"
[ ! -e village.html.tmp ]
ok "there is a file too many"
run 0 --page "$page" -o empty.html --json
has out '"file": "empty.html"'
has out '"world": null'
cmp -s empty.html "$page"
ok "without a world the page is not as it was"

# Another world takes the place of the one that is there.
run 0 "$maps/cave.txt" --page village.html -o cave.html
world cave.html
has name '^cave.txt$'
same "$maps/cave.txt"
has_not cave.html 'data-name="village'
run 0 --page village.html -o again.html
cmp -s village.html again.html
ok "without a world the page is not as it was"

# Worlds of all lengths modulo three; names that would end the attribute or the element.
for i in 1 2 3 4 5 6; do
    printf '%s\n' "$(printf '.%.0s' $(seq $((i * 37))))" >"$i.txt"
    run 0 $i.txt --page "$page" -o $i.html
    world $i.html
    same $i.txt
done
name=$(printf '"><\047&\001<script>\303\266\377.txt')
if cp 1.txt "$name" 2>/dev/null; then
    run 0 "$name" --page "$page" -o name.html
    world name.html
    has name '^&#34;&#62;&#60;&#39;&#38;&#1;'
    has name "script&#62;$(printf '\303\266')&#65533;.txt\$"
fi

# What a .cairn file says of agent and query goes with it, an index does not.
"$program" path "$maps/village.txt" --from 9,5 --to 50,22 -a wastar:weight=2 --radius 0.4 --repro repro.cairn >/dev/null
run 0 repro.cairn --page "$page" -o repro.html
world repro.html
"$program" info world.cairn >told
has told 'query *from 9,5 to 50,22, wastar:weight=2'
has told 'radius 0.4'
"$program" build "$maps/village.txt" -a alt -o index.cairn >/dev/null
run 3 index.cairn --page "$page" -o index.html
has err 'there is no world in this file'

# ---- where the page is looked for ----
mkdir -p prefix/bin prefix/share/cairn beside/share/cairn
cp "$program" prefix/bin/cairn
cp "$program" beside/cairn
cp "$page" prefix/share/cairn/playground.html
cp village.html beside/share/cairn/playground.html
what="a program that is installed"
prefix/bin/cairn view -o installed.html >out 2>err && cmp -s installed.html "$page"
ok "it does not find its page"
what="a program in the folder it was built in"
(cd beside && ./cairn view -o ../built.html) >out 2>err && cmp -s built.html village.html
ok "it does not find its page"
rm prefix/share/cairn/playground.html
what="a program without a page"
prefix/bin/cairn view -o nothing.html >out 2>err
[ $? = 3 ]
ok "it does not end with 3"
has err '^cairn: the page of the playground was not found\. .\./run view. builds it'
[ ! -e nothing.html ]
ok "it wrote a page"

# ---- what is refused ----
run 3 --page nowhere.html -o x.html
has err '^cairn: nowhere.html: cannot be opened: No such file'
run 3 --page "$maps/village.txt" -o x.html
has err 'not a page of the playground: it has no </body>'
grep -v Content-Security-Policy "$page" >free.html
run 3 --page free.html -o x.html
has err '^cairn: free.html: not a page of the playground: it has no content security policy$'
run 3 --page free.html --no-browser
{ sed 's/<head>/<head><script>1<\/script>/' "$page"; } >late.html # its policy would not hold for all
run 3 --page late.html -o x.html
: >nothing
run 3 --page nothing -o x.html
run 3 nowhere.map --page "$page" -o x.html
has err 'nowhere.map: cannot be opened'
printf 'type octile\nheight 2\nwidth 3\nmap\n...\n..\n' >bad.map
run 3 bad.map --page "$page" --no-browser
has err '^cairn: bad.map:6: '
printf 'p sp 2 1\na 1 2 5\n' >roads.gr
run 3 roads.gr --page "$page" -o x.html
has err 'expected a grid for the playground, but this is a graph'
run 2 a b --page "$page"
run 2 --port 65536
has err '^cairn: --port must be a whole number from 0 to 65535'
run 2 --port x
run 2 1.txt --page "$page" -o 1.txt
has err 'would be overwritten'
cp "$page" mine.html
run 2 1.txt --page mine.html -o mine.html
run 3 1.txt --page "$page" -o no/such/folder.html
has err 'cannot be written'
[ ! -e x.html ]
ok "a page was written all the same"

end_checks
