#!/usr/bin/env bash
# My rows lie in several places. Each place sums up its own; the sums are merged and fitted.
set -euo pipefail

{ cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release && cmake --build build; } >log.txt 2>&1 ||
  { cat log.txt; exit 1; }
build/rows_in_shards
