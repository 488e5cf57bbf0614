#!/usr/bin/env bash
# From a file of real games to answers, step by step, each with its time: run by `make demo`.
#
#     HALFMOVE=target/release/halfmove DEMO=target/demo demo/demo.sh
#
# Writes under $DEMO only, and removes what an earlier run has left there. Stops at the first step that fails.
set -euo pipefail
cd "$(dirname "$0")/.."

halfmove=${HALFMOVE:-target/release/halfmove}
demo=${DEMO:-target/demo}
archive=$demo/masters

if [[ ! -x $halfmove ]]; then
    echo "demo: there is no program at $halfmove; run: make demo" >&2
    exit 1
fi

bold='' plain=''
if [[ -t 1 ]]; then
    bold=$'\e[1m' plain=$'\e[0m'
fi

# step TITLE ARGUMENT…: says what is run, runs it, says how long it took.
step() {
    local title=$1 shown=halfmove argument
    shift
    for argument in "$@"; do
        case $argument in
            *[!A-Za-z0-9_./:=-]*) shown+=" \"$argument\"" ;;
            *) shown+=" $argument" ;;
        esac
    done
    printf '\n%s── %s\n$ %s%s\n' "$bold" "$title" "$shown" "$plain"
    local TIMEFORMAT='(%3R s)' status=0
    time "$halfmove" "$@" 2>&1 || status=$?
    if ((status != 0)); then
        echo "demo: that step failed with exit code $status" >&2
        exit "$status"
    fi
}

rm -rf "$archive" "$demo/capablanca.pgn"
mkdir -p "$demo"

# After 8… Qc7 in the Najdorf.
najdorf='rnb1k2r/1pq1bppp/p2ppn2/6B1/3NPP2/2N2Q2/PPP3PP/R3KB1R w KQkq - 3 9'

step 'Import 20,816 master games' import "$archive" testdata/games/masters.pgn.zst
step 'What the archive holds' info "$archive"
step 'What was played against the Sicilian, and how it ended' explore "$archive" --moves 'e4 c5'
step 'Games that reach a position' search "$archive" --fen "$najdorf" --limit 10
step 'The openings of one player, and the score in each' stats "$archive" --player capablanca --by opening --limit 8

id=$("$halfmove" search "$archive" --fen "$najdorf" --limit 1 --format csv 2>/dev/null | sed -n '2s/,.*//p')
step 'One of those games' show "$archive" "$id" --ply 16
step 'The games of one player, as PGN' export "$archive" --player capablanca --output "$demo/capablanca.pgn"
printf '\n%s── The first of them\n$ head -n 14 %s%s\n' "$bold" "$demo/capablanca.pgn" "$plain"
sed -n 1,14p "$demo/capablanca.pgn"

# The server takes a free port; it ends with the demo.
printf '\n%s── The same answers by HTTP, for the page and for programs\n$ halfmove serve %s%s\n' "$bold" "$archive" "$plain"
"$halfmove" serve "$archive" --listen 127.0.0.1:0 --no-open >"$demo/serve.txt" 2>&1 &
server=$!
trap 'kill "$server" 2>/dev/null || true' EXIT
for _ in {1..300}; do
    grep -q ' at http' "$demo/serve.txt" && break
    kill -0 "$server" 2>/dev/null || break
    sleep 0.1
done
port=$(sed -n 's|.* at http://127\.0\.0\.1:\([0-9]*\)/$|\1|p' "$demo/serve.txt")
if [[ -z $port ]]; then
    echo 'demo: the server did not start:' >&2
    cat "$demo/serve.txt" >&2
    exit 1
fi
grep ' at http' "$demo/serve.txt"

# ask TARGET: the answer to a request, without its head.
ask() {
    exec 3<>"/dev/tcp/127.0.0.1/$port"
    printf 'GET %s HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n' "$1" >&3
    sed '1,/^\r$/d' <&3
    exec 3>&-
}

target='/masters?play=e2e4,c7c5&moves=3&topGames=0'
printf '%s$ curl "http://127.0.0.1:%s%s"%s\n' "$bold" "$port" "$target" "$plain"
TIMEFORMAT='(%3R s)'
time answer=$(ask "$target")
if [[ $answer != '{'*'"uci":"g1f3"'* ]]; then
    printf 'demo: unexpected answer: %s\n' "$answer" >&2
    exit 1
fi
printf '%s\n' "$answer"

printf '\nThe archive stays in %s. In the browser, with a board, at http://127.0.0.1:9002/:\n  %s serve %s\n' "$archive" "$halfmove" "$archive"
printf 'Ask it anything on the command line: %s --help\n' "$halfmove"
printf 'This program has no SQL, so that it is built soon. With SQL, which takes some minutes more:\n'
printf '  cargo build --release -p halfmove-cli && target/release/halfmove sql %s "select white, count(*) from games group by 1 order by 2 desc limit 5"\n' "$archive"
