#!/bin/sh
# Prints docs/reference/cli.md from the program's own help. `make test` compares the two.
#
#     docs/cli.sh target/release/halfmove > docs/reference/cli.md
set -eu
halfmove=$1

# Not on a terminal, so that no terminal's width matters.
page() {
    printf '\n```text\n'
    COLUMNS=100 "$halfmove" "$@" --help 2>/dev/null </dev/null | sed 's/ *$//'
    printf '```\n'
}

printf '# The command line\n\nWhat `halfmove --help` and `halfmove VERB --help` print. This page is made by `docs/cli.sh`.\n'
page
for verb in import pgn 'pgn check' 'pgn stats' 'pgn normalize' encode decode dump codecs info search explore show export sql stats players 'players merge' events duplicates compact upgrade verify history undo remove vacuum perft moves position completions man; do
    printf '\n## %s\n' "$verb"
    # shellcheck disable=SC2086 # A verb may be two words.
    page $verb
done
