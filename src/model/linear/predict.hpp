// z = <w, x> + b (+ offset), one row kernel for every layout and batch size: a row's score has the same bits alone, in
// a batch, dense, sparse, and at any number of threads.
#pragma once

#include "model/linear/ties.hpp"
#include "model/score_rows.hpp"

#include <recta/model.hpp>

#include <optional>

namespace recta {

class LinearPredictor {
public:
  using FeatureName = std::function<std::string(Index)>;

  LinearPredictor(std::vector<Scorer> scorers, FeatureName feature, ScoresOf of);
  LinearPredictor(const LinearPredictor&) = delete; // ties look at the scorers
  LinearPredictor& operator=(const LinearPredictor&) = delete;

  Index targets() const { return std::ssize(scorers_); }

  // Scores of rows of weight zero, those that Missing::drop leaves out, are NaN. If a row cannot be predicted because a
  // number in it is not finite, the error names the row and the feature.
  Result<void> predict(const Batch& batch, double* out) const;

private:
  Result<void> name_culprit(const Batch& batch) const;

  std::vector<Scorer> scorers_; // one per target
  FeatureName feature_;
  std::optional<Ties> ties_;
};

// Scores with weights that are no model yet.
Result<void> predict_linear(std::vector<Scorer> scorers, ScoresOf of, RowSource& source, Pool& pool,
                            const Written& written);

} // namespace recta
