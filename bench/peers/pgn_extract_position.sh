#!/bin/sh
# Count the games of a plain PGN file that reach a position, with pgn-extract.
#
#     pgn_extract_position.sh FILE.pgn FEN [hash|fen|board]
#
# hash   (default) -H with the Polyglot key of the FEN: the exact position; python-chess computes the key
#        (PYTHON, default python3)
# fen    a tag file with the pseudo tag FEN: the men on the board, whatever the side to move and the rights
# board  a tag file with FENPattern: the same by comparing squares
#
# Matched games are written in full by pgn-extract, to a file that is counted and removed. Prints the count
# on stdout and the seconds of pgn-extract alone on stderr.
set -eu

if [ $# -lt 2 ] || [ $# -gt 3 ]; then
    sed -n '2,13s/^# \{0,1\}//p' "$0" >&2
    exit 2
fi
file=$1 fen=$2 mode=${3:-hash}

# Debian puts it where games are.
PATH=$PATH:/usr/games
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT INT TERM

case $mode in
fen) printf 'FEN "%s"\n' "$fen" >"$work/tags" && criterion=-t$work/tags ;;
board) printf 'FENPattern "%s"\n' "${fen%% *}" >"$work/tags" && criterion=-t$work/tags ;;
hash)
    key=$("${PYTHON:-python3}" -c 'import sys, chess, chess.polyglot
print(f"{chess.polyglot.zobrist_hash(chess.Board(sys.argv[1])):016x}")' "$fen")
    criterion=-H$key
    ;;
*) echo "unknown mode: $mode (hash, fen or board)" >&2 && exit 2 ;;
esac

begin=$(date +%s.%N)
pgn-extract -s --quiet "$criterion" "-o$work/games.pgn" -l"$work/log" "$file"
end=$(date +%s.%N)
echo "pgn-extract: $(echo "$begin $end" | awk '{ printf "%.2f", $2 - $1 }') s" >&2
grep -ac '^\[Event ' "$work/games.pgn" || true
