#!/usr/bin/env bash
# How do I add a penalty? In a copy of the sources: one new folder, nothing else, and the program knows the penalty.
set -euo pipefail
here=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for part in CMakeLists.txt CMakePresets.json README.md LICENSE cmake include src cli benchmarks tests; do
  cp -r "$RECTA_ROOT/$part" "$scratch/"
done
cd "$scratch"

cp -r "$here/sorted_l1" src/penalty/

# The same files lie in the compiler's cache already, whatever the folder is called; see scripts/build.
export CCACHE_BASEDIR=$scratch CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1
built() { cmake --preset "$1" && cmake --build --preset "$1" --target "$2"; } # PRESET TARGET
{ built release recta_cli && built tests test_penalty; } >log.txt 2>&1 || { cat log.txt; exit 1; }

echo "the laws that every penalty obeys, checked for the new one:"
build/tests/test_penalty --gtest_brief=1 >laws.txt || { cat laws.txt; exit 1; }
echo "all hold"
echo "squares with it, on housing:"
build/release/recta fit penalised housing --penalty sorted-l1 --lambda 2 -o housing.recta -q | grep '^penalised\|^lstat'
build/release/recta verify housing.recta housing | grep -o '^Proved'
echo "the loss of logistic regression with it, on rings:"
build/release/recta fit penalised-classes rings --penalty sorted-l1 --lambda 0.001 --decline 3 | grep -o '^Proved'
