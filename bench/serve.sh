#!/usr/bin/env bash
# The server under load: bench/serve/serve.mjs, with autocannon (MIT) from npm. Needs Node 20 and Linux.
#
#     HALFMOVE=target/release/halfmove bench/serve.sh ARCHIVE [FLAG OF halfmove serve …]
set -euo pipefail
cd "$(dirname "$0")/.."

archive=${1:?usage: bench/serve.sh ARCHIVE}
halfmove=${HALFMOVE:-target/release/halfmove}
tools=${CARGO_TARGET_DIR:-target}/bench-serve
[ -d "$tools/node_modules/autocannon" ] || npm install --silent --no-audit --no-fund --prefix "$tools" autocannon@8.0.0
# Modules are looked for beside the script.
cp -r bench/serve bench/definitions "$tools/"
shift
node "$tools/serve/serve.mjs" "$(realpath "$halfmove")" "$archive" "$@"
