#include "kernel/texts.hpp"

#include <array>

namespace recta::kernel {
namespace {

// By bytes of the number, the lowest first: a quarter of the time of comparing for a hundred features.
void sort_by_bytes(Counts& counts) {
  Counts other(counts.size());
  std::uint64_t all = 0;
  for (const FeatureCount& one : counts) all |= static_cast<std::uint64_t>(one.feature);
  const auto byte = [](const FeatureCount& one, int shift) {
    return static_cast<std::size_t>(static_cast<std::uint64_t>(one.feature) >> shift & 255);
  };
  for (int shift = 0; shift < 64 && all >> shift != 0; shift += 8) {
    std::array<std::uint32_t, 257> start{};
    for (const FeatureCount& one : counts) ++start[byte(one, shift) + 1];
    for (std::size_t k = 1; k < start.size(); ++k) start[k] += start[k - 1];
    for (const FeatureCount& one : counts) other[start[byte(one, shift)]++] = one;
    counts.swap(other);
  }
}

} // namespace

void sort_features(Counts& counts) {
  constexpr std::size_t kFew = 48;
  if (counts.size() < kFew)
    std::ranges::sort(counts, {}, &FeatureCount::feature);
  else
    sort_by_bytes(counts);
  std::size_t last = 0;
  for (std::size_t k = 1; k < counts.size(); ++k) {
    if (counts[k].feature == counts[last].feature)
      counts[last].count += counts[k].count;
    else
      counts[++last] = counts[k];
  }
  if (!counts.empty()) counts.resize(last + 1);
}

} // namespace recta::kernel
