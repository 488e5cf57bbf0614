#!/usr/bin/env bash
# Builds what is measured and the runner, runs every benchmark, prints the tables, writes them to bench/record, and makes
# the tables of README.md and docs from there. Run from anywhere, on an idle machine and from a clean commit.
#
#     bench/run.sh [NAME]            NAME of the records; default: latest
#
# HALFMOVE           the program, if it is built already
# HALFMOVE_DATA      the folder of the large collections; without it, the games that come with the source
# HALFMOVE_PEERS     none leaves out the peers that are libraries, of which some are GPL (only bench/peers links them)
# HALFMOVE_GIGANTUA  a build of Gigantua, to take its turn in the race of counting leaves
# PYTHON             a Python that knows python-chess and DuckDB; default: python3
# ONLY               only the benchmarks whose name holds this word; ONLY=sliders: only the sliding attacks, ONLY=perft:
#                    only the race of counting leaves, ONLY=makruk: only Makruk, ONLY=boards: only our two boards,
#                    ONLY=engine: only the engine's search; for these the program is not needed.
#                    ONLY=reading: only the reading of games beside other programs, on the large collections;
#                    ONLY=codecs: only games as bytes and back, on the large collections, without the program;
#                    ONLY=packed: only whole games in one file, on the large collections, without the program (needs zstd and xz);
#                    ONLY=positions: only positions looked for in the large collections;
#                    ONLY=questions: only questions about boards and moves, on the large collections;
#                    ONLY=scale: only a million games and ten million, made of the large collections (4 GB of disk)
# SCALE              for a draft of these: other numbers of games, such as 200000,2000000
# WAIT               how many seconds to wait before each record for the machine to become idle; default: 600
# DRAFT              1 prints the tables, whatever the state of commit and machine, and records nothing
set -euo pipefail
cd "$(dirname "$0")/.."

name=${1:-latest}
cargo=${CARGO:-cargo}
target=${CARGO_TARGET_DIR:-target}
keep=(--wait "${WAIT:-600}" ${DRAFT:+--draft})

"$cargo" build --locked --release -p halfmove-bench -p halfmove-engine
runner=$target/release/halfmove-bench
[ -n "${DRAFT:-}" ] || "$runner" clean

# Builds bench/peers in folder $1 and says where it is, or none; further words go to cargo.
peers_in() {
    local in=$1
    shift
    if [ "${HALFMOVE_PEERS:-}" != none ] && "$cargo" build --locked --release \
        --manifest-path bench/peers/Cargo.toml --target-dir "$in" "$@" >&2; then
        realpath "$in/release/halfmove-bench-peers"
    else
        echo none
    fi
}

# For any CPU of the architecture, in the release profile: as `cargo install` builds the program.
peers_plain() { peers_in "$target/bench-peers-plain"; }

# For the CPU at hand. Some libraries do not allow their functions to be inlined elsewhere, so the linker is asked to do it
# for all.
native_flags="${RUSTFLAGS:+$RUSTFLAGS }-C target-cpu=native"
peers_native() {
    # cozy-chess and gigachess have tables for the instruction pext.
    local feature=()
    if "${RUSTC:-rustc}" $native_flags --print cfg | grep -q 'target_feature="bmi2"'; then
        feature=(--features pext)
    fi
    RUSTFLAGS=$native_flags CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1 \
        peers_in "$target/bench-peers-native" "${feature[@]}"
}

# The tables of README.md and docs, from the records.
tables() { [ -n "${DRAFT:-}" ] || "$runner" tables; }

# Every technique for sliding attacks, built for any CPU and for this one; the second draws the picture.
sliders() {
    local mode picture peers plain native
    local -x CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1
    "$cargo" build --locked --release -p halfmove-bench --target-dir "$target/bench-plain"
    RUSTFLAGS=$native_flags "$cargo" build --locked --release -p halfmove-bench --target-dir "$target/bench-native"
    plain=$(peers_in "$target/bench-peers-plain-lto")
    native=$(peers_native)
    for mode in plain native; do
        picture=() peers=$plain
        if [ "$mode" = native ]; then
            picture=(--picture docs/reference/sliders.svg) peers=$native
            [ -z "${DRAFT:-}" ] || picture=()
        fi
        HALFMOVE_PEERS=$peers "$target/bench-$mode/release/halfmove-bench" sliders --record "sliders-$mode" "${keep[@]}" \
            "${picture[@]}"
    done
    tables
}

