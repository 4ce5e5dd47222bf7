// Rows in the order of their visits. If that order is random, a row of a large sparse matrix comes from main memory,
// and a learner that goes row by row waits for most of them: prefetching hides half of that time at best. A second
// thread then copies the coming rows side by side, and the learner finds them in a cache. It never waits for a copy: a
// row that is not there in time is read where it lies, and the numbers are the same.
#pragma once

#include "solver/gradient_descent/seen_row.hpp"

#include <array>
#include <atomic>
#include <new>
#include <span>
#include <system_error>
#include <thread>
#include <type_traits>
#include <vector>

namespace recta {

template <class Rows>
class RowsAhead {
public:
  using Row = std::decay_t<decltype(row_of(std::declval<const Rows&>(), Index{}))>;

  // Both must outlive this. With one thread nothing is copied.
  RowsAhead(const Rows& rows, std::span<const Index> visits, int threads);
  ~RowsAhead();
  RowsAhead(const RowsAhead&) = delete;
  RowsAhead& operator=(const RowsAhead&) = delete;

  // The row of the next visit, valid until the one after.
  const Row& next();
  const Row& row() const { return row_; }
  // Its product with v. Coming rows are prefetched on the way if they are not copied.
  double dot(const double* v) const;

private:
  static constexpr bool kSparse = !std::is_same_v<Rows, DenseRows>;
  static constexpr std::size_t kAhead = 4, kFarAhead = 16, kSample = 512;
  static constexpr std::size_t kChunk = 64; // rows: few enough to go from one core to the other through caches
  static constexpr Index kChunks = 8, kLeast = 1 << 20; // chunks kept; numbers in a pass that are worth a thread

  struct Chunk {
    std::atomic<Index> number{-1}; // -1: none yet, or one that is being copied
    std::vector<double> value;
    std::vector<std::int64_t> index64;
    std::vector<std::int32_t> index32;
    std::vector<Index> start;
    auto& index() {
      if constexpr (std::is_same_v<Rows, SparseRows<std::int64_t>>)
        return index64;
      else
        return index32;
    }
  };

  bool worth_it(int threads) const;
  void copy_all();
  void copy(Index chunk);
  Index chunks() const { return static_cast<Index>((visits_.size() + kChunk - 1) / kChunk); }

  const Rows& rows_;
  std::span<const Index> visits_;
  std::size_t at_ = 0; // visits begun
  Row row_{};
  bool copied_ = false;                          // whether this chunk was copied
  alignas(128) std::atomic<Index> used_{0};      // the chunk that the learner is in
  alignas(128) std::array<Chunk, kChunks> kept_; // by number mod kChunks
  std::jthread helper_;
};

template <class Rows>
RowsAhead<Rows>::RowsAhead(const Rows& rows, std::span<const Index> visits, int threads)
    : rows_(rows), visits_(visits) {
  if constexpr (kSparse) {
    if (!worth_it(threads)) return;
    try {
      helper_ = std::jthread([this] { copy_all(); });
    } catch (const std::system_error&) { // no thread is available
    }
  }
}

template <class Rows>
RowsAhead<Rows>::~RowsAhead() {
  used_ = chunks();
  used_.notify_all();
}

// The hardware prefetches rows that come in their order.
template <class Rows>
bool RowsAhead<Rows>::worth_it(int threads) const {
  if (threads < 2 || visits_.size() < 4 * kSample) return false;
  Index numbers = 0, along = 0;
  for (std::size_t k = 0; k < kSample; ++k) {
    numbers += row_of(rows_, visits_[k]).count;
    along += visits_[k + 1] == visits_[k] + 1 ? 1 : 0;
  }
  const auto samples = static_cast<Index>(visits_.size() / kSample);
  return 2 * along < static_cast<Index>(kSample) && numbers * samples > kLeast;
}

// A chunk is copied over one that the learner has left behind.
template <class Rows>
void RowsAhead<Rows>::copy_all() {
  try {
    for (Index chunk = 1; chunk < chunks(); ++chunk) {
      Index used = used_;
      for (; chunk >= used + kChunks; used = used_) used_.wait(used);
      if (chunk > used) copy(chunk); // otherwise the learner was faster
    }
  } catch (const std::bad_alloc&) { // the learner goes on without
  }
}

template <class Rows>
void RowsAhead<Rows>::copy(Index chunk) {
  Chunk& to = kept_[static_cast<std::size_t>(chunk % kChunks)];
  const auto first = static_cast<std::size_t>(chunk) * kChunk, end = std::min(visits_.size(), first + kChunk);
  to.number = -1;
  to.start.assign(1, 0);
  for (std::size_t k = first; k < end; ++k) {
    prefetch_place(rows_, visits_[std::min(k + kChunk, visits_.size() - 1)]);
    to.start.push_back(to.start.back() + row_of(rows_, visits_[k]).count);
  }
  const auto numbers = static_cast<std::size_t>(to.start.back());
  if (to.value.size() < numbers) {
    to.value.resize(numbers);
    to.index().resize(numbers);
  }
  for (std::size_t k = first; k < end; ++k) {
    const Row row = row_of(rows_, visits_[k]);
    std::copy_n(row.value, row.count, to.value.data() + to.start[k - first]);
    std::copy_n(row.index, row.count, to.index().data() + to.start[k - first]);
  }
  to.number = chunk;
}

template <class Rows>
const typename RowsAhead<Rows>::Row& RowsAhead<Rows>::next() {
  const std::size_t within = at_ % kChunk;
  if (within == 0 && helper_.joinable()) {
    const auto chunk = static_cast<Index>(at_ / kChunk);
    used_ = chunk;
    used_.notify_one();
    copied_ = kept_[static_cast<std::size_t>(chunk % kChunks)].number == chunk;
  }
  if constexpr (kSparse) {
    if (copied_) {
      Chunk& from = kept_[at_ / kChunk % kChunks];
      const Index begin = from.start[within];
      row_ = {from.value.data() + begin, from.index().data() + begin, from.start[within + 1] - begin};
    } else {
      row_ = row_of(rows_, visits_[at_]);
    }
  } else {
    row_ = row_of(rows_, visits_[at_]);
  }
  ++at_;
  return row_;
}

template <class Rows>
double RowsAhead<Rows>::dot(const double* v) const {
  if (copied_) return row_.dot(v);
  prefetch_place(rows_, visits_[std::min(at_ - 1 + kFarAhead, visits_.size() - 1)]);
  return row_.dot(v, row_of(rows_, visits_[std::min(at_ - 1 + kAhead, visits_.size() - 1)]));
}

} // namespace recta
