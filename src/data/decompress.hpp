// Inputs that expand another input while it is read.
#pragma once

#include "data/input.hpp"

namespace recta {

std::unique_ptr<Input> gzip_input(std::unique_ptr<Input> packed, const ReadOptions& options);
std::unique_ptr<Input> zstd_input(std::unique_ptr<Input> packed, const ReadOptions& options);

} // namespace recta
