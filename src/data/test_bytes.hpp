// For tests: all bytes of a file.
#pragma once

#include "data/input.hpp"

namespace recta {

inline Result<Bytes> read_bytes(const std::string& path, const ReadOptions& options = {}) {
  auto input = Input::open(path, options);
  if (!input) return std::unexpected(input.error());
  return (*input)->read_all();
}

} // namespace recta
