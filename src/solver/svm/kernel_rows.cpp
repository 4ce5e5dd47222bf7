#include "solver/svm/kernel_rows.hpp"

#include "base/large_memory.hpp"
#include "base/numbers.hpp"
#include "base/simd/kernels.hpp"

#include <algorithm>

namespace recta::svm {

template <class Number>
KernelRows<Number>::KernelRows(const kernel::Kernel& kernel, const kernel::Points& points, std::uint64_t bytes,
                               Index at_once, Pool& pool)
    : kernel_(kernel), points_(points), pool_(&pool), bytes_(bytes), columns_(points.count()), slots_(slots(at_once)) {
  forget();
  for (Index i = 0; i < columns(); ++i) diagonal_.push_back(points.own_value(kernel, i));
  if constexpr (sizeof(Number) < sizeof(double)) floats_.emplace(kernel, points, pool);
}

template <class Number>
KernelRows<Number>::KernelRows(KernelRows& all, std::vector<Index> some, Index at_once)
  requires(sizeof(Number) < sizeof(double))
    : kernel_(all.kernel_), points_(all.points_), pool_(all.pool_), bytes_(all.bytes_), columns_(std::ssize(some)),
      some_(std::move(some)), slots_(slots(at_once)) {
  all.forget();
  forget();
  for (const Index i : some_) diagonal_.push_back(all.diagonal(i));
  some_ = all.points_of(some_);
  floats_.emplace(*all.floats_, some_);
}

template <class Number>
std::vector<Index> KernelRows<Number>::points_of(std::span<const Index> numbers) const {
  std::vector<Index> out(numbers.begin(), numbers.end());
  for (Index& i : out)
    if (!some_.empty()) i = some_[at(i)];
  return out;
}

template <class Number>
void KernelRows<Number>::add_to(std::span<const Index> columns, std::span<const Index> rows, std::span<const double> by,
                                std::vector<double>& f) const
  requires(sizeof(Number) < sizeof(double))
{
  constexpr Index kTogether = 64, kChunk = 2048;
  const Index count = std::ssize(columns);
  const std::vector<Index> from = points_of(rows);
  const kernel::FloatPoints points(*floats_, points_of(columns));
  std::vector<float> values(at(std::min<Index>(kTogether, std::ssize(rows)) * count));
  std::vector<double> sums(at(count));
  for (std::size_t first = 0; first < from.size(); first += kTogether) {
    const std::size_t some = std::min<std::size_t>(kTogether, from.size() - first);
    std::vector<float*> places;
    for (std::size_t k = 0; k < some; ++k) places.push_back(values.data() + k * at(count));
    points.values_of(std::span(from).subspan(first, some), places, *pool_);
    pool_->run((count + kChunk - 1) / kChunk, [&](Index task, int) {
      std::vector<const float*> here;
      for (float* const row : places) here.push_back(row + task * kChunk);
      simd::kernels().add_float_multiples(std::min(kChunk, count - task * kChunk), std::ssize(here), here.data(),
                                          by.data() + first, sums.data() + task * kChunk);
    });
  }
  for (std::size_t k = 0; k < columns.size(); ++k) f[at(columns[k])] += sums[k];
}

template <class Number>
void KernelRows<Number>::forget() {
  values_.reset();
  used_ = 0, hand_ = 0;
  slot_of_.assign(at(columns_), -1);
  row_in_.assign(at(slots_), -1);
  stamp_.assign(at(slots_), 0);
}

template <class Number>
Index KernelRows<Number>::slots(Index at_once) const {
  const auto row_bytes = static_cast<std::uint64_t>(std::max<Index>(1, columns())) * sizeof(Number);
  const auto fit = static_cast<Index>(std::min<std::uint64_t>(bytes_ / row_bytes, 0x40000000));
  return std::clamp(fit, std::min(at_once, columns()), columns());
}

template <class Number>
void KernelRows<Number>::allocate() {
  const std::size_t bytes = at(slots_ * columns()) * sizeof(Number);
  const LargePages pages(LargePages::room(bytes));
  values_.reset(static_cast<Number*>(allocate_large(bytes)));
}

// A slot never used, or the one used longest ago; clock_ is that of this call, so rows wanted now stay. The hand of a
// clock finds one that is old enough without looking at all.
template <class Number>
Index KernelRows<Number>::free_slot() {
  if (used_ < slots_) return used_++;
  const Index old = clock_ - std::max<Index>(1, slots_ / std::max<Index>(1, std::ssize(out_)) - 1);
  for (Index tried = 0;; ++tried) {
    hand_ = hand_ + 1 == slots_ ? 0 : hand_ + 1;
    const Index stamp = stamp_[at(hand_)];
    if (stamp < clock_ && (stamp <= old || tried > slots_)) return hand_;
  }
}

template <class Number>
const std::vector<const Number*>& KernelRows<Number>::rows(std::span<const Index> wanted) {
  ++clock_;
  out_.resize(wanted.size());
  if (!values_) allocate();
  std::vector<Index> missing;
  for (const Index i : wanted) {
    if (slot_of_[at(i)] < 0)
      missing.push_back(i);
    else
      stamp_[at(slot_of_[at(i)])] = clock_;
  }
  std::vector<Index> fresh;
  std::vector<Number*> places;
  for (std::size_t k = 0; k < missing.size(); ++k) {
    const Index slot = free_slot();
    if (row_in_[at(slot)] >= 0) slot_of_[at(row_in_[at(slot)])] = -1;
    row_in_[at(slot)] = -1; // until its values are there: computing them may be interrupted
    stamp_[at(slot)] = clock_;
    fresh.push_back(slot), places.push_back(values_.get() + slot * columns());
  }
  compute(missing, places);
  computed_ += std::ssize(missing);
  for (std::size_t k = 0; k < missing.size(); ++k)
    row_in_[at(fresh[k])] = missing[k], slot_of_[at(missing[k])] = fresh[k];
  for (std::size_t k = 0; k < wanted.size(); ++k) out_[k] = values_.get() + slot_of_[at(wanted[k])] * columns();
  return out_;
}

template <class Number>
void KernelRows<Number>::compute(std::span<const Index> wanted, std::span<Number* const> places) {
  if constexpr (sizeof(Number) < sizeof(double)) {
    floats_->values_of(points_of(wanted), places, *pool_);
  } else {
    points_.values_of(kernel_, wanted, places, pool_);
  }
}

template class KernelRows<double>;
template class KernelRows<float>;

} // namespace recta::svm
