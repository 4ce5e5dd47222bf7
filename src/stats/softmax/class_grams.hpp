// The blocks on the diagonal of softmax regression's Hessian at one point: for every class the Gram of the rows with
// weights v P_k (1 - P_k), over all rows or every so many. A preconditioner needs them if probabilities are near 0 and
// 1.
#pragma once

#include "stats/gram/gram.hpp"
#include "stats/softmax/softmax.hpp"

namespace recta {

struct ClassGrams : Saved<ClassGrams> {
  std::shared_ptr<const SoftmaxPoint> point;
  std::vector<Gram> grams;
  double weight = 0; // of the rows that are in them

  ClassGrams() = default;
  explicit ClassGrams(std::shared_ptr<const SoftmaxPoint> at);

  void accumulate(const Batch& batch);
  void merge(const ClassGrams& other);
  static constexpr std::string_view kTag = "cgra", kName = "curvatures of softmax regression";
  static void fields(auto& s, auto& io) {
    const Index count = io.size(s.grams);
    io(s.weight);
    io.states(count, s.grams);
  }
  bool finite() const { return true; }

  // With thousands of numbers per class, blocks are taken one after the other and the classes are shared among the
  // threads.
  Index leaf_blocks() const { return grams.empty() || grams[0].cols <= 64 ? 1 : 2; }
  void accumulate(const Batch& batch, Pool& pool);
  void merge(const ClassGrams& other, Pool& pool);
};

} // namespace recta
