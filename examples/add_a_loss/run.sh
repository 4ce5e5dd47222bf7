#!/usr/bin/env bash
# How do I add a loss? In a copy of the sources: one new folder, nothing else, and the program knows the loss.
set -euo pipefail
here=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for part in CMakeLists.txt CMakePresets.json cmake include src cli benchmarks tests; do
  cp -r "$RECTA_ROOT/$part" "$scratch/"
done
cd "$scratch"

cp -r "$here/pseudo_huber" src/loss/

# The same files lie in the compiler's cache already, whatever the folder is called; see scripts/build.
export CCACHE_BASEDIR=$scratch CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros
built() { cmake --preset "$1" && cmake --build --preset "$1" --target "$2"; } # PRESET TARGET
{ built release recta_cli && built tests test_loss; } >log.txt 2>&1 || { cat log.txt; exit 1; }

echo "the laws that every loss obeys, checked for the new one:"
build/tests/test_loss --gtest_brief=1 >laws.txt || { cat laws.txt; exit 1; }
echo "all hold"
build/release/recta fit linear housing -o housing.recta -q >fit.txt
echo "mean loss of least squares on housing:"
build/release/recta eval housing.recta housing --loss squared --json | tr ',' '\n' | grep mean_loss
build/release/recta eval housing.recta housing --loss pseudo-huber --json | tr ',' '\n' | grep mean_loss
