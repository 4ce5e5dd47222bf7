// The kernels for aarch64: NEON.
#if defined(__aarch64__)
#define HWY_COMPILE_ONLY_STATIC
// clang-format off: the pack comes first, the bodies are written over it
#include "base/simd/pack_highway.hpp"
#include "base/simd/table.hpp"
// clang-format on

namespace recta::simd {
const Kernels kNeonKernels = kTable;
} // namespace recta::simd
#endif
