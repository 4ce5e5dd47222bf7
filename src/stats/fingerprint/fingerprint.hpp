// A fingerprint of the rows: a number that changes when a value, its row or its column changes, and that does not
// depend on the layout, the precision of storage (a float is the double it equals), the blocks or the threads.
//
//   sum over non-zero x_ij of (low32(x_ij) + a_i + b_j) (high32(x_ij) + c_i + d_j)   mod 2^64
//
// with 32-bit keys from the row's and the column's numbers: the NH family of Black, Halevi, Krawczyk, Krovetz and
// Rogaway (1999), which misses a changed value with probability 2^-32. Zeros add nothing, so sparse rows equal dense
// ones. Targets, weights (one where absent) and offsets are further columns. It is a guard against mistakes, not
// against an adversary who can choose the rows.
#pragma once

#include "base/pool.hpp"
#include "stats/accumulator.hpp"

#include <recta/model.hpp>

namespace recta {

struct RowFingerprint : Saved<RowFingerprint> {
  Index cols = 0, targets = 0;
  Index rows = 0;                    // all of them, weight zero included
  double weight = 0, weight_low = 0; // sum of the weights
  std::uint64_t sum = 0;

  RowFingerprint() = default;
  RowFingerprint(Index p, Index k) : cols(p), targets(k) {}
  RowFingerprint blank() const { return {cols, targets}; }

  void accumulate(const Batch& batch);
  void merge(const RowFingerprint& other);
  // With all threads on one block, its lines are shared over the pool; sums of integers do not depend on the order.
  static constexpr bool kColumnwise = true;
  Index leaf_blocks() const { return 1; }
  void accumulate(const Batch& batch, Pool& pool);
  void accumulate_columns(const Batch& columns, Pool& pool);
  void merge(const RowFingerprint& other, Pool&) { merge(other); }
  static constexpr std::string_view kTag = "rows", kName = "a fingerprint";
  static void fields(auto& s, auto& io) {
    io(s.cols, s.targets, s.rows, s.weight, s.weight_low, s.sum);
    io.require(s.cols >= 0 && s.targets >= 0 && s.rows >= 0);
  }

  Fingerprint fingerprint() const; // SHA-256 of the shape and the sum

private:
  void count(const Batch& batch);
};

} // namespace recta
