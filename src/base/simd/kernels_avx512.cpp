// The kernels for x86-64-v4: AVX-512 F, BW, CD, DQ, VL.
#if defined(__x86_64__)
#define HWY_COMPILE_ONLY_STATIC
// clang-format off: the pack comes first, the bodies are written over it
#include "base/simd/pack_highway.hpp"
#include "base/simd/table.hpp"
// clang-format on

namespace recta::simd {
const Kernels kAvx512Kernels = kTable;
} // namespace recta::simd
#endif
