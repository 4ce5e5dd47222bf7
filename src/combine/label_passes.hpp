// Passes over rows with sets of labels: how many have each of them, and how many are predicted right. The target of a
// row has 0 or 1 per label. The same sums of the same blocks on any number of machines.
#pragma once

#include "combine/label_rows.hpp"

#include <recta/label_metrics.hpp>

namespace recta::combine {

struct LabelCounting : Saved<LabelCounting> {
  LabelSums sums;

  void accumulate(const Batch& batch);
  void merge(const LabelCounting& other);
  bool finite() const { return true; }
  static constexpr std::string_view kTag = "lcnt", kName = "counts of labels";
  static void fields(auto& s, auto& io) {
    const Index labels = io.size(s.sums.there);
    io(s.sums.rows, s.sums.weight);
    io.each(labels, s.sums.there);
    io.numbers(labels, s.sums.present, s.sums.absent);
  }
};

// The body outlives it.
struct LabelJudging : Saved<LabelJudging> {
  const LabelBody* body = nullptr;
  metric::LabelCounts counts;

  explicit LabelJudging(const LabelBody* judged = nullptr);
  void accumulate(const Batch& batch);
  void merge(const LabelJudging& other);
  bool finite() const { return true; }
  static constexpr std::string_view kTag = "ljdg", kName = "rows that a model of label sets judges";
  static void fields(auto& s, auto& io) {
    const Index labels = io.size(s.counts.truth);
    io(s.counts.rows, s.counts.right_rows);
    io.numbers(labels, s.counts.truth, s.counts.predicted, s.counts.both);
  }
};

} // namespace recta::combine
