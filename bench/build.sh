#!/usr/bin/env bash
# Measures what a stranger waits for: `make demo`, the full program after it, and `make test`, each from a bare clone. Writes
# bench/record/build.md. It takes an hour a commit on two cores, and wants an idle machine; the CPU time bears some company.
#
#     bench/build.sh [COMMIT…]       default: HEAD; the last one is listed in detail, the first is what ratios are of
#
# RUNS  how often, default 1: beyond that, tables have the median and the lowest and highest figure
# WORK  a folder for clones, logs and figures that is kept: what it has figures of is not measured again
set -euo pipefail
cd "$(dirname "$0")/.."

here=$PWD
commits=("${@:-HEAD}")
runs=${RUNS:-1}
work=${WORK:-$(mktemp -d)}
mkdir -p "$work"
[ -n "${WORK:-}" ] || trap 'rm -rf "$work"' EXIT

# Runs a command in a clone, and adds its CPU seconds, wall seconds and size of the program to a file.
measure() {
    local clone=$1 label=$2
    shift 2
    echo "==> $label: $*" >&2
    local times
    times=$(cd "$clone" && TIMEFORMAT='%U %S %R' && { time "$@" >"$work/log.$label" 2>&1; } 2>&1) || {
        tail -n 40 "$work/log.$label" >&2
        exit 1
    }
    local bytes
    bytes=$(stat -c %s "$clone/target/release/halfmove" 2>/dev/null || echo 0)
    echo "$times" | awk -v bytes="$bytes" '{ printf "%.0f %.0f %.2f\n", $1 + $2, $3, bytes / 1e6 }' >>"$work/figures.$label"
}

# The median of a column of figures, with the lowest and highest if there are several.
figure() {
    sort -n -k "$2" "$work/figures.$1" | awk -v column="$2" '
        { value[NR] = $column }
        END {
            if (NR == 1) print value[1]
            else printf "%s (%s–%s)\n", value[int((NR + 1) / 2)], value[1], value[NR]
        }'
}

# The heaviest units of the latest `cargo build --timings` in a clone.
units() {
    tr '\n' ' ' <"$1"/target/cargo-timings/cargo-timing.html | grep -o '"name": *"[^"]*"[^}]*"duration": *[0-9.]*' |
        sed -E 's/.*"name": *"([^"]*)".*"version": *"([^"]*)".*"target": *"([^"]*)".*"duration": *([0-9.]*).*/\4\t\1 \2\3/' |
        sort -rn | head -n "$2" | awk -F '\t' '{ printf "| %s | %.1f |\n", $2, $1 }'
}

for commit in "${commits[@]}"; do
    name=$(git rev-parse --short=12 "$commit")
    clone=$work/clone.$name
    measured=$(cat "$work/figures.$name.test" 2>/dev/null | wc -l || true)
    for _ in $(seq "$((measured + 1))" "$runs"); do
        rm -rf "$clone" && git clone -q "$here" "$clone" && git -C "$clone" checkout -q "$name"
        measure "$clone" "$name.demo" make demo
        measure "$clone" "$name.rest" cargo build --locked --release -p halfmove-cli
        paste -d ' ' "$work/figures.$name.demo" "$work/figures.$name.rest" |
            awk '{ print $1 + $4, $2 + $5, $6 }' >"$work/figures.$name.full"
        rm -rf "$clone/target"
        measure "$clone" "$name.test" make test
    done
done
touch "$clone/target/.lists" && rm -rf "$clone/target/release"
(cd "$clone" && cargo build --locked --release -p halfmove-cli --no-default-features --timings >/dev/null 2>&1)
cp -r "$clone/target/cargo-timings" "$work/small"
(cd "$clone" && cargo build --locked --release -p halfmove-cli --timings >/dev/null 2>&1)

first=$(git rev-parse --short=12 "${commits[0]}")
ratio() {
    awk -v one="$(figure "$1" 1)" -v base="$(figure "$2" 1)" 'BEGIN { printf "%.2f", one / base }'
}
{
    echo '# Building'
    echo
    echo "- CPU: $(sed -n 's/^model name[^:]*: //p' /proc/cpuinfo | head -n 1), $(nproc) cores"
    echo "- System: $(uname -sr) $(uname -m)"
    echo "- Date: $(date -u '+%Y-%m-%d %H:%M') UTC"
    echo "- Compiler: $(rustc --version)"
    echo "- Command: \`RUNS=$runs bench/build.sh ${commits[*]}\`"
    echo
    echo "From a bare clone, with the sources of the dependencies at hand. CPU time is that of all processes; the ratio is to $first."
    echo
    echo '| commit | job | CPU time, s | ratio | wall, s | program, MB |'
    echo '| --- | --- | ---: | ---: | ---: | ---: |'
    for commit in "${commits[@]}"; do
        name=$(git rev-parse --short=12 "$commit")
        for job in 'demo:make demo' 'full:and the full program' 'test:make test'; do
            label=$name.${job%%:*}
            echo "| $name | ${job#*:} | $(figure "$label" 1) | $(ratio "$label" "$first.${job%%:*}") | $(figure "$label" 2) | $(figure "$label" 3) |"
        done
    done
    echo
    echo "The longest of \`make test\` at $name:"
    echo
    echo '| test | seconds |'
    echo '| --- | ---: |'
    sed -nE 's/^ *(PASS|SLOW|FLAKY) \[ *([0-9.]+)s\] *(\([^)]*\) *)?(.*)$/\2\t\4/p' "$work/log.$name.test" |
        sort -rn | awk -F '\t' '!seen[$2]++' | head -n 15 | awk -F '\t' '{ printf "| %s | %.1f |\n", $2, $1 }'
    echo
    echo 'The longest to compile, in seconds beside each other, of the program without SQL and of what the full program adds:'
    echo
    echo '| unit | seconds |'
    echo '| --- | ---: |'
    mkdir -p "$work/of-small/target" && cp -r "$work/small" "$work/of-small/target/cargo-timings"
    units "$work/of-small" 15
    echo '| | |'
    units "$clone" 15
} >bench/record/build.md
cat bench/record/build.md
