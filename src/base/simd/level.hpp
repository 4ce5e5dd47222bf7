// The tables that the files kernels_LEVEL.cpp define; only level.cpp uses them.
#pragma once

#include "base/simd/kernels.hpp"

namespace recta::simd {

extern const Kernels kScalarKernels;
#if defined(__x86_64__)
extern const Kernels kAvx2Kernels;
extern const Kernels kAvx512Kernels;
#elif defined(__aarch64__)
extern const Kernels kNeonKernels;
#endif

struct Choice {
  Level level;
  std::string complaint;
};
Choice choose(std::string_view setting, const std::vector<Level>& available); // setting: the text of RECTA_SIMD

} // namespace recta::simd
