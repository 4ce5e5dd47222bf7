#include "solver/svm/kernel_rows.hpp"

#include "base/numbers.hpp"

#include <algorithm>

namespace recta::svm {

KernelRows::KernelRows(const kernel::Kernel& kernel, const kernel::Points& points, std::uint64_t bytes, Index at_once,
                       Pool& pool)
    : kernel_(kernel), points_(points), pool_(&pool), slots_(slots(bytes, at_once)), slot_of_(at(points.count()), -1) {
  row_in_.assign(at(slots_), -1);
  stamp_.assign(at(slots_), 0);
  for (Index i = 0; i < columns(); ++i) diagonal_.push_back(points.own_value(kernel, i));
}

Index KernelRows::slots(std::uint64_t bytes, Index at_once) const {
  const auto row_bytes = static_cast<std::uint64_t>(std::max<Index>(1, columns())) * sizeof(double);
  const auto fit = static_cast<Index>(std::min<std::uint64_t>(bytes / row_bytes, 0x40000000));
  return std::clamp(fit, std::min(at_once, columns()), columns());
}

// A slot never used, or the one used longest ago; clock_ is that of this call, so rows wanted now stay. The hand of a
// clock finds one that is old enough without looking at all.
Index KernelRows::free_slot() {
  if (used_ < slots_) return used_++;
  const Index old = clock_ - std::max<Index>(1, slots_ / std::max<Index>(1, std::ssize(out_)) - 1);
  for (Index tried = 0;; ++tried) {
    hand_ = hand_ + 1 == slots_ ? 0 : hand_ + 1;
    const Index stamp = stamp_[at(hand_)];
    if (stamp < clock_ && (stamp <= old || tried > slots_)) return hand_;
  }
}

const std::vector<const double*>& KernelRows::rows(std::span<const Index> wanted) {
  ++clock_;
  out_.resize(wanted.size());
  if (!values_) values_ = std::make_unique_for_overwrite<double[]>(at(slots_ * columns()));
  std::vector<Index> missing;
  for (const Index i : wanted) {
    if (slot_of_[at(i)] < 0)
      missing.push_back(i);
    else
      stamp_[at(slot_of_[at(i)])] = clock_;
  }
  std::vector<Index> fresh;
  std::vector<double*> places;
  for (std::size_t k = 0; k < missing.size(); ++k) {
    const Index slot = free_slot();
    if (row_in_[at(slot)] >= 0) slot_of_[at(row_in_[at(slot)])] = -1;
    row_in_[at(slot)] = -1; // until its values are there: computing them may be interrupted
    stamp_[at(slot)] = clock_;
    fresh.push_back(slot), places.push_back(values_.get() + slot * columns());
  }
  points_.values_of(kernel_, missing, places, pool_);
  computed_ += std::ssize(missing);
  for (std::size_t k = 0; k < missing.size(); ++k)
    row_in_[at(fresh[k])] = missing[k], slot_of_[at(missing[k])] = fresh[k];
  for (std::size_t k = 0; k < wanted.size(); ++k) out_[k] = values_.get() + slot_of_[at(wanted[k])] * columns();
  return out_;
}

} // namespace recta::svm
