// The kernels for any processor.
// clang-format off: the pack comes first, the bodies are written over it
#include "base/simd/pack_scalar.hpp"
#include "base/simd/table.hpp"
// clang-format on

namespace recta::simd {
const Kernels kScalarKernels = kTable;
} // namespace recta::simd
