#!/usr/bin/env bash
# Builds what is measured and the runner, runs every benchmark, prints the tables and writes them to
# bench/record. Run from anywhere.
#
#     bench/run.sh [NAME]            NAME of the records; default: latest
#
# HALFMOVE        the program, if it is built already
# HALFMOVE_DATA   the folder of the large collections; without it, the games that come with the source
# HALFMOVE_PEERS  the program of bench/peers; built here if it is not given (it fetches GPL libraries,
#                 which only that program links); HALFMOVE_PEERS=none leaves it out
# PYTHON          a Python that knows python-chess; default: python3
# ONLY            only the benchmarks whose name holds this word; ONLY=sliders: only the sliding attacks, ONLY=perft:
#                 only the race of counting leaves, ONLY=makruk: only Makruk; for these the program is not needed
set -euo pipefail
cd "$(dirname "$0")/.."

name=${1:-latest}
cargo=${CARGO:-cargo}
target=${CARGO_TARGET_DIR:-target}

# Compiler flags of a build: for any CPU, for those of the last ten years, for the one at hand.
flags_of() {
    local flags=${RUSTFLAGS:-}
    case $1 in
    v3) flags="${flags:+$flags }-C target-cpu=x86-64-v3" ;;
    native) flags="${flags:+$flags }-C target-cpu=native" ;;
    esac
    echo "$flags"
}

# Builds bench/peers in folder $1 with flags $2 and perhaps feature $3, and says where it is, or none. Some libraries
# do not allow their front doors to be inlined elsewhere, so the linker is asked to do it for all.
peers_of() {
    local in=$1 flags=$2 feature=${3:-}
    local program=$in/halfmove-bench-peers${feature:+-$feature}
    if [ "${HALFMOVE_PEERS:-}" != none ] && RUSTFLAGS=$flags "$cargo" build --locked --release \
        --manifest-path bench/peers/Cargo.toml --target-dir "$in/peers" ${feature:+--features "$feature"} >&2; then
        cp "$in/peers/release/halfmove-bench-peers" "$program"
        realpath "$program"
    else
        echo none
    fi
}

# Every technique for sliding attacks, built for any CPU and for this one; the second draws the picture.
sliders() {
    local mode flags pext
    local -x CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1
    for mode in plain native; do
        local in=$target/bench-$mode
        local picture=()
        flags=$(flags_of "$mode")
        RUSTFLAGS=$flags "$cargo" build --locked --release -p halfmove-bench --target-dir "$in"
        # cozy-chess has a table for pext, which compiles only where the compiler may use it.
        pext=none
        if [ "$mode" = native ]; then
            picture=(--picture docs/reference/sliders.svg)
            pext=$(peers_of "$in" "$flags" pext)
        fi
        HALFMOVE_PEERS=$(peers_of "$in" "$flags") HALFMOVE_PEERS_PEXT=$pext \
            "$in/release/halfmove-bench" sliders --record "sliders-$mode" "${picture[@]}"
    done
}

# Leaves of the game tree, counted by us and by other libraries in builds for any CPU, for x86-64-v3 and for this one.
race() {
    if [ "${HALFMOVE_PEERS:-}" = none ]; then
        echo "the race of counting leaves is run by the peers that are libraries: passed over" >&2
        return
    fi
    "$cargo" build --locked --release -p halfmove-bench
    local mode flags pext narrow hyperbola magics
    local -r one_by_one='--cfg halfmove_pieces="one_by_one"'
    local -x CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1
    for mode in plain v3 native; do
        local in=$target/bench-$mode
        flags=$(flags_of "$mode")
        pext=none hyperbola=none magics=none
        # As on a CPU without wide registers, and there with the front door on another technique too.
        narrow=$(peers_of "$in-narrow" "${flags:+$flags }$one_by_one")
        if [ "$mode" = plain ]; then
            magics=$(peers_of "$in-magics" "${flags:+$flags }$one_by_one --cfg halfmove_sliders=\"magics\"" techniques)
        else
            pext=$(peers_of "$in" "$flags" pext)
            hyperbola=$(peers_of "$in-hyperbola" "${flags:+$flags }$one_by_one --cfg halfmove_sliders=\"hyperbola\"")
        fi
        HALFMOVE_PEERS=$(peers_of "$in" "$flags") HALFMOVE_PEERS_PEXT=$pext \
            HALFMOVE_PEERS_NARROW=$narrow HALFMOVE_PEERS_HYPERBOLA=$hyperbola HALFMOVE_PEERS_MAGICS=$magics \
            "$target/release/halfmove-bench" race --record "perft-$mode"
    done
}

# Makruk, built for any CPU as the Fairy-Stockfish of distributions is.
makruk() {
    "$cargo" build --locked --release -p halfmove-bench
    "$target/release/halfmove-bench" makruk --record makruk
}

case ${ONLY:-} in
makruk)
    makruk
    exit
    ;;
sliders)
    sliders
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
if [ -z "${HALFMOVE_PEERS:-}" ]; then
    "$cargo" build --locked --release --manifest-path bench/peers/Cargo.toml --target-dir "$target/bench-peers" &&
        HALFMOVE_PEERS=$target/bench-peers/release/halfmove-bench-peers ||
        echo "the peers that are libraries could not be built: passed over" >&2
fi
"$cargo" build --locked --release -p halfmove-bench

# The runner starts programs from other folders, so every path is whole.
whole() { if [ -e "$1" ]; then realpath "$1"; else echo "$1"; fi; }
HALFMOVE=$(whole "$HALFMOVE")
HALFMOVE_PEERS=$(whole "${HALFMOVE_PEERS:-none}")
export HALFMOVE HALFMOVE_PEERS HALFMOVE_DATA="${HALFMOVE_DATA:-}"

"$target/release/halfmove-bench" table --record "$name" ${ONLY:+--only "$ONLY"}
"$target/release/halfmove-bench" micro --record "$name-operations"
if [ -z "${ONLY:-}" ]; then
    race
    makruk
    sliders
fi
