#!/usr/bin/env bash
# How do I add a loss? In a copy of the sources: one new folder, nothing else, and the program knows the loss.
set -euo pipefail
here=$PWD
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT
for part in CMakeLists.txt CMakePresets.json README.md LICENSE pyproject.toml cmake include src cli benchmarks tests python; do
  cp -r "$RECTA_ROOT/$part" "$scratch/"
done
cd "$scratch"

cp -r "$here/pseudo_huber" src/loss/

# The same files lie in the compiler's cache already, whatever the folder is called; see scripts/build.
export CCACHE_BASEDIR=$scratch CCACHE_NOHASHDIR=1 CCACHE_SLOPPINESS=pch_defines,time_macros CCACHE_PCH_EXTSUM=1
built() { cmake --preset "$1" && cmake --build --preset "$1" --target "$2"; } # PRESET TARGET
wheel() { # in the environment of scripts/wheel, so that the cache has the bindings too
  ln -s "$RECTA_ROOT/.venv" .venv
  .venv/bin/python -m pip --disable-pip-version-check wheel . --no-build-isolation --no-deps -w wheel \
    -C cmake.define.CMAKE_CXX_COMPILER=clang++-19 -C "cmake.define.RECTA_LIBRARY=$scratch/build/release/librecta.a"
  .venv/bin/python -m pip --disable-pip-version-check install --no-deps --target site wheel/recta-*.whl
}
{ built release recta_cli && built tests test_loss && wheel; } >log.txt 2>&1 || { cat log.txt; exit 1; }

echo "the laws that every loss obeys, checked for the new one:"
build/tests/test_loss --gtest_brief=1 >laws.txt || { cat laws.txt; exit 1; }
echo "all hold"
build/release/recta fit linear housing -o housing.recta -q >fit.txt
echo "mean loss of least squares on housing:"
build/release/recta eval housing.recta housing --loss squared --json | tr ',' '\n' | grep mean_loss
build/release/recta eval housing.recta housing --loss pseudo-huber --json | tr ',' '\n' | grep mean_loss
echo "its own model, fitted by Newton's method and by a descent:"
build/release/recta fit pseudo-huber housing --delta 2 -o robust.recta -q >fit.txt
build/release/recta verify robust.recta housing | grep -o '^Proved'
build/release/recta eval robust.recta housing --json | tr ',' '\n' | grep mean_loss
build/release/recta fit pseudo-huber housing --delta 2 --lambda 0.1 --standardise --solver accelerated --steps 2000 |
  grep -o '^Proved'
echo "Python:"
PYTHONPATH=$scratch/site python - <<'EOF'
import recta
from recta.families import PseudoHuberRegressor

X, y = recta.datasets.load("housing", return_X_y=True)
model = PseudoHuberRegressor(delta=2).fit(X, y)
print(model.certificate_.verdict)
print("R^2", round(model.score(X, y), 6))
EOF
