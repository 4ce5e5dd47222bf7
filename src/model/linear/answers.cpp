#include "model/linear/answers.hpp"

#include "base/numbers.hpp"
#include "base/simd/kernels.hpp"

#include <algorithm>
#include <cmath>

namespace recta {
namespace {

struct Scores {
  const double* z;
  Index count; // of one row
};

// The class of the largest score: the first if several are equal, or the positive one of two classes; NaN if there is
// no score.
double predicted_class(const Scores& row, Index classes, Index positive) {
  if (std::isnan(row.z[0])) return row.z[0];
  if (row.count == 1) return static_cast<double>(row.z[0] >= 0 ? positive : 1 - positive);
  if (classes == 2) return static_cast<double>(row.z[positive] >= row.z[1 - positive] ? positive : 1 - positive);
  return static_cast<double>(std::max_element(row.z, row.z + row.count) - row.z);
}

void probabilities(const Scores& row, double* out) {
  if (std::isnan(row.z[0])) {
    std::fill_n(out, row.count, row.z[0]);
    return;
  }
  const double most = *std::max_element(row.z, row.z + row.count);
  double sum = 0;
  for (Index k = 0; k < row.count; ++k) sum += out[k] = std::exp(row.z[k] - most);
  const double largest = 1 / sum, below = std::nextafter(largest, 0.0);
  for (Index k = 0; k < row.count; ++k) out[k] = row.z[k] == most ? largest : std::min(out[k] / sum, below);
}

// A factor c_k multiplies the odds of its class by c_k: it is a constant of its score, and is taken off.
std::vector<double> of_factors(const Classes& classes, Index width) {
  std::vector<double> off;
  for (const double factor : classes.factor) off.push_back(std::log(factor));
  if (width == 1 && !off.empty()) off = {off[at(classes.positive)] - off[at(1 - classes.positive)]};
  return off;
}

double length(const TargetFit& target) {
  double largest = 0, sum = 0; // in units of the largest, so that no square overflows or is lost
  for (const Coefficient& c : target.coefficients) largest = std::max(largest, std::abs(c.value));
  for (const Coefficient& c : target.coefficients) sum += (c.value / largest) * (c.value / largest);
  return largest * std::sqrt(sum);
}

std::vector<double> lengths_of(const LinearSummary& linear) {
  std::vector<double> lengths;
  for (const TargetFit& target : linear.targets) lengths.push_back(length(target));
  return lengths;
}

} // namespace

ClassAnswers::ClassAnswers(const Model& model, Answer answer)
    : answer_(answer), width_(model.body->scores()), classes_(model.schema.classes.count()),
      columns_(model.columns(answer)), positive_(model.schema.classes.positive) {
  if (answer == Answer::corrected) off_ = of_factors(model.schema.classes, width_);
  if (answer == Answer::distance) lengths_ = lengths_of(*model.linear());
}

void ClassAnswers::write(double* scores, Index rows, double* out) const {
  if (answer_ == Answer::decision) {
    std::copy_n(scores, rows * width_, out);
    return;
  }
  if (answer_ == Answer::distance) {
    for (Index k = 0; k < rows * width_; ++k) out[k] = scores[k] / lengths_[at(k % width_)];
    return;
  }
  for (Index k = 0; !off_.empty() && k < rows * width_; ++k) scores[k] -= off_[at(k % width_)];
  if (answer_ == Answer::prediction) {
    for (Index i = 0; i < rows; ++i) out[i] = predicted_class({scores + i * width_, width_}, classes_, positive_);
  } else if (classes_ == 2) {
    for (Index i = 0; i < rows && width_ == 2; ++i)
      scores[i] = scores[2 * i + positive_] - scores[2 * i + 1 - positive_];
    simd::kernels().two_probabilities(rows, scores, positive_ == 0, out);
  } else {
    for (Index i = 0; i < rows; ++i) probabilities({scores + i * width_, width_}, out + i * columns_);
  }
}

} // namespace recta
