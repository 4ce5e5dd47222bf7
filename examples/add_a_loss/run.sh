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

# The same files lie in the compiler's cache already, whatever the folder is called.
export CCACHE_BASEDIR=$scratch CCACHE_NOHASHDIR=1
{ cmake --preset release && cmake --build --preset release --target recta_cli --target test_loss; } >log.txt 2>&1 ||
  { cat log.txt; exit 1; }

echo "the laws that every loss obeys, checked for the new one:"
build/release/test_loss --gtest_brief=1 >laws.txt || { cat laws.txt; exit 1; }
echo "all hold"
build/release/recta fit linear housing -o housing.recta -q >fit.txt
echo "mean loss of least squares on housing:"
build/release/recta eval housing.recta housing --loss squared --json | tr ',' '\n' | grep mean_loss
build/release/recta eval housing.recta housing --loss pseudo-huber --json | tr ',' '\n' | grep mean_loss
