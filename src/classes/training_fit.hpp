// How well scores fit the rows they were learned from: accuracy and the likelihood of the classes.
#pragma once

#include "stats/accumulator.hpp"

#include <recta/model.hpp>

namespace recta {

class TrainingFit : public Saved<TrainingFit> {
public:
  TrainingFit() = default;
  // Both outlive it.
  TrainingFit(const Body& body, const Classes& classes) : body_(&body), classes_(&classes) {}

  void accumulate(const Batch& batch);
  void accumulate(const Batch& batch, Pool& pool); // rows in parts of fixed size, to the same bits
  void merge(const TrainingFit& other);
  void merge(const TrainingFit& other, Pool&) { merge(other); }
  Index leaf_blocks() const { return 1; }
  bool finite() const { return true; }
  static constexpr std::string_view kTag = "tfit", kName = "the fit on training rows";
  static void fields(auto& s, auto& io) { io(s.weight_, s.right_, s.log_likelihood_); }

  ClassFit figures() const; // of the classes' weights too

private:
  void add(const Batch& batch, Index first, Index count);

  const Body* body_ = nullptr;
  const Classes* classes_ = nullptr;
  double weight_ = 0, right_ = 0, log_likelihood_ = 0;
};

} // namespace recta
