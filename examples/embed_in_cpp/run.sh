#!/usr/bin/env bash
# How do I fit arrays that my C++ program holds already? With find_package(recta), in the program's own memory.
set -euo pipefail

{ cmake -S . -B build -G Ninja -DCMAKE_BUILD_TYPE=Release && cmake --build build; } >log.txt 2>&1 ||
  { cat log.txt; exit 1; }
build/embed_in_cpp
