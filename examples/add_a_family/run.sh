#!/usr/bin/env bash
# How do I add a family of models? In a copy of the sources: one new folder for it and one for its
# judge, nothing else, and all front ends know it.
set -euo pipefail
here=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for part in CMakeLists.txt CMakePresets.json README.md LICENSE pyproject.toml cmake include src cli benchmarks tests python; do
  cp -r "$RECTA_ROOT/$part" "$scratch/"
done
cd "$scratch"

cp -r "$here/family" "$here/certificate" src/

# The same files lie in the compiler's cache already, whatever the folder is called; see scripts/build.
export CCACHE_BASEDIR=$scratch CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1
built() { cmake --preset "$1" && cmake --build --preset "$1" --target "$2"; } # PRESET TARGET
wheel() { # in the environment of scripts/wheel, so that the cache has the bindings too
  ln -s "$RECTA_ROOT/.venv" .venv
  .venv/bin/python -m pip --disable-pip-version-check wheel . --no-build-isolation --no-deps -w wheel \
    -C cmake.define.CMAKE_CXX_COMPILER=clang++-19 -C "cmake.define.RECTA_LIBRARY=$scratch/build/release/librecta.a"
  .venv/bin/python -m pip --disable-pip-version-check install --no-deps --target site wheel/recta-*.whl
}
family_test() { # ./test builds it with those of all families
  # shellcheck disable=SC2046 # several words
  clang++-19 -std=c++23 -O1 -Iinclude -Isrc src/family/nearest_median/nearest_median_test.cpp build/release/librecta.a -o laws \
    -lgtest -lgtest_main -lgmock $(pkg-config --libs openblas libzstd libutf8proc) -lstemmer -llapacke -lfmt -lz -pthread
}
{ built release recta_cli && family_test && wheel; } >log.txt 2>&1 || { cat log.txt; exit 1; }

echo "C++:"
./laws --gtest_brief=1 >tests.txt || { cat tests.txt; exit 1; }
echo "its tests pass"
echo "command line:"
build/release/recta fit nearest-median iris -o iris.recta -q >fit.txt
build/release/recta verify iris.recta iris
build/release/recta eval iris.recta iris | grep model
echo "Python:"
PYTHONPATH=$scratch/site python - <<'EOF'
import recta
from recta.families import NearestMedian

X, y = recta.datasets.load("iris", return_X_y=True)
model = NearestMedian().fit(X, y)
print(model.certificate_.sentence)
print("accuracy", round(model.score(X, y), 6))
EOF
