#!/bin/sh
# Tests the recipes, and runs the notebooks: run.sh BUILT FOLDER [ARCHIVE [PGN…]]
#
# BUILT is the folder where cargo has built `halfmove` and the compiled part of the package for Python; FOLDER is for the package and the
# engines, some 3 GB that pip installs. Clusters run in a network of their own, since Ray listens on all addresses, if this user may
# make one. With an ARCHIVE, the recipes are measured on it instead, and an import of the texts PGN (measure.py).
set -eu

built=$(realpath "$1")
mkdir -p "$2"
folder=$(realpath "$2")
here=$(realpath "$(dirname "$0")")
shift 2
recipes=$(dirname "$here") root=$(realpath "$here/../../..")
skipped() { echo "==> SKIPPED: $1" >&2; }

if [ "$(uname)" != Linux ]; then skipped 'the tests of the recipes for clusters need Linux'; exit 0; fi
command -v python3 >/dev/null || { skipped 'without Python the recipes for clusters and the notebooks are not run'; exit 0; }

# The package, laid out around the library.
rm -rf "$folder/package"
mkdir -p "$folder/package/halfmove"
cp "$root"/crates/python/python/halfmove/*.py* "$folder/package/halfmove"
cp "$built/lib_halfmove.so" "$folder/package/halfmove/_halfmove.abi3.so"

# An environment with the packages of a file: installed once, and again if the file changes.
environment() {
    cmp -s "$2" "$folder/$1/installed" && return
    echo "==> pip install -r ${2#"$root"/}, in $folder/$1"
    rm -rf "${folder:?}/$1"
    python3 -m venv "$folder/$1" && "$folder/$1/bin/pip" install -q -r "$2" && cp "$2" "$folder/$1/installed"
}

# A command in a network that has this machine alone.
if [ "$(id -u)" = 0 ] && unshare -n true 2>/dev/null; then
    alone() { unshare -n sh -c 'ip link set lo up && exec "$@"' sh "$@"; }
else
    echo '==> not root: clusters run in the network of this machine, where Ray listens on all addresses' >&2
    alone() { "$@"; }
fi

export HALFMOVE="$built/halfmove" HALFMOVE_TESTDATA="$root/testdata" PYTHONDONTWRITEBYTECODE=1
export PYTHONPATH="$here:$recipes:$folder/package"
export RAY_USAGE_STATS_ENABLED=0 DO_NOT_TRACK=1 DAFT_ANALYTICS_ENABLED=0

command -v java >/dev/null || skipped 'without Java (17 or later) the recipe for Spark is not tested on Spark'
for engine in engines:requirements.txt sail:requirements-sail.txt; do
    name=${engine%%:*} packages=$recipes/${engine#*:}
    if environment "$name" "$packages"; then
        if [ $# -gt 0 ]; then
            alone "$folder/$name/bin/python" "$here/measure.py" "$@"
        else
            alone "$folder/$name/bin/python" "$here/test_recipes.py"
        fi
    else
        skipped "pip cannot install ${packages#"$root"/}; these recipes are not tested"
    fi
done

[ $# -gt 0 ] && exit
if environment notebooks "$root/docs/notebooks/requirements.txt"; then
    alone "$folder/notebooks/bin/python" "$root/docs/notebooks/run.py"
else
    skipped 'pip cannot install docs/notebooks/requirements.txt; the notebooks are not run'
fi
