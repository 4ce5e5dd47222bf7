// Passes over rows with sets of labels: how many have each of them, and how many are predicted right. The target of a
// row has 0 or 1 per label. The same sums of the same blocks on any number of machines.
#pragma once

#include "combine/label_rows.hpp"

#include <recta/label_metrics.hpp>

namespace recta::combine {

struct LabelCounting {
  LabelSums sums;

  void accumulate(const Batch& batch);
  void merge(const LabelCounting& other);
  bool finite() const { return true; }
  std::string to_bytes() const;
  static Result<LabelCounting> from_bytes(std::string_view bytes);
};

// The body outlives it.
struct LabelJudging {
  const LabelBody* body = nullptr;
  metric::LabelCounts counts;

  explicit LabelJudging(const LabelBody* judged = nullptr);
  void accumulate(const Batch& batch);
  void merge(const LabelJudging& other);
  bool finite() const { return true; }
  std::string to_bytes() const;
  static Result<LabelJudging> from_bytes(std::string_view bytes);
};

} // namespace recta::combine
