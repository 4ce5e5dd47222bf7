// The kernels for x86-64-v3: AVX2 and FMA.
#if defined(__x86_64__)
#define HWY_COMPILE_ONLY_STATIC
// clang-format off: the pack comes first, the bodies are written over it
#include "base/simd/pack_highway.hpp"
#include "base/simd/table.hpp"
// clang-format on

namespace recta::simd {
const Kernels kAvx2Kernels = kTable;
} // namespace recta::simd
#endif