# Leaves of the game tree, counted by us and by other libraries.
race() {
    if [ "${HALFMOVE_PEERS:-}" = none ]; then
        echo "the race of counting leaves is run by the peers that are libraries: passed over" >&2
        return
    fi
    local plain native
    plain=$(peers_plain)
    native=$(peers_native)
    HALFMOVE_PEERS=$plain HALFMOVE_PEERS_NATIVE=$native "$runner" race --record perft "${keep[@]}"
    tables
}

# Makruk, built for any CPU as the Fairy-Stockfish of distributions is.
makruk() {
    "$runner" makruk --record makruk "${keep[@]}"
    tables
}

# Our bitboards and our 0x88 board, side by side.
boards() {
    "$runner" boards --record boards "${keep[@]}"
    tables
}

# The engine's search, beside Fairy-Stockfish and on both boards.
engine() {
    "$runner" engine --record engine "${keep[@]}"
    tables
}

# Games as bytes and back, by our codecs and by other libraries, on the large collections.
codecs() {
    if [ "${HALFMOVE_PEERS:-}" = none ]; then
        echo "the codecs are run by the peers that are libraries: passed over" >&2
        return
    fi
    local plain
    plain=$(peers_plain)
    HALFMOVE_PEERS=$plain "$runner" codecs --record codecs "${keep[@]}"
    HALFMOVE_PEERS=$plain "$runner" dense --record dense "${keep[@]}"
    tables
}

# Whole games in one file: packed, and their PGN compressed by other programs.
packed() {
    if [ "${HALFMOVE_PEERS:-}" = none ]; then
        echo "aix is one of the peers that are libraries: packed games are passed over" >&2
        return
    fi
    local plain
    plain=$(peers_plain)
    HALFMOVE_PEERS=$plain "$runner" packed --record packed "${keep[@]}"
    tables
}

case ${ONLY:-} in
boards | codecs | engine | makruk | packed | sliders)
    "$ONLY"
    exit
    ;;
perft)
    race
    exit
    ;;
esac

if [ -z "${HALFMOVE:-}" ]; then
    "$cargo" build --locked --release -p halfmove-cli
    HALFMOVE=$target/release/halfmove
fi

# The runner starts programs from other folders, so every path is whole.
whole() { if [ -e "$1" ]; then realpath "$1"; else echo "$1"; fi; }
HALFMOVE=$(whole "$HALFMOVE")
export HALFMOVE HALFMOVE_DATA="${HALFMOVE_DATA:-}"

# Games read by us and by other programs, on the large collections.
reading() { HALFMOVE_PEERS=$peers "$runner" reading --record reading "${keep[@]}"; }

# Positions looked for in the large collections, by the library among others.
positions() {
    "$cargo" build --locked --release -p halfmove-archive -p halfmove-cli --bin halfmove --example questions
    HALFMOVE_QUESTIONS=$target/release/examples/questions "$runner" positions --record positions "${keep[@]}"
}

# Questions about boards and moves, by the library.
questions() {
    "$cargo" build --locked --release -p halfmove-archive -p halfmove-sql -p halfmove-cli \
        --bin halfmove --example questions --example queries
    HALFMOVE_QUESTIONS=$target/release/examples/questions HALFMOVE_QUERIES=$target/release/examples/queries \
        "$runner" questions --record questions "${keep[@]}"
}

case ${ONLY:-} in
positions | questions)
    "$ONLY"
    tables
    exit
    ;;
esac

# A million games, and ten million.
scale() { "$runner" scale --record scale "${keep[@]}" ${SCALE:+--games "$SCALE"}; }

if [ "${ONLY:-}" = scale ]; then
    scale
    tables
    exit
fi

peers=$(peers_plain)
if [ "${ONLY:-}" = reading ]; then
    reading
    tables
    exit
fi

HALFMOVE_PEERS=$peers "$runner" table --record "$name" "${keep[@]}" ${ONLY:+--only "$ONLY"}
HALFMOVE_PEERS=$peers "$runner" micro --record "$name-operations" "${keep[@]}"
tables
if [ -z "${ONLY:-}" ]; then
    if [ -d "$HALFMOVE_DATA" ]; then
        reading
        codecs
        packed
        scale
    fi
    race
    makruk
    boards
    engine
    sliders
fi
