#!/usr/bin/env bash
# Measures what a stranger waits for: `make demo`, the full program, and `make test`, each from a bare clone. Writes
# bench/record/build.md. It takes an hour a commit on two cores, and wants an idle machine; the CPU time bears some company.
#
#     bench/build.sh [COMMIT…]       default: HEAD; the last one is listed in detail, the first is what ratios are of
#
# JOBS  some of: demo full test; the default is all of them. Each is measured in a clone of its own
# RUNS  how often, default 1: beyond that, tables have the median and the lowest and highest figure
# WORK  a folder for clones, logs and figures that is kept: what it has figures of is not measured again
set -euo pipefail
cd "$(dirname "$0")/.."

here=$PWD
commits=("${@:-HEAD}")
runs=${RUNS:-1}
jobs=${JOBS:-demo full test}
load=$(cut -d ' ' -f 1 /proc/loadavg)
work=${WORK:-$(mktemp -d)}
mkdir -p "$work"
work=$(realpath "$work")
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

# The heaviest units of a `cargo build --timings`.
units() {
    tr '\n' ' ' <"$1" | grep -o '"name": *"[^"]*"[^}]*"duration": *[0-9.]*' |
        sed -E 's/.*"name": *"([^"]*)".*"version": *"([^"]*)".*"target": *"([^"\\]*).*"duration": *([0-9.]*).*/\4\t\1 \2\3/' |
        sort -rn | head -n "$2" | awk -F '\t' '{ printf "| %s | %.1f |\n", $2, $1 }'
}

for commit in "${commits[@]}"; do
    name=$(git rev-parse --short=12 "$commit")
    clone=$work/clone.$name
    for job in $jobs; do
        measured=$(cat "$work/figures.$name.$job" 2>/dev/null | wc -l || true)
        for _ in $(seq "$((measured + 1))" "$runs"); do
            rm -rf "$clone" && git clone -q "$here" "$clone" && git -C "$clone" checkout -q "$name"
            case $job in
            demo)
                # As `make demo` builds, with the time of each unit.
                build=$(cd "$clone" && make -n demo | grep -m 1 '^cargo build')
                measure "$clone" "$name.demo" sh -c "$build --timings && make demo"
                cp -L "$clone/target/cargo-timings/cargo-timing.html" "$work/units.$name.demo"
                ;;
            full)
                measure "$clone" "$name.full" cargo build --locked --release -p halfmove-cli --timings
                cp -L "$clone/target/cargo-timings/cargo-timing.html" "$work/units.$name.full"
                ;;
            test)
                measure "$clone" "$name.test" make test
                ;;
            esac
        done
    done
done

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
    echo "- Commit: $name"
    echo "- Load average of the minute before: $load"
    echo "- Compiler: $(rustc --version)"
    echo "- Command: \`JOBS=\"$jobs\" RUNS=$runs bench/build.sh ${commits[*]}\`"
    echo
    echo "From a bare clone, with the sources of the dependencies at hand. CPU time is that of all processes; the ratio is to $first."
    echo
    echo '| commit | job | CPU time, s | ratio | wall, s | program, MB |'
    echo '| --- | --- | ---: | ---: | ---: | ---: |'
    for commit in "${commits[@]}"; do
        name=$(git rev-parse --short=12 "$commit")
        for job in 'demo:make demo' 'full:the full program' 'test:make test'; do
            label=$name.${job%%:*}
            [ -e "$work/figures.$label" ] || continue
            echo "| $name | ${job#*:} | $(figure "$label" 1) | $(ratio "$label" "$first.${job%%:*}") | $(figure "$label" 2) | $(figure "$label" 3) |"
        done
    done
    echo
    if [ -e "$work/log.$name.test" ]; then
        echo "The longest of \`make test\` at $name:"
        echo
        echo '| test | seconds |'
        echo '| --- | ---: |'
        sed -nE 's/^ *(PASS|SLOW|FLAKY) \[ *([0-9.]+)s\] *(\([^)]*\) *)?(.*)$/\2\t\4/p' "$work/log.$name.test" |
            sort -rn | awk -F '\t' '!seen[$2]++' | head -n 15 | awk -F '\t' '{ printf "| %s | %.1f |\n", $2, $1 }'
        echo
    fi
    for job in 'demo:the program without SQL' 'full:the full program'; do
        [ -e "$work/units.$name.${job%%:*}" ] || continue
        echo "The longest to compile for ${job#*:} at $name, in seconds beside each other:"
        echo
        echo '| unit | seconds |'
        echo '| --- | ---: |'
        units "$work/units.$name.${job%%:*}" 15
        echo
    done
} >bench/record/build.md
cat bench/record/build.md
