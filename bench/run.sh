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
# ONLY            only the benchmarks whose name holds this word; ONLY=sliders: only the sliding attacks,
#                 for which the program is not needed
set -euo pipefail
cd "$(dirname "$0")/.."

name=${1:-latest}
cargo=${CARGO:-cargo}
target=${CARGO_TARGET_DIR:-target}

# Every technique for sliding attacks, built for any CPU and for this one; the second draws the picture. Some
# libraries do not allow their front doors to be inlined elsewhere, so the linker is asked to do it for all.
sliders() {
    local mode flags peers
    local -x CARGO_PROFILE_RELEASE_LTO=fat CARGO_PROFILE_RELEASE_CODEGEN_UNITS=1
    for mode in plain native; do
        local in=$target/sliders-$mode
        flags=${RUSTFLAGS:-}
        local picture=()
        if [ "$mode" = native ]; then
            flags="${flags:+$flags }-C target-cpu=native"
            picture=(--picture docs/reference/sliders.svg)
        fi
        RUSTFLAGS=$flags "$cargo" build --locked --release -p halfmove-bench --target-dir "$in"
        local plain=none pext=none
        if [ "${HALFMOVE_PEERS:-}" != none ]; then
            peers=(build --locked --release --manifest-path bench/peers/Cargo.toml --target-dir "$in/peers")
            if RUSTFLAGS=$flags "$cargo" "${peers[@]}"; then
                plain=$in/halfmove-bench-peers
                cp "$in/peers/release/halfmove-bench-peers" "$plain"
            fi
            # cozy-chess has a table for pext, which compiles only where the compiler may use it.
            if [ "$mode" = native ] && RUSTFLAGS=$flags "$cargo" "${peers[@]}" --features pext; then
                pext=$in/halfmove-bench-peers-pext
                cp "$in/peers/release/halfmove-bench-peers" "$pext"
            fi
        fi
        HALFMOVE_PEERS=$plain HALFMOVE_PEERS_PEXT=$pext \
            "$in/release/halfmove-bench" sliders --record "sliders-$mode" "${picture[@]}"
    done
}

if [ "${ONLY:-}" = sliders ]; then
    sliders
    exit
fi

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
    sliders
fi
