// hash_line() over registers, compiled once per instruction set by the file that includes this one after naming its
// namespace in RECTA_HASH_LEVEL. A 64-bit lane holds a double's bits; the even-lane multiply takes the lower halves.
#define HWY_COMPILE_ONLY_STATIC
#include "stats/fingerprint/line.hpp"

#include <hwy/highway.h>

namespace recta::RECTA_HASH_LEVEL {

std::uint64_t hash_line(const double* x, Index n, KeyLine along, Keys across) {
  namespace hn = hwy::HWY_NAMESPACE;
  const hn::CappedTag<std::uint64_t, 8> wide;
  const hn::Repartition<std::uint32_t, decltype(wide)> halves;
  const auto* bits = reinterpret_cast<const std::uint64_t*>(x);
  const auto low_across = hn::Set(wide, across.low), high_across = hn::Set(wide, across.high);
  const Index lanes = static_cast<Index>(hn::Lanes(wide));
  auto sum = hn::Zero(wide);
  Index s = 0;
  const auto add = [&](auto value, auto low_along, auto high_along) {
    const auto low = hn::Add(value, hn::Add(low_across, low_along));
    const auto high = hn::Add(hn::ShiftRight<32>(value), hn::Add(high_across, high_along));
    const auto product = hn::MulEven(hn::BitCast(halves, low), hn::BitCast(halves, high));
    const auto zero = hn::Eq(hn::ShiftLeft<1>(value), hn::Zero(wide)); // of either sign
    sum = hn::Add(sum, hn::IfThenZeroElse(zero, product));
  };
  for (; s + lanes <= n; s += lanes)
    add(hn::LoadU(wide, bits + s), hn::LoadU(wide, along.low + s), hn::LoadU(wide, along.high + s));
  if (s < n) { // the numbers beyond the end are read as zeros, which add nothing
    const auto rest = hn::FirstN(wide, static_cast<std::size_t>(n - s));
    add(hn::MaskedLoad(rest, wide, bits + s), hn::MaskedLoad(rest, wide, along.low + s),
        hn::MaskedLoad(rest, wide, along.high + s));
  }
  return hn::GetLane(hn::SumOfLanes(wide, sum));
}

} // namespace recta::RECTA_HASH_LEVEL
