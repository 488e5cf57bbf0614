#!/usr/bin/env bash
# Fuzzes one target with stable Rust: builds it with the counters that libFuzzer reads, runs it on the inputs in
# fuzz/corpus and on its own finds, and keeps finds in fuzz/target, where nothing is committed.
#
#     fuzz/run.sh TARGET [SECONDS] [SEED_FOLDER…]     fuzz; the default is 60 seconds
#     fuzz/run.sh --keep TARGET [FOLDER…]             fuzz/corpus/TARGET becomes the fewest inputs that reach as much code
#
# An input that fails is written to fuzz/artifacts, and its file name is printed. Run it again: fuzz/run.sh TARGET 0 FILE
set -euo pipefail
cd "$(dirname "$0")"

keep=
if [ "${1:-}" = --keep ]; then
    keep=1
    shift
fi
target=${1:?TARGET, one of: $(sed -n 's/^name = "\(.*\)"/\1/p' Cargo.toml | tail -n +2 | paste -sd' ')}
shift
seconds=60
if [ -z "$keep" ] && [ $# -gt 0 ]; then
    seconds=$1
    shift
fi

host=$(rustc -vV | sed -n 's/^host: //p')
level="-Cllvm-args=-sanitizer-coverage-level=4 -Cllvm-args=-sanitizer-coverage-inline-8bit-counters"
RUSTFLAGS="-Cpasses=sancov-module $level -Cllvm-args=-sanitizer-coverage-pc-table --cfg fuzzing" \
    "${CARGO:-cargo}" build --locked --release --target "$host" --bin "$target"
program=target/$host/release/$target

# The longest input that is kept, in bytes: what matters fits, and the corpus stays small.
longest=1000
corpus=corpus/$target found=target/found/$target
mkdir -p "$corpus" "$found" artifacts
if [ -n "$keep" ]; then
    fewest=$(mktemp -d "target/$target.XXXXXX")
    "$program" -merge=1 -use_counters=0 -max_len="$longest" "$fewest" "$corpus" "$found" "$@"
    rm -r "$corpus"
    mv "$fewest" "$corpus"
    chmod 755 "$corpus"
    echo "$corpus: $(find "$corpus" -type f | wc -l) inputs" >&2
elif [ "$seconds" = 0 ]; then
    "$program" "$@"
else
    "$program" -max_total_time="$seconds" -max_len="$longest" -artifact_prefix=artifacts/ "$found" "$corpus" "$@"
fi
