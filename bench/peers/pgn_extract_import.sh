#!/bin/sh
# Let pgn-extract read and check every game of a plain PGN file (-r: report errors, write no games).
#
#     pgn_extract_import.sh FILE.pgn
#
# Prints games, seconds and games a second. It keeps nothing: the figure is for reading and move checking.
set -eu

if [ $# -ne 1 ]; then
    sed -n '2,6s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi

PATH=$PATH:/usr/games
log=$(mktemp)
trap 'rm -f "$log"' EXIT INT TERM
games=$(grep -ac '^\[Event ' "$1")
begin=$(date +%s.%N)
pgn-extract -s --quiet -r -l"$log" "$1"
end=$(date +%s.%N)
echo "$games $begin $end" | awk '{ printf "%d games, %.2f s, %.0f games/s\n", $1, $3 - $2, $1 / ($3 - $2) }'
